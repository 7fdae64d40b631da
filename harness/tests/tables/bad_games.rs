//! What real files contain.

use std::fs;

use super::tables;
use crate::common::verdict::verdict;

/// Each game or word between games, and what is said of it.
const DIRTY: &[(&str, &str)] = &[
    (
        "\u{feff}[Event \"good, with a byte-order mark\"]\r\n[Result \"1-0\"]\r\n\r\n\r\n1. e4 e5 1-0\r\n\r\n",
        "",
    ),
    ("[Event \"zeros\"]\n[Result \"0-1\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. 0-0 Nf6 0-1", ""),
    (
        "[Event \"glued\"]\n[Result \"1-0\"]\n\n1. d4 (1. c4 e5 {sharp}) d5 $1 ; and on\n2. c4! dxc4?! 1-0\n\n",
        "",
    ),
    ("[Event \"illegal\"]\n[Result \"1-0\"]\n\n1. e4 e5\n2. Ke3 1-0\n\n", "illegal move"),
    ("[Event \"null\"]\n[Result \"1-0\"]\n\n1. e4 Z0 2. d4 1-0\n\n", "null move"),
    (
        "[Event \"two knights\"]\n[Result \"1-0\"]\n[FEN \"4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1\"]\n\n1. Nd2 1-0\n\n",
        "ambiguous move",
    ),
    ("[Event \"words\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. resigns 1-0\n\n", "not a move"),
    ("[Event \"start\"]\n[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n1. e4 *\n\n", "start position"),
    ("[Event \"other\"]\n[Variant \"Atomic\"]\n\n1. e4 *\n\n", "variant"),
    (
        "[Event \"960\"]\n[Variant \"Chess960\"]\n[Result \"1-0\"]\n[FEN \"nrkqbbnr/pppppppp/8/8/8/8/PPPPPPPP/NRKQBBNR w HBhb - 0 1\"]\n\n1. e4 e5 1-0\n\n",
        "",
    ),
    (
        "[Event \"queens\"]\n[Result \"1-0\"]\n[FEN \"qnbqkbnq/pppppppp/8/8/8/8/PPPPPPPP/QNBQKBNQ w - - 0 1\"]\n\n1. e4 e5 1-0\n\n",
        "",
    ),
    ("[Event \"results\"]\n[Result \"1-0\"]\n\n1. e4 e5 0-1\n\n", "two results"),
    ("[Event \"open\"]\n[Result \"?\"]\n\n1. e4 e5 *\n\n", "no result"),
    ("A book by M\u{fc}ller follows.\n\n", "prose"),
    ("[Event \"no comment's end\"]\n[Result \"1-0\"]\n\n1. e4 { e5 1-0\n\n", "syntax"),
    ("[Event \"cut\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf", "not a move"),
];

#[test]
fn bad_games_are_placed_and_skipped() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    let mut text = Vec::new();
    let mut expected = Vec::new();
    for (game, reason) in DIRTY {
        if !reason.is_empty() {
            let line = text.iter().filter(|&&byte| byte == b'\n').count() + 1;
            expected.push(format!("game of line {line} (byte {}): {reason}: ", text.len()));
        }
        // Latin-1, as old files are.
        text.extend(game.chars().flat_map(|c| match u32::from(c) {
            0xfeff => vec![0xef, 0xbb, 0xbf],
            code => vec![code as u8],
        }));
    }
    fs::write(here.join("dirty.pgn"), &text).unwrap();
    for way in ["masks", "legal", "both"] {
        let words = format!(
            "count @dirty.pgn --mit --pst --quiet --resolve {way} --errors @list --out @c --json @j"
        );
        let said = tables(here, &words);
        assert!(said.starts_with("15 games: 7 counted"), "{said}");
        let list = fs::read_to_string(here.join("list")).unwrap();
        let found: Vec<&str> = list.lines().collect();
        assert_eq!(found.len(), expected.len(), "{list}");
        for (line, expected) in found.iter().zip(&expected) {
            assert!(line.contains(expected.as_str()), "{line}\nexpected {expected}");
        }
    }
    let mistake = fs::read_to_string(here.join("list")).unwrap();
    assert!(mistake.lines().next().unwrap().contains("ply 3: expected a legal move for White"));
    let json = super::json(&here.join("j"));
    let start = &json["mit"]["8 8 2 2 2 2 2 2 1 1"];
    assert_eq!(
        start,
        &serde_json::json!([3, 0, 1]),
        "undecided games and three queens are not here"
    );
}

/// Wrong tags are told by their own lines, whatever stands between them and the moves.
#[test]
fn wrong_tags_have_lines() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    let games = "[Event \"a\"]\n[FEN \"nonsense\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n\
                 [Event \"b\"]\n[Site \"?\"]\n[Variant \"Atomic\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n\
                 [FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n[Event \"c\"]\n\n";
    fs::write(here.join("g.pgn"), games).unwrap();
    tables(here, "count @g.pgn --mit --quiet --errors @list --out @c");
    let list = fs::read_to_string(here.join("list")).unwrap();
    let file = here.join("g.pgn").display().to_string();
    let places: Vec<&str> = list
        .lines()
        .map(|line| line.strip_prefix(&file).unwrap().split(" (byte").next().unwrap())
        .collect();
    assert_eq!(places, [":2: game of line 1", ":9: game of line 7", ":14: game of line 14"]);
}

#[test]
fn the_first_twenty_are_shown() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    let game = "[Event \"x\"]\n[Result \"1-0\"]\n\n1. e5 1-0\n\n".repeat(30);
    fs::write(here.join("g.pgn"), game).unwrap();
    let output = verdict(here, "tables count @g.pgn --mit --errors @list --out @c");
    assert_eq!(output.status.code(), Some(0));
    let shown = String::from_utf8(output.stderr).unwrap();
    assert_eq!(shown.matches("illegal move").count(), 20);
    let list = fs::read_to_string(here.join("list")).unwrap();
    assert_eq!(list.lines().count(), 30);
}
