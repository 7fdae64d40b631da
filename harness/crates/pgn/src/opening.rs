//! An entry of a book as it is read, and the opening that is made of it.

use shakmaty::fen::{Fen, LossyFenError};
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, EnPassantMode, FromSetup, Position, Setup};

use super::error::Defect;
use super::terminal::Terminal;

#[derive(Debug, Clone)]
pub(super) struct BookEntry {
    /// The line it begins on, from 1; in a Polyglot book the entry of its last move.
    pub(super) line: u64,
    /// The offset of its first line, from 0.
    pub(super) offset: u64,
    /// Where it starts, with the castling mode it is written in.
    pub(super) start: Chess,
    pub(super) moves: Vec<UciMove>,
    pub(super) end: Chess,
    /// Whether the plies played before `start` are known.
    pub(super) has_counters: bool,
}

impl BookEntry {
    pub(super) fn terminal(&self) -> Option<Terminal> {
        Terminal::of(&self.start, &self.moves, &self.end)
    }
}

pub(super) type Visit<'a> = dyn FnMut(Result<BookEntry, Defect>) + 'a;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opening {
    /// Its place in the book as read, from 0.
    pub index: usize,
    /// The start position. Its castling mode (`start.castles().mode()`) is that of `moves`.
    pub start: Chess,
    /// The start position as FEN of six fields; castling rights as in X-FEN, an en passant
    /// square only where a capture there is legal.
    pub fen: String,
    /// The moves from the start position, all legal. In Chess960 castling is king takes rook.
    pub moves: Vec<UciMove>,
}

impl Opening {
    /// An opening of a position that is legal in its castling mode.
    pub(super) fn new(
        index: usize,
        setup: Setup,
        mode: CastlingMode,
        moves: Vec<UciMove>,
    ) -> Option<Opening> {
        let start = Chess::from_setup(setup.clone(), mode).ok()?;
        let fen = Fen::try_from_setup(setup).unwrap_or_else(LossyFenError::ignore).to_string();
        Some(Opening { index, start, fen, moves })
    }

    pub fn end_fen(&self) -> String {
        Fen::from_position(&self.end(), EnPassantMode::Legal).to_string()
    }

    /// Why no game can be played from its end, if so.
    pub fn terminal(&self) -> Option<Terminal> {
        Terminal::of(&self.start, &self.moves, &self.end())
    }

    fn end(&self) -> Chess {
        let mut position = self.start.clone();
        for uci in &self.moves {
            let Ok(played) = uci.to_move(&position) else { break };
            position.play_unchecked(played);
        }
        position
    }

    pub(super) fn of_entry(index: usize, entry: BookEntry) -> Option<Opening> {
        let mode = entry.start.castles().mode();
        Opening::new(index, entry.start.to_setup(EnPassantMode::Legal), mode, entry.moves)
    }
}
