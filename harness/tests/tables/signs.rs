//! Games as people and old programs write them: the same counts as those of plain SAN.

use std::fs;
use std::io::Write as _;

use super::{json, tables};

/// Games, and after each the same in plain SAN.
const GAMES: &[(&str, &str)] = &[
    (
        "1. e4 d5 2. exd5 Qxd5 3. Nc3 Qa5 4. Nf3 Nf6 5. Bc4 e6 6. d3 Bb4 7. Bd2 O-O 8. a3\n\
         Bd6? ± {loses a tempo} ({better was} 8... Bxc3 9. Bxc3 Qf5 =) 9. h3 ∓ b6 +/-\n\
         10. g3 = c6 -+ 11. g4 +- Na6 ⩲ 1-0",
        "1. e4 d5 2. exd5 Qxd5 3. Nc3 Qa5 4. Nf3 Nf6 5. Bc4 e6 6. d3 Bb4 7. Bd2 O-O 8. a3 Bd6 9. h3 \
         b6 10. g3 c6 11. g4 Na6 1-0",
    ),
    ("1. e4 a6 2. e5 d5 3. exd6 e.p. cxd6 4. d4 1-0", "1. e4 a6 2. e5 d5 3. exd6 cxd6 4. d4 1-0"),
    ("1. e4 a6 2. e5 d5 3. exd6e.p. cxd6 4. d4= 1-0", "1. e4 a6 2. e5 d5 3. exd6 cxd6 4. d4 1-0"),
    (
        "1. g2-g4 h7-h5 2. g4xh5 g7-g6 3. h5xg6 Ng8-f6 4. g6-g7 Nf6-e4 5. g7xh8(Q) N 1/2-1/2",
        "1. g4 h5 2. gxh5 g6 3. hxg6 Nf6 4. g7 Ne4 5. gxh8=Q 1/2-1/2",
    ),
    (
        "1. e2e4 e7e5 2. g1f3 b8c6 3. f1b5 g8f6 4. e1g1 f6e4 5. f1e1 0-1",
        "1. e4 e5 2. Nf3 Nc6 3. Bb5 Nf6 4. O-O Nxe4 5. Re1 0-1",
    ),
];

fn game(number: usize, result: &str, moves: &str) -> String {
    format!("[Event \"{number}\"]\n[Result \"{result}\"]\n\n{moves}\n\n")
}

fn file(moves: impl Iterator<Item = &'static str>) -> String {
    let games = moves
        .enumerate()
        .map(|(number, moves)| game(number, moves.rsplit(' ').next().unwrap_or_default(), moves));
    games.collect()
}

#[test]
fn games_count_alike_however_they_are_written() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    let all = file(GAMES.iter().map(|(written, _)| *written));
    fs::write(here.join("written.pgn"), &all).unwrap();
    fs::write(here.join("plain.pgn"), file(GAMES.iter().map(|(_, plain)| *plain))).unwrap();
    // Two files in one, packed: the second begins with a byte-order mark.
    let half = all.find("[Event \"2\"]").unwrap();
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    write!(packed, "{}\u{feff}{}", &all[..half], &all[half..]).unwrap();
    fs::write(here.join("joined.pgn.gz"), packed.finish().unwrap()).unwrap();
    let count = |name: &str, way: &str| {
        let words = "--mit --pst --openings 9 --quiet --errors @list --out @c --json @j";
        let said = tables(here, &format!("count @{name} {words} --resolve {way}"));
        assert!(said.starts_with("5 games: 5 counted (54 plies)"), "{name}: {said}");
        assert_eq!(fs::read_to_string(here.join("list")).unwrap(), "", "{name}");
        json(&here.join("j"))
    };
    let plain = count("plain.pgn", "both");
    for (name, way) in [
        ("written.pgn", "masks"),
        ("written.pgn", "legal"),
        ("written.pgn", "both"),
        ("joined.pgn.gz", "both"),
    ] {
        assert_eq!(count(name, way), plain, "{name} {way}");
    }
}

/// A double forfeit is a result, but no win, draw or loss.
#[test]
fn games_that_both_players_lost_have_no_place_by_results() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    let castling = "1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. 0-0 0-0";
    let games = [
        game(0, "0-0", &format!("{castling} 5. d3 0-0")),
        game(1, "0-0", "0-0"),
        game(2, "1/2-1/2", &format!("{castling} 5. d3 1/2-1/2")),
        game(3, "1-0", &format!("{castling} 1-0")),
        game(4, "0-0", &format!("{castling} 5. d3 1-0")),
    ];
    fs::write(here.join("g.pgn"), games.concat()).unwrap();
    let said = tables(here, "count @g.pgn --mit --pst --quiet --errors @list --out @c --json @j");
    assert!(said.starts_with("5 games: 5 counted (35 plies)"), "{said}");
    assert!(said.contains("lost by both: 2 (not in the material table)"), "{said}");
    let list = fs::read_to_string(here.join("list")).unwrap();
    assert_eq!(list.lines().filter(|line| line.contains("lost by both")).count(), 2, "{list}");
    assert_eq!(list.lines().filter(|line| line.contains("two results")).count(), 1, "{list}");
    let start = &json(&here.join("j"))["mit"]["8 8 2 2 2 2 2 2 1 1"];
    assert_eq!(start, &serde_json::json!([1, 1, 0]));
}
