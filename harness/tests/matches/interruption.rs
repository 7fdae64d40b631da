//! Runs that are stopped and go on: the same games as without the stop.

use std::fs;
use std::io::Write as _;
use std::os::fd::AsRawFd as _;
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use arena::record::{self, GAMES_FILE, PGN_FILE, RunFile};

use super::{Place, signal};
use crate::common::samples::unsealed;

const PLAN: &str = "--test embedded,killers.on=false --pairs 24 --nodes 150 --hash 64KiB --seed 3";
const PATIENCE: Duration = Duration::from_secs(60);

impl Place {
    fn lines(&self, name: &str) -> usize {
        let journal = fs::read(self.path(name).join(GAMES_FILE)).unwrap_or_default();
        journal.iter().filter(|byte| **byte == b'\n').count()
    }

    /// Waits until the run has recorded more than `lines` games, or has ended.
    fn wait_for_more(&self, name: &str, child: &mut Child, lines: usize) {
        let until = Instant::now() + PATIENCE;
        while self.lines(name) <= lines && child.try_wait().unwrap().is_none() {
            assert!(Instant::now() < until, "no game in {PATIENCE:?}");
            sleep(Duration::from_millis(2));
        }
    }

    /// Leaves something to play: of a finished run nothing would be asked.
    fn forget_all_but_one(&self, name: &str) {
        let journal = self.path(name).join(GAMES_FILE);
        let first = fs::read_to_string(&journal).unwrap().lines().next().unwrap().to_owned();
        fs::write(&journal, first + "\n").unwrap();
    }

    fn uninterrupted(&self) -> String {
        self.play("whole", PLAN).decided();
        self.games("whole")
    }
}

/// What is wrong is told with the way to go on, and that way leads to the same games.
#[test]
fn without_a_damaged_line_its_game_is_played_again() {
    let place = Place::new();
    let whole = place.uninterrupted();
    let journal = place.path("whole").join(GAMES_FILE);
    let text = fs::read_to_string(&journal).unwrap();
    let mut lines: Vec<&str> = text.lines().collect();
    let torn = &lines[4][..40];
    lines[4] = torn;
    fs::write(&journal, lines.join("\n") + "\n").unwrap();
    for words in ["resume @whole", "stats @whole"] {
        let output = place.verdict(words).output().unwrap();
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(74), "{told}");
        let dir = place.path("whole").display().to_string();
        let expected = "games.jsonl, line 5: expected a game: ";
        let way_on = format!(
            "(column 40); without this line (keep a copy) `verdict resume {dir}` plays that game again"
        );
        assert!(told.contains(expected) && told.contains(&way_on), "{told}");
        assert!(!told.contains("line 1"), "{told}");
    }
    lines.remove(4);
    fs::write(&journal, lines.join("\n") + "\n").unwrap();
    place.resume("whole", "").decided();
    assert_eq!(place.games("whole"), whole);
}

#[test]
fn killed_again_and_again_it_plays_the_same_games() {
    let place = Place::new();
    let whole = place.uninterrupted();
    let mut child =
        place.match_command("killed", &format!("{PLAN} --concurrency 8")).spawn().unwrap();
    let mut kills = 0;
    while place.lines("killed") < 48 {
        let before = place.lines("killed");
        place.wait_for_more("killed", &mut child, before);
        // Somewhere in the middle of the games that follow.
        sleep(Duration::from_millis(7 * (kills % 5)));
        signal(&child, libc::SIGKILL);
        child.wait().unwrap();
        kills += 1;
        let width = ["", "--concurrency 1", "--concurrency 20 --fair"][kills as usize % 3];
        child = place.verdict(&format!("resume @killed --quiet {width}")).spawn().unwrap();
    }
    assert!(kills > 1, "killed {kills} times");
    child.wait().unwrap();
    place.resume("killed", "").decided();
    assert_eq!(place.games("killed"), whole);
    let [first, second] = ["whole", "killed"].map(|name| place.resume(name, "").summary());
    assert_eq!((first.ptnml, &first.judged), (second.ptnml, &second.judged));
}

/// Whoever wants the games of a run need not wait for its end, nor for a session that ends well.
#[test]
fn the_pgn_grows_with_the_run_and_is_whole_after_a_kill() {
    let place = Place::new();
    let pgn = |name: &str| fs::read_to_string(place.path(name).join(PGN_FILE)).unwrap();
    // What the journal says, as it would be rendered at the end of the run.
    let rendered = |name: &str| {
        let copy = place.path("copy").join(name);
        let _ = fs::remove_dir_all(&copy);
        fs::create_dir_all(&copy).unwrap();
        for file in ["run.json", GAMES_FILE] {
            fs::copy(place.path(name).join(file), copy.join(file)).unwrap();
        }
        record::pgn::render(&copy, &RunFile::read(&copy).unwrap()).unwrap();
        fs::read_to_string(copy.join(PGN_FILE)).unwrap()
    };
    let mut child = place.match_command("run", &format!("{PLAN} --concurrency 1")).spawn().unwrap();
    for round in 0..2 {
        let before = place.lines("run");
        place.wait_for_more("run", &mut child, before + 3);
        signal(&child, libc::SIGKILL);
        child.wait().unwrap();
        let (grown, whole) = (pgn("run"), rendered("run"));
        let games = grown.matches("[Event ").count();
        assert!(whole.starts_with(&grown), "round {round}: {grown}");
        // All but the pair that was written when it was killed.
        assert!(games + 2 >= place.lines("run") && games > 0, "round {round}: {games} games");
        // As where the machine itself has stopped.
        fs::write(place.path("run").join(PGN_FILE), format!("{grown}[Event \"to")).unwrap();
        child = place.verdict("resume @run --quiet").spawn().unwrap();
    }
    child.wait().unwrap();
    place.resume("run", "").decided();
    assert_eq!(pgn("run"), rendered("run"));
    assert_eq!(pgn("run").matches("[Event ").count(), 48);
}

/// Without a folder: what there is to go on with, each with how far it is and what to type.
#[test]
fn what_can_be_gone_on_with_is_listed() {
    let place = Place::new();
    let small = "--nodes 40 --max-moves 9 --pairs 4 --quiet";
    fs::create_dir(place.path("runs")).unwrap();
    let players = "--player a=embedded --player b=embedded:rebel --player c=embedded:winglet";
    for words in [
        format!("match {small} --out @runs/done"),
        format!("match {small} --out @runs/half"),
        format!("match {small} --out @runs/inner/half"),
        format!("tournament {players} {small} --out @runs/all"),
        format!("sweep lmr.min_move=3..4 --confirm none {small} --out @runs/sweep"),
    ] {
        place.played("runs", place.verdict(&words).output().unwrap()).decided();
    }
    let list = || {
        let output = place.verdict("resume --in @runs --json").output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        serde_json::from_slice::<serde_json::Value>(&output.stdout).unwrap()
    };
    assert_eq!(list(), serde_json::json!([]), "all is finished");
    for name in ["half", "inner/half", "all/02-a-v-c"] {
        let run = format!("runs/{name}");
        let journal = place.path(&run).join(GAMES_FILE);
        let text = fs::read_to_string(&journal).unwrap();
        let lines: Vec<&str> = text.lines().take(3).collect();
        fs::write(&journal, lines.join("\n") + "\n").unwrap();
        fs::remove_file(place.path(&run).join("summary.json")).unwrap();
    }
    let found = list();
    let told: Vec<_> = found
        .as_array()
        .unwrap()
        .iter()
        .map(|it| {
            let dir = it["dir"].as_str().unwrap().rsplit("runs/").next().unwrap().to_owned();
            (dir, it["games"].as_u64().unwrap(), it["of"].as_u64().unwrap())
        })
        .collect();
    let expected = [("all", 19, 24), ("half", 3, 8), ("inner/half", 3, 8)];
    assert_eq!(told, expected.map(|(dir, games, of)| (dir.to_owned(), games, of)));
    let output = place.verdict("resume --in @runs").output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let way = format!("3 of 8 games    verdict resume {}", place.path("runs/half").display());
    assert!(text.contains(&way), "{text}");
    let nowhere = place.verdict("resume --in @nowhere").output().unwrap();
    assert_eq!(nowhere.status.code(), Some(64), "{nowhere:?}");
    place.resume("runs/half", "").decided();
    assert_eq!(list().as_array().unwrap().len(), 2);
}

#[test]
fn one_interrupt_finishes_the_games_that_have_begun() {
    let place = Place::new();
    let whole = place.uninterrupted();
    let width = "--concurrency 40 --slots 2";
    let mut child = place.match_command("once", &format!("{PLAN} {width}")).spawn().unwrap();
    place.wait_for_more("once", &mut child, 0);
    signal(&child, libc::SIGINT);
    let stopped = place.played("once", child.wait_with_output().unwrap());
    assert_eq!(stopped.code, 2, "{}", stopped.stderr);
    assert!(stopped.stderr.contains("verdict resume"), "{}", stopped.stderr);
    let games = place.lines("once");
    assert!((1..48).contains(&games), "{games} games");
    // Every game that is recorded is a whole one: it stands in the uninterrupted run.
    assert!(place.games("once").lines().all(|game| whole.contains(game)));
    place.resume("once", "").decided();
    assert_eq!(place.games("once"), whole);
}

#[test]
fn a_second_interrupt_and_sigterm_stop_at_once() {
    let place = Place::new();
    // Games that would take minutes.
    let long = "--pairs 4 --nodes 20000000 --concurrency 4";
    for (name, signals) in [("twice", [libc::SIGINT, libc::SIGINT]), ("term", [0, libc::SIGTERM])] {
        let child = place.match_command(name, long).spawn().unwrap();
        let run_file = place.path(name).join("run.json");
        let until = Instant::now() + PATIENCE;
        while !run_file.exists() {
            assert!(Instant::now() < until, "no run.json");
            sleep(Duration::from_millis(5));
        }
        for number in signals {
            sleep(Duration::from_millis(200));
            signal(&child, number);
        }
        let sent = Instant::now();
        let stopped = place.played(name, child.wait_with_output().unwrap());
        assert_eq!(stopped.code, 2, "{name}: {}", stopped.stderr);
        assert!(sent.elapsed() < Duration::from_secs(20), "{name}: {:?}", sent.elapsed());
        assert_eq!(place.lines(name), 0);
    }
}

#[test]
fn what_nohup_started_outlives_its_terminal() {
    let place = Place::new();
    let plain = place.match_command("run", &format!("{PLAN} --concurrency 1"));
    let mut command = Command::new("nohup");
    command.arg(plain.get_program()).args(plain.get_args());
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    place.wait_for_more("run", &mut child, 0);
    assert_eq!(child.try_wait().unwrap(), None, "it ended before its terminal was closed");
    signal(&child, libc::SIGHUP);
    let code = child.wait().unwrap().code();
    assert_eq!((code, place.lines("run")), (Some(2), 48), "undecided, and whole");
}

/// A session that was lost, a log that nobody reads: the match goes on, and ends when it is told to.
#[test]
fn nobody_listens_any_more() {
    let place = Place::new();
    let book = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/openings.epd");
    let deaf = |words: &str| {
        let words = format!("match --book {book} --interval 1 {words}");
        let mut child = place.verdict(&words).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stderr.take());
        child
    };
    let plan = "--pairs 4 --nodes 40 --max-moves 9";
    let code = deaf(&format!("{plan} --out @deaf")).wait().unwrap().code();
    assert!(matches!(code, Some(0..=2)), "{code:?}");
    assert_eq!(place.lines("deaf"), 8);
    let mut child = deaf("--pairs 4 --nodes 20000000 --out @long");
    let until = Instant::now() + PATIENCE;
    while !place.path("long").join("run.json").exists() {
        assert!(Instant::now() < until, "no run.json");
        sleep(Duration::from_millis(5));
    }
    for _ in 0..2 {
        sleep(Duration::from_millis(200));
        signal(&child, libc::SIGINT);
    }
    let sent = Instant::now();
    assert_eq!(child.wait().unwrap().code(), Some(2));
    assert!(sent.elapsed() < Duration::from_secs(20), "{:?}", sent.elapsed());
}

/// Ctrl-C ends a run whose text nobody reads: the pipe behind standard output and error is full, while
/// games are played or when the result is printed.
#[test]
fn nothing_delays_a_second_interrupt() {
    let place = Place::new();
    for (name, flags) in [("playing", "--interval 1"), ("printing", "--quiet")] {
        let (reader, writer) = std::io::pipe().unwrap();
        let book = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/openings.epd");
        let mut command = place.verdict(&format!(
            "match --book {book} --out @{name} --pairs 400 --nodes 400 --hash 64KiB {flags}"
        ));
        command.stdout(writer.try_clone().unwrap()).stderr(writer.try_clone().unwrap());
        let mut child = command.spawn().unwrap();
        place.wait_for_more(name, &mut child, 2);
        fill(&writer);
        let (begun, mut sent) = (Instant::now(), 0);
        while child.try_wait().unwrap().is_none() {
            assert!(begun.elapsed() < PATIENCE, "{name}: it does not end");
            signal(&child, libc::SIGINT);
            sent += 1;
            let next = Instant::now() + Duration::from_secs(6);
            while Instant::now() < next && child.try_wait().unwrap().is_none() {
                sleep(Duration::from_millis(20));
            }
        }
        // Games that have begun are finished, all ends at once, the printing is broken off.
        assert!(sent <= 3, "{name}: {sent} signals");
        let status = child.wait().unwrap();
        let is_broken_off = status.signal() == Some(libc::SIGINT);
        assert!(status.code() == Some(2) || is_broken_off, "{name}: {status}");
        drop(reader);
        let stats = place.verdict(&format!("stats @{name}")).output().unwrap();
        assert!(stats.status.code().is_some_and(|code| code <= 2), "{stats:?}");
    }
}

/// Writes until nothing more fits.
fn fill(mut pipe: &std::io::PipeWriter) {
    // SAFETY: the descriptor is open, and only its flags change.
    let set = |flags: libc::c_int| unsafe { libc::fcntl(pipe.as_raw_fd(), libc::F_SETFL, flags) };
    assert_eq!(set(libc::O_NONBLOCK), 0);
    while pipe.write(&[b'-'; 4096]).is_ok() {}
    assert_eq!(set(0), 0);
}

#[test]
fn a_finished_run_resumes_to_its_verdict() {
    let place = Place::new();
    let plan = "--pairs 4 --nodes 100 --rule los=95";
    let first = place.play("run", plan).decided();
    let games = place.games("run");
    let again = place.resume("run", "").decided();
    assert_eq!((first.code, &first.stdout), (again.code, &again.stdout));
    assert_eq!(place.games("run"), games);
    // So does one whose journal is packed, as it is kept for good.
    let journal = place.path("run").join("games.jsonl");
    let packed = zstd::encode_all(&*fs::read(&journal).unwrap(), 3).unwrap();
    fs::write(journal.with_extension("jsonl.zst"), packed).unwrap();
    fs::remove_file(&journal).unwrap();
    let again = place.resume("run", "").decided();
    assert_eq!((first.code, first.stdout), (again.code, again.stdout));
    assert_eq!(place.games("run"), games);
}

#[test]
fn another_plan_or_player_is_not_resumed() {
    let place = Place::new();
    place.play("run", "--pairs 2 --nodes 100").decided();
    place.forget_all_but_one("run");
    let file = place.path("run").join("run.json");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, unsealed(&text.replacen("\"sha256\": \"", "\"sha256\": \"0", 1))).unwrap();
    let refused = place.resume("run", "");
    assert_eq!(refused.code, 64);
    assert!(refused.stderr.contains("book.sha256"), "{}", refused.stderr);
}

/// A network keeps its name and is another one.
#[test]
fn files_that_options_name_are_part_of_a_player() {
    let place = Place::new();
    let table = place.path("table");
    fs::write(&table, "one").unwrap();
    let engine = env!("CARGO_BIN_EXE_mutineer_process");
    let test = format!("uci:{engine},OpeningTable={}", table.display());
    place.play("run", &format!("--pairs 2 --nodes 100 --test {test}")).decided();
    let summary = fs::read_to_string(place.path("run").join("summary.md")).unwrap();
    assert!(summary.contains("| file of OpeningTable (sha256) | none | "), "{summary}");
    place.forget_all_but_one("run");
    fs::write(&table, "two").unwrap();
    let refused = place.resume("run", "");
    assert_eq!(refused.code, 64);
    assert!(refused.stderr.contains("test.files.OpeningTable"), "{}", refused.stderr);
    assert!(refused.stderr.contains("--changed-files"), "{}", refused.stderr);
    fs::write(&table, "one").unwrap();
    let same = place.resume("run", "--changed-files").decided();
    assert!(!same.stderr.contains("has changed"), "{}", same.stderr);
    // What an engine has learnt may be overlooked, and nothing else.
    place.forget_all_but_one("run");
    fs::write(&table, "two").unwrap();
    let other = place.resume("run", "--changed-files").decided();
    let warned = "warning: test.files.OpeningTable has changed since the run began";
    assert!(other.stderr.contains(warned), "{}", other.stderr);
    place.forget_all_but_one("run");
    let run_file = place.path("run").join("run.json");
    let text = fs::read_to_string(&run_file).unwrap();
    fs::write(&run_file, unsealed(&text.replacen("\"build\": \"", "\"build\": \"0", 1))).unwrap();
    let refused = place.resume("run", "--changed-files");
    assert!(refused.code == 64 && refused.stderr.contains("another build"), "{}", refused.stderr);
    assert!(!refused.stderr.contains("--changed-files"), "{}", refused.stderr);
}

/// So are folders, as of tables from games; and from wherever a run is resumed, the same one is meant.
#[test]
fn folders_that_options_name_are_part_of_a_player() {
    let place = Place::new();
    let table = place.path("table");
    fs::create_dir(&table).unwrap();
    fs::write(table.join("MIT.DAT"), "one").unwrap();
    let engine = env!("CARGO_BIN_EXE_mutineer_process");
    let test = format!("uci:{engine},OpeningTable=table");
    let mut command = place.match_command("run", &format!("--pairs 2 --nodes 100 --test {test}"));
    place.played("run", command.current_dir(place.path("")).output().unwrap()).decided();
    place.forget_all_but_one("run");
    place.resume("run", "").decided();
    place.forget_all_but_one("run");
    fs::write(table.join("MIT.DAT"), "two").unwrap();
    let refused = place.resume("run", "");
    assert_eq!(refused.code, 64);
    assert!(refused.stderr.contains("test.files.OpeningTable"), "{}", refused.stderr);
    fs::remove_dir_all(&table).unwrap();
    assert_eq!(place.resume("run", "").code, 64);
}

/// An engine's log is none of what it plays by, though an option names it.
#[test]
fn a_file_that_a_program_writes_as_it_starts_is_no_part_of_it() {
    let place = Place::new();
    let log = place.path("log");
    let engine = env!("CARGO_BIN_EXE_scoundrel");
    let test = format!("uci:{engine},Log File={}", log.display());
    let book = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/openings.epd");
    let mut command = place.verdict("match --pairs 2 --nodes 100 --max-moves 5 --quiet --out @run");
    command.args(["--book", book, "--test", &test]);
    place.played("run", command.output().unwrap()).decided();
    assert!(fs::read_to_string(&log).unwrap().contains("ucinewgame"));
    place.forget_all_but_one("run");
    place.resume("run", "").decided();
    assert_eq!(place.lines("run"), 4);
}
