//! Thinking in the opponent's time: `go ponder`, then `ponderhit` or `stop`.

use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Color, Position as _};

use super::report::best_move;
use super::{UciPlayer, go};
use crate::player::program::Expected;
use crate::player::{Fault, GoLimit, Thought, append_move};

#[derive(Debug, Default)]
pub(super) struct Pondering {
    /// The game's start position; `None`: there is no game, or nobody can say what is legal in it.
    start: Option<Chess>,
    /// All moves of the game up to the reply that it expects; `None`: it does not think.
    moves: Option<String>,
}

impl Pondering {
    pub(super) fn new(fen: &str, chess960: bool) -> Pondering {
        let mode = CastlingMode::from_chess960(chess960);
        let start = fen.parse::<Fen>().ok().and_then(|fen| fen.into_position(mode).ok());
        Pondering { start, moves: None }
    }

    /// Whether the opponent has played the reply, so that the search is now the engine's own.
    pub(super) fn is_hit(&self, moves: &str) -> bool {
        self.moves.as_deref() == Some(moves)
    }

    /// It thinks no more, or in its own time.
    pub(super) fn end(&mut self) {
        self.moves = None;
    }

    /// All moves of the game with the engine's move and the reply that it expects. `None` if one of
    /// them is not legal, as a reply out of a hash table may be, or if they end the game.
    fn expected(&self, moves: &str, best: UciMove, reply: UciMove) -> Option<String> {
        let mut position = self.start.clone()?;
        for text in moves.split_ascii_whitespace() {
            let played = text.parse::<UciMove>().ok()?.to_move(&position).ok()?;
            position.play_unchecked(played);
        }
        let mut expected = moves.to_owned();
        for uci in [best, reply] {
            let played = uci.to_move(&position).ok()?;
            append_move(&mut expected, played.to_uci(position.castles().mode()));
            position.play_unchecked(played);
        }
        (!position.is_game_over()).then_some(expected)
    }
}

impl UciPlayer {
    /// Has the engine think about its answer to the reply that it expects, if that can be played.
    /// Should it be gone, the next move will tell.
    pub(super) fn ponder(
        &mut self,
        turn: Color,
        moves: &str,
        thought: &Thought,
        reply: UciMove,
        limit: &GoLimit,
    ) {
        let Some(expected) = self.pondering.expected(moves, thought.best, reply) else { return };
        self.update_position(&expected);
        let mut text = format!("{}\n", self.command);
        let limit = match *limit {
            GoLimit::Clock(clock) => GoLimit::Clock(clock.after(turn, thought.time, thought.nodes)),
            other => other,
        };
        go::push(&mut text, "go ponder", &limit);
        let patience = self.process.host.settings.ready;
        let wanted = Expected::new("go ponder", "bestmove", patience);
        if self.process.send(&text, &wanted).is_ok() {
            // Nothing is due before the opponent has moved.
            self.process.answered();
            self.pondering.moves = Some(expected);
        }
    }

    /// Ends a search in the opponent's time; its move is of no use. Whether it had ended before, so
    /// that it may be answered a second time.
    pub(super) fn stop_pondering(&mut self) -> Result<bool, Fault> {
        if self.pondering.moves.take().is_none() {
            return Ok(false);
        }
        let patience = self.process.host.settings.ready;
        let wanted = Expected::new("stop", "bestmove", patience);
        // An engine that could not wait has answered already, and will not answer again.
        let mut answered = false;
        let unasked = |line: &[u8]| answered |= best_move(line).is_some();
        self.process.send_after("stop\n", &wanted, unasked)?;
        if answered {
            self.process.answered();
            return Ok(true);
        }
        self.process.read_until(&wanted, |line| best_move(line).map(drop))?;
        Ok(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_game_that_may_go_on_so_is_thought_about() {
        const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        const CASTLING: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        const RANDOM: &str = "1r4kr/8/8/8/8/8/8/1R4KR w HBhb - 0 1";
        for (fen, chess960, moves, [best, reply], expected) in [
            (START, false, "", ["e2e4", "e7e5"], Some("e2e4 e7e5")),
            (START, false, "e2e4 e7e5", ["g1f3", "b8c6"], Some("e2e4 e7e5 g1f3 b8c6")),
            (START, false, "", ["e2e4", "e1e8"], None),
            (START, false, "", ["e2e5", "e7e6"], None),
            (START, false, "", ["0000", "e7e6"], None),
            (START, false, "e2e4 e2e4", ["d2d4", "d7d5"], None),
            // The reply is mate.
            (START, false, "f2f3 e7e5", ["g2g4", "d8h4"], None),
            // Castling is written as the game writes it.
            (CASTLING, false, "", ["e1h1", "e8c8"], Some("e1g1 e8c8")),
            (RANDOM, true, "", ["g1b1", "g8h8"], Some("g1b1 g8h8")),
            (RANDOM, true, "", ["g1b1", "g8d8"], None),
            ("8/8/8/8/8/8/8/8 w - - 0 1", false, "", ["e2e4", "e7e5"], None),
        ] {
            let uci = |text: &str| text.parse::<UciMove>().unwrap();
            let pondering = Pondering::new(fen, chess960);
            let found = pondering.expected(moves, uci(best), uci(reply));
            assert_eq!(found.as_deref(), expected, "{fen} {moves}: {best} {reply}");
        }
    }
}
