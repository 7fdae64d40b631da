//! Players that misbehave: a named termination, charged to the right side, and the run goes on.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;

use arena::record::{FinalVerdict, Games, Side};
use pgn::Outcome;
use serde_json::Value;
use stats::Wdl;

use super::{Place, scoundrel};
use crate::common::script::{script, sound_at_first};

const PLAN: &str = "--nodes 100 --hash 1MiB --max-faults off --hang 2s --concurrency 2";

#[test]
fn each_vice_has_its_termination() {
    for (vices, termination) in [
        ("illegal:4", "illegal-move"),
        ("exit-in-search:3", "crash"),
        ("segfault:2", "crash"),
        ("garbage:3", "hang"), // lines that are not UCI are passed over, as the protocol asks
        ("no-move:3", "garbage"),
        ("hang-go:2", "hang"),
        ("chatter", "answered-twice"),
        ("echo", "answered-twice"),
    ] {
        let place = Place::new();
        let test = scoundrel(vices);
        let played = place.play("run", &format!("{PLAN} --pairs 3 --test {test}")).decided();
        let faults = played.summary().faults;
        let expected = BTreeMap::from([(termination.to_owned(), 6)]);
        assert_eq!(faults.test, expected, "{vices}: {}", played.stderr);
        assert!(faults.base.is_empty() && faults.harness.is_empty(), "{vices}: {faults:?}");
        for game in Games::open(&played.dir).unwrap() {
            let game = game.unwrap();
            let lost = if game.white == Side::Test { Outcome::Black } else { Outcome::White };
            assert_eq!(game.result, lost, "{vices}: game {}", game.game);
            let folder = played.dir.join("faults").join(game.game.to_string());
            let fault = fs::read_to_string(folder.join("fault.txt")).unwrap();
            assert!(fault.contains(termination) && fault.contains("position fen"), "{fault}");
            assert!(folder.join("stderr.txt").exists() && folder.join("transcript.txt").exists());
        }
    }
}

#[test]
fn the_way_to_replay_a_fault_leads_from_anywhere() {
    let place = Place::new();
    let crash = scoundrel("exit-in-search:1");
    let words = format!("match {PLAN} --pairs 1 --test {crash} --quiet --out run");
    let mut command = place.verdict(&words);
    let output = command.current_dir(place.path("")).output().unwrap();
    // Both the end of the match and its summary name it.
    let way = "faults: run/faults (2); verdict replay run/faults/0";
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(told.lines().any(|line| line == way), "{told}");
    let page = fs::read_to_string(place.path("run/summary.md")).unwrap();
    assert!(page.contains(&format!("\n`{way}`\n")), "{page}");
    let fault = fs::read_to_string(place.path("run/faults/0/fault.txt")).unwrap();
    let folder = place.path("run/faults/0");
    let replay = format!("replay: verdict replay {}\n", folder.display());
    assert!(fault.contains(&replay), "{fault}");
}

/// A table that is not there is no error to an engine: it plays on without it, and says so.
#[test]
fn what_an_engine_says_of_its_options_is_passed_on() {
    let place = Place::new();
    let engine = env!("CARGO_BIN_EXE_mutineer_process");
    let test = format!("uci:{engine},OpeningTable=/no/such/file");
    let plan = "--nodes 50 --pairs 1 --max-moves 2";
    let played = place.play("run", &format!("{plan} --base uci:{engine} --test {test}")).decided();
    let told = played.stderr.lines().filter(|line| line.contains("/no/such/file"));
    let told: Vec<&str> = told.filter(|line| line.contains(" says: ")).collect();
    assert_eq!(told.len(), 1, "{}", played.stderr);
}

#[test]
fn no_move_is_called_so() {
    for vice in ["null:2", "none:2"] {
        let place = Place::new();
        let test = scoundrel(vice);
        let played = place.play("run", &format!("{PLAN} --pairs 1 --test {test}")).decided();
        assert_eq!(played.summary().faults.test.get("illegal-move"), Some(&2), "{vice}");
        let fault = fs::read_to_string(played.dir.join("faults/0/fault.txt")).unwrap();
        assert!(fault.contains("gave no move (`bestmove (none)`"), "{fault}");
    }
}

#[test]
fn patience_with_a_start_is_the_users_to_set() {
    let place = Place::new();
    let plan = "--pairs 1 --nodes 50 --max-moves 3 --max-faults off";
    let play = |name: &str, more: &str| {
        place.play(name, &format!("{plan} --test {} {more}", scoundrel("slow:800")))
    };
    assert!(play("patient", "").decided().summary().faults.test.is_empty());
    for (more, told) in [
        ("--startup 350ms", "longer than 350ms to start"),
        ("--hang 350ms", "longer than 350ms to start"),
        // It may be longer than a program may be silent in a game.
        ("--hang 350ms --startup 30s", "does not obey nodes"),
    ] {
        let refused = play("refused", more);
        assert_eq!(refused.code, 64, "{more}: {}", refused.stderr);
        assert!(refused.stderr.contains(told), "{more}: {}", refused.stderr);
        assert!(!refused.dir.exists(), "{more}");
    }
}

#[test]
fn time_is_lost_by_the_player_that_oversteps() {
    let place = Place::new();
    let base = scoundrel("overstep:3000");
    let plan = format!("--pairs 1 --movetime 20ms --time-margin 2s --base {base} --max-faults off");
    let played = place.play("run", &plan).decided();
    let faults = played.summary().faults;
    assert_eq!(faults.base.get("time-loss"), Some(&2), "{faults:?}");
}

/// FIDE 6.9: the queen's side draws when its time is up, since a bare king mates nobody; the bare
/// king's side loses.
#[test]
fn a_bare_king_wins_nothing_on_time() {
    let place = Place::new();
    let book = place.path("book.epd");
    fs::write(&book, "4k3/8/8/8/8/8/8/3QK3 w - - 0 1\n").unwrap();
    let base = scoundrel("overstep:3000");
    let words =
        "match --pairs 1 --movetime 20ms --time-margin 2s --max-faults off --book @book.epd";
    let mut command = place.verdict(&format!("{words} --base {base} --quiet --out @run"));
    let played = place.played("run", command.output().unwrap()).decided();
    let pgn = fs::read_to_string(played.dir.join("games.pgn")).unwrap();
    let count = |words: &str| pgn.matches(words).count();
    assert_eq!(played.summary().faults.base.get("time-loss"), Some(&2));
    assert_eq!(
        (count("runs out of time and the other side cannot mate"), count("[Result \"1/2")),
        (1, 1)
    );
    assert_eq!((count("loses on time"), count("[Result \"1-0")), (1, 1));
}

/// An engine in this process, too, must come to an end where no clock says when.
#[test]
fn an_overdue_search_in_this_process_is_told_to_stop() {
    let place = Place::new();
    let plan = "--pairs 1 --depth 99 --hang 300ms --max-faults off";
    let played = place.play("run", plan).decided();
    let faults = played.summary().faults;
    let hangs = |side: &BTreeMap<String, u64>| side.get("hang").copied().unwrap_or_default();
    assert_eq!(hangs(&faults.base) + hangs(&faults.test), 2, "{faults:?}");
    let fault = fs::read_to_string(played.dir.join("faults/0/fault.txt")).unwrap();
    assert!(fault.contains("no move within 300ms, until it was told to stop"), "{fault}");
    // Where a clock runs it says so itself, however short the patience.
    let timed = "--pairs 1 --movetime 600ms --time-margin 30s --max-moves 2";
    let played = place.play("timed", &format!("{timed} --hang 1ms")).decided();
    assert_eq!(played.summary().faults.total, 0);
}

#[test]
fn too_many_faults_stop_the_run_with_an_explanation() {
    let place = Place::new();
    let plan = "--pairs 200 --nodes 100 --concurrency 2";
    let crash = scoundrel("exit-in-search:1");
    let stopped = place.play("crash", &format!("{plan} --test {crash}"));
    assert_eq!(stopped.code, 3, "{}", stopped.stderr);
    assert!(stopped.stderr.contains("--max-faults 10%"), "{}", stopped.stderr);
    assert!(stopped.summary().games < 100);

    let absent = place.path("absent.sh");
    sound_at_first(&absent, env!("CARGO_BIN_EXE_scoundrel"), "exit-at-start");
    let stopped = place.play("absent", &format!("{plan} --base uci:{}", absent.display()));
    assert_eq!(stopped.code, 3, "{}", stopped.stderr);
    assert!(stopped.stderr.contains("5 games in a row could not start"), "{}", stopped.stderr);
}

/// In no table: neither where none of a run's games has begun, nor where one has not.
#[test]
fn games_that_did_not_begin_are_no_results() {
    let place = Place::new();
    let program = env!("CARGO_BIN_EXE_scoundrel");
    let engine = place.path("engine");
    sound_at_first(&engine, program, "exit-at-start");
    let test = format!("uci:{}", engine.display());
    let plan = "--pairs 4 --nodes 20 --max-moves 9 --concurrency 1 --test-restart";
    let played = place.play("none", &format!("{plan} --test {test} --max-faults off")).decided();
    let summary = played.summary();
    assert_eq!((summary.pairs, summary.games, summary.wdl), (0, 0, Wdl::default()));
    assert_eq!(summary.faults.test, BTreeMap::from([("not-started".to_owned(), 8)]));
    assert_eq!(summary.faults.void_pairs, 4);

    // It starts when it is tried and for each game but the second.
    let starts = place.path("starts");
    let third = format!("echo >>'{0}'; [ $(wc -l <'{0}') = 3 ] && exit 7", starts.display());
    script(&engine, &format!("{third}\nexec {program} first"));
    let played = place.play("one", &format!("{plan} --test {test} --max-faults 50%")).decided();
    let summary = played.summary();
    let Wdl { win, draw, loss } = summary.wdl;
    assert_eq!((summary.pairs, win + draw + loss, summary.ptnml.iter().sum::<u64>()), (3, 6, 3));
    assert_eq!((summary.faults.total, summary.faults.void_pairs), (1, 1));
    let pgn = fs::read_to_string(played.dir.join("games.pgn")).unwrap();
    assert_eq!(pgn.matches("[Result \"*\"]").count(), 1, "{pgn}");

    let rated = place.verdict("ratings @none @one --json").output().unwrap();
    let rated: Value = serde_json::from_slice(&rated.stdout).unwrap();
    assert_eq!(rated["counted"]["left_out"]["void_pairs"], 5, "{rated}");
    assert_eq!(rated["games"], 6, "{rated}");
}

/// A run recorded before programs were tried first: nobody could tell the name of a program that had not started.
#[test]
fn nobody_is_without_a_name() {
    let place = Place::new();
    let program = env!("CARGO_BIN_EXE_scoundrel");
    place.play("run", &format!("--pairs 1 --nodes 20 --max-moves 9 --test uci:{program}"));
    let path = place.path("run/run.json");
    let mut run: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    run["test"]["name"] = "".into();
    run.as_object_mut().unwrap().remove("seal");
    fs::write(&path, run.to_string()).unwrap();
    let rated = place.verdict("ratings @run --json").output().unwrap();
    let rated: Value = serde_json::from_slice(&rated.stdout).unwrap();
    let names = rated["players"].as_array().unwrap().iter().map(|player| &player["name"]);
    assert!(names.clone().any(|name| name == "scoundrel"), "{rated}");
    assert!(names.clone().all(|name| name != ""), "{rated}");
}

/// An engine that lacked something, and has it when the run is resumed: nothing of that is a result.
#[test]
fn games_that_did_not_begin_are_played_when_the_engine_is_mended() {
    let place = Place::new();
    let (engine, lacked) = (place.path("engine"), place.path("lacked"));
    let scoundrel = env!("CARGO_BIN_EXE_scoundrel");
    let tried = place.path("tried").display().to_string();
    let first = format!("[ -e '{tried}' ] || {{ : >'{tried}'; exec {scoundrel} first; }}");
    script(&engine, &format!("{first}\n[ -e '{}' ] && exec {scoundrel} first", lacked.display()));
    let plan = format!(
        "--test uci:{} --pairs 4 --nodes 20 --max-moves 9 --concurrency 2",
        engine.display()
    );
    let stopped = place.play("run", &plan);
    assert_eq!(stopped.code, 3, "{}", stopped.stderr);
    assert!(stopped.stderr.contains("5 games in a row could not start"), "{}", stopped.stderr);
    let summary = stopped.summary();
    assert_eq!((summary.pairs, summary.faults.total), (0, 0));
    let told = format!("{} games did not start", summary.faults.not_begun);
    assert!(summary.faults.not_begun >= 5 && stopped.stdout.contains(&told), "{}", stopped.stdout);
    assert!(summary.judged.why["verdict"].contains("could not start"), "{:?}", summary.judged.why);
    assert!(stopped.dir.join("faults/0/fault.txt").exists());

    fs::write(lacked, "").unwrap();
    let resumed = place.resume("run", "").decided();
    let summary = resumed.summary();
    assert_eq!((summary.games, summary.faults.total, summary.faults.not_begun), (8, 0, 0));
    assert!(!resumed.dir.join("faults/0").exists());
    place.play("whole", &plan).decided();
    assert_eq!(place.games("run"), place.games("whole"));
}

/// Rules that decide after few games do not make a winner of whoever did not crash.
#[test]
fn what_faults_decide_is_no_verdict() {
    let place = Place::new();
    let crash = scoundrel("exit-in-search:1");
    for (name, rule) in [("anytime", "anytime=30%"), ("sprt", "sprt=0,400"), ("los", "los=95")] {
        let pairs = if name == "los" { 9 } else { 200 };
        let plan = format!("--base {crash} --nodes 20 --pairs {pairs} --rule {rule}");
        let played = place.play(name, &plan);
        assert_eq!(played.code, 3, "{name}: {} {}", played.stdout, played.stderr);
        assert!(played.stderr.contains("ended by a fault"), "{name}: {}", played.stderr);
        let judged = played.summary().judged;
        assert_eq!(judged.verdict, Some(FinalVerdict::Void), "{name}");
        assert_eq!(judged.void, judged.why.get("verdict").cloned(), "{name}");
        assert!(played.stdout.contains("\nVOID: "), "{name}: {}", played.stdout);
        assert!(!played.stdout.contains("UNDECIDED"), "{name}: {}", played.stdout);
        let page = fs::read_to_string(played.dir.join("summary.md")).unwrap();
        assert!(page.starts_with(&format!("# {name}: VOID\n")), "{page}");
        assert!(judged.why["verdict"].contains("--max-faults 10%"), "{name}: {judged:?}");
        assert_eq!(place.resume(name, "").code, 3, "{name}");
        let told = place.played(name, place.verdict(&format!("stats @{name}")).output().unwrap());
        assert_eq!(told.code, 3, "{name}: {}", told.stdout);
        assert!(told.stdout.contains("verdict  VOID: "), "{name}: {}", told.stdout);
        assert!(told.stdout.contains("--max-faults 10%"), "{name}: {}", told.stdout);
        let json = place.verdict(&format!("stats @{name} --json")).output().unwrap();
        let json: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
        assert_eq!(json["verdict"], "VOID", "{name}");
        assert!(json["void"].as_str().unwrap().contains("--max-faults 10%"), "{json}");
        let page = fs::read_to_string(played.dir.join("report.html")).unwrap();
        assert!(page.contains(">VOID</strong>") && page.contains("more than --max-faults"));
    }
}

#[test]
fn a_rare_fault_costs_its_game_only() {
    let place = Place::new();
    // A process answers so many moves before it dies; then another takes its place.
    let test = scoundrel("exit-after-move:40");
    let played = place.play("run", &format!("--pairs 8 --nodes 60 --test {test} --max-faults off"));
    let summary = played.decided().summary();
    let faults = &summary.faults;
    // One that dies when its next game has been announced has not begun it.
    assert_eq!(summary.games + 2 * faults.void_pairs, 16, "{faults:?}");
    assert!((1..16).contains(&faults.total), "{faults:?}");
}

/// A path that speaks of options is no option.
#[test]
fn a_program_in_a_folder_of_options_is_not_told_of_its_options() {
    let place = Place::new();
    let folder = place.path("options");
    fs::create_dir(&folder).unwrap();
    symlink(env!("CARGO_BIN_EXE_scoundrel"), folder.join("scoundrel")).unwrap();
    let test = format!("uci:{}/scoundrel,arg=exit-at-start", folder.display());
    let played = place.play("run", &format!("{PLAN} --pairs 3 --test {test}"));
    assert_eq!(played.code, 64, "{}", played.stderr);
    assert!(played.stderr.contains("If it needs longer than"), "{}", played.stderr);
}
