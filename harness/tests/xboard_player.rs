//! An xboard player with mutineer as it should be, and with an engine of every vice: each ends in
//! the right fault, in bounded time, and leaves no process behind.

use std::time::Duration;

use crate::common::players::{
    Bench, LONG, NODES, SHORT, START, assert_faults, assert_not_started, assert_quits,
    assert_stops, assert_told, bench, bench_with, kind, play, play_as, spec, vicious,
};
use arena::player::external::External;
use arena::player::program::ProgramSettings;
use arena::player::{Clock, Fault, GoLimit, Thought};
use shakmaty::Color;
use shakmaty::uci::UciMove;

const RASCAL: &str = concat!("xboard:", env!("CARGO_BIN_EXE_rascal"));
const MUTINEER: &str = env!("CARGO_BIN_EXE_mutineer_process");

fn start(bench: &Bench, vices: &str) -> External {
    bench.start(&vicious(RASCAL, vices))
}

fn mutineer(bench: &Bench, options: &str) -> External {
    bench.start(&spec(&format!("xboard:{MUTINEER}{options}")))
}

/// The player has White.
fn duel(player: &mut External, limit: &GoLimit, moves: usize) -> Result<Vec<Thought>, Fault> {
    play_as(&[Color::White], player, limit, moves)
}

/// What the engine was told since its game began.
fn told(player: &External) -> String {
    player.capsule().input
}

#[test]
fn mutineer_plays_the_same_over_both_protocols() {
    let settings = ProgramSettings { hash_mib: Some(1), threads: Some(1), ..Default::default() };
    let bench = bench_with(settings);
    let mut uci = bench.start(&spec(&format!("uci:{MUTINEER}")));
    let mut xboard = mutineer(&bench, "");
    for _ in 0..2 {
        let limit = GoLimit::Nodes(400);
        let [uci, xboard] =
            [play(&mut uci, &limit, 60).unwrap(), play(&mut xboard, &limit, 60).unwrap()];
        assert_eq!(uci.len(), xboard.len());
        for (one, other) in uci.iter().zip(&xboard) {
            let fields = |t: &Thought| (t.best, t.score, t.depth, t.nodes);
            assert_eq!(fields(one), fields(other));
        }
    }
    assert_eq!(xboard.identity().name, uci.identity().name);
}

#[test]
fn mutineer_obeys_every_limit() {
    let bench = bench(LONG);
    let mut player = mutineer(&bench, "");
    let clock = |moves_to_go| {
        GoLimit::Clock(Clock {
            white: Duration::from_millis(700),
            black: Duration::from_secs(100),
            white_increment: Duration::from_millis(10),
            black_increment: Duration::from_millis(10),
            moves_to_go,
            next_control: None,
            nodes_per_ms: None,
        })
    };
    for (limit, word) in [
        (GoLimit::Depth(3), "\nsd 3\n"),
        (GoLimit::MoveTime(Duration::from_millis(30)), "\nst 0.03\n"),
        (clock(None), "\nlevel 0 0:01 0.01\n"),
        (clock(Some(40)), "\nlevel 40 0:01 0.01\n"),
        (GoLimit::Nodes(200), "\nnps 200\n"),
    ] {
        let thoughts = duel(&mut player, &limit, 4).unwrap();
        assert_eq!(thoughts.len(), 4, "{limit:?}");
        assert!(thoughts.iter().all(|thought| thought.depth > 0 && thought.score.is_some()));
        assert_eq!(told(&player).matches(word).count(), 1, "{}", told(&player));
        if limit == GoLimit::Depth(3) {
            assert!(thoughts.iter().all(|thought| thought.depth == 3), "{thoughts:?}");
        }
    }
}

#[test]
fn options_are_checked_against_what_the_engine_has() {
    let settings = ProgramSettings { hash_mib: Some(2), threads: Some(1), ..Default::default() };
    let bench = bench_with(settings);
    let player = mutineer(&bench, ",Personality=REBEL,search.pvs=on,Clear Hash");
    let input = told(&player);
    let options = "option List Parameters=0\noption Personality=rebel\noption search.pvs=1\n\
                   option Clear Hash\nmemory 2\ncores 1\nping 0\n";
    let start = "xboard\nprotover 2\noption List Parameters=1\nprotover 2\naccepted ping\n";
    assert!(input.starts_with(start), "{input}");
    assert!(input.ends_with(options), "{input}");
    assert!(player.identity().options.contains(&("memory".to_owned(), "2".to_owned())));
    for (options, part) in [
        (",search.psv=1", "has no option 'search.psv'; did you mean 'search.pvs'?"),
        (",search.pvs=perhaps", "option 'search.pvs': expected true or false, found 'perhaps'"),
        (
            ",Personality=fritz",
            "expected one of Default, rebel, printed, prodeo, mediocre, winglet, found 'fritz'",
        ),
    ] {
        let reason = bench.refusal(&format!("xboard:{MUTINEER}{options}"));
        assert!(reason.contains(part), "{options}: {reason}");
    }
    let player = bench.start(&spec(&format!("{RASCAL},Style=solid,Depth=4,Learn=off,Vice=crlf")));
    let input = told(&player);
    assert!(input.contains("rejected teleport\naccepted option\n"), "{input}");
    let options = "option Style=Solid\noption Depth=4\noption Learn=0\noption Vice=crlf\n";
    assert!(input.contains(options), "{input}");
    assert_eq!(player.identity().name, "Rascal 1.0");
}

#[test]
fn a_game_as_it_is_told() {
    let bench = bench(LONG);
    let mut player = start(&bench, "");
    let limit = GoLimit::MoveTime(Duration::from_secs(2));
    let fen = "4k3/8/8/8/8/8/4P3/4K2R w K - 0 1";
    player.new_game(fen, false).unwrap();
    let mut moves = "e2e4 e8e7".to_owned();
    for reply in ["", " e7e8"] {
        moves.push_str(reply);
        let best = player.think(Color::White, &moves, &limit).unwrap().best;
        moves.push_str(&format!(" {best}"));
    }
    let expected = format!(
        "new\nforce\nsetboard {fen}\neasy\npost\nping 1\n\
         usermove e2e4\nusermove e8e7\nping 2\nst 2\nping 3\ntime 200\notim 200\ngo\n\
         time 200\notim 200\nusermove e7e8\n"
    );
    let input = told(&player);
    assert!(input.ends_with(&expected), "{input}");
    // Another line: from the start. The next game: the last one is ended first.
    player.think(Color::Black, "e1g1", &limit).unwrap();
    let again = format!("force\nnew\nforce\nsetboard {fen}\neasy\npost\nusermove e1g1\nping");
    assert!(told(&player).contains(&again), "{}", told(&player));
    player.new_game(START, false).unwrap();
    assert!(told(&player).ends_with("force\nnew\nforce\neasy\npost\nping 6\n"));
}

#[test]
fn odd_but_playing() {
    let bench = bench(LONG);
    for vices in ["", "old", "san", "gnu", "crlf", "chatter", "offer-draw", "claim-and-move"] {
        let mut player = start(&bench, vices);
        for _ in 0..2 {
            let thoughts = duel(&mut player, &GoLimit::Depth(2), 6).unwrap();
            assert_told(&player, &thoughts, 6, vices);
        }
        assert_quits(player, vices);
    }
}

/// What says nothing may still be starting: not every silence is the first version's.
#[test]
fn an_engine_that_starts_slowly_is_waited_for() {
    let bench = bench(LONG);
    let mut player = start(&bench, "slow:2500");
    assert_eq!(player.identity().name, "Rascal 1.0");
    assert_eq!(duel(&mut player, &NODES, 2).unwrap().len(), 2);
    assert!(told(&player).contains("ping"), "{}", told(&player));
}

#[test]
fn an_engine_that_says_nothing_until_it_moves_is_played_with() {
    let bench = bench_with(ProgramSettings {
        startup: Duration::from_secs(1),
        ..ProgramSettings::default()
    });
    // Of its second process it is known.
    for _ in 0..2 {
        let mut player = start(&bench, "mute");
        assert_eq!(player.identity().name, "rascal");
        assert_eq!(duel(&mut player, &GoLimit::Depth(2), 3).unwrap().len(), 3);
        assert!(!told(&player).contains("ping"), "{}", told(&player));
    }
    // One that has not even read what it was told does not play.
    let error = External::start(&vicious(RASCAL, "slow:60000"), &bench.host).err().unwrap();
    assert!(error.to_string().contains("has not read 'protover 2' within 1s"), "{error}");
}

/// Waiting counts from the first sign of life, not from the last.
#[test]
fn an_engine_of_the_first_version_that_is_never_silent_is_played_with() {
    let bench = bench(LONG);
    let mut player = start(&bench, "old murmurs:20");
    assert_eq!(player.identity().name, "rascal");
    assert_eq!(duel(&mut player, &GoLimit::Depth(2), 2).unwrap().len(), 2);
}

/// That is a habit.
#[test]
fn a_move_said_twice_is_one_answer() {
    let bench = bench(LONG);
    let mut player = start(&bench, "twice");
    assert_eq!(duel(&mut player, &NODES, 3).unwrap().len(), 3);
    let mut player = start(&bench, "twice illegal");
    player.new_game(START, false).unwrap();
    player.think(Color::White, "", &NODES).unwrap();
    assert!(player.second_answer().is_none());
}

/// Version 1 has bare moves and colours, and nothing that could be waited for.
#[test]
fn engines_of_the_first_version() {
    let bench = bench(LONG);
    let mut player = start(&bench, "old");
    assert_eq!(player.identity().name, "rascal");
    duel(&mut player, &GoLimit::Depth(2), 2).unwrap();
    let input = told(&player);
    assert!(input.contains("\nwhite\ngo\n") && !input.contains("ping"), "{input}");
    assert!(!input.contains("usermove"), "{input}");
    let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    assert!(player.refuses_start(START, false).is_none());
    assert!(player.refuses_start(fen, false).unwrap().contains("cannot set up positions"));
    assert!(player.refuses_limit(&NODES).unwrap().contains("cannot count nodes"));
    let fault = player.new_game(fen, false).unwrap_err();
    assert_eq!(kind(&fault), "NotStarted");
    // It may as well speak another protocol.
    for part in ["no xboard engine, or one of the protocol's first version", "uci:PATH"] {
        assert!(fault.to_string().contains(part), "{fault}");
        assert!(player.refuses_limit(&NODES).unwrap().contains(part));
    }
    let fault = player.new_game(START, true).unwrap_err();
    assert!(fault.to_string().contains("does not play fischerandom"), "{fault}");
}

#[test]
fn depth_in_old_words() {
    let bench = bench(LONG);
    let mut player = start(&bench, "no-sd");
    for _ in 0..2 {
        duel(&mut player, &GoLimit::Depth(5), 2).unwrap();
        assert!(told(&player).contains("st 86400\ndepth 5\n"), "{}", told(&player));
    }
    let tried = told(&player).matches("sd 5").count();
    assert_eq!(tried, 0, "only in the first game");
}

#[test]
fn vices_at_the_start() {
    let cases = [
        ("exit-at-start", LONG, ["exited with status 3 after 'protover 2'", "leaving before"]),
        (
            "never-done",
            SHORT,
            ["no 'feature done=1' within 300ms of 'protover 2'", "'feature done=0'"],
        ),
        ("hang-ping", SHORT, ["no 'pong' within 300ms of 'ping'; killed", "done=1"]),
        ("no-such-vice", LONG, ["exited with status 64", "rascal"]),
    ];
    assert_not_started(RASCAL, "protover 2", &cases);
}

#[test]
fn vices_in_the_game() {
    let cases = [
        ("exit-in-search:2", LONG, "Crash", "exited with status 5 after 'usermove "),
        ("hang:2", SHORT, "Hang", "no 'move' within 300ms of 'usermove "),
        ("until-now", SHORT, "Hang", "no 'move' in 300ms, until '?' was sent"),
        ("garbage:2", SHORT, "Hang", "last line: 'I would rather not'"),
        ("no-move:2", LONG, "Garbage", "expected a move after 'move', found 'castles'"),
        ("refuse:2", LONG, "Garbage", "refuses what is legal, found 'Illegal move: "),
        ("no-limits", LONG, "NotStarted", "refuses what it is told: 'Illegal move: depth 2'"),
        ("resign:2", LONG, "Resigns", "'resign'"),
        ("lose:2", LONG, "Resigns", "'0-1 {White resigns}'"),
        ("resign-late:2", LONG, "Resigns", "'resign'"),
        ("claim-draw:2", LONG, "FalseClaim", "says '1/2-1/2 {Draw by agreement}', but the game"),
        ("claim-win:2", LONG, "FalseClaim", "says '1-0 {White mates}', but the game goes on"),
        ("claim-late:2", LONG, "FalseClaim", "says '1/2-1/2 {Draw by agreement}'"),
        ("second-move", LONG, "AnsweredTwice", "'move a1a1' came after its answer"),
    ];
    assert_faults(RASCAL, "new", &cases, |player| duel(player, &GoLimit::Depth(2), 6));
}

#[test]
fn limits_and_positions_that_are_refused() {
    let bench = bench(LONG);
    let clock = Clock {
        white: LONG,
        black: LONG,
        white_increment: Duration::ZERO,
        black_increment: Duration::ZERO,
        moves_to_go: None,
        next_control: None,
        nodes_per_ms: None,
    };
    let fault = duel(&mut start(&bench, "no-level"), &GoLimit::Clock(clock), 1).unwrap_err();
    assert!(fault.to_string().contains("'Illegal move: level 0 0:30 0'"), "{fault}");
    let mut player = start(&bench, "refuse-position");
    let fault = player.new_game("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", false).unwrap_err();
    assert!(fault.to_string().contains("'tellusererror Illegal position'"), "{fault}");
}

/// The referee refuses them, and the engine may play on.
#[test]
fn illegal_moves_and_resignations_leave_the_engine_in_order() {
    let bench = bench(LONG);
    let illegal: UciMove = "e1e8".parse().unwrap();
    let mut player = start(&bench, "illegal:2");
    for _ in 0..2 {
        let thoughts = duel(&mut player, &GoLimit::Depth(2), 6).unwrap();
        assert_eq!((thoughts.len(), thoughts[2].best), (3, illegal));
    }
    let mut player = start(&bench, "resign-late:2");
    for _ in 0..2 {
        let fault = duel(&mut player, &GoLimit::Depth(2), 6).unwrap_err();
        assert_eq!(kind(&fault), "Resigns");
    }
}

#[test]
fn late_answers_are_waited_for() {
    let bench = bench(LONG);
    let time = Duration::from_millis(50);
    let mut player = start(&bench, "overstep:200");
    let thought = duel(&mut player, &GoLimit::MoveTime(time), 1).unwrap().remove(0);
    assert!(thought.time >= Duration::from_millis(200), "{:?}", thought.time);
    assert!(thought.late <= thought.time);
    // Told to move after the margin, it still answers: the clock decides.
    let bench = bench_with(ProgramSettings { margin: SHORT, ..Default::default() });
    let mut player = start(&bench, "until-now");
    let thought = duel(&mut player, &GoLimit::MoveTime(time), 1).unwrap().remove(0);
    assert!(thought.time >= time + SHORT, "{:?}", thought.time);
}

#[test]
fn chess960_castles_by_its_own_words() {
    let bench = bench(LONG);
    let fen = "1r4kr/pppppppp/8/8/8/8/PPPPPPPP/1R4KR w HBhb - 0 1";
    for mut player in [start(&bench, ""), mutineer(&bench, "")] {
        for chess960 in [true, false, true] {
            let (fen, moves) = if chess960 { (fen, "g1h1 g8h8") } else { (START, "e2e4 e7e5") };
            player.new_game(fen, chess960).unwrap();
            let thought = player.think(Color::White, moves, &NODES).unwrap();
            assert_ne!(thought.best, UciMove::Null);
            let input = told(&player);
            assert_eq!(input.contains("\nvariant fischerandom\n"), chess960, "{input}");
            assert_eq!(input.contains("usermove O-O\nusermove O-O\n"), chess960, "{input}");
        }
    }
}

#[test]
fn a_stopped_run_ends_every_wait() {
    let bench = bench(LONG);
    let player = start(&bench, "hang:0");
    assert_stops(&bench, player, |player| duel(player, &GoLimit::Depth(2), 2));
}

#[test]
fn an_engine_for_one_game() {
    let bench = bench(LONG);
    assert!(!start(&bench, "no-reuse").is_reusable());
    assert!(start(&bench, "").is_reusable() && start(&bench, "old").is_reusable());
}
