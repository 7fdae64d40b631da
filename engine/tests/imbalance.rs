//! The material imbalance table: files in the paper's layout, written here, and what the evaluation
//! makes of them (PRO-01..PRO-06).

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use engine::eval::{Evaluator, ImbalanceTable, MaterialCounts, Term};
use engine::params::MaterialTable;
use engine::search::{HashSize, Limits};
use engine::types::Color;
use engine::{Engine, Params, Position, Provenance, Setup};

const CELLS: usize = 236_196;

/// A folder of its own, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("mutineer-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }

    /// Both files, empty but for the given cells: counts in the paper's order, games, per cent.
    fn with_cells(name: &str, cells: &[([u8; 10], i32, i32)]) -> Folder {
        let folder = Folder::new(name);
        let mut games = vec![0_i32; CELLS];
        let mut percent = vec![0_i32; CELLS];
        for &(counts, count, score) in cells {
            let [wp, bp, wn, bn, wb, bb, wr, br, wq, bq] = counts.map(usize::from);
            // The paper's arrays: [9][9][3][3][3][3][3][3][2][2], the last index fastest.
            let cell = ((((((((wp * 9 + bp) * 3 + wn) * 3 + bn) * 3 + wb) * 3 + bb) * 3 + wr) * 3
                + br)
                * 2
                + wq)
                * 2
                + bq;
            assert_eq!(MaterialCounts(counts).index(), Some(cell), "PRO-01, AMB-74");
            games[cell] = count;
            percent[cell] = score;
        }
        folder.write("pos.mat", &games);
        folder.write("perc.mat", &percent);
        folder
    }

    fn write(&self, file: &str, numbers: &[i32]) {
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        fs::write(self.0.join(file), bytes).expect("written");
    }

    fn table(&self) -> ImbalanceTable {
        ImbalanceTable::read(&self.0).expect("a table")
    }

    fn error(&self) -> String {
        ImbalanceTable::read(&self.0).expect_err("no table").to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What is left in the temporary folder does no harm.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The term of a position, White minus Black.
fn term(table: Option<&ImbalanceTable>, fen: &str, change: impl FnOnce(&mut Params)) -> i32 {
    let mut params = Params::default();
    change(&mut params);
    let evaluator = Evaluator::with_imbalance(&Arc::new(params), table);
    let breakdown = evaluator.breakdown(&Position::from_fen(fen).expect(fen));
    let of = |color| breakdown.of(Term::Imbalance, color);
    let points = of(Color::White) - of(Color::Black);
    assert_eq!(points.mg(), points.eg());
    points.eg()
}

/// A mode of the table as in the files, without colours put together.
fn mode(mode: i32) -> impl Fn(&mut Params) {
    move |params| {
        params.imbalance.mode = mode;
        params.imbalance.symmetric = false;
    }
}

// wp bp wn bn wb bb wr br wq bq
const KNIGHT_UP: [u8; 10] = [3, 3, 1, 0, 0, 0, 0, 0, 0, 0];
const KNIGHT_UP_FEN: &str = "4k3/ppp5/8/8/8/8/PPP5/1N2K3 w - - 0 1";
const KNIGHT_DOWN: [u8; 10] = [3, 3, 0, 1, 0, 0, 0, 0, 0, 0];
const KNIGHT_DOWN_FEN: &str = "1n2k3/ppp5/8/8/8/8/PPP5/4K3 b - - 0 1";
const PAIR: [u8; 10] = [2, 2, 0, 1, 2, 1, 0, 0, 0, 0];
const PAIR_FEN: &str = "1nb1k3/pp6/8/8/8/8/PP6/2B1KB2 w - - 0 1";
const QUEEN: [u8; 10] = [0, 0, 0, 0, 0, 0, 0, 2, 1, 0];
const QUEEN_FEN: &str = "r3k2r/8/8/8/8/8/8/3QK3 w - - 0 1";

#[test]
fn nothing_without_a_table() {
    assert_eq!(term(None, KNIGHT_UP_FEN, |_| ()), 0);
}

#[test]
fn crude_is_the_percentage_less_fifty() {
    let folder = Folder::with_cells("crude", &[(KNIGHT_UP, 1, 75), (QUEEN, 3, 20)]);
    let table = folder.table();
    // PRO-02: 75 - 50 = 25 centipawns = 64/256; 20 - 50 = -30 = -76.8/256.
    assert_eq!(term(Some(&table), KNIGHT_UP_FEN, mode(1)), 64);
    assert_eq!(term(Some(&table), QUEEN_FEN, mode(1)), -77);
    assert_eq!(term(Some(&table), PAIR_FEN, mode(1)), 0, "a cell without games says nothing");
    let weighted = term(Some(&table), KNIGHT_UP_FEN, |params| {
        mode(1)(params);
        params.imbalance.weight = 50;
    });
    assert_eq!(weighted, 32);
    let off = |params: &mut Params| {
        mode(1)(params);
        params.imbalance.on = false;
    };
    assert_eq!(term(Some(&table), KNIGHT_UP_FEN, off), 0);
    // Promoted men beyond the table's limits (AMB-75).
    assert_eq!(term(Some(&table), "4k3/ppp5/8/8/8/8/PPP5/QQ2K3 w - - 0 1", mode(1)), 0);
}

#[test]
fn safe_takes_sure_cells_with_enough_games() {
    let cells = [(KNIGHT_UP, 10, 100), (KNIGHT_DOWN, 9, 0), (PAIR, 40, 100), (QUEEN, 80, 1)];
    let folder = Folder::with_cells("safe", &cells);
    let table = folder.table();
    let safe = |fen: &str| {
        term(Some(&table), fen, |params| {
            mode(2)(params);
            params.imbalance.safe_step = 20;
        })
    };
    // PRO-03: ten games at least; one step, two more for four times the games.
    assert_eq!(safe(KNIGHT_UP_FEN), 20);
    assert_eq!(safe(KNIGHT_DOWN_FEN), 0, "nine games");
    assert_eq!(safe(PAIR_FEN), 60);
    assert_eq!(safe(QUEEN_FEN), 0, "1 %");
}

#[test]
fn partial_takes_named_imbalances() {
    let folder = Folder::with_cells("partial", &[(KNIGHT_UP, 50, 90), (PAIR, 50, 60)]);
    let table = folder.table();
    // PRO-04: 60 - 50 = 10 centipawns = 25.6/256.
    assert_eq!(term(Some(&table), PAIR_FEN, mode(3)), 26);
    assert_eq!(term(Some(&table), KNIGHT_UP_FEN, mode(3)), 0);
    let off = |params: &mut Params| {
        mode(3)(params);
        params.imbalance.bishop_pair = false;
    };
    assert_eq!(term(Some(&table), PAIR_FEN, off), 0);
}

#[test]
fn reliable_takes_high_and_low_cells() {
    let cells = [(KNIGHT_UP, 11, 91), (KNIGHT_DOWN, 11, 9), (PAIR, 10, 91), (QUEEN, 11, 90)];
    let folder = Folder::with_cells("reliable", &cells);
    let table = folder.table();
    let reliable = |fen| term(Some(&table), fen, mode(4));
    // PRO-05: more than ten games and more than 90 % or less than 10 %; 41 cp = 104.96/256.
    assert_eq!(reliable(KNIGHT_UP_FEN), 105);
    assert_eq!(reliable(KNIGHT_DOWN_FEN), -105);
    assert_eq!(reliable(PAIR_FEN), 0, "ten games are not more than ten");
    assert_eq!(reliable(QUEEN_FEN), 0, "90 % is not more");
}

/// PRO-25: the columns of 0 to 3 and 97 to 100 %, however few the games.
#[test]
fn orange_takes_the_outer_columns() {
    let cells = [(KNIGHT_UP, 1, 97), (KNIGHT_DOWN, 5, 3), (PAIR, 90, 96), (QUEEN, 90, 4)];
    let folder = Folder::with_cells("orange", &cells);
    let table = folder.table();
    let orange = |fen| term(Some(&table), fen, mode(5));
    // 97 - 50 = 47 centipawns = 120.32/256.
    assert_eq!(orange(KNIGHT_UP_FEN), 120);
    assert_eq!(orange(KNIGHT_DOWN_FEN), -120);
    assert_eq!(orange(PAIR_FEN), 0, "96 %");
    assert_eq!(orange(QUEEN_FEN), 0, "4 %");
    let least = |params: &mut Params| {
        mode(5)(params);
        params.imbalance.orange_games = 2;
    };
    assert_eq!(term(Some(&table), KNIGHT_UP_FEN, least), 0, "one game");
    assert_eq!(term(Some(&table), KNIGHT_DOWN_FEN, least), -120);
    let mut params = Params::default();
    mode(5)(&mut params);
    let evaluator = Evaluator::with_imbalance(&Arc::new(params), Some(&table));
    assert_eq!(evaluator.imbalance(MaterialCounts(KNIGHT_UP)), 120, "the same by the men alone");
    assert_eq!(evaluator.imbalance(MaterialCounts([9; 10])), 0);
}

#[test]
fn colours_put_together() {
    // 30 games at 100 % and, colours changed, 10 at 20 %: (30·50 + 10·30) / 40 = 45.
    let folder = Folder::with_cells("both", &[(KNIGHT_UP, 30, 100), (KNIGHT_DOWN, 10, 20)]);
    let table = folder.table();
    let crude = |params: &mut Params| params.imbalance.mode = 1;
    assert_eq!(term(Some(&table), KNIGHT_UP_FEN, crude), 115);
    assert_eq!(term(Some(&table), KNIGHT_DOWN_FEN, crude), -115);
    assert_eq!(term(Some(&table), KNIGHT_UP_FEN, |_| ()), 0, "no longer all won");
}

#[test]
fn figures_of_a_table() {
    let cells = [(KNIGHT_UP, 30, 100), (KNIGHT_DOWN, 10, 0), (PAIR, 3, 50), (QUEEN, 80, 2)];
    let statistics = Folder::with_cells("figures", &cells).table().statistics();
    assert_eq!((statistics.cells, statistics.percent_used), (4, 0), "PRO-06");
    assert_eq!((statistics.lowest, statistics.highest), ([1, 0, 1, 0], [0, 0, 0, 1]));
}

#[test]
fn errors_name_file_and_expectation() {
    let folder = Folder::new("errors");
    assert!(folder.error().contains("pos.mat"), "{}", folder.error());
    folder.write("pos.mat", &vec![1; CELLS]);
    assert!(folder.error().contains("perc.mat"), "{}", folder.error());
    folder.write("perc.mat", &vec![1; CELLS - 1]);
    let short = folder.error();
    assert!(short.contains("perc.mat: 944780 bytes, expected 944784"), "{short}");
    let mut percent = vec![50; CELLS];
    percent[7] = 101;
    folder.write("perc.mat", &percent);
    let wrong = folder.error();
    assert!(wrong.contains("perc.mat: cell 7 holds 101, expected 0 to 100 per cent"), "{wrong}");
    folder.write("perc.mat", &vec![50; CELLS]);
    let mut games = vec![1; CELLS];
    games[9] = -1;
    folder.write("pos.mat", &games);
    assert!(folder.error().contains("pos.mat: cell 9 holds -1"), "{}", folder.error());
}

#[test]
fn the_engine_plays_by_it() {
    let cells = [(KNIGHT_UP, 10_000, 0), (KNIGHT_DOWN, 10_000, 100)];
    let folder = Folder::with_cells("engine", &cells);
    let params = Arc::new(Params::default());
    let setup = Setup::with_imbalance(&params, Some(Arc::new(folder.table())));
    let position = Position::from_fen(KNIGHT_UP_FEN).expect("legal");
    let limits = Limits { depth: Some(1), ..Limits::default() };
    let score = |engine: &mut Engine| engine.search(&position, &limits, &()).score.binary();
    let hash = HashSize::from_mib(1);
    let plain = score(&mut Engine::new(&params, hash));
    let mut engine = Engine::with_setup(&Arc::new(setup), hash);
    assert!(score(&mut engine) < plain - 64);
    engine.set_params(&params);
    assert!(score(&mut engine) < plain - 64, "other parameters keep the table");
    engine.set_imbalance(None);
    assert_eq!(score(&mut engine), plain);
}

/// A packed table says the same as the paper's files, and the program has tables of its own, which play
/// where they are named and nothing else is loaded.
#[test]
fn packed_and_built_in() {
    let queen_up = [8, 8, 2, 2, 2, 2, 2, 2, 1, 0];
    let fen = "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let folder = Folder::with_cells("packed", &[(queen_up, 300, 97)]);
    let file = folder.0.join("some.mit");
    let packed = folder.table().pack(&Provenance::default().with("source", "a test"));
    fs::write(&file, &packed).expect("written");
    let table = ImbalanceTable::load(&file).expect("packed");
    assert_eq!(table.provenance().get("source"), Some("a test"));
    let mode = |params: &mut Params| params.imbalance.mode = 1;
    let read = ImbalanceTable::load(&folder.0).expect("a folder");
    assert_eq!(term(Some(&table), fen, mode), term(Some(&read), fen, mode));
    assert_ne!(term(Some(&table), fen, mode), 0);

    for (&name, &which) in MaterialTable::NAMES.iter().zip(MaterialTable::ALL) {
        let on = |params: &mut Params| {
            mode(params);
            params.set("mit", name).expect(name);
        };
        let own = ImbalanceTable::built_in(which);
        assert_eq!(term(None, fen, on), term(own.as_deref(), fen, mode), "{name}");
        assert_eq!(term(Some(&table), fen, on), term(Some(&table), fen, mode), "loaded ones first");
    }
    assert_eq!(term(None, fen, mode), 0);

    for (bytes, told) in [
        (&b"games"[..], "some.mit: line 1: expected 'mutineer material 2', found 'games'"),
        (&packed[..packed.len() - 1], "some.mit: byte "),
    ] {
        fs::write(&file, bytes).expect("written");
        let error = ImbalanceTable::load(&file).expect_err("no table").to_string();
        assert!(error.contains(told) && error.contains("`verdict tables mit`"), "{error}");
    }
}
