//! Games in PGN: results, pairs, and what real files contain.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use harness::crosstable::{Crosstable, CrosstableInput, InputCounts, Options};
use process::ErrorKind;
use stats::Wdl;

/// A file of that text.
fn file(dir: &Path, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
    let path = dir.join(name);
    fs::write(&path, text).unwrap();
    path
}

fn tally(text: impl AsRef<[u8]>) -> CrosstableInput {
    let dir = tempfile::tempdir().unwrap();
    CrosstableInput::read(&[file(dir.path(), "games.pgn", text)], &[]).unwrap()
}

fn wdl(tally: &CrosstableInput, first: &str, second: &str) -> [u64; 3] {
    let [first, second] = [first, second].map(|name| tally.results.find(name).expect(name));
    let Wdl { win, draw, loss } = tally.results.between(first, second);
    [win, draw, loss]
}

fn game(white: &str, black: &str, result: &str, more: &str, moves: &str) -> String {
    format!(
        "[Event \"e\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n{more}\n{moves} {result}\n\n"
    )
}

/// One after the other: name, text, won drawn lost of A against B, and what else was counted.
#[test]
fn what_files_contain_is_read_or_counted() {
    let usual = "1. e4 e5 2. Nf3 Nc6";
    let plain = game("A", "B", "1-0", "", usual);
    let cases: Vec<(&str, Vec<u8>, [u64; 3], InputCounts)> = vec![
        ("plain", plain.clone().into(), [1, 0, 0], InputCounts::default()),
        ("CRLF", plain.replace('\n', "\r\n").into(), [1, 0, 0], InputCounts::default()),
        ("BOM", format!("\u{feff}{plain}").into(), [1, 0, 0], InputCounts::default()),
        (
            "joined files",
            format!("{plain}\u{feff}{}", plain.replace("1-0", "0-1")).into(),
            [1, 0, 1],
            InputCounts::default(),
        ),
        (
            "lost by both: no draw",
            format!("{plain}{}", plain.replace("1-0", "0-0")).into(),
            [1, 0, 0],
            InputCounts { lost_by_both: 1, ..InputCounts::default() },
        ),
        (
            "comments, variations, NAGs, escapes, and a result in each",
            game(
                "A",
                "B",
                "0-1",
                "[Odd_Tag \"x\"]\n[Annotator \"a \\\"b\\\" c\"]\n",
                "1. e4 $1 {1-0 [White \"C\"]\n * } (1. d4 d5 (1... Nf6 1-0) 0-1 *) e5 ; 1-0\n% 1-0\n2. Nf3",
            )
            .into(),
            [0, 0, 1],
            InputCounts::default(),
        ),
        (
            "torn in the moves: the tag has the result",
            format!("{plain}{}", &game("B", "A", "1-0", "", "1. d4 d5 2. c4 Nf6")[..65]).into(),
            [1, 0, 1],
            InputCounts::default(),
        ),
        (
            "torn in the tags",
            format!("{plain}[Event \"e\"]\n[White \"A\"]\n[Bla").into(),
            [1, 0, 0],
            InputCounts { unfinished: 1, ..InputCounts::default() },
        ),
        (
            "a comment that nobody closed",
            format!("{}{plain}", game("A", "B", "1/2-1/2", "", "1. e4 {oh").replace("1/2-1/2\n\n", "\n")).into(),
            [1, 1, 0],
            InputCounts::default(),
        ),
        (
            "no result tag, and no moves",
            "[White \"A\"]\n[Black \"B\"]\n\n1. e4 1-0\n\n[White \"A\"]\n[Black \"B\"]\n\n0-1\n".into(),
            [1, 0, 1],
            InputCounts::default(),
        ),
        (
            "results after fashions",
            [
                game("A", "B", "1–0", "", usual),
                game("A", "B", "½-½", "", usual),
                game("A", "B", "1/2", "", "1. d4"),
                game("A", "B", "0-1 ", "", usual),
            ]
            .concat()
            .into(),
            [1, 2, 1],
            InputCounts::default(),
        ),
        (
            "words between games",
            format!(
                "{}Finalposition 8/8 w - - }}\n\n{}",
                plain.replace("1-0\n\n", "1-0 ; wrapped,\n"),
                game("A", "B", "1-0", "", "1. d4")
            )
            .into(),
            [2, 0, 0],
            InputCounts::default(),
        ),
        (
            "unfinished",
            [game("A", "B", "*", "", usual), game("A", "B", "?", "", usual), plain.clone()]
                .concat()
                .into(),
            [1, 0, 0],
            InputCounts { unfinished: 2, ..InputCounts::default() },
        ),
        (
            "against itself",
            format!("{plain}{}", game("A", "A", "1-0", "", usual)).into(),
            [1, 0, 0],
            InputCounts { against_itself: 1, ..InputCounts::default() },
        ),
    ];
    for (name, text, wanted, counted) in cases {
        let tally = tally(text);
        assert_eq!(wdl(&tally, "A", "B"), wanted, "{name}");
        let single_games = tally.counted.single_games;
        let pairs_found = tally.counted.pairs_found;
        let wanted = InputCounts { pgn_files: 1, single_games, pairs_found, ..counted };
        assert_eq!(tally.counted, wanted, "{name}");
        assert_eq!(tally.results.names().len(), 2, "{name}");
    }
}

#[test]
fn names_are_read_as_they_are_written() {
    let mut text = game(r#"A \"the\" \\B"#, "B", "1-0", "", "1. e4").into_bytes();
    text.extend(b"[White \"M\xfcller\"]\n[Black \" B \"]\n[Result \"1-0\"]\n\n1-0\n");
    let tally = tally(text);
    assert_eq!(tally.results.names(), ["A \"the\" \\B", "B", "Müller"]);
}

#[test]
fn games_that_cannot_be_used_are_told() {
    let text = [
        game("A", "B", "1-0", "", "1. e4"),
        game("?", "B", "1-0", "", "1. e4"),
        game("A", "", "1-0", "", "1. e4"),
        game("A", "B", "2-0", "", "1. e4"),
        game("A", "B", "1-0", "", "1. e4").replace("e4 1-0", "e4 0-1"),
    ]
    .concat();
    let tally = tally(text);
    assert_eq!((tally.counted.unusable, wdl(&tally, "A", "B")), (4, [1, 0, 0]));
    let first = tally.counted.first_unusable.expect("told").to_string();
    assert!(first.ends_with("games.pgn:8: game 2: expected a tag [White \"name\"]"), "{first}");
}

/// Two games make a pair when colours are swapped and the openings equal.
#[test]
fn pairs_are_found_by_their_openings() {
    let (open, sicilian) = ("1. e4 e5 2. Nf3 Nc6 3. Bb5", "1. e4 c5 2. Nf3+ d6");
    let ab = |moves| game("A", "B", "1-0", "", moves);
    let ba = |moves| game("B", "A", "1-0", "", moves);
    let fen = |white, black, fen: &str| {
        let tags = format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n");
        game(white, black, "1/2-1/2", &tags, "1. Ra8 Kh7 2. Ra7 Kh8")
    };
    let [one, two] = ["7k/8/8/8/8/8/8/R3K3 w - - 0 1", "7k/8/8/8/8/8/7P/R3K3 w - - 0 1"];
    for (games, pairs, singles) in [
        (vec![ab(open), ba("1. e4 e5 2. Nf3 Nc6 3. Bc4")], 1, 0),
        (vec![ab(sicilian), ba("1. e4 c5 2. Nf3 d6 3. d4")], 1, 0),
        (vec![ab(open), ba(sicilian)], 0, 2),
        (vec![ab(open), ab("1. e4 e5 2. Nf3 Nc6 3. Bc4")], 0, 2),
        (vec![ab(open), ab(open), ba(open)], 1, 1),
        // Other games may lie between: runners write them as they end.
        (vec![ab(open), game("C", "D", "1-0", "", open), ba(open)], 1, 1),
        (vec![ab(open), ba(sicilian), ba(open)], 1, 1),
        (vec![ab(open), ab(sicilian), ba(sicilian), ba(open)], 2, 0),
        // Plies are counted alike when the text is torn.
        (vec![ab("1. e4 e5"), ba("1. e4 e5")], 1, 0),
        (vec![ab("1. e4 e5"), ba(open)], 0, 2),
        (vec![fen("A", "B", one), fen("B", "A", one)], 1, 0),
        (vec![fen("A", "B", one), fen("B", "A", two)], 0, 2),
    ] {
        let tally = tally(games.concat());
        let InputCounts { pairs_found, single_games, .. } = tally.counted;
        assert_eq!((pairs_found, single_games), (pairs, singles), "{games:#?}");
        assert_eq!(tally.results.games(), [2 * pairs + singles, 2 * pairs]);
    }
}

/// Pairs and games that deterministic engines play again say nothing new.
#[test]
fn what_repeats_itself_counts_once() {
    let (open, sicilian) = ("1. e4 e5 2. Nf3 Nc6", "1. e4 c5 2. Nf3 d6");
    let ab = |result, moves| game("A", "B", result, "", moves);
    let ba = |result, moves| game("B", "A", result, "", moves);
    let ended = |by: &str| game("A", "B", "1-0", &format!("[Termination \"{by}\"]\n"), open);
    let pair = || ab("1-0", open) + &ba("1/2-1/2", open);
    let torn = || ab("1-0", open).replace("Nc6 1-0\n", "Nc6\n");
    for (name, games, [pairs, repeated], [singles, repeated_games]) in [
        ("a pair", pair().repeat(3), [3, 2], [0, 0]),
        ("colours first swapped", pair() + &ba("1/2-1/2", open) + &ab("1-0", open), [2, 1], [0, 0]),
        ("another end", pair() + &ab("1-0", open) + &ba("1-0", open), [2, 0], [0, 0]),
        (
            "other moves",
            pair() + &ab("1-0", open) + &ba("1/2-1/2", &format!("{open} 3. Bb5")),
            [2, 0],
            [0, 0],
        ),
        ("other players", pair() + &pair().replace("\"B\"", "\"C\""), [2, 0], [0, 0]),
        ("a game", ab("1-0", open).repeat(3) + &ab("1-0", sicilian), [0, 0], [4, 2]),
        ("one game in a pair", pair() + &ab("1-0", open), [1, 0], [1, 0]),
        ("no moves", ab("1-0", "").repeat(2), [0, 0], [2, 0]),
        ("torn", torn().repeat(2), [0, 0], [2, 0]),
        ("ended by the clock", ended("Time forfeit").repeat(2), [0, 0], [2, 0]),
        ("adjudicated", ended("adjudication").repeat(2), [0, 0], [2, 1]),
    ] {
        let CrosstableInput { counted, results } = tally(&games);
        assert_eq!([counted.pairs_found, counted.repeated_pairs], [pairs, repeated], "{name}");
        let single = [counted.single_games, counted.repeated_games];
        assert_eq!(single, [singles, repeated_games], "{name}");
        let (pairs, singles) = (pairs - repeated, singles - repeated_games);
        assert_eq!(results.games(), [2 * pairs + singles, 2 * pairs], "{name}");
    }
}

/// Our own PGN numbers its games: a pair is one whatever its moves.
#[test]
fn our_own_pairs_are_told_by_their_tags() {
    let numbered = |white, black, number: u64, event: &str, moves| {
        let tags = format!("[GameNumber \"{number}\"]\n[WhiteSide \"test\"]\n");
        game(white, black, "1-0", &tags, moves).replace("\"e\"", event)
    };
    let two = |first, second, event| {
        tally(
            [
                numbered("A", "B", first, "\"run\"", "1. e4"),
                numbered("B", "A", second, event, "1. d4"),
            ]
            .concat(),
        )
        .counted
    };
    assert_eq!(two(6, 7, "\"run\"").pairs_tagged, 1);
    assert_eq!(two(7, 6, "\"run\"").pairs_tagged, 1);
    assert_eq!(two(7, 8, "\"run\"").single_games, 2);
    assert_eq!(two(6, 7, "\"other\"").single_games, 2);
}

#[test]
fn packed_files_are_read_as_they_are() {
    let dir = tempfile::tempdir().unwrap();
    let text = game("A", "B", "1-0", "", "1. e4");
    let packed = zstd::encode_all(text.as_bytes(), 0).unwrap();
    let zst = file(dir.path(), "games.pgn.zst", packed);
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packer.write_all(text.as_bytes()).unwrap();
    let gz = file(dir.path(), "games.pgn.gz", packer.finish().unwrap());
    let plain = file(dir.path(), "games.pgn", &text);
    for path in [&zst, &gz, &plain] {
        let tally = CrosstableInput::read(std::slice::from_ref(path), &[]).unwrap();
        assert_eq!(wdl(&tally, "A", "B"), [1, 0, 0], "{}", path.display());
    }
    let tally = CrosstableInput::read(&[zst, gz, plain], &[]).unwrap();
    assert_eq!(wdl(&tally, "A", "B"), [1, 0, 0]);
    assert_eq!((tally.counted.pgn_files, tally.counted.same_games), (3, 2));
}

#[test]
fn what_is_no_pgn_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let refused =
        |path: PathBuf| CrosstableInput::read(&[path], &[]).expect_err("refused").to_string();
    let at = |name: &str| dir.path().join(name);
    for (path, told) in [
        (at("nowhere.pgn"), "nowhere.pgn: cannot read: No such file"),
        (file(dir.path(), "empty.pgn", ""), "empty.pgn: expected PGN, found no game"),
        (
            file(dir.path(), "book.epd", "8/8/8/8/8/8/8/K1k5 w - -\n"),
            "book.epd: expected PGN, found lines of another kind",
        ),
        (file(dir.path(), "torn.pgn.zst", b"\x28\xb5\x2f\xfd\x00"), "torn.pgn.zst: cannot read"),
        (dir.path().to_owned(), "expected a run's folder"),
    ] {
        let error = refused(path);
        assert!(error.contains(told), "{error}");
    }
}

#[test]
fn names_can_be_replaced() {
    let dir = tempfile::tempdir().unwrap();
    let text = [
        game("A 1.0", "B", "1-0", "", "1. e4"),
        game("B", "A 2.0", "1-0", "", "1. d4"),
        game("A 2.0", "A 1.0", "1-0", "", "1. d4"),
    ];
    let path = file(dir.path(), "games.pgn", text.concat());
    let names = |pairs: &[(&str, &str)]| -> Vec<(String, String)> {
        pairs.iter().map(|(from, to)| ((*from).to_owned(), (*to).to_owned())).collect()
    };
    let inputs = [path];
    let tally = CrosstableInput::read(&inputs, &names(&[("A 1.0", "A"), ("A 2.0", "A")])).unwrap();
    assert_eq!(wdl(&tally, "A", "B"), [1, 0, 1]);
    assert_eq!(tally.counted.against_itself, 1);
    let unknown = CrosstableInput::read(&inputs, &names(&[("C", "D")])).expect_err("refused");
    assert_eq!(unknown.kind(), ErrorKind::Usage);
    assert!(unknown.to_string().contains("\"C\""), "{unknown}");
}

/// Copies of a file, and parts of it, add nothing, whatever ended the games.
#[test]
fn what_two_files_have_counts_once() {
    let dir = tempfile::tempdir().unwrap();
    let open = "1. e4 e5 2. Nf3 Nc6";
    let lost = "[Termination \"time forfeit\"]\n";
    let games = [
        game("A", "B", "1-0", "[Round \"1\"]\n", open),
        game("B", "A", "1-0", "[Round \"2\"]\n", open),
        game("A", "B", "1-0", lost, "1. d4 d5 2. c4"),
    ];
    let all = file(dir.path(), "all.pgn", games.concat());
    let counted = |name: &str, text: &str| {
        let tally =
            CrosstableInput::read(&[all.clone(), file(dir.path(), name, text)], &[]).unwrap();
        assert_eq!(tally.results.games(), [3, 2], "{name}");
        [tally.counted.same_games, tally.counted.repeated_pairs]
    };
    assert_eq!(counted("copy.pgn", &games.concat()), [3, 0]);
    assert_eq!(counted("part.pgn", &games[1..].concat()), [2, 0]);
    // Other tags: what was played is the same.
    assert_eq!(counted("pair.pgn", &games[..2].concat().replace("Round", "Section")), [0, 1]);
}

/// The tables, as they are printed.
#[test]
fn the_crosstable_shows_everything() {
    let dir = tempfile::tempdir().unwrap();
    let mut text = String::new();
    for (white, black, result) in [
        ("A|1", "B", "1-0"),
        ("B", "A|1", "1/2-1/2"),
        ("A|1", "B", "0-1"),
        ("B", "A|1", "0-1"),
        ("A|1", "C", "1-0"),
        ("C", "A|1", "0-1"),
        ("X", "Y", "1/2-1/2"),
        ("B", "A|1", "*"),
        ("B", "A|1", "0-0"),
    ] {
        text.push_str(&game(white, black, result, "", "1. e4 e5 2. Nf3 Nf6"));
    }
    let path = file(dir.path(), "games.pgn", text);
    let table = Crosstable::read(&[path], Options::default()).unwrap();
    let page = table.page().markdown();
    for line in [
        "7 games of 5 players from 1 PGN file: 3 pairs of one opening with swapped colours (found in \
         PGN: 0 by round and start position, 3 by start position and book moves or first 4 plies), 1 game in \
         none. Left out: 1 game without a result; 1 game lost by both players.",
        "The mean rating is 0; ± is the 95% interval of the distance to it.",
        "**2 groups, rated separately: ratings of different groups cannot be compared.**",
        "- group 2: 2 players, connected to no earlier group by games",
        "| # | player | group | Elo | ± | points | games | % | LOS v next | v 1 | v 2 | v 3 | v 4 | v 5 |",
    ] {
        assert!(page.lines().any(|found| found == line), "{line}\nnot in\n{page}");
    }
    for piece in [
        "| 1 | A\\|1 | 1 | 44.4 | ",
        "| 4.5 | 6 | 75.0 | ",
        "|  | 2–1–1 | 2–0–0 |  |  |",
        "| 3 | C | 1 | ≤ ",
    ] {
        assert!(page.contains(piece), "{piece}\nnot in\n{page}");
    }
    assert!(!page.contains("NaN") && !page.contains("inf "), "{page}");

    let json = table.json();
    assert_eq!(json["games"], 7);
    assert_eq!(json["counted"]["left_out"]["unfinished"], 1);
    assert_eq!(json["counted"]["left_out"]["lost_by_both"], 1);
    let first = &json["players"][0];
    assert_eq!(first["name"], "A|1");
    assert_eq!(first["opponents"]["B"], serde_json::json!({"win": 2, "draw": 1, "loss": 1}));
    // By six games nothing is sure.
    assert!(first["error95"].is_null(), "{first}");
    let why = first["why"]["error95"].as_str().expect("a reason");
    assert!(why.contains("fewer than 20 games") && page.contains(why), "{why}");
    assert!(json["players"][2]["elo"].is_null() && json["players"][2]["why"]["elo"].is_string());
    assert!(json["los"]["matrix"][0][1].is_null());
    assert!(json["los"]["matrix"][0][0].is_null() && json["los"]["matrix"][0][3].is_null());
    assert_eq!(json["groups"][1]["separation"], "never-met");
}
