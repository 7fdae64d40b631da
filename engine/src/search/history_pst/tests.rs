use super::*;
use crate::params::Params;
use crate::search::heuristics::{CutInfo, Searched};
use crate::search::stack::StackEntry;
use crate::search::testing::QUIET;
use crate::search::{Buffers, HashSize, Limits, NoStatistics};
use crate::types::{Color, Depth, Role, Value};

const START: &str = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1";
const ENDING: &str = "4k3/p7/8/8/8/8/7P/R3K2R w - - 0 1";

/// An engine that has seen h2-h3 cut, after which its score is `score`.
struct Taught {
    setup: Setup,
    heuristics: Heuristics,
    hash: HashTable,
}

/// h2-h3 cuts, worth so many points.
fn teach(heuristics: &mut Heuristics, points: i32) {
    let position = Position::from_fen(START).expect("legal");
    heuristics.cut(&CutInfo {
        position: &position,
        stack: &[StackEntry::default()],
        ply: 0,
        depth: Depth::plies(points),
        mv: position.parse_uci("h2h3").expect("legal"),
        value: Value::ZERO,
        tried: &Searched::default(),
    });
}

impl Taught {
    fn new(change: impl Fn(&mut HistoryPst), score: i32) -> Taught {
        let mut params = Params::default();
        params.history_pst.on = true;
        params.history.gravity = false;
        // Each cut at this depth is worth a point.
        (params.history.square, params.history.linear, params.history.keep) = (0, 16, 100);
        change(&mut params.history_pst);
        let setup = Setup::new(&Arc::new(params));
        let mut heuristics = Heuristics::new();
        heuristics.begin_search(&setup.params);
        teach(&mut heuristics, score);
        Taught { setup, heuristics, hash: HashTable::new(HashSize::MIN) }
    }

    /// What the next search adds to a white pawn on h3, and to a black one on h6.
    fn added(&mut self, fen: &str) -> (i32, i32) {
        let position = Position::from_fen(fen).expect(fen);
        let table = self.heuristics.square_table(&self.setup, &position, &self.hash);
        let pristine = &self.setup.evaluator.table;
        let of = |color, sq| {
            let part = |table: &SquareTable| table.of_man(color, Role::Pawn, sq).1;
            let more = part(&table) - part(pristine);
            assert_eq!(more.mg(), more.eg());
            more.mg()
        };
        (of(Color::White, Square::H3), of(Color::Black, Square::H6))
    }
}

/// PRO-09: the printed table by history / 200 + 10; the scores of the others stay.
#[test]
fn history_goes_into_the_tables() {
    for (score, added) in [(0, 0), (199, 0), (200, 2), (1000, 10), (1999, 18), (2000, 20)] {
        let mut taught = Taught::new(|_| (), score);
        assert_eq!(taught.added(START), (added, 0), "{score}");
    }
    assert_eq!(Taught::new(|rules| rules.on = false, 2000).added(START), (0, 0));
}

/// PRO-09: not when a side has no more than a rook.
#[test]
fn endings_are_left_alone() {
    assert_eq!(Taught::new(|_| (), 2000).added(ENDING), (0, 0));
    assert_eq!(Taught::new(|rules| rules.least_pieces = -1, 2000).added(ENDING), (20, 0));
}

/// AMB-78: from the pristine tables each time, or adding up.
#[test]
fn adding_up_is_a_switch() {
    let mut fresh = Taught::new(|_| (), 1000);
    assert_eq!([START, START, ENDING].map(|fen| fresh.added(fen).0), [10, 10, 0]);
    let mut adding = Taught::new(|rules| rules.cumulative = true, 1000);
    assert_eq!([START, START, ENDING].map(|fen| adding.added(fen).0), [10, 20, 20]);
    adding.heuristics.clear();
    assert_eq!(adding.added(START), (0, 0), "a new game");
    let mut long = Taught::new(|rules| rules.cumulative = true, 2000);
    (0..99).for_each(|_| _ = long.added(START));
    assert_eq!([START, START].map(|fen| long.added(fen).0), [Learned::MOST; 2]);
}

/// PRO-09: ProDeo's tables add up from search to search; a new game begins with the pristine ones.
#[test]
fn prodeo_adds_up_over_a_game() {
    let setup = Setup::new(&Arc::new(Params::personality("prodeo").expect("known")));
    let (hash, mut heuristics) = (HashTable::new(HashSize::MIN), Heuristics::new());
    let mut buffers = Buffers::new(1 << 12);
    let limits = Limits { depth: Some(6), ..Limits::default() };
    let position = Position::from_fen(QUIET).expect("legal");
    let mut most = |heuristics: &mut Heuristics| {
        hash.clear();
        let memory = (&hash, &mut *heuristics, &mut buffers);
        Worker::new(&setup, &position, memory, &limits, &(), &mut NoStatistics).deepen(false);
        heuristics.learned.added.iter().map(|added| added.abs()).max()
    };
    let game: Vec<Option<i32>> = (0..8).map(|_| most(&mut heuristics)).collect();
    assert_eq!(game[0], Some(0), "nothing is known before the first search");
    // One search teaches a cell 20 at most.
    assert!(game[1] > Some(0) && game[7] > Some(20), "{game:?}");
    heuristics.clear();
    assert_eq!(most(&mut heuristics), Some(0));
}

/// HSH-08: the hash table can be cleared with the change.
#[test]
fn the_hash_table_can_be_cleared() {
    use crate::search::tt::{Bound, TtHit};
    let mv = crate::types::Move::NONE;
    let found = TtHit { mv, value: Value::ZERO, depth: Depth::PLY, bound: Bound::Exact };
    for clear in [false, true] {
        let mut taught = Taught::new(|rules| rules.clear_hash = clear, 1000);
        taught.hash.store(5, found, 0);
        taught.added(START);
        assert_eq!(taught.hash.probe(5, 0).is_none(), clear);
    }
}

/// The search carries the sums of the taught table, from its first position on; PRO-10 changes
/// them on the way, by what was learned meanwhile.
#[test]
fn the_search_uses_the_table() {
    for each_iteration in [false, true] {
        let taught = Taught::new(
            |rules| (rules.each_iteration, rules.least_pieces) = (each_iteration, 4),
            1000,
        );
        let Taught { setup, mut heuristics, hash } = taught;
        let start = "4k2r/pppppppp/8/8/8/7P/PPPPPPP1/4K2R w Kk - 0 1";
        let mut position = Position::from_fen(start).expect("legal");
        position.set_table(&setup.evaluator.table);
        let before = position.i_score();
        let (mut buffers, limits) = (Buffers::new(1 << 12), Limits::default());
        let memory = (&hash, &mut heuristics, &mut buffers);
        let mut counts = NoStatistics;
        let mut worker = Worker::new(&setup, &position, memory, &limits, &(), &mut counts);
        let gained = |worker: &Worker<'_, NoStatistics>| (worker.position.i_score() - before).mg();
        assert_eq!(gained(&worker), 10);
        let mv = worker.position.parse_uci("h3h4").expect("legal");
        worker.make(mv, 0);
        worker.unmake(mv);
        assert_eq!(gained(&worker), 10);
        teach(worker.heuristics, 1000);
        worker.learn_between_iterations();
        assert_eq!(gained(&worker), if each_iteration { 20 } else { 10 });
    }
}
