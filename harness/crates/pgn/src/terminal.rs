//! Openings in which the game is over already.

use std::fmt;

use serde::Serialize;
use shakmaty::uci::UciMove;
use shakmaty::{Chess, Position as _};

use crate::repetition::{DRAWN, Repetitions};

/// The fewest moves that bring a position back for the third time.
const SHORTEST_REPETITION: usize = 8;

/// Why no game can be played from the end of an opening.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Terminal {
    /// The side to move is mated.
    Mate,
    /// The side to move has no legal move and is not in check.
    Stalemate,
    /// Neither side can ever mate.
    InsufficientMaterial,
    /// The position stands there for the third time.
    Repetition,
    /// Fifty moves without capture or pawn move are over.
    FiftyMoves,
}

impl Terminal {
    /// Why the game is over at `end`, where the moves lead from `start`; the same as the referee
    /// of a match would say.
    pub(super) fn of(start: &Chess, moves: &[UciMove], end: &Chess) -> Option<Terminal> {
        if end.legal_moves().is_empty() {
            return Some(if end.is_check() { Terminal::Mate } else { Terminal::Stalemate });
        }
        if end.is_insufficient_material() {
            return Some(Terminal::InsufficientMaterial);
        }
        if is_repeated(start, moves, end) {
            return Some(Terminal::Repetition);
        }
        (end.halfmoves() >= 100).then_some(Terminal::FiftyMoves)
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

fn is_repeated(start: &Chess, moves: &[UciMove], end: &Chess) -> bool {
    // Nearly all openings are done with here, without replaying them.
    if moves.len().min(end.halfmoves() as usize) < SHORTEST_REPETITION {
        return false;
    }
    let mut position = start.clone();
    let mut repetitions = Repetitions::new(&position);
    for uci in moves {
        let Ok(played) = uci.to_move(&position) else { return false };
        position.play_unchecked(played);
        repetitions.push(&position);
    }
    repetitions.occurrences() >= DRAWN
}
