//! `verdict openings make --from`: books of games, made by several engines, interrupted and gone on with.

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;

use pgn::{Book, CheckOptions, check};
use rand_chacha::rand_core::RngCore as _;
use serde_json::Value;
use shakmaty::san::SanPlus;
use shakmaty::{Chess, Position as _};

use crate::common::samples::rng;
use crate::common::verdict::{signal, until_listening, verdict};

/// Games of random moves in a folder, as PGN.
fn random_games(dir: &Path, games: u64) -> PathBuf {
    let mut text = String::new();
    for game in 0..games {
        let mut rng = rng(game);
        let mut position = Chess::default();
        text +=
            &format!("[Event \"{game}\"]\n[WhiteElo \"{}\"]\n[BlackElo \"2500\"]\n\n", 2000 + game);
        for _ in 0..20 {
            let legal = position.legal_moves();
            if legal.is_empty() {
                break;
            }
            let mv = legal[(rng.next_u64() % legal.len() as u64) as usize];
            text += &format!("{} ", SanPlus::from_move_and_play_unchecked(&mut position, mv));
        }
        text += "*\n\n";
    }
    let path = dir.join("games.pgn");
    fs::write(&path, text).unwrap();
    path
}

fn make(dir: &Path, words: &str) -> Output {
    let words = format!("openings make --from @games.pgn --quiet --nodes 200 {words}");
    verdict(dir, &words)
}

fn code(output: &Output) -> Option<i32> {
    output.status.code()
}

fn told(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The scores that an annotated book gives.
fn scores(book: &Path) -> Vec<i32> {
    let text = fs::read_to_string(book).unwrap();
    let score = |line: &str| {
        let (_, rest) = line.split_once(" ce ").unwrap();
        rest.split_once(';').unwrap().0.parse().unwrap()
    };
    text.lines().map(score).collect()
}

#[test]
fn the_window_is_respected_on_both_sides() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    random_games(here, 300);
    let made = make(here, "--ply 6..14 --bias 0.5..1.2 --annotate --json --out @biased.epd");
    assert_eq!(code(&made), Some(0), "{made:?}");
    let biased = scores(&here.join("biased.epd"));
    assert!(biased.iter().all(|cp| (50..=120).contains(&cp.abs())), "{biased:?}");
    assert!(biased.iter().any(|cp| *cp > 0) && biased.iter().any(|cp| *cp < 0));
    // All are accounted for.
    let tally: Value = serde_json::from_slice::<Value>(&made.stdout).unwrap()["tally"].take();
    let sum = |keys: &[&str]| keys.iter().map(|key| tally[*key].as_u64().unwrap()).sum::<u64>();
    assert_eq!(sum(&["accepted"]), biased.len() as u64);
    assert_eq!(sum(&["scored"]), sum(&["candidates"]));
    assert_eq!(sum(&["scored"]), sum(&["accepted", "below", "above", "mates", "skipped"]));
    assert!(sum(&["below"]) > 0 && sum(&["above"]) > 0, "{tally}");
    // Balanced: the rest but for what is further off, and nothing twice.
    assert_eq!(code(&make(here, "--ply 6..14 --bias 0..0.49 --annotate --out @even.epd")), Some(0));
    let even = scores(&here.join("even.epd"));
    assert_eq!(even.len() as u64, tally["below"].as_u64().unwrap());
    assert!(even.iter().all(|cp| cp.abs() < 50), "{even:?}");
    for book in ["biased.epd", "even.epd"] {
        let report = check(here.join(book), &CheckOptions { max_plies: None, limit: 9 }).unwrap();
        assert!(report.clean && report.in_check == 0, "{report}");
    }
    assert!(!here.join("biased.epd.work").exists(), "it is made");
}

#[test]
fn books_have_the_wanted_form_and_length() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    random_games(here, 100);
    for name in ["b.epd", "b.fen", "b.pgn"] {
        let made = make(here, &format!("--ply 6..9 --bias 0..3 --count 12 --out @{name}"));
        assert_eq!(code(&made), Some(0), "{made:?}");
    }
    let ends = |name: &str| -> Vec<String> {
        let book = Book::read(here.join(name)).unwrap();
        let end = |fen: String| fen.split(' ').take(4).collect::<Vec<_>>().join(" ");
        book.openings().map(|opening| end(opening.unwrap().end_fen())).collect()
    };
    assert_eq!(ends("b.epd").len(), 12);
    assert_eq!(ends("b.epd"), ends("b.fen"));
    assert_eq!(ends("b.epd"), ends("b.pgn"));
    let report = check(here.join("b.fen"), &CheckOptions { max_plies: None, limit: 9 }).unwrap();
    assert!(report.plies.keys().all(|ply| (6..=9).contains(ply)), "{report}");
    // Another seed draws others; fewer are the first of more.
    assert_eq!(code(&make(here, "--ply 6..9 --bias 0..3 --count 5 --out @few.epd")), Some(0));
    assert_eq!(ends("few.epd"), ends("b.epd")[..5]);
    assert_eq!(
        code(&make(here, "--ply 6..9 --bias 0..3 --count 5 --seed 2 --out @2.epd")),
        Some(0)
    );
    assert_ne!(ends("2.epd"), ends("few.epd"));
    let elo = make(here, "--ply 6..9 --bias 0..3 --min-elo 2050 --json --out @elo.epd");
    let json: Value = serde_json::from_slice(&elo.stdout).unwrap();
    assert_eq!((&json["tally"]["filtered"], &json["tally"]["games"]), (&50.into(), &100.into()));
}

/// A book that takes a while, begun and not waited for.
fn begun(here: &Path, out: &str) -> Child {
    begun_with(here, out, "--nodes 3000", Stdio::null())
}

fn begun_with(here: &Path, out: &str, flags: &str, stderr: Stdio) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_verdict"));
    let words = format!("openings make --quiet --threads 2 --bias 0..2 {flags}");
    command.args(words.split(' '));
    command.arg("--from").arg(here.join("games.pgn")).arg("--out").arg(here.join(out));
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(stderr).spawn().unwrap()
}

/// Waits until the book's folder has some scores.
fn until_scored(work: &Path) {
    while fs::read_to_string(work.join("scores.txt")).is_ok_and(|text| text.lines().count() < 5)
        || !work.join("scores.txt").exists()
    {
        sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_killed_book_goes_on_to_the_same_bytes() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    random_games(here, 250);
    let whole = verdict(
        here,
        "openings make --quiet --nodes 3000 --threads 1 --bias 0..2 --from @games.pgn --out @a.epd",
    );
    assert_eq!(code(&whole), Some(0), "{whole:?}");
    let wanted = fs::read(here.join("a.epd")).unwrap();
    let work = here.join("b.epd.work");
    // An older book is there until the new one is made.
    fs::write(here.join("b.epd"), "older").unwrap();
    // Killed, then told to stop, then gone on with by both commands.
    let mut child = begun(here, "b.epd");
    until_scored(&work);
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(fs::read(here.join("b.epd")).unwrap(), b"older");
    // A line that is cut short.
    let scores = fs::read(work.join("scores.txt")).unwrap();
    fs::write(work.join("scores.txt"), &scores[..scores.len() - 2]).unwrap();
    let listed = verdict(here, "resume --in @ --json");
    let listed: Value = serde_json::from_slice(&listed.stdout).unwrap();
    assert_eq!(
        (&listed[0]["unit"], listed[0]["of"].is_u64()),
        (&"positions".into(), true),
        "{listed}"
    );
    let mut child = begun(here, "b.epd");
    until_listening(&mut child);
    signal(&child, libc::SIGINT);
    let stopped = child.wait().unwrap();
    // No code: the book was made, and the process about to end. 130: the engine was still being tried.
    let done = fs::read(here.join("b.epd")).unwrap() != b"older";
    let expected = if done { [Some(0), None] } else { [Some(2), Some(130)] };
    assert!(expected.contains(&stopped.code()), "{stopped:?}");
    if !done {
        let resumed = verdict(here, "resume @b.epd.work --quiet --concurrency 3");
        assert_eq!(code(&resumed), Some(0), "{resumed:?}");
    }
    assert!(fs::read(here.join("b.epd")).unwrap() == wanted);
    assert!(!work.exists());
}

/// As timeout(1) does it: to the process, and to its group.
#[test]
fn sigterm_sent_twice_is_told_once() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    random_games(here, 250);
    let mut child = begun_with(here, "b.epd", "--nodes 100000", Stdio::piped());
    until_scored(&here.join("b.epd.work"));
    for _ in 0..2 {
        signal(&child, libc::SIGTERM);
        sleep(Duration::from_millis(1));
    }
    let mut told = String::new();
    child.stderr.take().unwrap().read_to_string(&mut told).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(2), "{told}");
    assert!(told.contains("verdict resume"), "{told}");
}

#[test]
fn scores_make_other_books() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    random_games(here, 120);
    let made = make(here, "--bias 0.5..1.5 --work @scores --out @a.epd");
    assert_eq!(code(&made), Some(0), "{made:?}");
    let known = fs::read(here.join("scores/scores.txt")).unwrap();
    let listed = || verdict(here, "resume --in @ --json").stdout;
    assert_eq!(serde_json::from_slice::<Value>(&listed()).unwrap(), Value::Array(Vec::new()));
    assert_eq!(code(&make(here, "--bias 0..0.5 --work @scores --out @b.epd")), Some(0));
    assert!(fs::read(here.join("scores/scores.txt")).unwrap() == known, "nothing is scored again");
    assert_eq!(code(&make(here, "--bias 0..0.5 --out @c.epd")), Some(0));
    assert!(fs::read(here.join("b.epd")).unwrap() == fs::read(here.join("c.epd")).unwrap());
    // What would give other scores is refused, and named.
    for (other, flag) in [
        ("--ply 8..15", "--ply"),
        ("--seed 9", "--seed"),
        ("--depth 3", "--depth"),
        ("--by embedded:rebel", "--by"),
        ("--per-game 2", "--per-game"),
        ("--min-elo 2010", "--min-elo"),
    ] {
        let nodes = if other.starts_with("--depth") { "" } else { "--nodes 200" };
        let words = format!(
            "openings make --from @games.pgn --quiet {nodes} --work @scores --out @d.epd {other}"
        );
        let refused = verdict(here, &words);
        assert_eq!(code(&refused), Some(64), "{other}");
        assert!(told(&refused).contains(flag), "{}", told(&refused));
    }
    fs::write(here.join("games.pgn"), "1. e4 e5 *\n").unwrap();
    assert_eq!(code(&make(here, "--work @scores --out @d.epd")), Some(64), "other games");
}

#[test]
fn programs_score_and_are_started_again() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    random_games(here, 60);
    let scoundrel = env!("CARGO_BIN_EXE_scoundrel");
    let made = |vices: &str, out: &str, more: &str| {
        let by = format!("--by uci:{scoundrel},arg=first{vices}");
        make(here, &format!("--threads 2 --bias 0.07..0.07 --json {by} --out @{out} {more}"))
    };
    // It gives every position the same score.
    let sound = made("", "sound.epd", "");
    assert_eq!(code(&sound), Some(0), "{sound:?}");
    let tally = |output: &Output| -> Value {
        serde_json::from_slice::<Value>(&output.stdout).unwrap()["tally"].take()
    };
    let all = tally(&sound)["candidates"].as_u64().unwrap();
    assert_eq!(
        (tally(&sound)["accepted"].as_u64(), tally(&sound)["skipped"].as_u64()),
        (Some(all), Some(0))
    );
    // It ends in the search after each two moves of a process; positions on which it ends are skipped.
    let dying = made(",arg=exit-in-search:2", "dying.epd", "");
    assert_eq!(code(&dying), Some(0), "{dying:?}");
    let (accepted, skipped) = (&tally(&dying)["accepted"], &tally(&dying)["skipped"]);
    let (accepted, skipped) = (accepted.as_u64().unwrap(), skipped.as_u64().unwrap());
    assert_eq!(accepted + skipped, all);
    assert!((all / 4..=all / 2).contains(&skipped), "{skipped} of {all}");
    // One that never answers is given up, and what it failed on is not held against the positions.
    let broken = made(",arg=exit-in-search:0", "broken.epd", "");
    assert_eq!(code(&broken), Some(3), "{broken:?}");
    assert!(told(&broken).contains("in a row"), "{}", told(&broken));
    assert_eq!(fs::read_to_string(here.join("broken.epd.work/scores.txt")).unwrap(), "");
    let mended = made("", "broken.epd", "");
    assert_eq!(code(&mended), Some(0), "of another engine nothing was scored: {mended:?}");
    assert!(here.join("broken.epd").exists() && !here.join("broken.epd.work").exists());
    // By xboard, too.
    let rascal = env!("CARGO_BIN_EXE_rascal");
    let words = format!(
        "openings make --from @games.pgn --quiet --depth 3 --count 3 --bias 0..9 --by xboard:{rascal} --out @x.epd"
    );
    let xboard = verdict(here, &words);
    assert_eq!(code(&xboard), Some(0), "{xboard:?}");
}

/// Before any game is read: these have none.
#[test]
fn a_program_that_cannot_score_is_told_before_the_work() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    fs::write(here.join("games.pgn"), "no games\n").unwrap();
    let scoundrel = env!("CARGO_BIN_EXE_scoundrel");
    let made = |by: &str, limit: &str| {
        let words =
            format!("openings make --from @games.pgn --quiet --hang 300ms {limit} --by {by}");
        verdict(here, &format!("{words} --out @b.epd"))
    };
    for (vices, kind, expected) in [
        (",NoSuchOption=1", 64, "NoSuchOption"),
        (",arg=exit-at-start", 3, "scoundrel"),
        (",arg=ignore-nodes", 64, "--depth"),
        (",arg=exit-by-nodes", 64, "--depth"),
        (",arg=until-stop", 64, "nodes"),
    ] {
        let refused = made(&format!("uci:{scoundrel}{vices}"), "--nodes 200");
        assert_eq!(code(&refused), Some(kind), "{vices}: {refused:?}");
        assert!(told(&refused).contains(expected), "{vices}: {}", told(&refused));
        assert!(!here.join("b.epd.work").exists(), "{vices}");
    }
    let rascal = env!("CARGO_BIN_EXE_rascal");
    for vice in ["no-setboard", "until-now"] {
        let xboard = made(&format!("xboard:{rascal},arg={vice}"), "--depth 3");
        assert_eq!(code(&xboard), Some(64), "{vice}: {xboard:?}");
        assert!(!here.join("b.epd.work").exists(), "{vice}");
    }
    // With a limit that it obeys it is the games that are wrong; the folder of this does not block the next.
    let read = made(&format!("uci:{scoundrel},arg=ignore-nodes"), "--depth 3");
    assert_eq!(code(&read), Some(74), "{read:?}");
    random_games(here, 20);
    let mended = made(&format!("uci:{scoundrel},arg=first"), "--depth 4 --bias 0..1");
    assert_eq!(code(&mended), Some(0), "{mended:?}");
}

#[test]
fn games_are_not_written_over() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    let games = random_games(here, 20);
    let wanted = fs::read(&games).unwrap();
    std::os::unix::fs::symlink(&games, here.join("symbolic.pgn")).unwrap();
    fs::hard_link(&games, here.join("hard.pgn")).unwrap();
    fs::create_dir(here.join("inner")).unwrap();
    for out in ["games.pgn", "symbolic.pgn", "hard.pgn", "inner/../games.pgn"] {
        for from in ["games.pgn", "hard.pgn"] {
            let words = format!("openings make --quiet --bias 0..9 --from @{from} --out @{out}");
            let refused = verdict(here, &words);
            assert_eq!(code(&refused), Some(64), "{from}, {out}: {refused:?}");
            assert!(fs::read(&games).unwrap() == wanted, "{from}, {out}");
            assert!(here.join("symbolic.pgn").is_symlink(), "{from}, {out}");
            assert!(!here.join(format!("{out}.work")).exists(), "{from}, {out}");
        }
    }
    // Nor when an interrupted book is gone on with.
    let kept = make(here, "--bias 0..9 --work @w --out @b.epd");
    assert_eq!(code(&kept), Some(0), "{kept:?}");
    fs::remove_file(here.join("b.epd")).unwrap();
    std::os::unix::fs::symlink(&games, here.join("b.epd")).unwrap();
    assert_eq!(code(&verdict(here, "resume @w --quiet")), Some(64));
}

#[test]
fn a_hanging_program_is_ended() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    random_games(here, 6);
    let scoundrel = env!("CARGO_BIN_EXE_scoundrel");
    // Each process answers once.
    let by = format!("--by uci:{scoundrel},arg=first,arg=hang-go:1 --hang 200ms");
    let made = make(here, &format!("--threads 1 --bias 0..1 --json {by} --out @b.epd"));
    assert_eq!(code(&made), Some(0), "{made:?}");
    let json: Value = serde_json::from_slice(&made.stdout).unwrap();
    let number = |key: &str| json["tally"][key].as_u64().unwrap();
    assert_eq!(number("accepted") + number("skipped"), number("candidates"));
    assert_eq!(number("skipped"), number("candidates") / 2);
}

#[test]
fn wrong_input_is_told() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    random_games(here, 30);
    for (words, expected) in [
        ("--ply 16..8", 64),
        ("--ply 0..8", 64),
        ("--ply 8-16", 64),
        ("--bias 1.3..0.7", 64),
        ("--bias -0.3..0.3", 64),
        ("--bias 0.5", 64),
        ("--bias 0..1 --window 0.5", 64),
        ("--by nosuchengine", 64),
        ("--by uci:/no/such/engine", 64),
        ("--by git:HEAD", 64),
        ("--plies 8", 64),
        ("--men KPP-KPP", 64),
        ("--per-game 0", 64),
        ("--candidates 0", 64),
        ("--depth 0", 64),
        ("--depth 4 --nodes 9", 64),
        ("--where Elo>>3", 64),
        ("--annotate --out @b.pgn", 64),
        ("--work @games.pgn", 74),
        ("--from @none.pgn", 74),
        ("--from @ ", 64),
    ] {
        let out = if words.contains("--out") { "" } else { "--out @b.epd" };
        let from = if words.contains("--from") { "" } else { "--from @games.pgn" };
        let wrong = verdict(here, &format!("openings make --quiet {from} {words} {out}"));
        assert_eq!(code(&wrong), Some(expected), "{words}: {}", told(&wrong));
        assert!(!here.join("b.epd").exists(), "{words}");
    }
    for flags in [
        "--bias 0..1",
        "--by embedded",
        "--annotate",
        "--work @w",
        "--min-elo 3",
        "--ply 8..9",
        "--per-game 2",
        "--candidates 9",
        "--hang 9s",
    ] {
        let alone = verdict(here, &format!("openings make --out @b.epd {flags}"));
        assert_eq!(code(&alone), Some(64), "{flags} without --from");
    }
    // Nothing is left: why, by counts.
    let none = make(here, "--ply 6..9 --bias 90..100 --out @none.epd");
    assert_eq!(code(&none), Some(64), "{none:?}");
    for part in ["30 games", "candidates", "below the window", "90.00 to 100.00"] {
        assert!(told(&none).contains(part), "{}", told(&none));
    }
    let late = make(here, "--ply 150..160 --out @late.epd");
    assert_eq!(code(&late), Some(64), "{late:?}");
    assert!(told(&late).contains("too short 30"), "{}", told(&late));
    // Fewer than wanted are a book.
    let few =
        verdict(here, "openings make --from @games.pgn --nodes 200 --bias 0..9 --out @few.epd");
    assert_eq!(code(&few), Some(0), "{few:?}");
    assert!(told(&few).contains("of the 5000"), "{}", told(&few));
}

/// What is in a working folder is checked before it is used.
#[test]
fn damaged_folders_are_told() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    random_games(here, 40);
    assert_eq!(code(&make(here, "--bias 0..2 --work @w --out @a.epd")), Some(0));
    for (file, text) in [
        ("candidates.txt", "1 e2e5\n"),
        ("scores.txt", "0 cp x\n"),
        ("reading.json", "{"),
        ("book.json", "{\"format\": 9}"),
    ] {
        let path = here.join("w").join(file);
        let good = fs::read(&path).unwrap();
        fs::write(&path, text).unwrap();
        let damaged = make(here, "--bias 0..2 --work @w --out @b.epd");
        assert_eq!(code(&damaged), Some(74), "{file}: {}", told(&damaged));
        assert!(told(&damaged).contains(file), "{}", told(&damaged));
        fs::write(&path, good).unwrap();
    }
    assert_eq!(code(&make(here, "--bias 0..2 --work @w --out @b.epd")), Some(0));
}
