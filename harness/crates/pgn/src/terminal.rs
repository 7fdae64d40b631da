//! When a game is over by the rules.

use std::fmt;

use serde::Serialize;
use shakmaty::uci::UciMove;
use shakmaty::{Chess, Position as _};

use crate::Replay;
use crate::moves::is_stuck;
use crate::repetition::DRAWN;

/// The fewest moves that bring a position back for the third time.
const SHORTEST_REPETITION: usize = 8;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Terminal {
    Mate,
    Stalemate,
    /// Neither side can ever mate.
    InsufficientMaterial,
    /// The position has occurred for the third time.
    Repetition,
    FiftyMoves,
}

impl Terminal {
    /// `occurrences` is called only if the position alone does not decide. Mate comes before the
    /// fifty-move rule: a mate on the hundredth ply wins.
    pub(super) fn at(
        position: &Chess,
        is_check: bool,
        occurrences: impl FnOnce() -> usize,
    ) -> Option<Terminal> {
        if is_stuck(position, is_check) {
            return Some(if is_check { Terminal::Mate } else { Terminal::Stalemate });
        }
        if position.is_insufficient_material() {
            Some(Terminal::InsufficientMaterial)
        } else if occurrences() >= DRAWN {
            Some(Terminal::Repetition)
        } else {
            (position.halfmoves() >= 100).then_some(Terminal::FiftyMoves)
        }
    }

    /// Why the game is over at `end`, where the moves lead from `start`.
    pub(super) fn of(start: &Chess, moves: &[UciMove], end: &Chess) -> Option<Terminal> {
        Terminal::at(end, end.is_check(), || occurrences(start, moves, end))
    }
}

impl fmt::Display for Terminal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Terminal::Mate => "mate",
            Terminal::Stalemate => "stalemate",
            Terminal::InsufficientMaterial => "insufficient material",
            Terminal::Repetition => "repetition",
            Terminal::FiftyMoves => "fifty moves",
        })
    }
}

/// How often `end` has occurred; 1 if a third occurrence is impossible.
fn occurrences(start: &Chess, moves: &[UciMove], end: &Chess) -> usize {
    // Nearly all openings end here, without a replay.
    if moves.len().min(end.halfmoves() as usize) < SHORTEST_REPETITION {
        return 1;
    }
    let mut replay = Replay::new(start.clone());
    for &uci in moves {
        let Ok(played) = replay.move_of(uci) else { return 1 };
        replay.play(played);
    }
    replay.occurrences()
}
