//! A position of a game, kept as the moves that lead to it from the start position.

use std::fmt;
use std::str::FromStr;

use shakmaty::uci::UciMove;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Move, Position as _, Role, Square};

/// A move in 16 bits: origin, destination, and the promotion as a role's number or 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PackedMove(u16);

impl PackedMove {
    /// `None` for what is no move of standard chess.
    pub(super) fn new(mv: Move) -> Option<PackedMove> {
        let UciMove::Normal { from, to, promotion } = mv.to_uci(CastlingMode::Standard) else {
            return None;
        };
        let promotion = promotion.map_or(0, u16::from);
        Some(PackedMove(u16::from(from) | u16::from(to) << 6 | promotion << 12))
    }

    fn uci(self) -> UciMove {
        let square = |bits: u16| Square::new(u32::from(bits & 63));
        let promotion = Role::try_from(u32::from(self.0 >> 12)).ok();
        UciMove::Normal { from: square(self.0), to: square(self.0 >> 6), promotion }
    }
}

/// Written `GAME MOVE…`, moves as UCI has them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// The number of its game over all files, from 1.
    pub game: u64,
    pub(super) moves: Box<[PackedMove]>,
}

impl Candidate {
    /// The position, and the moves to it. `None` if a move is not legal.
    pub fn play(&self) -> Option<(Chess, Vec<Move>)> {
        let mut position = Chess::default();
        let mut line = Vec::with_capacity(self.moves.len());
        for packed in &self.moves {
            let mv = packed.uci().to_move(&position).ok()?;
            position.play_unchecked(mv);
            line.push(mv);
        }
        Some((position, line))
    }

    /// The plies to its position.
    pub fn plies(&self) -> usize {
        self.moves.len()
    }
}

impl fmt::Display for Candidate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.game)?;
        self.moves.iter().try_for_each(|packed| write!(f, " {}", packed.uci()))
    }
}

impl FromStr for Candidate {
    type Err = String;

    fn from_str(text: &str) -> Result<Candidate, String> {
        let expected = || format!("expected the number of a game and legal moves, found '{text}'");
        let mut words = text.split(' ');
        let game = words.next().and_then(|word| word.parse().ok()).ok_or_else(expected)?;
        let mut position = Chess::default();
        let mut moves = Vec::new();
        for word in words {
            let uci: UciMove = word.parse().map_err(|_| expected())?;
            let mv = uci.to_move(&position).map_err(|_| expected())?;
            moves.push(PackedMove::new(mv).ok_or_else(expected)?);
            position.play_unchecked(mv);
        }
        Ok(Candidate { game, moves: moves.into() })
    }
}

/// A position's place in the order of a book, by the seed; lower comes first. Different keys of 64 bits
/// have different priorities, so that this also tells positions apart.
pub(super) fn priority(seed: u64, position: &Chess) -> u64 {
    let Zobrist64(key) = position.zobrist_hash(EnPassantMode::Legal);
    pgn::mix(key ^ pgn::mix(seed.wrapping_add(0x9e37_79b9_7f4a_7c15)))
}

/// The order in which a game's positions are taken, by their priorities; another one for each game.
pub(super) fn draw(game: u64, priority: u64) -> u64 {
    pgn::mix(priority ^ pgn::mix(game))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn candidates_read_back() {
        for text in [
            "1",
            "7 e2e4 e7e5 g1f3 b8c6 f1b5 g8f6 e1g1",
            "193617 a2a4 b7b5 a4b5 a7a6 b5a6 c7c5 a6a7 c5c4 a7b8n",
        ] {
            let candidate: Candidate = text.parse().unwrap();
            assert_eq!(candidate.to_string(), text);
            let (position, line) = candidate.play().unwrap();
            assert_eq!(line.len(), candidate.plies());
            assert_eq!(u32::from(position.fullmoves()) as usize, 1 + line.len() / 2);
        }
        for text in ["", "x e2e4", "1 e2e5", "1 e2e4 ", "-1 e2e4", "1 0000", "1 e2e4\te7e5"] {
            assert!(text.parse::<Candidate>().is_err(), "{text:?}");
        }
    }

    #[test]
    fn priorities_depend_on_seed_and_position() {
        let after = |text: &str| text.parse::<Candidate>().unwrap().play().unwrap().0;
        let (d4, c4) = (after("1 d2d4 g8f6 c2c4"), after("2 c2c4 g8f6 d2d4"));
        assert_eq!(priority(5, &d4), priority(5, &c4), "a transposition");
        assert_ne!(priority(5, &d4), priority(6, &d4));
        assert_ne!(priority(5, &d4), priority(5, &after("1 d2d4 g8f6")));
    }
}
