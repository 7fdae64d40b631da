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
mod tests {
    use shakmaty::fen::Fen;

    use super::*;

    fn position(fen: &str, mode: CastlingMode) -> Chess {
        fen.parse::<Fen>().unwrap().into_position(mode).unwrap()
    }

    #[test]
    fn every_spelling_is_understood() {
        let usual = position("r3k2r/8/8/8/8/8/P6N/R3K2R w KQkq - 0 1", CastlingMode::Standard);
        for (text, expected) in [
            ("a1b1", Some("a1b1")),
            ("A1-B1", Some("a1b1")),
            ("e1g1", Some("e1g1")),
            ("O-O", Some("e1g1")),
            ("0-0-0+", Some("e1c1")),
            ("o-o", Some("e1g1")),
            ("Nf3", Some("h2f3")),
            ("Rb1!", Some("a1b1")),
            ("a4", Some("a2a4")),
            // The referee refuses these.
            ("h1h8", Some("h1h8")),
            ("Qd4", Some("0000")),
            ("Rxa2", Some("0000")),
            // Nobody does these.
            ("castles", None),
            ("", None),
            ("e2e9", None),
            ("e2e4e5", None),
            ("éé", None),
        ] {
            let found = read(&usual, text).map(|m| m.to_string());
            assert_eq!(found.as_deref(), expected, "{text}");
        }
        let promotion = position("8/P6k/8/8/8/8/8/K7 w - - 0 1", CastlingMode::Standard);
        for text in ["a7a8q", "a7a8Q", "a7-a8=q", "a8=Q"] {
            assert_eq!(read(&promotion, text).unwrap().to_string(), "a7a8q", "{text}");
        }
        let check = position("4k3/8/8/8/8/8/4r3/4K2R w K - 0 1", CastlingMode::Standard);
        assert_eq!(read(&check, "O-O").unwrap().to_string(), "e1g1");
    }

    #[test]
    fn moves_for_the_engine() {
        let written = |fen: &str, mode, text: &str| {
            let position = position(fen, mode);
            let m = text.parse::<UciMove>().unwrap().to_move(&position).unwrap();
            (write(&position, m, false), write(&position, m, true))
        };
        let both = |plain: &str, san: &str| (plain.to_owned(), san.to_owned());
        let usual = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        let standard = CastlingMode::Standard;
        assert_eq!(written(usual, standard, "e1g1"), both("e1g1", "O-O"));
        assert_eq!(written(usual, standard, "e1a1"), both("e1c1", "O-O-O"));
        assert_eq!(written(usual, standard, "h1h8"), both("h1h8", "Rxh8+"));
        let random = "1r4kr/8/8/8/8/8/8/1R4KR w HBhb - 0 1";
        assert_eq!(written(random, CastlingMode::Chess960, "g1h1"), both("O-O", "O-O"));
        let position = position(random, CastlingMode::Chess960);
        assert_eq!(read(&position, "O-O-O").unwrap().to_string(), "g1b1");
        assert_eq!(read(&position, "g1h1").unwrap().to_string(), "g1h1");
    }
}
