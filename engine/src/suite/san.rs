//! Moves as test suites write them: standard algebraic notation.

use shakmaty::CastlingSide;
use shakmaty::san::{San, SanPlus, Suffix};

use crate::position::Position;
use crate::types::{Move, MoveKind, Role};

/// Why a move text is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SanError {
    /// Not algebraic notation.
    #[error("'{0}' is not a move in algebraic notation like Nf3, exd5, O-O or e8=Q")]
    Syntax(String),
    /// No legal move is meant.
    #[error("'{text}' is no legal move in {fen}")]
    Illegal {
        /// The move as given.
        text: String,
        /// Where it cannot be played.
        fen: String,
    },
    /// Several legal moves could be meant.
    #[error("'{text}' could mean {moves} in {fen}")]
    Ambiguous {
        /// The move as given.
        text: String,
        /// What it could mean.
        moves: String,
        /// Where.
        fen: String,
    },
}

impl Position {
    /// The legal move that an algebraic text means. The signs behind it (`+`, `#`, `!`, `?`) are
    /// not looked at, a missing `x` is forgiven, and castling may be written with noughts.
    ///
    /// # Errors
    /// When the text is no algebraic notation, or means no legal move, or several.
    pub fn parse_san(&self, text: &str) -> Result<Move, SanError> {
        let bare = text.trim_end_matches(['+', '#', '!', '?']);
        let castling = bare.starts_with("0-0").then(|| bare.replace('0', "O"));
        let san = San::from_ascii(castling.as_deref().unwrap_or(bare).as_bytes())
            .map_err(|_| SanError::Syntax(text.to_owned()))?;
        let meant: Vec<Move> =
            self.all_legal_moves().into_iter().filter(|&mv| self.is_meant(&san, mv)).collect();
        match meant[..] {
            [mv] => Ok(mv),
            [] => Err(SanError::Illegal { text: text.to_owned(), fen: self.fen() }),
            _ => Err(SanError::Ambiguous {
                text: text.to_owned(),
                moves: meant.iter().map(|&mv| self.san(mv)).collect::<Vec<_>>().join(" or "),
                fen: self.fen(),
            }),
        }
    }

    /// The algebraic text of a move that is legal here, with its check or mate sign.
    #[must_use]
    pub fn san(&self, mv: Move) -> String {
        let san = match side(mv) {
            Some(side) => San::Castle(side),
            None => self.plain_san(mv),
        };
        let mut after = self.clone();
        after.play(mv);
        let suffix = after.in_check().then(|| match after.all_legal_moves()[..] {
            [] => Suffix::Checkmate,
            _ => Suffix::Check,
        });
        SanPlus { san, suffix }.to_string()
    }

    /// The move by its target square, with as much of its start as tells it from others.
    fn plain_san(&self, mv: Move) -> San {
        let (from, to, role) = (mv.from(), mv.to(), self.role_on(mv));
        let (file, rank) = if role == Role::Pawn {
            (mv.is_capture().then_some(from.file()), None)
        } else {
            let rivals: Vec<Move> = self
                .all_legal_moves()
                .into_iter()
                .filter(|&other| other.to() == to && other.from() != from && side(other).is_none())
                .filter(|&other| self.role_on(other) == role)
                .collect();
            let shares_file = rivals.iter().any(|other| other.from().file() == from.file());
            let shares_rank = rivals.iter().any(|other| other.from().rank() == from.rank());
            let by_file = !rivals.is_empty() && (shares_rank || !shares_file);
            (by_file.then_some(from.file()), shares_file.then_some(from.rank()))
        };
        let (capture, promotion) = (mv.is_capture(), mv.promotion());
        San::Normal { role, file, rank, capture, to, promotion }
    }

    fn is_meant(&self, san: &San, mv: Move) -> bool {
        match *san {
            San::Castle(wanted) => side(mv) == Some(wanted),
            San::Normal { role, file, rank, capture, to, promotion } => {
                side(mv).is_none()
                    && self.role_on(mv) == role
                    && mv.to() == to
                    && mv.promotion() == promotion
                    && file.is_none_or(|file| file == mv.from().file())
                    && rank.is_none_or(|rank| rank == mv.from().rank())
                    && (mv.is_capture() || !capture)
            }
            San::Put { .. } | San::Null => false,
        }
    }

    /// What moves.
    fn role_on(&self, mv: Move) -> Role {
        let is_there = |&role: &Role| self.by_role(role).contains(mv.from());
        Role::ALL.into_iter().find(is_there).unwrap_or(Role::Pawn)
    }

    fn all_legal_moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        moves
    }
}

/// The side of a castling move.
fn side(mv: Move) -> Option<CastlingSide> {
    (mv.kind() == MoveKind::Castle)
        .then(|| CastlingSide::from_king_side(mv.to().file() > mv.from().file()))
}

#[cfg(test)]
mod tests {
    use shakmaty::fen::Fen;
    use shakmaty::{CastlingMode, Chess, EnPassantMode};

    use super::*;

    fn position(fen: &str) -> Position {
        Position::from_fen(fen).expect(fen)
    }

    /// What we write is what shakmaty writes, and it reads back as the same move.
    #[test]
    fn texts_are_shakmatys_and_read_back() {
        let more = [
            "k7/8/8/2Q1Q3/8/2Q5/8/7K w - - 0 1",
            "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
            "4k3/8/8/3pP3/8/8/8/4K2R w K d6 0 2",
            "3nr1k1/2P1P3/8/8/8/8/8/4K3 w - - 0 1",
            "6k1/5ppp/8/8/8/8/R6R/K2R4 w - - 0 1",
            "k7/8/8/1N3N2/8/1N6/8/7K w - - 0 1",
        ];
        for fen in crate::bench::POSITIONS.iter().chain(&more) {
            let board = position(fen);
            let setup = fen.parse::<Fen>().expect(fen);
            let mode = CastlingMode::detect(setup.as_setup());
            let chess: Chess = setup.into_position(mode).expect(fen);
            for mv in board.all_legal_moves() {
                let theirs = mv.to_uci(true).to_move(&chess).expect("legal in both rule books");
                let text = SanPlus::from_move(chess.clone(), theirs).to_string();
                assert_eq!(board.san(mv), text, "{fen}");
                assert_eq!(board.parse_san(&text), Ok(mv), "{fen}");
            }
            let same = Fen::from_position(&chess, EnPassantMode::Legal).to_string();
            assert_eq!(same, board.fen());
        }
    }

    #[test]
    fn careless_texts_are_understood() {
        let board = position("r3k3/8/8/3p4/4P3/8/8/4K2R w K - 0 1");
        for (text, uci) in [
            ("0-0", "e1g1"),
            ("ed5", "e4d5"),
            ("exd5!?", "e4d5"),
            ("Rh8#", "h1h8"),
            ("O-O+", "e1g1"),
        ] {
            let mv = board.parse_san(text).expect(text);
            assert_eq!(mv.to_uci(false).to_string(), uci, "{text}");
        }
    }

    #[test]
    fn mistakes_are_named() {
        let board = position("4k3/8/8/8/8/8/8/R3K2R w - - 0 1");
        let error = |text: &str| board.parse_san(text).expect_err(text).to_string();
        assert!(error("hello").contains("not a move in algebraic notation"));
        assert!(error("").contains("not a move"));
        assert!(error("--").contains("no legal move"));
        assert!(error("O-O").contains("no legal move"), "the rights are gone");
        assert!(error("Rxa4").contains("no legal move"), "nothing is taken");
        let pair = position("6k1/8/8/8/8/8/K7/R6R w - - 0 1");
        let text = pair.parse_san("Re1").expect_err("two rooks").to_string();
        assert!(text.contains("Rae1 or Rhe1") || text.contains("Rhe1 or Rae1"), "{text}");
    }
}
