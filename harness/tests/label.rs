//! `verdict label` as its users run it: positions of games that the engine played just before, with an
//! engine as their teacher.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::thread::sleep;
use std::time::Duration;

use tempfile::TempDir;

use crate::common::script::script;
use crate::common::verdict::{signal, until_listening, verdict};

const MUTINEER: &str = env!("CARGO_BIN_EXE_mutineer_process");

/// A run of short games in a new folder.
fn run() -> (TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let words = "match --base embedded --test embedded,killers.on=false --pairs 20 --nodes 60 \
                 --seed 3 --quiet --out @run";
    let played = verdict(dir.path(), words);
    assert!(matches!(played.status.code(), Some(0..=2)), "{played:?}");
    let path = dir.path().to_owned();
    (dir, path)
}

fn label(place: &Path, words: &str) -> Output {
    verdict(place, &format!("label {words} --quiet"))
}

/// The lines that this comes to.
fn labels(place: &Path, words: &str, out: &str) -> String {
    let done = label(place, &format!("{words} --out @{out}"));
    assert_eq!(done.status.code(), Some(0), "{done:?}");
    fs::read_to_string(place.join(out)).unwrap()
}

fn said(output: &Output) -> String {
    [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text)).concat()
}

/// The files whose names begin with `out`.
fn files(place: &Path, out: &str) -> Vec<String> {
    let names = fs::read_dir(place).unwrap();
    let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.starts_with(out)).collect()
}

/// A teacher that is sound but for what it does with lines of input: `vice` in shell, with the line as
/// `$line`.
fn teacher(place: &Path, name: &str, vice: &str) {
    let text =
        format!("while IFS= read -r line; do\n{vice}\nprintf '%s\\n' \"$line\"\ndone | {MUTINEER}");
    script(&place.join(name), &text);
}

fn fen(line: &str) -> &str {
    line.split(" | ").next().unwrap()
}

#[test]
fn positions_get_scores_and_results() {
    let (_dir, place) = run();
    let words = format!("@run --by uci:{MUTINEER} --nodes 200");
    let text = labels(&place, &format!("{words} --processes 1"), "one.txt");
    assert!(text.lines().count() > 200, "{text}");
    let results = ["1.0", "0.5", "0.0"];
    let mut seen = HashMap::new();
    for line in text.lines() {
        let [fen, score, result] = line.split(" | ").collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        assert_eq!(fen.split(' ').count(), 6, "{line}");
        score.parse::<i32>().unwrap();
        assert!(results.contains(&result) && seen.insert(fen, score).is_none(), "{line}");
    }
    // The score is White's, whoever is to move: it goes with the result.
    let winning = |turn: &str, result: &str| {
        let lines = text.lines().filter(|line| line.contains(turn) && line.ends_with(result));
        let scores = lines.map(|line| line.split(" | ").nth(1).unwrap().parse::<i64>().unwrap());
        scores.sum::<i64>()
    };
    for turn in [" w ", " b "] {
        assert!(winning(turn, "1.0") > 0 && winning(turn, "0.0") < 0, "{turn}");
    }

    // The number of processes changes nothing; best moves are added, and nothing else is changed.
    assert_eq!(labels(&place, &format!("{words} --processes 3"), "three.txt"), text);
    let with_moves = labels(&place, &format!("{words} --best-moves"), "moves.txt");
    for (line, with_move) in text.lines().zip(with_moves.lines()) {
        let (rest, best) = with_move.rsplit_once(" | ").unwrap();
        assert!(rest == line && matches!(best.len(), 4 | 5), "{with_move}");
    }
    assert_eq!(files(&place, "three"), ["three.txt"]);

    // A teacher that speaks xboard.
    let words = format!("@run --by xboard:{MUTINEER} --depth 2 --per-game 3");
    assert!(labels(&place, &words, "xboard.txt").lines().count() > 50);
    let words = format!("@run --by uci:{MUTINEER} --nodes 200");

    // A few positions of each game; another seed takes others.
    let few = |seed: u32| {
        let out = format!("few{seed}.txt");
        labels(&place, &format!("{words} --per-game 2 --seed {seed}"), &out)
    };
    let counts = [few(1), few(2)].map(|text| text.lines().count());
    assert!(counts.iter().all(|count| (20..=80).contains(count)), "{counts:?}");
    assert!(fs::read(place.join("few1.txt")).unwrap() != fs::read(place.join("few2.txt")).unwrap());

    // A game that comes twice gives other positions the second time.
    let games = fs::read_to_string(place.join("run/games.pgn")).unwrap();
    let second = games.match_indices("[Event ").nth(1).unwrap().0;
    fs::write(place.join("twice.pgn"), games[..second].repeat(2)).unwrap();
    let done = label(
        &place,
        &format!("@twice.pgn --by uci:{MUTINEER} --nodes 20 --per-game 2 --out @twice.txt"),
    );
    assert!(said(&done).contains("searched   4 positions"), "{done:?}");

    // A file of labels is a source: results stay, scores are the new teacher's.
    let again = labels(&place, &format!("@one.txt --by uci:{MUTINEER} --depth 1"), "again.txt");
    let result = |line: &str| line.rsplit(" | ").next().unwrap().to_owned();
    let results: HashMap<_, _> = text.lines().map(|line| (fen(line), result(line))).collect();
    assert!(2 * again.lines().count() > results.len() && again != text);
    assert!(again.lines().all(|line| results[fen(line)] == result(line)));
}

/// Starts to label into `cut.txt`, and stops when it has come further than before; returns its exit code.
fn cut(place: &Path, words: &[String], stop: libc::c_int) -> Option<i32> {
    let mut child = Command::new(env!("CARGO_BIN_EXE_verdict")).args(words).spawn().unwrap();
    let searched = || {
        let text = fs::read_to_string(place.join("cut.txt.progress.json")).unwrap_or_default();
        text.split("\"searched\":").nth(1)?.split(',').next()?.parse::<u64>().ok()
    };
    let before = searched().unwrap_or(0);
    until_listening(&mut child);
    while searched().unwrap_or(0) <= before {
        assert!(child.try_wait().unwrap().is_none(), "it ended before it was stopped");
        sleep(Duration::from_millis(5));
    }
    signal(&child, stop);
    let code = child.wait().unwrap().code();
    assert!(!place.join("cut.txt").exists());
    code
}

/// The words of a command that takes so long that it can be stopped.
fn slow(place: &Path, source: &str) -> Vec<String> {
    teacher(place, "slow", "case \"$line\" in go*) sleep 0.01;; esac");
    let words =
        format!("label {source} --by uci:@slow --nodes 100 --processes 2 --quiet --out @cut.txt");
    let place = format!("{}/", place.display());
    words.split_whitespace().map(|word| word.replace('@', &place)).collect()
}

/// Killed in the middle, and interrupted by Ctrl-C: the same command goes on to the same bytes.
#[test]
fn a_run_goes_on_where_it_was_killed() {
    let (_dir, place) = run();
    for source in ["@run --per-game 12", "--self-play 30 --play-nodes 30..90"] {
        let words = slow(&place, source);
        let whole = labels(&place, &format!("{source} --by uci:@slow --nodes 100"), "whole.txt");
        assert_eq!(cut(&place, &words, libc::SIGKILL), None);
        assert_eq!(cut(&place, &words, libc::SIGINT), Some(2));
        // Not with another plan.
        let other = words.join(" ").replace("--nodes 100", "--nodes 101");
        let refused = verdict(&place, &other);
        assert_eq!(refused.status.code(), Some(64));
        let told = "begun with limit Nodes(100), now Nodes(101)";
        assert!(said(&refused).contains(told), "{refused:?}");
        let rest = verdict(&place, &words.join(" "));
        assert_eq!(rest.status.code(), Some(0), "{rest:?}");
        assert!(fs::read_to_string(place.join("cut.txt")).unwrap() == whole, "{source}");
        assert_eq!(files(&place, "cut"), ["cut.txt"]);
        // A finished file is not written again.
        let again = verdict(&place, &words.join(" "));
        assert_eq!((again.status.code(), said(&again).contains("is finished")), (Some(64), true));
        for name in ["whole.txt", "cut.txt"] {
            fs::remove_file(place.join(name)).unwrap();
        }
    }
}

/// An unfinished file is not gone on with from other sources.
#[test]
fn changed_sources_are_told() {
    let (_dir, place) = run();
    let text = labels(&place, &format!("@run --by uci:{MUTINEER} --nodes 20"), "list.txt");
    let words = slow(&place, "@list.txt");
    assert_eq!(cut(&place, &words, libc::SIGINT), Some(2));
    let partial = fs::read(place.join("cut.txt.partial")).unwrap();
    let without_the_first = text.split_once('\n').unwrap().1;
    for changed in [without_the_first, "\n"] {
        fs::write(place.join("list.txt"), changed).unwrap();
        let done = verdict(&place, &words.join(" "));
        assert_eq!(done.status.code(), Some(64), "{done:?}");
        assert!(said(&done).contains("have changed since it was begun"), "{done:?}");
        assert!(fs::read(place.join("cut.txt.partial")).unwrap() == partial);
    }
}

/// A teacher that fails in one position is started anew, and the position left out; one that fails again
/// and again ends the work, and nothing is left behind.
#[test]
fn bad_teachers_are_told() {
    let (_dir, place) = run();
    let sound = labels(&place, &format!("@run --by uci:{MUTINEER} --nodes 200"), "sound.txt");
    let victim = fen(sound.lines().nth(70).unwrap());
    for (name, vice) in [("dies", "exit 1"), ("hangs", "sleep 100")] {
        teacher(&place, name, &format!("case \"$line\" in *'{victim}') {vice};; esac"));
        let done =
            label(&place, &format!("@run --by uci:@{name} --nodes 200 --hang 1 --out @{name}.txt"));
        assert_eq!(done.status.code(), Some(0), "{done:?}");
        assert!(said(&done).contains(" 1 without a score"), "{done:?}");
        let text = fs::read_to_string(place.join(format!("{name}.txt"))).unwrap();
        assert!(!text.contains(victim), "{name}");
        // The others are there, those of other blocks with the same scores.
        let same = text.lines().filter(|line| sound.contains(&format!("{line}\n"))).count();
        assert!(same + 32 >= sound.lines().count(), "{name}: {same}");
    }
    let changed = |name: &str, sed: &str| {
        script(&place.join(name), &format!("{MUTINEER} | sed -u '{sed}'"));
    };
    teacher(&place, "mortal", "case \"$line\" in go*) exit 1;; esac");
    changed("scoreless", "/ score /d");
    changed("cheat", "s/^bestmove .*/bestmove a1h8/");
    changed("mumbler", "s/^bestmove .*/bestmove well/");
    script(&place.join("broken"), "exit 7");
    let rascal = env!("CARGO_BIN_EXE_rascal");
    script(&place.join("cannot"), &format!("exec {rascal} no-setboard"));
    for (name, code, told) in [
        (
            "uci:@mortal --nodes 200",
            3,
            "the teacher failed in 11 positions, twice in each; the last: ",
        ),
        ("uci:@scoreless --nodes 200", 3, "no score in 32 of 32 positions"),
        ("uci:@cheat --nodes 200", 3, "the teacher failed in 11 positions"),
        ("uci:@mumbler --nodes 200", 3, "expected a move after 'bestmove'"),
        ("uci:@broken --nodes 200", 3, "did not start"),
        ("uci:@missing --nodes 200", 64, "missing"),
        ("xboard:@cannot --depth 1", 64, "cannot set up positions"),
    ] {
        let done = label(&place, &format!("@run --by {name} --processes 1 --out @bad.txt"));
        assert_eq!(done.status.code(), Some(code), "{name}: {done:?}");
        assert!(said(&done).contains(told), "{name}: {done:?}");
        assert_eq!(files(&place, "bad"), Vec::<String>::new(), "{name}");
    }
}

#[test]
fn wrong_input_is_told() {
    let (_dir, place) = run();
    let kings = "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1";
    fs::write(place.join("bad.txt"), format!("{kings} | 20 | 0.5\n\n{kings} | x | 0.5\n")).unwrap();
    fs::write(place.join("illegal.txt"), "# illegal\n8/8/8/4k3/4K3/8/8/8 w - - 0 1 | 0 | 0.5\n")
        .unwrap();
    // The only move takes the last piece.
    fs::write(place.join("over.epd"), "7k/8/8/8/8/8/q7/K7 w - -\n").unwrap();
    for (words, code, told) in [
        ("@bad.txt --nodes 9", 74, "bad.txt:3: expected a position"),
        ("@illegal.txt --nodes 9", 74, "illegal.txt:2: "),
        ("@nothing --nodes 9", 74, "expected a run's folder, a PGN file or a list of positions"),
        ("@run", 64, "--nodes"),
        ("--nodes 9", 64, "SOURCE"),
        ("@run --nodes 9 --play-nodes 9..3", 64, "from the lower to the higher"),
        ("--self-play 2 --players embedded:nobody --nodes 9", 64, "unknown personality 'nobody'"),
        ("--self-play 2 --openings @nothing --nodes 9", 74, "nothing"),
        ("--self-play 2 --openings @over.epd --plies 1 --nodes 9", 64, "the game is over before"),
    ] {
        let done = label(&place, &format!("{words} --by uci:{MUTINEER} --out @out.txt"));
        assert_eq!(done.status.code(), Some(code), "{words}: {done:?}");
        assert!(said(&done).contains(told), "{words}: {done:?}");
        assert_eq!(files(&place, "out.txt"), Vec::<String>::new(), "{words}");
    }
    // What was read is not written over.
    let done = label(&place, &format!("@bad.txt --nodes 9 --by uci:{MUTINEER} --out @bad.txt"));
    assert_eq!(done.status.code(), Some(64), "{done:?}");
}

/// A teacher that is stopped within an iteration may end with a bound that its last exact score
/// contradicts: then the bound counts.
#[test]
fn a_bound_that_contradicts_the_exact_score_is_the_score() {
    let dir = tempfile::tempdir().unwrap();
    let place = dir.path();
    // What is said, and the label.
    let cases = [
        ("cp 30|cp 5 upperbound|cp -60 upperbound", Some(-60)),
        ("cp 30|cp 90 lowerbound", Some(90)),
        ("cp 30|cp 40 upperbound", Some(30)),
        ("cp 30|cp 10 lowerbound", Some(30)),
        ("cp 30|cp 5 upperbound|cp 20", Some(20)),
        ("cp 12 upperbound", Some(12)),
        ("cp 30|mate -4 upperbound", None),
        ("mate 9|cp 400 upperbound", Some(400)),
    ];
    // The number of the move tells the cases apart.
    let (mut list, mut answers) = (String::new(), String::new());
    for (number, (said, _)) in cases.iter().enumerate() {
        let pawns = ["ppppppp1/7p", "pppppp1p/6p1", "ppppp1pp/5p2", "pppp1ppp/4p3"];
        let pawns = pawns[number % 4];
        let queen = if number < 4 { "Q" } else { "1" };
        let white = format!("4P3/8/PPPP1PPP/RNB{queen}KBNR w KQkq - 0 {}", number + 10);
        list += &format!("rnbqkbnr/{pawns}/8/{white}\n");
        let lines: String = said.split('|').map(|score| format!("info score {score}\\n")).collect();
        answers += &format!("*' {}') said='{lines}';;\n", number + 10);
    }
    let text = format!(
        "while read -r line; do case \"$line\" in\n\
         uci) printf 'option name Hash type spin default 1 min 1 max 9\\nuciok\\n';; isready) echo readyok;; quit) exit;;\n{answers}\
         go*) printf \"${{said}}bestmove a2a3\\n\";; esac; done"
    );
    script(&place.join("bounds"), &text);
    fs::write(place.join("list.epd"), list).unwrap();
    let words =
        "@list.epd --by uci:@bounds --nodes 9 --margin 10000 --decided 10000 --out @out.txt";
    let done = label(place, words);
    assert_eq!(done.status.code(), Some(0), "{done:?}");
    assert!(said(&done).contains(" 1 with a mate"), "{done:?}");
    let text = fs::read_to_string(place.join("out.txt")).unwrap();
    let scores = text.lines().map(|line| line.rsplit(" | ").next().unwrap().parse().unwrap());
    let expected: Vec<i32> = cases.iter().filter_map(|(_, label)| *label).collect();
    assert_eq!(scores.collect::<Vec<i32>>(), expected);
}

/// Games depend on their number and the seed.
#[test]
fn games_are_played_to_be_labelled() {
    let dir = tempfile::tempdir().unwrap();
    let place = dir.path();
    let words = format!("--by uci:{MUTINEER} --nodes 100 --play-nodes 40..160");
    let text = labels(place, &format!("--self-play 12 {words} --processes 1"), "one.txt");
    assert!(text.lines().count() > 100, "{text}");
    assert!(
        ["1.0", "0.5", "0.0"].iter().filter(|it| text.contains(&format!(" | {it}\n"))).count() > 1
    );
    assert_eq!(labels(place, &format!("--self-play 12 {words} --processes 3"), "three.txt"), text);
    assert_ne!(labels(place, &format!("--self-play 12 {words} --seed 2"), "other.txt"), text);
    assert_eq!(files(place, "one"), ["one.txt"]);
    // Other players, from a book's openings.
    fs::write(place.join("book.epd"), "4k3/4p3/8/8/8/8/4P3/4K3 w - - hmvc 0; fmvn 1;\n").unwrap();
    let words = format!("--players uci:{MUTINEER} --openings @book.epd --plies 2 --nodes 50");
    let done = label(
        place,
        &format!("--self-play 4 --by uci:{MUTINEER} --play-nodes 50 {words} --out @pawns.txt"),
    );
    assert_eq!(done.status.code(), Some(0), "{done:?}");
    let pawns = fs::read_to_string(place.join("pawns.txt")).unwrap();
    assert!(pawns.lines().all(|line| !line.contains(['q', 'r', 'N'])), "{pawns}");
}

/// `tune texel` reads labels, with moves or without, results or not.
#[test]
fn labels_are_fitted() {
    let (_dir, place) = run();
    let text = labels(&place, &format!("@run --by uci:{MUTINEER} --nodes 100"), "labels.txt");
    labels(&place, &format!("@run --by uci:{MUTINEER} --nodes 100 --best-moves"), "moves.txt");
    let bare: String =
        text.lines().map(|line| line.rsplit_once(" | ").unwrap().0.to_owned() + "\n").collect();
    fs::write(place.join("bare.txt"), bare).unwrap();
    let words = "match --base embedded --test embedded:rebel --pairs 20 --nodes 60 --seed 9 --quiet --out @other";
    assert!(verdict(&place, words).status.code().is_some_and(|code| code <= 2));
    let fit = |source: &str, more: &str| {
        let out = format!("{source}-{}", more.replace(' ', ""));
        let done = verdict(
            &place,
            &format!(
                "tune texel @{source} --validate @other --weights material.* --quiet --out @{out} {more}"
            ),
        );
        let told = said(&done);
        let error = told.lines().find(|line| line.starts_with("error")).map(str::to_owned);
        (done.status.code(), told, error)
    };
    let (code, told, mixed) = fit("labels.txt", "--lambda 0.3");
    assert_eq!(code, Some(0), "{told}");
    assert_eq!(fit("moves.txt", "--lambda 0.3").2, mixed);
    let (code, told, results) = fit("labels.txt", "--lambda 1");
    assert_eq!(code, Some(0), "{told}");
    assert_ne!(results, mixed);
    // Without results the scores are all there is.
    let (code, told, _) = fit("bare.txt", "--lambda 0");
    assert_eq!(code, Some(0), "{told}");
    let (code, told, _) = fit("bare.txt", "--lambda 1");
    assert_eq!(
        (code, told.contains("bare.txt:1: expected a position and its game's result")),
        (Some(74), true),
        "{told}"
    );
    fs::write(place.join("broken.txt"), text.replacen(" | ", " | x", 1)).unwrap();
    let (code, told, _) = fit("broken.txt", "--lambda 0.3");
    assert_eq!((code, told.contains("broken.txt:1: expected ")), (Some(74), true), "{told}");
}
