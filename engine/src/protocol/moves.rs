//! Moves as people and programs write them.

use crate::movegen::MoveList;
use crate::position::{CastlingSide, Position};
use crate::types::{Move, MoveKind};

/// Whether a word is meant as a move, legal or not.
pub(super) fn is_a_move(word: &str) -> bool {
    let square = |at: &[u8]| matches!(at, [b'a'..=b'h' | b'A'..=b'H', b'1'..=b'8']);
    let bytes = word.as_bytes();
    castling(word).is_some()
        || (4..=6).contains(&bytes.len()) && square(&bytes[..2]) && square(&bytes[2..4])
}

/// The legal move that a text means: coordinates, or `O-O` and `O-O-O`.
pub(super) fn move_of(position: &Position, text: &str) -> Option<Move> {
    if let Some(side) = castling(text) {
        let us = position.turn();
        let mv = Move::new(position.king(us), position.castling_rook(us, side)?, MoveKind::Castle);
        let mut moves = MoveList::new();
        position.legal_moves(&mut moves);
        return moves.as_slice().contains(&mv).then_some(mv);
    }
    // Promotions are written e7e8q, e7e8Q and e7e8=q.
    let text = text.replace('=', "").to_ascii_lowercase();
    position.parse_uci(&text).ok()
}

fn castling(text: &str) -> Option<CastlingSide> {
    let text = text.trim_end_matches(['+', '#']).replace('0', "O").to_ascii_uppercase();
    match text.as_str() {
        "O-O" => Some(CastlingSide::KingSide),
        "O-O-O" => Some(CastlingSide::QueenSide),
        _ => None,
    }
}
