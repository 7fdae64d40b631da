//! Whole lines to standard output, and the progress of a search as `info` lines.

use std::fmt::Write as _;
use std::io::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::search::{IterationInfo, Observer};
use crate::types::Move;

/// Prints one line, or several at once, and flushes. A reader that has gone away is no reason to
/// fail: the next read from it ends the program.
pub(super) fn say(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{text}").and_then(|()| out.flush());
}

/// What the reading thread tells the searching one.
#[derive(Debug, Default)]
pub(super) struct Signals {
    /// End the search.
    pub(super) stop: AtomicBool,
    /// The search runs on the opponent's time.
    pub(super) ponder: AtomicBool,
    /// A search is under way: set with `go`, cleared before `bestmove`.
    pub(super) searching: AtomicBool,
}

/// Prints `info` lines and passes the signals on.
pub(super) struct Reporter {
    pub(super) signals: Arc<Signals>,
    pub(super) chess960: bool,
}

/// No `currmove` before this: short searches would drown in them.
const CURRMOVE_AFTER: Duration = Duration::from_secs(3);

impl Observer for Reporter {
    fn stop(&self) -> bool {
        self.signals.stop.load(Ordering::Relaxed)
    }

    fn pondering(&self) -> bool {
        self.signals.ponder.load(Ordering::Relaxed)
    }

    fn iteration(&self, info: &IterationInfo<'_>) {
        let nps = u128::from(info.nodes) * 1_000_000 / info.time.as_micros().max(1);
        let mut line = format!(
            "info depth {} seldepth {} score {} nodes {} nps {nps} hashfull {} time {} pv",
            info.depth,
            info.seldepth,
            info.score,
            info.nodes,
            info.hashfull,
            info.time.as_millis(),
        );
        for mv in info.pv {
            let _ = write!(line, " {}", mv.to_uci(self.chess960));
        }
        say(&line);
    }

    fn root_move(&self, mv: Move, number: usize, time: Duration) {
        if time >= CURRMOVE_AFTER {
            let mv = mv.to_uci(self.chess960);
            say(&format!("info currmove {mv} currmovenumber {number}"));
        }
    }
}
