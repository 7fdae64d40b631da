//! Openings as the text of a book.

use shakmaty::fen::{Epd, Fen};
use shakmaty::san::SanPlus;
use shakmaty::{Chess, EnPassantMode, Move};

/// The four fields that all programs read.
pub(super) fn epd(position: &Chess) -> String {
    Epd::from_position(position, EnPassantMode::Legal).to_string()
}

/// Six fields, with the true move counters.
pub(super) fn fen(position: &Chess) -> String {
    Fen::from_position(position, EnPassantMode::Legal).to_string()
}

/// FEN of six fields with the counters that whoever reads an EPD line assumes.
pub(super) fn as_read(position: &Chess) -> String {
    format!("{} 0 1", epd(position))
}

/// Moves from the start position as a game in PGN, for engines that cannot set up positions.
pub(super) fn game(number: usize, line: &[Move]) -> String {
    let mut position = Chess::default();
    let mut text = format!("[Event \"Opening {number}\"]\n[Result \"*\"]\n\n");
    for (ply, &mv) in line.iter().enumerate() {
        if ply % 2 == 0 {
            text += &format!("{}. ", ply / 2 + 1);
        }
        text += &format!("{} ", SanPlus::from_move_and_play_unchecked(&mut position, mv));
    }
    text + "*\n\n"
}
