//! What is made of counts, as the engine and people read it.

use std::fs;

use engine::Params;
use engine::eval::{ImbalanceTable, MaterialCounts};
use engine::search::OpeningTable;
use tables::{CountsFile, read_mat_files};

use super::{GAMES, tables};

#[test]
fn the_engine_reads_the_papers_files() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    fs::write(here.join("games.pgn"), GAMES).unwrap();
    let said = tables(here, "mit @games.pgn --quiet --out @mit --csv @mit.csv --source a:b");
    let counts = CountsFile::read(&here.join("mit/mit.counts")).unwrap();
    let mit = counts.counts.mit.unwrap();
    let table = ImbalanceTable::read(&here.join("mit")).unwrap();
    assert_eq!(u64::from(table.statistics().cells), mit.used().count() as u64);
    let packed = fs::read(here.join("mit/material.mit")).unwrap();
    let unpacked = ImbalanceTable::unpack(&packed).unwrap();
    assert_eq!(unpacked.statistics(), table.statistics());
    let provenance = unpacked.provenance();
    assert_eq!(packed, table.pack(provenance));
    let told = |name: &str| provenance.get(name).unwrap_or_else(|| panic!("{name}: {provenance}"));
    assert_eq!((told("source"), told("filter")), ("a:b", "all games"));
    assert_eq!(told("games"), mit.games.to_string());
    let input = &counts.inputs[0];
    assert!(told("input").contains(&input.hash), "{provenance}");
    assert!(told("command").starts_with("verdict tables mit ") && told("date").len() == 10);
    // The paper's loops: the start is the last cell, the kings alone the first.
    let start = MaterialCounts([8, 8, 2, 2, 2, 2, 2, 2, 1, 1]).index().unwrap();
    let games = fs::read(here.join("mit/pos.mat")).unwrap();
    let last = i32::from_le_bytes(games[games.len() - 4..].try_into().unwrap());
    assert_eq!((games.len(), last as u64), (944_784, mit.cell(start).games()));
    for (cell, games, percent) in read_mat_files(&here.join("mit")).unwrap() {
        assert_eq!((games, percent), (mit.cell(cell).games(), mit.cell(cell).percent()));
    }
    let csv = fs::read_to_string(here.join("mit.csv")).unwrap();
    assert_eq!(csv.lines().count(), 1 + mit.used().count());
    assert!(csv.lines().last().unwrap().starts_with("8,8,2,2,2,2,2,2,1,1,"), "{csv}");

    // The same row from counts, from the folder, and from the two files alone but for the games.
    let row = |text: &str| {
        let line = text.lines().find(|line| line.starts_with("mit ")).unwrap();
        line.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(row(&tables(here, "mit-stats @mit --html @s.html")), row(&said));
    fs::copy(here.join("mit/material.mit"), here.join("mit.mit")).unwrap();
    let packed = tables(here, "mit-stats @mit.mit");
    assert_eq!(row(&packed), row(&said));
    assert!(packed.contains("\nsource: a:b\n"), "{packed}");
    assert!(fs::read_to_string(here.join("s.html")).unwrap().contains(">mit</th>"));
    fs::remove_file(here.join("mit/mit.counts")).unwrap();
    assert_eq!(row(&tables(here, "mit-stats @mit"))[3..], row(&said)[3..]);
}

/// The tables within mutineer, and what they say of games.
#[test]
fn tables_within_the_engine() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    let said = tables(here, "mit-stats all 3100 --full");
    assert!(said.lines().any(|line| line.starts_with("50%  ")), "{said}");
    let row = said.lines().find(|line| line.starts_with("3100 ")).unwrap();
    assert!(row.contains(" 3100 ") && said.contains("\nfilter: both players' Elo from 3100\n"));
    fs::write(here.join("bad.mit"), "mutineer material 2\nsource\n\n").unwrap();
    let refused = super::refused(here, "mit-stats @bad.mit", 74);
    assert!(refused.contains("bad.mit: line 2: expected 'name: value'"), "{refused}");

    fs::write(here.join("games.pgn"), GAMES).unwrap();
    let players = "--player embedded:default,mit=all,imbalance.mode=1 --player embedded:default";
    let said = tables(here, &format!("boards @games.pgn --quiet {players} --positions 50"));
    let lines: Vec<&str> = said.lines().filter(|line| line.contains("; speaks in ")).collect();
    assert!(lines.len() == 2 && lines[1].contains(" 0 of 236196 cells; speaks in 0 of "), "{said}");
    assert!(!lines[0].contains("speaks in 0 of "), "{said}");
    let refused = super::refused(here, "boards @games.pgn --player embedded:default,mit=al", 64);
    assert!(refused.contains("did you mean 'all'?"), "{refused}");
}

#[test]
fn one_balance_by_name() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    fs::write(here.join("games.pgn"), GAMES).unwrap();
    tables(here, "mit @games.pgn --quiet --out @mit");
    let said = tables(here, "show KQRRBBNNPPPPPPPPvKQRRBBNNPPPPPPPP @mit");
    assert!(said.contains(" games, White scores ") && said.contains("95% interval"), "{said}");
    assert_eq!(tables(here, "show KPvKNN @mit").lines().next(), Some("KPvKNN: no games"));
}

#[test]
fn square_tables_in_every_form() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    fs::write(here.join("games.pgn"), GAMES).unwrap();
    tables(here, "pst @games.pgn --quiet --out @pst");
    for (file, expected) in [
        ("PST.TXT", "WN white knight, middlegame"),
        ("pst.c", "static const int pst_endgame[12][64]"),
        ("pst.rs", "pub const PST_MIDDLEGAME: [[i32; 64]; 12]"),
        ("pst.svg", "</svg>"),
        ("pst.html", "</html>"),
    ] {
        let text = fs::read_to_string(here.join("pst").join(file)).unwrap();
        assert!(text.contains(expected), "{file}");
    }
    assert!(fs::read(here.join("pst/pst.png")).unwrap().starts_with(b"\x89PNG"));
    for file in ["evaluation.json", "ordering.json", "decisions.json"] {
        let path = here.join("pst").join(file).display().to_string();
        assert_ne!(Params::load(&path).unwrap(), Params::default(), "{file}");
    }
    // Counts do as well as games.
    tables(here, "pst @pst/pst.counts --quiet --out @again");
    let form = |folder: &str| fs::read(here.join(folder).join("evaluation.json")).unwrap();
    assert_eq!(form("pst"), form("again"));
}

#[test]
fn the_engine_reads_the_opening_table() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    let game = |moves: &str, result: &str| {
        format!("[Event \"x\"]\n[Result \"{result}\"]\n\n{moves} {result}\n\n")
    };
    let games =
        game("1. e4 e5 2. Nf3", "1-0") + &game("1. e4 c5", "0-1") + &game("1. d4 d5", "1-0");
    fs::write(here.join("g.pgn"), games).unwrap();
    let after = |fen: &str| engine::Position::from_fen(fen).unwrap();
    let e4 = after("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    let d4 = after("rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1");
    let e5 = after("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2");
    for (words, len, has) in [
        ("--min-games 2", 1, [true, false, false]),
        ("--min-games 1 --moves 1", 5, [true, true, true]),
        ("--min-games 1 --min-score 60", 3, [false, true, false]),
    ] {
        tables(here, &format!("openings @g.pgn --quiet --out @keys {words}"));
        let table = OpeningTable::read(&here.join("keys")).unwrap();
        assert_eq!(table.len(), len, "{words}");
        assert_eq!([&e4, &d4, &e5].map(|position| table.contains(position)), has, "{words}");
        tables(here, &format!("openings @g.pgn --quiet --out @keys {words} --pack @p --source x"));
        let packed = OpeningTable::read(&here.join("p")).unwrap();
        assert_eq!(packed.pack(table.provenance()), table.pack(table.provenance()));
        let provenance = packed.provenance();
        assert_eq!((provenance.get("source"), provenance.get("games")), (Some("x"), Some("3")));
        let all = if words.contains("--moves 1") { 5 } else { 6 };
        let dropped = format!("{} of {all} positions", all - len);
        assert!(provenance.get("dropped").unwrap().starts_with(&dropped), "{provenance}");
    }
}

#[test]
fn counts_of_parts_add_up() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    let half = GAMES.match_indices("[Event ").nth(11).unwrap().0;
    fs::write(here.join("a.pgn"), &GAMES[..half]).unwrap();
    fs::write(here.join("b.pgn"), &GAMES[half..]).unwrap();
    let flags = "--mit --pst --openings 3 --quiet";
    for name in ["a", "b"] {
        tables(here, &format!("count @{name}.pgn {flags} --out @{name}"));
    }
    tables(here, &format!("count @a.pgn @b.pgn {flags} --out @all"));
    tables(here, "merge @a @b --out @sum");
    let [sum, all] = ["sum", "all"].map(|name| CountsFile::read(&here.join(name)).unwrap());
    assert_eq!(sum, all, "texts, hashes and what became of the games too");

    let said = super::refused(here, "merge @sum @b --out @c", 64);
    assert!(said.contains("b.pgn") && said.contains("count twice"), "{said}");
    tables(here, "merge @a @a --force --out @c");
    let twice = CountsFile::read(&here.join("c")).unwrap();
    let once = CountsFile::read(&here.join("a")).unwrap();
    assert_eq!(twice.tally.games, 2 * once.tally.games);

    tables(here, "count @b.pgn --mit --quiet --out @other");
    let said = super::refused(here, "merge @a @other --out @c", 64);
    assert!(said.contains("different kinds"), "{said}");
}

/// Only what another file holds would count twice: one that was asked to count a text twice is whole.
#[test]
fn counts_may_hold_one_text_twice() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    for name in ["a.pgn", "copy.pgn"] {
        fs::write(here.join(name), GAMES).unwrap();
    }
    tables(here, "count @a.pgn @copy.pgn --mit --quiet --out @both");
    let said = tables(here, "mit @both --quiet --out @mit");
    assert!(said.starts_with("44 games: "), "{said}");
    tables(here, "merge @both --out @c");
    assert_eq!(fs::read(here.join("c")).unwrap(), fs::read(here.join("both")).unwrap());
    tables(here, "count @a.pgn --mit --quiet --out @a");
    for words in ["mit @a @both --out @m", "merge @both @both --out @c"] {
        let said = super::refused(here, words, 64);
        assert!(said.contains("count twice (`tables merge --force`"), "{words}: {said}");
    }
}

/// A game that comes back to a position has reached it once; one without a result scores nothing.
#[test]
fn openings_count_games() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    let shuffle = "[Event \"x\"]\n[Result \"1-0\"]\n\n1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 1-0\n\n";
    fs::write(here.join("g.pgn"), shuffle.to_owned() + "1. e4 *\n\n1. e4 1-0\n").unwrap();
    tables(here, "openings @g.pgn --quiet --min-games 1 --out @keys");
    let keys = fs::read_to_string(here.join("keys")).unwrap();
    let said: Vec<&str> = keys.lines().filter_map(|line| line.split(" # ").nth(1)).collect();
    assert_eq!(said.len(), 5, "{keys}");
    assert_eq!(said.iter().filter(|said| said.starts_with("1 games")).count(), 4, "{keys}");
    assert!(said.contains(&"2 games, 100% of 1"), "{keys}");
}
