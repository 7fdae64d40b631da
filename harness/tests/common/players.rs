//! What the tests of players that are programs share.

use std::sync::Arc;
use std::thread::sleep;
use std::time::{Duration, Instant};

use arena::player::external::External;
use arena::player::program::{ProgramHost, ProgramSettings, ProgramSpec, StartErrorKind};
use arena::player::{Fault, GoLimit, Thought};
use arena::record::Score;
use process::children::{Confinement, Sandbox, SandboxKind};
use shakmaty::{CastlingMode, Chess, Color, Position as _};
use tokio::runtime::Runtime;
use tokio_util::sync::CancellationToken;

pub(crate) const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
pub(crate) const NODES: GoLimit = GoLimit::Nodes(100);
pub(crate) const LONG: Duration = Duration::from_secs(30);
pub(crate) const SHORT: Duration = Duration::from_millis(300);

/// A runtime with its host.
pub(crate) struct Bench {
    pub(crate) host: Arc<ProgramHost>,
    pub(crate) stop: CancellationToken,
    _runtime: Runtime,
}

/// `patience` for everything; generous where nothing is to time out.
pub(crate) fn bench(patience: Duration) -> Bench {
    let settings = ProgramSettings {
        startup: patience,
        ready: patience,
        hang: patience,
        margin: patience,
        grace: SHORT,
        ..ProgramSettings::default()
    };
    bench_with(settings)
}

pub(crate) fn bench_with(settings: ProgramSettings) -> Bench {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let stop = CancellationToken::new();
    let host = ProgramHost::new(settings, runtime.handle().clone(), stop.clone()).unwrap();
    Bench { host, stop, _runtime: runtime }
}

impl Bench {
    pub(crate) fn start(&self, spec: &ProgramSpec) -> External {
        External::start(spec, &self.host).unwrap()
    }

    /// Why a program is not started with such options.
    pub(crate) fn refusal(&self, spec: &str) -> String {
        let error = External::start(&self::spec(spec), &self.host).err().unwrap();
        assert_eq!(error.kind, StartErrorKind::Options, "{spec}: {error}");
        error.to_string()
    }
}

pub(crate) fn spec(text: &str) -> ProgramSpec {
    ProgramSpec::parse(text).unwrap()
}

/// A spec with vices as arguments.
pub(crate) fn vicious(program: &str, vices: &str) -> ProgramSpec {
    let mut spec = spec(program);
    spec.args = vices.split_whitespace().map(str::to_owned).collect();
    spec
}

/// The player plays both sides of a game.
pub(crate) fn play(
    player: &mut External,
    limit: &GoLimit,
    plies: usize,
) -> Result<Vec<Thought>, Fault> {
    play_as(&Color::ALL, player, limit, plies)
}

/// The player plays these sides of a game under a referee, a program that plays its first legal
/// move the others, until the player has moved so many times; an illegal move ends it.
pub(crate) fn play_as(
    sides: &[Color],
    player: &mut External,
    limit: &GoLimit,
    plies: usize,
) -> Result<Vec<Thought>, Fault> {
    player.new_game(START, false)?;
    let mut position = Chess::new();
    let mut moves = String::new();
    let mut thoughts = Vec::new();
    while thoughts.len() < plies && !position.is_game_over() {
        let turn = position.turn();
        let uci = if sides.contains(&turn) {
            let thought = player.think(turn, &moves, limit)?;
            let best = thought.best;
            thoughts.push(thought);
            best
        } else {
            position.legal_moves()[0].to_uci(CastlingMode::Standard)
        };
        if !moves.is_empty() {
            moves.push(' ');
        }
        moves.push_str(&uci.to_string());
        let Ok(m) = uci.to_move(&position) else { break };
        position.play_unchecked(m);
    }
    Ok(thoughts)
}

/// Each vice keeps the program from starting and ends in an error that has both parts, with a
/// capsule in which the program is told `first`.
pub(crate) fn assert_not_started(
    program: &str,
    first: &str,
    cases: &[(&str, Duration, [&str; 2])],
) {
    for (vices, patience, parts) in cases {
        let bench = bench(*patience);
        let spec = vicious(program, vices);
        let error = External::start(&spec, &bench.host).err().unwrap();
        let text = error.to_string();
        assert_eq!(error.kind, StartErrorKind::Engine, "{vices}: {text}");
        assert_eq!(kind(&error.fault), "NotStarted", "{vices}: {text}");
        assert!(parts.iter().all(|part| text.contains(part)), "{vices}: {text}");
        assert!(text.contains(&format!("{}: ", spec.path.display())), "{text}");
        let capsule = error.capsule;
        assert!(capsule.exit_status.is_some(), "{vices}");
        assert!(capsule.command.ends_with(vices), "{}", capsule.command);
        assert!(capsule.transcript.contains(&format!("> {first}\n")), "{}", capsule.transcript);
    }
}

/// Each vice ends a game in a fault of its kind that has the part, with a bounded capsule in which
/// the program is told `told`, and leaves no process behind; in a sandbox as well as without.
pub(crate) fn assert_faults(
    program: &str,
    told: &str,
    cases: &[(&str, Duration, &str, &str)],
    game: impl Fn(&mut External) -> Result<Vec<Thought>, Fault>,
) {
    let ways = [None].into_iter().chain(sandboxed(program).map(Some));
    for (confinement, (vices, patience, expected, part)) in
        ways.flat_map(|way| cases.iter().map(move |case| (way.clone(), case)))
    {
        // The handshake may take its time on a busy machine.
        let settings =
            ProgramSettings { hang: *patience, grace: SHORT, confinement, ..Default::default() };
        let bench = bench_with(settings);
        let mut player = bench.start(&vicious(program, vices));
        let fault = game(&mut player).unwrap_err();
        assert_eq!(kind(&fault), *expected, "{vices}: {fault}");
        assert!(fault.to_string().contains(part), "{vices}: {fault}");
        let capsule = player.capsule();
        assert!(capsule.transcript.contains(&format!("> {told}")), "{vices}");
        assert!(capsule.transcript.len() < 4 << 20, "{vices}: {}", capsule.transcript.len());
        assert!(capsule.stderr.len() < 1 << 20, "{vices}: {}", capsule.stderr.len());
        assert_quits(player, vices);
    }
}

/// A sandbox for a program; `None`: none works here, which is said.
fn sandboxed(program: &str) -> Option<Arc<Confinement>> {
    let readable = vec![spec(program).path];
    let found = Sandbox::find(SandboxKind::Bwrap).inspect_err(|why| println!("skipped: {why}"));
    found.ok().map(|sandbox| Arc::new(Confinement { readable, ..Confinement::of(sandbox) }))
}

/// The game ended after so many moves, each told with the figures that the vicious engines give.
pub(crate) fn assert_told(player: &External, thoughts: &[Thought], plies: usize, vices: &str) {
    assert_eq!(thoughts.len(), plies, "{vices}: {}", player.capsule().transcript);
    for Thought { score, depth, nodes, late, .. } in thoughts {
        assert_eq!((*score, *depth, *nodes), (Some(Score::Cp(-7)), 2, 400), "{vices}");
        assert_eq!(*late, Duration::ZERO, "{vices}");
    }
}

/// A stopped run ends the wait for an engine that hangs.
pub(crate) fn assert_stops(
    bench: &Bench,
    mut player: External,
    game: impl Fn(&mut External) -> Result<Vec<Thought>, Fault>,
) {
    let stop = bench.stop.clone();
    let stopper = std::thread::spawn(move || {
        sleep(SHORT);
        stop.cancel();
    });
    let fault = game(&mut player).unwrap_err();
    assert_eq!(kind(&fault), "Crash");
    stopper.join().unwrap();
    assert_quits(player, "stopped");
}

pub(crate) fn assert_quits(player: External, vices: &str) {
    let pid = player.pid();
    player.quit();
    assert!(group_is_gone(pid), "{vices}");
}

pub(crate) fn group_is_gone(pid: i32) -> bool {
    let until = Instant::now() + LONG;
    while Instant::now() < until {
        if unsafe { libc::kill(-pid, 0) } == -1 {
            return true;
        }
        sleep(Duration::from_millis(10));
    }
    false
}

pub(crate) fn kind(fault: &Fault) -> &'static str {
    match fault {
        Fault::NotStarted(_) => "NotStarted",
        Fault::Crash(_) => "Crash",
        Fault::Hang(_) => "Hang",
        Fault::Garbage(_) => "Garbage",
        Fault::BrokenPipe(_) => "BrokenPipe",
        Fault::FalseClaim(_) => "FalseClaim",
        Fault::AnsweredTwice(_) => "AnsweredTwice",
        Fault::Resigns(_) => "Resigns",
        Fault::Lack(_) => "Lack",
    }
}
