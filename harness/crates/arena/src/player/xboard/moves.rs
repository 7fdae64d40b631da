//! Moves as the protocol writes them, and as engines do.

use shakmaty::san::{San, SanPlus};
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, CastlingSide, Chess, File, Move, Position as _, Role, Square};

/// A legal move for the engine: short algebraic if it wants that, else coordinates; castling in
/// Chess960 is `O-O` and `O-O-O`.
pub(super) fn write(position: &Chess, m: Move, san: bool) -> String {
    let mode = position.castles().mode();
    match m.castling_side() {
        _ if san => SanPlus::from_move(position.clone(), m).to_string(),
        Some(side) if mode.is_chess960() => San::Castle(side).to_string(),
        _ => m.to_uci(CastlingMode::Standard).to_string(),
    }
}

/// What an engine means by a move: coordinates (`e2e4`, `e7e8Q`, `e7e8=q`), short algebraic or
/// castling in any spelling. A move that cannot be played here stays one that the referee refuses;
/// in short algebraic it becomes the null move. `None` if it is no move at all.
pub(super) fn read(position: &Chess, text: &str) -> Option<UciMove> {
    let text = text.trim_end_matches(['+', '#', '!', '?', '.']);
    if let Some(m) = coordinates(text) {
        return Some(m);
    }
    let san = match text.replace(['0', 'o'], "O").as_str() {
        "O-O" => San::Castle(CastlingSide::KingSide),
        "O-O-O" => San::Castle(CastlingSide::QueenSide),
        _ => text.parse().ok()?,
    };
    let mode = position.castles().mode();
    Some(match (san.to_move(position), san) {
        (Ok(m), _) => m.to_uci(mode),
        (Err(_), San::Castle(side)) => castling_step(position, side),
        (Err(_), _) => UciMove::Null,
    })
}

fn coordinates(text: &str) -> Option<UciMove> {
    let text = text.replace(['-', '='], "").to_ascii_lowercase();
    if !text.is_ascii() || !(4..=5).contains(&text.len()) {
        return None;
    }
    let square = |from: usize| Square::from_ascii(&text.as_bytes()[from..from + 2]).ok();
    let (from, to) = (square(0)?, square(2)?);
    let promotion = match text.chars().nth(4) {
        Some(letter) => Some(Role::from_char(letter)?),
        None => None,
    };
    Some(UciMove::Normal { from, to, promotion })
}

/// The king's step of a castling that cannot be, for the referee's words.
fn castling_step(position: &Chess, side: CastlingSide) -> UciMove {
    let from = position.our(Role::King).first().unwrap_or(Square::E1);
    let file = if side.is_king_side() { File::G } else { File::C };
    UciMove::Normal { from, to: Square::from_coords(file, from.rank()), promotion: None }
}

#[cfg(test)]
mod tests;
