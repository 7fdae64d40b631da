//! What the engine says: its features, and a search in the protocol's words.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicBool, AtomicU16, AtomicU32, AtomicU64, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::SessionEvent;
use super::game::move_text;
use crate::engine::SearchReport;
use crate::protocol::console::say;
use crate::protocol::options::{Offer, OfferKind, Options};
use crate::protocol::thinker::Voice;
use crate::search::{IterationInfo, SearchStatistics};
use crate::types::{Move, Value};

/// Features in the order told. `colors=0`: `white` and `black` need not be sent; `draw=0`: offers
/// are not answered.
const FEATURES: &str = "ping=1 setboard=1 playother=1 san=0 usermove=1 time=1 draw=0 sigint=0 \
                        sigterm=0 reuse=1 analyze=1 colors=0 ics=0 name=1 pause=0 nps=1 debug=1 \
                        memory=1 smp=1 egt=\"syzygy\" variants=\"normal,fischerandom\"";

/// Options that the protocol sets by commands of its own: `memory`, `cores`, `hard` and `easy`, `variant`, `egtpath`.
const BY_COMMAND: [&str; 5] = ["Hash", "Threads", "Ponder", "UCI_Chess960", "SyzygyPath"];

/// The length in bytes that xboard has no room for in a line.
const TOO_LONG: usize = 512;

/// The answer to `protover`. Options whose line would be too long are left out; they can be set all the same.
pub(super) fn features(options: &Options) -> String {
    let mut text = format!("feature {FEATURES} myname=\"{}\"", crate::NAME);
    let listed = |offer: &Offer| !BY_COMMAND.contains(&offer.name.as_str());
    for Offer { name, kind } in options.offers().into_iter().filter(listed) {
        let rest = match kind {
            OfferKind::Check(default) => format!("-check {}", u8::from(default)),
            OfferKind::Spin { default, min, max } => format!("-spin {default} {min} {max}"),
            OfferKind::Combo(choices) => format!("-combo *{}", choices.join(" /// ")),
            OfferKind::Button => "-button".to_owned(),
            OfferKind::Text(default) => format!("-string {default}"),
        };
        let line = format!("feature option=\"{name} {rest}\"");
        if line.len() < TOO_LONG {
            text.push('\n');
            text.push_str(&line);
        }
    }
    text.push_str("\nfeature done=1");
    text
}

/// A score for the side to move in centipawns; mates as the protocol writes them.
fn score_text(score: Value) -> i32 {
    const MATE: i32 = 100_000;
    match score.mate() {
        Some(moves) if moves > 0 => MATE + moves,
        Some(moves) => moves - MATE,
        None => score.cp(),
    }
}

/// How far a search has come, for `.`, and whether anybody still wants to hear of it.
#[derive(Debug)]
pub(super) struct Progress {
    /// Held while a line is printed: a search that was silenced says nothing about a position that
    /// is no longer on the board.
    wanted: Mutex<bool>,
    began: Instant,
    nodes: AtomicU64,
    depth: AtomicU32,
    /// The root move being searched, and its number.
    mv: AtomicU16,
    number: AtomicU32,
}

impl Progress {
    pub(super) fn new() -> Progress {
        Progress {
            wanted: Mutex::new(true),
            began: Instant::now(),
            nodes: AtomicU64::new(0),
            depth: AtomicU32::new(1),
            mv: AtomicU16::new(Move::NONE.to_bits()),
            number: AtomicU32::new(0),
        }
    }

    /// From now on the search prints nothing.
    pub(super) fn silence(&self) {
        *self.wanted() = false;
    }

    fn wanted(&self) -> MutexGuard<'_, bool> {
        self.wanted.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The `stat01` line of a search from a position with so many moves. Nodes are those of the
    /// last thinking line.
    pub(super) fn line(&self, moves: usize, chess960: bool) -> String {
        let mv = Move::from_bits(self.mv.load(Ordering::Relaxed));
        let number = self.number.load(Ordering::Relaxed) as usize;
        let mut line = format!(
            "stat01: {} {} {} {} {moves}",
            self.began.elapsed().as_millis() / 10,
            self.nodes.load(Ordering::Relaxed),
            self.depth.load(Ordering::Relaxed),
            moves.saturating_sub(number),
        );
        if !mv.is_none() {
            let _ = write!(line, " {}", move_text(mv, chess960));
        }
        line
    }
}

/// Tells of one search: thinking lines while `post` is on, and its end as an event.
pub(super) struct XboardReporter {
    pub(super) number: u64,
    pub(super) events: Sender<SessionEvent>,
    pub(super) post: Arc<AtomicBool>,
    pub(super) progress: Arc<Progress>,
    pub(super) chess960: bool,
}

impl Voice for XboardReporter {
    /// `ply score time nodes pv`, the score from the engine's own point of view (ROT-07); with tablebases
    /// `seldepth nps tbhits` and a tabulator before the line.
    fn iteration(&self, info: &IterationInfo<'_>) {
        self.progress.nodes.store(info.nodes, Ordering::Relaxed);
        self.progress.depth.store(info.depth, Ordering::Relaxed);
        let wanted = self.progress.wanted();
        if !*wanted || !self.post.load(Ordering::Relaxed) {
            return;
        }
        let (score, time) = (score_text(info.score), info.time.as_millis() / 10);
        let mut line = format!("{} {score} {time} {}", info.depth, info.nodes);
        if info.tbhits > 0 {
            let _ = write!(line, " {} {} {}\t", info.seldepth, info.nps(), info.tbhits);
        }
        for &mv in info.pv {
            let _ = write!(line, " {}", move_text(mv, self.chess960));
        }
        say(&line);
    }

    fn root_move(&self, mv: Move, number: usize, _time: Duration) {
        self.progress.mv.store(mv.to_bits(), Ordering::Relaxed);
        self.progress.number.store(u32::try_from(number).unwrap_or(u32::MAX), Ordering::Relaxed);
    }

    fn statistics(&self, statistics: &SearchStatistics) {
        let wanted = self.progress.wanted();
        if *wanted {
            for line in statistics.to_string().lines() {
                say(&format!("# {line}"));
            }
        }
    }

    fn done(&self, report: SearchReport) {
        // The session may have ended.
        let _ = self.events.send(SessionEvent::Found(self.number, Box::new(report)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Listing;

    #[test]
    fn scores() {
        for (score, expected) in [
            (Value::PAWN, 100),
            (-Value::PAWN, -100),
            (Value::mate_in(1), 100_001),
            (Value::mate_in(5), 100_003),
            (Value::mated_in(2), -100_001),
            (Value::mated_in(0), -100_000),
        ] {
            assert_eq!(score_text(score), expected);
        }
    }

    #[test]
    fn features_end_the_wait_and_fit_xboard() {
        for (listing, is_listed) in [(Listing::Usual, false), (Listing::All, true)] {
            let text = features(&Options::new(listing));
            assert!(text.ends_with("\nfeature done=1"));
            assert!(text.contains("\nfeature option=\"Personality -combo *Default /// rebel /// "));
            for option in ["search.pvs -check 1\"", "lmr.min_move -spin "] {
                let line = format!("\nfeature option=\"{option}");
                assert_eq!(text.contains(&line), is_listed, "{option}");
            }
            assert!(text.lines().all(|line| line.len() < 512), "xboard's longest line: {text}");
        }
    }
}
