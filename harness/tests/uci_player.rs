//! A UCI player against an engine with every vice: each ends in the right fault, in bounded time
//! and memory, and leaves no process behind.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::players::{
    Bench, LONG, NODES, SHORT, START, assert_faults, assert_not_started, assert_quits,
    assert_stops, assert_told, bench, bench_with, group_is_gone, kind, play, spec, vicious,
};
use arena::player::external::External;
use arena::player::program::ProgramSettings;
use arena::player::{Clock, GoLimit};
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Color, Position as _};

const SCOUNDREL: &str = concat!("uci:", env!("CARGO_BIN_EXE_scoundrel"));

fn start(bench: &Bench, vices: &str) -> External {
    bench.start(&vicious(SCOUNDREL, vices))
}

#[test]
fn vices_at_the_start() {
    let cases = [
        ("exit-at-start", LONG, ["exited with status 3 after 'uci'", "leaving before it begins"]),
        ("exit-after-uciok", LONG, ["exited with status 4 after 'isready'", "'uciok'"]),
        ("hang-uci", SHORT, ["no 'uciok' within 300ms of 'uci'; killed", "let me think"]),
        ("hang-ready", SHORT, ["no 'readyok' within 300ms of 'isready'; killed", "'uciok'"]),
        ("no-such-vice", LONG, ["exited with status 64", "scoundrel"]),
    ];
    assert_not_started(SCOUNDREL, "uci", &cases);
}

/// Of a process that lives on, too, the capsule has all that it wrote before its answer.
#[test]
fn last_words_before_a_bad_answer() {
    let bench = bench(LONG);
    for (vices, is_answer) in [("first rueful", true), ("rueful no-move:0", false)] {
        let mut player = start(&bench, vices);
        for _ in 0..10 {
            player.new_game(START, false).unwrap();
            let answer = player.think(Color::White, "", &NODES);
            let capsule = player.capsule();
            assert!(
                capsule.stderr.ends_with("\nI regret it\n"),
                "{vices}: {}",
                capsule.stderr.len()
            );
            assert_eq!(answer.is_ok(), is_answer);
            let Err(fault) = answer else { continue };
            assert!(fault.to_string().contains("stderr: 'I regret it'"), "{fault}");
        }
        assert_quits(player, vices);
    }
}

#[test]
fn a_file_that_is_no_program() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), [0x7f, 0x45, 0x4c, 0x46, 0]).unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(file.path(), mode).unwrap();
    let path = file.into_temp_path();
    let spec = spec(&format!("uci:{}", path.display()));
    let error = External::start(&spec, &bench(LONG).host).err().unwrap();
    assert_eq!(kind(&error.fault), "NotStarted");
    assert!(error.to_string().contains(&path.display().to_string()), "{error}");
}

#[test]
fn vices_in_the_game() {
    let cases = [
        ("exit-in-search:2", LONG, "Crash", "exited with status 5 after 'go nodes 100'"),
        ("exit-after-move:2", LONG, "Crash", "exited with status 0 after"),
        ("panic:1", LONG, "Crash", "I have a bad conscience"),
        ("segfault:1", LONG, "Crash", "SIGSEGV"),
        ("close-stdout:1", LONG, "Crash", "closed its output after 'go nodes 100'"),
        ("close-stdin:1", LONG, "BrokenPipe", "writing 'go nodes 100': Broken pipe"),
        ("no-move:1", LONG, "Garbage", "expected a move after 'bestmove', found 'castles'"),
        ("endless-garbage:1", LONG, "Garbage", "64 MiB of output after 'go nodes 100'"),
        ("long-line:100", LONG, "Garbage", "64 MiB of output"),
        ("chatter", LONG, "AnsweredTwice", "'bestmove a1a1' came after its answer"),
        ("garbage:1", SHORT, "Hang", "last line: '💩'"),
        ("endless-stderr:1", SHORT, "Hang", "stderr: 'all work and no play"),
        ("hang-go:1", SHORT, "Hang", "no 'bestmove' within 300ms of 'go nodes 100'; killed"),
        ("deaf:1", SHORT, "Hang", "no 'bestmove' within 300ms"),
        ("until-stop", SHORT, "Hang", "no 'bestmove' in 300ms, until 'stop' was sent"),
        ("nephew exit-in-search:1", LONG, "Crash", "exited with status 5"),
        ("runaway exit-in-search:1", LONG, "Crash", "exited with status 5"),
    ];
    assert_faults(SCOUNDREL, "go nodes 100", &cases, |player| play(player, &NODES, 6));
}

#[test]
fn an_engine_that_does_not_read() {
    let bench =
        bench_with(ProgramSettings { hang: SHORT, grace: SHORT, ..ProgramSettings::default() });
    let mut player = start(&bench, "deaf:1");
    play(&mut player, &NODES, 1).unwrap();
    // More than a pipe holds.
    let moves = "e2e4 e7e5 ".repeat(40_000);
    let fault = player.think(shakmaty::Color::White, moves.trim_end(), &NODES).unwrap_err();
    assert_eq!(kind(&fault), "Hang");
    assert!(fault.to_string().contains("does not read its input, 'go nodes 100'"), "{fault}");
    player.quit();
}

#[test]
fn odd_but_playing() {
    let vices = "crlf|dribble|non-utf8|odd-info|slow:20|long-line:8|ignore-term|nephew|runaway";
    let bench = bench(LONG);
    for vices in vices.split('|') {
        let mut player = start(&bench, vices);
        let thoughts = play(&mut player, &NODES, 8).unwrap();
        assert_told(&player, &thoughts, 8, vices);
        assert!(thoughts.iter().all(|thought| thought.seldepth == 3), "{vices}");
        assert_quits(player, vices);
    }
}

#[test]
fn moves_that_only_the_referee_can_refuse() {
    let bench = bench(LONG);
    let illegal: UciMove = "e1e8".parse().unwrap();
    for (vice, expected) in
        [("illegal:2", &illegal), ("null:2", &UciMove::Null), ("none:2", &UciMove::Null)]
    {
        let mut player = start(&bench, vice);
        let thoughts = play(&mut player, &NODES, 6).unwrap();
        assert_eq!(thoughts.len(), 3, "{vice}");
        assert_eq!(&thoughts[2].best, expected, "{vice}");
        // The engine is in order: it may play on.
        assert_eq!(play(&mut player, &NODES, 6).unwrap().len(), 1, "{vice}");
    }
}

#[test]
fn the_same_seed_plays_the_same_game_and_every_process_many() {
    let bench = bench(LONG);
    let mut games = Vec::new();
    for _ in 0..2 {
        let mut player = start(&bench, "seed:7");
        let two: Vec<Vec<_>> = (0..2)
            .map(|_| play(&mut player, &GoLimit::Depth(3), 40).unwrap())
            .map(|thoughts| thoughts.into_iter().map(|thought| thought.best).collect())
            .collect();
        assert_ne!(two[0], two[1], "the random numbers go on");
        games.push(two);
        player.quit();
    }
    assert_eq!(games[0], games[1]);
}

#[test]
fn time_is_measured_and_late_answers_are_waited_for() {
    let bench = bench(LONG);
    let time = Duration::from_millis(50);
    let mut player = start(&bench, "overstep:150");
    let clock = Clock {
        white: time,
        black: Duration::from_secs(100),
        white_increment: Duration::ZERO,
        black_increment: Duration::ZERO,
        moves_to_go: None,
        next_control: None,
        nodes_per_ms: None,
    };
    for limit in [GoLimit::MoveTime(time), GoLimit::Clock(clock)] {
        let thought = play(&mut player, &limit, 1).unwrap().remove(0);
        assert!(thought.time >= Duration::from_millis(200), "{:?}", thought.time);
        assert!(thought.late <= thought.time);
    }
    // Stopped after the margin, it is still an answer: the clock decides.
    let bench = bench_with(ProgramSettings { margin: SHORT, ..ProgramSettings::default() });
    let mut player = start(&bench, "until-stop");
    let thought = play(&mut player, &GoLimit::MoveTime(time), 1).unwrap().remove(0);
    assert!(thought.time >= time + SHORT, "{:?}", thought.time);
    assert!(player.capsule().transcript.contains("< bestmove"));
}

#[test]
fn options_are_checked_against_what_the_engine_has() {
    let bench = bench(LONG);
    let cases = [
        (",Hahs=4", "has no option 'Hahs'; did you mean 'Hash'?"),
        (",Hash=0", "option 'Hash': expected an integer from 1 to 1024, found '0'"),
        (",Style=Tame", "option 'Style': expected one of Solid, Very Wild, found 'Tame'"),
        (",UCI_Chess960=maybe", "option 'UCI_Chess960': expected true or false, found 'maybe'"),
        (",arg=no-options,Hash=4", "has no option 'Hash': it has none at all"),
    ];
    for (options, part) in cases {
        let reason = bench.refusal(&format!("{SCOUNDREL}{options}"));
        assert!(reason.contains(part), "{options}: {reason}");
    }
}

#[test]
fn options_are_set_as_the_engine_spells_them() {
    let settings =
        ProgramSettings { hash_mib: Some(1 << 20), threads: Some(2), ..ProgramSettings::default() };
    let bench = bench_with(settings);
    let options = ",hash=8,style=very wild,Clear Hash,Vice=first seed:3";
    let player = bench.start(&spec(&format!("{SCOUNDREL}{options}")));
    let input = player.capsule().input;
    let expected = "uci\n\
        setoption name Threads value 2\n\
        setoption name Hash value 8\n\
        setoption name Style value Very Wild\n\
        setoption name Clear Hash\n\
        setoption name Vice value first seed:3\n\
        isready\n";
    assert_eq!(input, expected);
    assert_eq!(player.identity().name, "Scoundrel 1.0");
    assert_eq!(player.identity().author, "Nobody");
    assert_eq!(player.identity().options.len(), 5);

    let player = start(&bench, "non-utf8");
    assert!(player.identity().name.starts_with("Sc\u{FFFD}undrel"));
    assert!(player.capsule().input.contains("Hash value 1024\n"), "the largest it has");
}

#[test]
fn the_position_grows_move_by_move() {
    let bench = bench(LONG);
    let mut player = start(&bench, "first");
    player.new_game(START, false).unwrap();
    let turns = shakmaty::Color::White;
    for moves in ["", "e2e4 e7e5", "e2e4 e7e5 g1f3 g8f6", "d2d4 d7d5", ""] {
        player.think(turns, moves, &NODES).unwrap();
    }
    let fen = "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1";
    player.new_game(fen, false).unwrap();
    player.think(turns, "e2e4 e5e4", &NODES).unwrap();
    let input = player.capsule().input;
    let positions: Vec<_> = input.lines().filter(|line| line.starts_with("position")).collect();
    assert_eq!(positions, [format!("position fen {fen} moves e2e4 e5e4")], "of the last game only");
    player.new_game(START, false).unwrap();
    for moves in ["", "e2e4 e7e5", "e2e4 e7e5 g1f3 g8f6", "d2d4 d7d5", ""] {
        player.think(turns, moves, &NODES).unwrap();
    }
    let input = player.capsule().input;
    let positions: Vec<_> = input.lines().filter(|line| line.starts_with("position")).collect();
    let expected = [
        "position startpos",
        "position startpos moves e2e4 e7e5",
        "position startpos moves e2e4 e7e5 g1f3 g8f6",
        "position startpos moves d2d4 d7d5",
        "position startpos",
    ];
    assert_eq!(positions, expected);
}

#[test]
fn chess960_is_switched_on_where_it_is_needed() {
    let bench = bench(LONG);
    let fen = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9";
    let mut player = start(&bench, "seed:1");
    for (chess960, expected) in [(false, 0), (true, 1), (true, 0), (false, 1)] {
        let fen = if chess960 { fen } else { START };
        player.new_game(fen, chess960).unwrap();
        let input = player.capsule().input;
        let line = format!("setoption name UCI_Chess960 value {chess960}");
        assert_eq!(input.matches(&line).count(), expected, "{input}");
        let position: Chess =
            fen.parse::<Fen>().unwrap().into_position(CastlingMode::Chess960).unwrap();
        let thought = player.think(position.turn(), "", &NODES).unwrap();
        assert!(thought.best.to_move(&position).is_ok());
    }
    let fault = start(&bench, "no-options").new_game(fen, true).unwrap_err();
    assert_eq!(kind(&fault), "NotStarted");
    assert!(fault.to_string().contains("has no option UCI_Chess960"), "{fault}");
}

#[test]
fn no_process_survives_quit_or_drop() {
    let bench = bench(LONG);
    for vices in ["", "ignore-quit", "ignore-quit ignore-term", "ignore-quit ignore-term nephew"] {
        for drop_it in [false, true] {
            let mut player = start(&bench, vices);
            play(&mut player, &NODES, 2).unwrap();
            let pid = player.pid();
            assert_eq!(unsafe { libc::kill(-pid, 0) }, 0);
            if drop_it {
                drop(player);
            } else {
                player.quit();
            }
            assert!(group_is_gone(pid), "{vices}, dropped: {drop_it}");
        }
    }
}

/// What it has started ends with an engine even in a session of its own.
#[test]
#[cfg(target_os = "linux")]
fn a_runaway_child_ends_with_its_engine() {
    let bench = bench(LONG);
    let mut player = start(&bench, "runaway");
    play(&mut player, &NODES, 2).unwrap();
    let pid = player.pid();
    let children = std::fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).unwrap();
    let child: i32 = children.trim().parse().unwrap();
    // Spawned is not yet in its session.
    let until = Instant::now() + Duration::from_secs(30);
    while unsafe { libc::getsid(child) } != child {
        assert!(Instant::now() < until, "{child} is not in a session of its own");
        std::thread::yield_now();
    }
    player.quit();
    // One that waits for somebody to hear of its end has no command line any more.
    let command = std::fs::read(format!("/proc/{child}/cmdline")).unwrap_or_default();
    assert_eq!(String::from_utf8_lossy(&command), "");
}

#[test]
fn a_stopped_run_ends_every_wait() {
    let bench = bench(LONG);
    let player = start(&bench, "hang-go");
    assert_stops(&bench, player, |player| play(player, &NODES, 2));
}

/// What the test below kills, or what panics by itself; does nothing of its own.
#[test]
#[ignore = "a helper of no_engine_survives_us"]
fn starts_an_engine_and_waits() {
    let Some(end) = std::env::var_os("UCI_PLAYER_WAITS") else { return };
    let bench = bench(LONG);
    let mut player = start(&bench, "nephew ignore-quit ignore-term hang-go");
    println!("engine {}", player.pid());
    if end == "panic" {
        std::thread::spawn(move || play(&mut player, &NODES, 1));
        std::thread::sleep(SHORT);
        panic!("a defect of ours");
    }
    let _ = play(&mut player, &NODES, 1);
}

#[test]
#[cfg(target_os = "linux")]
fn no_engine_survives_us() {
    use std::io::{BufRead as _, BufReader};
    for end in ["kill", "panic"] {
        let mut us = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "uci_player::starts_an_engine_and_waits", "--ignored", "--nocapture"])
            .env("UCI_PLAYER_WAITS", end)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(us.stdout.take().unwrap()).lines();
        let engine = |line: std::io::Result<String>| {
            let line = line.unwrap();
            line.split_once("engine ")?.1.trim().parse().ok()
        };
        let pid = lines.find_map(engine).unwrap();
        let began = std::time::Instant::now();
        if end == "kill" {
            us.kill().unwrap();
        }
        assert!(!us.wait().unwrap().success());
        assert!(group_is_gone(pid), "{end}");
        // What the engine has started would end by itself after 20 s.
        assert!(began.elapsed() < Duration::from_secs(15), "{end}: {:?}", began.elapsed());
    }
}

/// Early or late, the second answer is called what it is.
#[test]
fn a_second_answer_in_place_of_the_next_is_recognised() {
    let bench = bench(LONG);
    for (vices, twice) in [("first echo", true), ("first illegal:1", false)] {
        let mut player = start(&bench, vices);
        player.new_game(START, false).unwrap();
        let first = player.think(Color::White, "", &NODES).unwrap().best;
        let moves = format!("{first} e7e5");
        let late = player.think(Color::White, &moves, &NODES).unwrap().best;
        assert_eq!(late == first, twice, "{vices}");
        let fault = player.second_answer();
        assert_eq!(fault.as_ref().map(kind), twice.then_some("AnsweredTwice"), "{vices}");
        // That it was told to stop is no part of the game.
        assert!(!player.capsule().input.contains("stop"), "{}", player.capsule().input);
    }
}
