//! Whole lines to standard output, and the progress of a search as `info` lines.

use std::fmt::Write as _;
use std::io::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::search::{Bound, IterationInfo, Observer};
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

/// No `currmove` and no bounds before this: short searches would drown in them.
const DETAILS_AFTER: Duration = Duration::from_secs(3);

impl Observer for Reporter {
    fn stop(&self) -> bool {
        self.signals.stop.load(Ordering::Relaxed)
    }

    fn pondering(&self) -> bool {
        self.signals.ponder.load(Ordering::Relaxed)
    }

    fn iteration(&self, info: &IterationInfo<'_>) {
        say(&line(info, self.chess960));
    }

    fn root_fail(&self, info: &IterationInfo<'_>) {
        if info.time >= DETAILS_AFTER {
            say(&line(info, self.chess960));
        }
    }

    fn root_move(&self, mv: Move, number: usize, time: Duration) {
        if time >= DETAILS_AFTER {
            let mv = mv.to_uci(self.chess960);
            say(&format!("info currmove {mv} currmovenumber {number}"));
        }
    }
}

/// The `info` line.
fn line(info: &IterationInfo<'_>, chess960: bool) -> String {
    let nps = u128::from(info.nodes) * 1_000_000 / info.time.as_micros().max(1);
    let bound = match info.bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    };
    let mut line = format!(
        "info depth {} seldepth {} multipv {} score {}{bound} nodes {} nps {nps} hashfull {} time {} pv",
        info.depth,
        info.seldepth,
        info.multipv,
        info.score,
        info.nodes,
        info.hashfull,
        info.time.as_millis(),
    );
    for mv in info.pv {
        let _ = write!(line, " {}", mv.to_uci(chess960));
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Position;
    use crate::types::Value;

    #[test]
    fn info_lines() {
        let pv = ["e2e4"].map(|text| Position::startpos().parse_uci(text).expect(text));
        let info = |score, bound| IterationInfo {
            depth: 3,
            seldepth: 5,
            multipv: 2,
            score,
            bound,
            nodes: 100,
            time: Duration::from_millis(10),
            hashfull: 7,
            pv: &pv,
        };
        assert_eq!(
            line(&info(Value::PAWN, Bound::Exact), false),
            "info depth 3 seldepth 5 multipv 2 score cp 100 nodes 100 nps 10000 hashfull 7 time 10 \
             pv e2e4"
        );
        let lower = line(&info(Value::mate_in(3), Bound::Lower), false);
        assert!(lower.contains(" score mate 2 lowerbound nodes "), "{lower}");
        let upper = line(&info(-Value::PAWN, Bound::Upper), false);
        assert!(upper.contains(" score cp -100 upperbound nodes "), "{upper}");
    }
}
