//! What the tests of players that are programs share.

use std::sync::Arc;
use std::thread::sleep;
use std::time::{Duration, Instant};

use harness::player::program::{ProgramHost, ProgramSettings};
use harness::player::uci::UciPlayer;
use harness::player::xboard::XboardPlayer;
use harness::player::{Fault, GoLimit, Thought};
use shakmaty::{Chess, Color, Position as _};
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

/// A player of either protocol.
pub(crate) trait Player {
    fn begin(&mut self, fen: &str, chess960: bool) -> Result<(), Fault>;
    fn answer(&mut self, turn: Color, moves: &str, limit: &GoLimit) -> Result<Thought, Fault>;
}

impl Player for UciPlayer {
    fn begin(&mut self, fen: &str, chess960: bool) -> Result<(), Fault> {
        self.new_game(fen, chess960)
    }

    fn answer(&mut self, turn: Color, moves: &str, limit: &GoLimit) -> Result<Thought, Fault> {
        self.think(turn, moves, limit)
    }
}

impl Player for XboardPlayer {
    fn begin(&mut self, fen: &str, chess960: bool) -> Result<(), Fault> {
        self.new_game(fen, chess960)
    }

    fn answer(&mut self, turn: Color, moves: &str, limit: &GoLimit) -> Result<Thought, Fault> {
        self.think(turn, moves, limit)
    }
}

/// The player plays both sides of a game under a referee; an illegal move ends it.
pub(crate) fn play(
    player: &mut impl Player,
    limit: &GoLimit,
    plies: usize,
) -> Result<Vec<Thought>, Fault> {
    player.begin(START, false)?;
    let mut position = Chess::new();
    let mut moves = String::new();
    let mut thoughts = Vec::new();
    while thoughts.len() < plies && !position.is_game_over() {
        let thought = player.answer(position.turn(), &moves, limit)?;
        let legal = thought.best.to_move(&position);
        if !moves.is_empty() {
            moves.push(' ');
        }
        moves.push_str(&thought.best.to_string());
        thoughts.push(thought);
        match legal {
            Ok(m) => position.play_unchecked(m),
            Err(_) => break,
        }
    }
    Ok(thoughts)
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
        Fault::Resigns(_) => "Resigns",
    }
}
