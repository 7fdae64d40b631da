//! The root: lines, windows, draws, openings, and what is told of them.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use engine::search::{Bound, OpeningTable, SearchEvent, Setup};
use engine::types::{Move, cp};
use engine::{
    ClockLimit, Engine, HashSize, IterationInfo, Limits, Observer, Params, Position, SearchReport,
    Value,
};

const MIDDLEGAME: &str = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10";
/// A queen and a rook down, White draws by checking on e8 and h5 for ever.
const PERPETUAL: &str = "6k1/6p1/8/7Q/8/8/qr6/7K w - - 0 1";
const ONE_MOVE: &str = "k7/8/K7/8/8/8/8/2R5 b - - 0 1";

fn position(fen: &str) -> Position {
    Position::from_fen(fen).expect(fen)
}

fn depth(depth: u32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

fn engine(change: impl FnOnce(&mut Params)) -> Engine {
    let mut params = Params::default();
    change(&mut params);
    Engine::new(&Arc::new(params), HashSize::from_mib(1))
}

/// A search whose value depends on nothing but the tree: no score from the hash table.
fn bare(params: &mut Params) {
    params.search.hash_cutoffs = false;
}

/// What an observer heard.
#[derive(Debug, Clone, PartialEq)]
struct Told {
    depth: u32,
    multipv: usize,
    score: Value,
    bound: Bound,
    nodes: u64,
    pv: Vec<Move>,
}

#[derive(Default)]
struct Listener {
    lines: RefCell<Vec<Told>>,
    fails: RefCell<Vec<Told>>,
}

impl Observer for Listener {
    fn iteration(&self, info: &IterationInfo<'_>) {
        self.lines.borrow_mut().push(Told::new(info));
    }

    fn root_fail(&self, info: &IterationInfo<'_>) {
        self.fails.borrow_mut().push(Told::new(info));
    }
}

impl Told {
    fn new(info: &IterationInfo<'_>) -> Told {
        let IterationInfo { depth, multipv, score, bound, nodes, .. } = *info;
        Told { depth, multipv, score, bound, nodes, pv: info.pv.to_vec() }
    }
}

fn listen(engine: &mut Engine, fen: &str, limits: &Limits) -> (SearchReport, Listener) {
    let listener = Listener::default();
    engine.new_game();
    let report = engine.search(&position(fen), limits, &listener);
    (report, listener)
}

/// The lines of the last iteration.
fn last_lines(listener: &Listener, count: usize) -> Vec<Told> {
    let lines = listener.lines.borrow();
    lines[lines.len() - count..].to_vec()
}

#[test]
fn each_line_is_the_best_of_what_is_left() {
    let mut engine = engine(bare);
    for fen in [MIDDLEGAME, engine::bench::POSITIONS[8], engine::bench::POSITIONS[17]] {
        let limits = Limits { multipv: 3, ..depth(4) };
        let (report, listener) = listen(&mut engine, fen, &limits);
        let lines = last_lines(&listener, 3);
        assert_eq!((report.score, &report.pv), (lines[0].score, &lines[0].pv), "{fen}");
        let mut moves = legal(fen);
        for (number, line) in (1..).zip(&lines) {
            assert_eq!((line.multipv, line.depth, line.bound), (number, 4, Bound::Exact), "{fen}");
            let rest = Limits { searchmoves: moves.clone(), ..depth(4) };
            let (alone, _) = listen(&mut engine, fen, &rest);
            assert_eq!(alone.score, line.score, "{fen}: line {number}");
            moves.retain(|mv| *mv != line.pv[0]);
        }
        playable(fen, &lines);
    }
}

fn legal(fen: &str) -> Vec<Move> {
    let mut moves: Vec<Move> = Vec::new();
    position(fen).legal_moves(&mut moves);
    moves
}

fn playable(fen: &str, lines: &[Told]) {
    for line in lines {
        let mut board = position(fen);
        for &mv in &line.pv {
            let text = board.uci(mv, false);
            board.play(board.parse_uci(&text).unwrap_or_else(|error| panic!("{fen}: {error}")));
        }
    }
}

#[test]
fn one_line_is_the_plain_search() {
    for personality in ["default", "rebel"] {
        let params = Arc::new(Params::personality(personality).expect("known"));
        let mut engine = Engine::new(&params, HashSize::from_mib(1));
        let (none, heard) = listen(&mut engine, MIDDLEGAME, &depth(5));
        let limits = Limits { multipv: 1, ..depth(5) };
        let (one, heard_one) = listen(&mut engine, MIDDLEGAME, &limits);
        assert_eq!((none.nodes, none.score, none.pv), (one.nodes, one.score, one.pv));
        assert_eq!(heard.lines, heard_one.lines);
    }
}

/// No more lines than moves, and all of them in every iteration.
#[test]
fn many_lines() {
    let fen = "7k/8/8/8/8/8/R7/K7 w - - 0 1";
    let count = legal(fen).len();
    for personality in ["default", "rebel"] {
        let params = Arc::new(Params::personality(personality).expect("known"));
        let mut engine = Engine::new(&params, HashSize::from_mib(1));
        let limits = Limits { multipv: 256, ..depth(5) };
        let (_, listener) = listen(&mut engine, fen, &limits);
        let lines = last_lines(&listener, count);
        let moves: BTreeSet<u16> = lines.iter().map(|line| line.pv[0].to_bits()).collect();
        assert_eq!(moves.len(), count);
        assert!(lines.is_sorted_by(|a, b| a.score >= b.score), "{lines:?}");
        let numbers: Vec<usize> = lines.iter().map(|line| line.multipv).collect();
        assert_eq!(numbers, (1..=count).collect::<Vec<_>>());
    }
    let limits = Limits { multipv: 4, ..depth(3) };
    let (_, listener) = listen(&mut engine(|_| ()), ONE_MOVE, &limits);
    let lines = listener.lines.borrow();
    assert!(lines.len() == 3 && lines.iter().all(|line| line.multipv == 1), "{lines:?}");
}

#[test]
fn lines_with_other_limits() {
    let mut engine = engine(|_| ());
    let wanted: Vec<Move> =
        ["a2a3", "h2h4"].map(|text| Position::startpos().parse_uci(text).expect(text)).to_vec();
    let limits = Limits { multipv: 3, searchmoves: wanted.clone(), ..depth(3) };
    let start = Position::startpos().fen();
    let (_, listener) = listen(&mut engine, &start, &limits);
    let moves: BTreeSet<u16> =
        last_lines(&listener, 2).iter().map(|line| line.pv[0].to_bits()).collect();
    assert_eq!(moves, wanted.iter().map(|mv| mv.to_bits()).collect());
    let limits = Limits { multipv: 2, mate: Some(2), ..Limits::default() };
    let (report, _) = listen(&mut engine, "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", &limits);
    assert_eq!(report.score.mate(), Some(2));
    for nodes in [1, 7, 100, 999, 5_000] {
        let limits = Limits { multipv: 5, nodes: Some(nodes), ..Limits::default() };
        let (report, _) = listen(&mut engine, MIDDLEGAME, &limits);
        assert!(report.best.is_some() && report.nodes <= nodes);
    }
}

/// ROT-01, ROT-04, ROT-08, HSH-05: wherever a search is stopped, what it plays is what it told last, and the last
/// line tells all nodes.
#[test]
fn what_was_told_is_played() {
    for (personality, take) in [("default", false), ("rebel", false), ("default", true)] {
        let mut params = Params::personality(personality).expect("known");
        params.root.take_fail_high = take;
        let mut engine = Engine::new(&Arc::new(params), HashSize::from_mib(1));
        for fen in [MIDDLEGAME, PERPETUAL, engine::bench::POSITIONS[10]] {
            for (nodes, multipv) in (1..40).map(|step| (step * step * 7, 1 + step as usize % 3)) {
                let limits = Limits { nodes: Some(nodes), multipv, ..Limits::default() };
                let (report, listener) = listen(&mut engine, fen, &limits);
                let lines = listener.lines.borrow();
                let Some(told) = lines.iter().rev().find(|line| line.multipv == 1) else {
                    assert!(report.best.is_some() && report.depth == 0, "{fen} {nodes}");
                    continue;
                };
                assert_eq!((told.pv.as_slice(), told.score), (&*report.pv, report.score));
                assert_eq!(told.nodes, report.nodes, "{fen} {nodes}");
                assert!(told.bound == Bound::Exact || take);
            }
        }
    }
}

/// ROT-04: of an iteration that was stopped, the lines that were searched come first, the best of them
/// before all, and it is played.
#[test]
fn stopped_lines_are_sorted() {
    let params = Arc::new(Params::standard());
    let mut engine = Engine::new(&params, HashSize::from_mib(1));
    for fen in [MIDDLEGAME, engine::bench::POSITIONS[10], engine::bench::POSITIONS[18]] {
        for nodes in (1..60).map(|step| step * 500) {
            let limits = Limits { nodes: Some(nodes), multipv: 4, ..Limits::default() };
            let (report, listener) = listen(&mut engine, fen, &limits);
            let lines = listener.lines.borrow();
            let last = lines.iter().rposition(|line| line.multipv == 1).expect("a line");
            let of = |told: &Told| (told.depth, told.score);
            assert!(lines[last..].is_sorted_by(|a, b| of(a) >= of(b)), "{nodes}: {lines:?}");
            assert_eq!(report.pv, lines[last].pv, "{fen} {nodes}");
        }
    }
}

/// ROT-04: a move that failed high when the nodes ran out is played only where that is on.
#[test]
fn a_move_proved_better_can_be_played() {
    let stopped = |take: bool| -> Vec<(Option<Move>, Value)> {
        let mut engine = engine(|params| params.root.take_fail_high = take);
        let best = |nodes| {
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let (report, _) = listen(&mut engine, engine::bench::POSITIONS[18], &limits);
            (report.best, report.score)
        };
        (1..150).map(|step| step * 20).map(best).collect()
    };
    let (without, with) = (stopped(false), stopped(true));
    let changed = without.iter().zip(&with).filter(|(a, b)| a.0 != b.0).count();
    assert!(changed > 0 && changed < 75, "{changed}");
    for (old, new) in without.iter().zip(&with) {
        assert!(new.0 == old.0 || new.1 > old.1, "proved to be better than {old:?}: {new:?}");
    }
}

/// ASP-01..06, ROT-09: whatever the windows, the value is the tree's; minimax finds it with more work.
#[test]
fn windows_do_not_change_the_value() {
    type Change = fn(&mut Params);
    let changes: [Change; 7] = [
        |params| params.aspiration.on = false,
        |params| params.search.pvs = false,
        |params| params.aspiration.half_window = cp(10),
        |params| params.aspiration.narrow = false,
        |params| (params.aspiration.gradual, params.aspiration.half_window) = (true, 1),
        |params| (params.root.by_nodes, params.root.by_score) = (false, true),
        |params| params.aspiration.from = 4,
    ];
    for fen in engine::bench::POSITIONS.iter().step_by(3) {
        let mut plain = engine(bare);
        let (expected, _) = listen(&mut plain, fen, &depth(4));
        for (number, change) in changes.iter().enumerate() {
            let mut other = engine(|params| (bare(params), change(params)).1);
            let (found, _) = listen(&mut other, fen, &depth(4));
            assert_eq!(found.score, expected.score, "{fen}: change {number}");
        }
    }
    let minimax = |params: &mut Params| {
        bare(params);
        (params.search.alpha_beta, params.search.pvs) = (false, false);
        params.aspiration.on = false;
    };
    for fen in [PERPETUAL, engine::bench::POSITIONS[2], engine::bench::POSITIONS[20]] {
        let (windows, _) = listen(&mut engine(bare), fen, &depth(3));
        let (open, _) = listen(&mut engine(minimax), fen, &depth(3));
        assert_eq!(open.score, windows.score, "{fen}");
        assert!(open.nodes > windows.nodes, "{fen}: {} and {}", open.nodes, windows.nodes);
    }
}

/// CLM-07: fails are counted and told, and the observer learns nothing wrong from them.
#[test]
fn fails_are_counted_and_told() {
    let mut engine = engine(|params| params.aspiration.half_window = 4);
    let listener = Listener::default();
    let board = position(MIDDLEGAME);
    let (report, statistics) = engine.search_counted(&board, &depth(6), &listener);
    let (fails, reopened) =
        (statistics.of(SearchEvent::RootFail), statistics.of(SearchEvent::RootReopened));
    assert!(fails > 0 && reopened <= fails, "{fails} {reopened}");
    let told = listener.fails.borrow();
    assert!(told.len() as u64 >= fails && told.iter().all(|fail| fail.bound != Bound::Exact));
    assert!(told.iter().all(|fail| !fail.pv.is_empty()));
    assert!(listener.lines.borrow().iter().all(|line| line.bound == Bound::Exact));
    assert_eq!(listener.lines.borrow().last().map(|line| line.score), Some(report.score));
}

/// ROT-06, ROT-07, AMB-73: the root's side, whatever its colour, holds a draw for a little less than nothing.
#[test]
fn contempt_is_the_root_sides() {
    let black = "7k/QR6/8/8/7q/8/6P1/6K1 b - - 0 1";
    for fen in [PERPETUAL, black] {
        for contempt in [0, cp(20), -cp(20)] {
            for depths in [6, 7] {
                let mut engine = engine(|params| params.contempt.value = contempt);
                let (report, _) = listen(&mut engine, fen, &depth(depths));
                assert_eq!(report.score.binary(), -contempt, "{fen} {depths}");
            }
        }
    }
    // Its opponent would rather not have one either: a draw is worth something against it.
    let offered = "7k/8/8/8/8/8/R7/K7 b - - 99 80";
    let mut engine = engine(|params| params.contempt.value = cp(30));
    assert_eq!(listen(&mut engine, offered, &depth(3)).0.score.binary(), -cp(30));
    let stalemate = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
    assert_eq!(listen(&mut engine, stalemate, &depth(3)).0.score, Value::ZERO, "the game is over");
}

/// ROT-06: Mediocre plays on where the others take a draw for nothing.
#[test]
fn mediocre_dislikes_draws() {
    for (name, worth) in [("mediocre", -cp(10)), ("rebel", 0), ("default", 0)] {
        let params = Arc::new(Params::personality(name).expect(name));
        let mut engine = Engine::new(&params, HashSize::from_mib(1));
        let position = Position::from_fen(PERPETUAL).expect("legal");
        let report = engine.search(&position, &depth(8), &());
        assert_eq!(report.score.binary(), worth, "{name}");
    }
}

fn opening_engine(on: bool, bonus: i32, table: &str) -> Engine {
    let mut params = Params::default();
    (params.opening.on, params.opening.bonus) = (on, bonus);
    let table = OpeningTable::parse(table).expect("a table");
    let setup = Setup::new(&Arc::new(params)).with_opening(Some(Arc::new(table)));
    Engine::with_setup(&Arc::new(setup), HashSize::from_mib(1))
}

/// The table that knows the position after one move.
fn after(fen: &str, text: &str) -> String {
    let mut board = position(fen);
    board.play(board.parse_uci(text).expect(text));
    board.fen()
}

/// PRO-19, HSH-10, AMB-81: the bonus decides between moves and is in no score that is told.
#[test]
fn the_opening_bonus_is_the_moves() {
    let start = Position::startpos().fen();
    let table = after(&start, "a2a4");
    let text = |report: &SearchReport| report.best.expect("a move").to_uci(false).to_string();
    let (plain, plain_heard) = listen(&mut engine(|_| ()), &start, &depth(4));
    assert_ne!(text(&plain), "a2a4");
    for (on, bonus) in [(false, 256), (true, 0)] {
        let (same, heard) = listen(&mut opening_engine(on, bonus, &table), &start, &depth(4));
        assert_eq!((same.nodes, same.score, &same.pv), (plain.nodes, plain.score, &plain.pv));
        assert_eq!(heard.lines, plain_heard.lines);
    }
    let mut tuned = opening_engine(true, 256, &table);
    let (report, _) = listen(&mut tuned, &start, &depth(4));
    assert_eq!(text(&report), "a2a4");
    // Alone it is searched in windows that lie as far higher as its bonus is, and told without.
    let only = Limits { searchmoves: vec![report.pv[0]], ..depth(5) };
    let (with, heard_with) = listen(&mut tuned, &start, &only);
    let (without, heard_without) = listen(&mut engine(|_| ()), &start, &only);
    assert_eq!((with.nodes, with.score, with.pv), (without.nodes, without.score, without.pv));
    assert_eq!(heard_with.lines, heard_without.lines);
}

/// PRO-19: moves inside of the tree have a bonus where the author's other idea is tried, the opponent's
/// too; a table that holds none of them changes nothing.
#[test]
fn the_opening_bonus_throughout_the_tree() {
    let start = Position::startpos().fen();
    let reply = after(&after(&start, "a2a4"), "h7h5");
    let searchmoves = vec![Position::startpos().parse_uci("a2a4").expect("legal")];
    let only = Limits { searchmoves, ..depth(4) };
    let search = |whole_tree: bool, bonus: i32, table: &str| {
        let mut engine = opening_engine(true, bonus, table);
        let mut params = Params::clone(engine.params());
        params.opening.whole_tree = whole_tree;
        engine.set_params(&Arc::new(params));
        let (report, _) = listen(&mut engine, &start, &only);
        (report.pv[1].to_uci(false).to_string(), report.score, report.nodes)
    };
    let plain = search(false, 256, &reply);
    assert_ne!(plain.0, "h7h5");
    assert_eq!(search(true, 0, &reply), plain);
    let (answer, score, _) = search(true, 256, &reply);
    assert_eq!(answer, "h7h5");
    assert!(score < plain.1, "Black has it better");
}

/// A mate is not given up for a position in the table, nor counted wrong with its bonus.
#[test]
fn mates_come_before_openings() {
    let fen = "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1";
    for table in [after(fen, "d1c1"), after(fen, "d1d8")] {
        let (report, _) = listen(&mut opening_engine(true, 256, &table), fen, &depth(4));
        assert_eq!((report.score.mate(), report.pv.len()), (Some(1), 1), "{table}");
    }
}

/// ROT-04, ROT-05: time is all that these change.
#[test]
fn the_clock_changes_no_search_without_one() {
    type Change = fn(&mut Params);
    let changes: [Change; 3] = [
        |params| params.time.dynamic = true,
        |params| params.time.nt = true,
        |params| params.time.first_move = 300,
    ];
    let (plain, heard) = listen(&mut engine(|_| ()), MIDDLEGAME, &depth(5));
    for change in changes {
        let (other, other_heard) = listen(&mut engine(change), MIDDLEGAME, &depth(5));
        assert_eq!((plain.nodes, plain.score, &plain.pv), (other.nodes, other.score, &other.pv));
        assert_eq!(heard.lines, other_heard.lines);
    }
}

/// One legal move needs no thought on a clock, and all of it without.
#[test]
fn one_legal_move_is_played_at_once() {
    let clock = ClockLimit {
        remaining: Duration::from_secs(3_600),
        increment: Duration::ZERO,
        moves_to_go: None,
    };
    for dynamic in [false, true] {
        let mut engine = engine(|params| params.time.dynamic = dynamic);
        let limits = Limits { clock: Some(clock), ..Limits::default() };
        assert_eq!(listen(&mut engine, ONE_MOVE, &limits).0.depth, 1);
        assert_eq!(listen(&mut engine, ONE_MOVE, &depth(4)).0.depth, 4);
        // Nor where a time for each move is given, or one move of many asked about.
        let given = Limits { movetime: Some(Duration::from_millis(300)), ..Limits::default() };
        assert!(listen(&mut engine, ONE_MOVE, &given).0.depth > 1);
        let searchmoves = vec![position(MIDDLEGAME).parse_uci("c4f7").expect("legal")];
        let asked = Limits { depth: Some(3), searchmoves, ..limits };
        assert_eq!(listen(&mut engine, MIDDLEGAME, &asked).0.depth, 3);
    }
}

/// The opponent plays what was expected some looks after the sixth iteration.
#[derive(Default)]
struct Hit {
    depth: Cell<u32>,
    looks: Cell<u32>,
}

impl Observer for Hit {
    fn pondering(&self) -> bool {
        self.looks.set(self.looks.get() + u32::from(self.depth.get() == 6));
        self.looks.get() < 4
    }

    fn iteration(&self, info: &IterationInfo<'_>) {
        self.depth.set(info.depth);
    }
}

/// Nor does it need more than was thought about it in the opponent's time.
#[test]
fn one_legal_move_ends_pondering_at_once() {
    let clock = ClockLimit {
        remaining: Duration::from_secs(3_600),
        increment: Duration::ZERO,
        moves_to_go: None,
    };
    let limits = Limits { clock: Some(clock), ponder: true, ..Limits::default() };
    let hit = Hit::default();
    let report = engine(|_| ()).search(&position(ONE_MOVE), &limits, &hit);
    assert_eq!((report.depth, hit.looks.get()), (6, 4));
}
