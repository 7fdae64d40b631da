//! Men placed at random, for books of endings: `KRPPP-KRPPP`.

use std::fmt;
use std::str::FromStr;

use shakmaty::{Board, CastlingMode, Chess, Color, Piece, Role, Setup, Square};

use super::random::RandomWords;

/// The men of both sides: White's and Black's, each with its king first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Material {
    white: Vec<Role>,
    black: Vec<Role>,
}

/// White's men and Black's of `KQ-KR` or `KQvKR`.
pub fn sides(text: &str) -> Option<(&str, &str)> {
    let (white, black) = text.split_once(['-', 'v', 'V'])?;
    Some((white.trim(), black.trim()))
}

impl FromStr for Material {
    type Err = String;

    fn from_str(text: &str) -> Result<Material, String> {
        let side = |text: &str| {
            let mut men: Vec<Role> = text.chars().map(Role::from_char).collect::<Option<_>>()?;
            // The king first, pawns last: the order in which they are placed.
            men.sort_unstable_by_key(|role| std::cmp::Reverse(*role));
            let count = |role| men.iter().filter(|man| **man == role).count();
            let possible = count(Role::King) == 1 && count(Role::Pawn) <= 8 && men.len() <= 16;
            possible.then_some(men)
        };
        let sides = sides(text).and_then(|(white, black)| Some((side(white)?, side(black)?)));
        let (white, black) = sides.ok_or_else(|| {
            format!(
                "expected the material of White and Black like KRPPP-KRPPP or KRPPPvKRPPP, each \
                 side with one king, at most 8 pawns and at most 16 pieces and pawns, found {text:?}"
            )
        })?;
        Ok(Material { white, black })
    }
}

impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = |men: &[Role]| men.iter().map(|man| man.upper_char()).collect::<String>();
        write!(f, "{}-{}", side(&self.white), side(&self.black))
    }
}

impl Material {
    /// Placement `k` of a seed: every man on a free square, with equal chances, pawns from their
    /// second to their fifth rank; either side to move. `None` where a king could be taken or the
    /// squares do not suffice.
    pub fn place(&self, seed: u64, k: u64) -> Option<Chess> {
        let mut words = RandomWords::new(b"random placement", seed, k);
        let mut board = Board::empty();
        let turn = if words.below(2) == 0 { Color::White } else { Color::Black };
        for (color, men) in [(Color::White, &self.white), (Color::Black, &self.black)] {
            for &role in men {
                let free = |sq: &Square| {
                    let rank = color.relative_rank(sq.rank());
                    let allowed = role != Role::Pawn || (1..=4).contains(&u32::from(rank));
                    allowed && board.piece_at(*sq).is_none()
                };
                let free: Vec<Square> = Square::ALL.into_iter().filter(free).collect();
                let sq = free.get(words.below(free.len() as u32) as usize)?;
                board.set_piece_at(*sq, Piece { color, role });
            }
        }
        let setup = Setup { board, turn, ..Setup::empty() };
        setup.position(CastlingMode::Standard).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::fen::Epd;
    use shakmaty::{EnPassantMode, Position as _};

    #[test]
    fn men_are_read_in_any_order() {
        for (text, read) in [
            ("KPRP-KNB", "KRPP-KBN"),
            ("kq-k", "KQ-K"),
            ("PK-KP", "KP-KP"),
            ("KRPPPvKBNPP", "KRPPP-KBNPP"),
            ("kq V k", "KQ-K"),
        ] {
            assert_eq!(text.parse::<Material>().unwrap().to_string(), read);
        }
        for wrong in
            ["", "KP", "KK-K", "P-K", "KX-K", "KPPPPPPPPP-K", "K-K-K", "KQQQQQQQQQQQQQQQQ-K"]
        {
            let error = wrong.parse::<Material>().unwrap_err().to_string();
            assert!(error.contains("like KRPPP-KRPPP"), "{wrong}: {error}");
        }
    }

    #[test]
    fn placements_have_the_men_and_never_change() {
        let men: Material = "KRPP-KBNP".parse().unwrap();
        let placed: Vec<Chess> = (0..200).filter_map(|k| men.place(7, k)).collect();
        assert!(placed.len() > 100, "{}", placed.len());
        for position in &placed {
            let (mine, theirs) =
                (position.board().material().white, position.board().material().black);
            assert_eq!(
                (mine.rook, mine.pawn, theirs.bishop, theirs.knight, theirs.pawn),
                (1, 2, 1, 1, 1)
            );
        }
        assert!([Color::White, Color::Black].iter().all(|c| placed.iter().any(|p| p.turn() == *c)));
        let first = Epd::from_position(&placed[0], EnPassantMode::Legal).to_string();
        assert_eq!(first, "8/8/4p3/5bK1/7P/2P5/n2k4/7R b - -", "books depend on it");
    }
}
