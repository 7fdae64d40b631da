//! Thinking in the opponent's time: `go ponder`, then `ponderhit` or `stop`.

use shakmaty::Color;
use shakmaty::uci::UciMove;

use super::report::best_move;
use super::{UciPlayer, go};
use crate::player::program::Expected;
use crate::player::{Fault, GoLimit, Thought};

/// What an engine thinks about in the opponent's time.
#[derive(Debug, Default)]
pub(super) struct Pondering {
    /// All moves of the game up to the reply that it expects; `None`: it does not think.
    moves: Option<String>,
}

impl Pondering {
    /// Whether the opponent has played the reply, so that the search is now the engine's own.
    pub(super) fn is_hit(&self, moves: &str) -> bool {
        self.moves.as_deref() == Some(moves)
    }

    /// It thinks no more, or in its own time.
    pub(super) fn end(&mut self) {
        self.moves = None;
    }
}

impl UciPlayer {
    /// Has the engine think about its answer to the reply that it expects. Should it be gone, the
    /// next move will tell.
    pub(super) fn ponder(
        &mut self,
        turn: Color,
        moves: &str,
        thought: &Thought,
        reply: UciMove,
        limit: &GoLimit,
    ) {
        let mut expected = moves.to_owned();
        for uci in [thought.best, reply] {
            if !expected.is_empty() {
                expected.push(' ');
            }
            uci.append_to_string(&mut expected);
        }
        self.tell(&expected);
        let mut text = format!("{}\n", self.command);
        let limit = match *limit {
            GoLimit::Clock(clock) => GoLimit::Clock(clock.after(turn, thought.time, thought.nodes)),
            other => other,
        };
        go::push_ponder(&mut text, &limit);
        let patience = self.process.settings().ready;
        let wanted = Expected { command: "go ponder", answer: "bestmove", patience, search: false };
        if self.process.send(&text, &wanted).is_ok() {
            // Nothing is due before the opponent has moved.
            self.process.answered();
            self.pondering.moves = Some(expected);
        }
    }

    /// Ends a search in the opponent's time; its move is of no use.
    ///
    /// # Errors
    /// The engine ends, or does not stop.
    pub(super) fn stop_pondering(&mut self) -> Result<(), Fault> {
        if self.pondering.moves.take().is_none() {
            return Ok(());
        }
        let patience = self.process.settings().ready;
        let wanted = Expected { command: "stop", answer: "bestmove", patience, search: false };
        // An engine that could not wait has answered already, and will not answer again.
        let mut answered = false;
        let unasked = |line: &[u8]| answered |= best_move(line).is_some();
        self.process.send_after("stop\n", &wanted, unasked)?;
        if answered {
            self.process.answered();
            return Ok(());
        }
        self.process.read_until(&wanted, |line| best_move(line).map(drop))
    }
}
