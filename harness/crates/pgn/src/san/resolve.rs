//! From a word of movetext to the move it means.

use shakmaty::{Bitboard, Color, Role, Square};

use super::board::{
    Board, Change, EMPTY, KING, Man, PAWN, PlainChange, bit, home_rank, man_of, side, squares,
};
use super::known::KnownMove;
use super::reach::{CAPTURES, REACH, between};
use super::spelling::{ManSpelling, Spelling};
use crate::games::find_move;
use crate::{ShortWord, WrongMove};

/// How moves are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[derive(strum::Display, strum::EnumString, strum::EnumIter, strum::EnumMessage)]
#[derive(strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum Resolver {
    /// By attack masks.
    #[default]
    Masks,
    /// By generating all legal moves.
    Legal,
    /// Both ways, and compare; pgn-reader reads each game a second time, except one that spans two
    /// pieces of the text.
    Both,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MoveError {
    Wrong(WrongMove),
    /// The two ways disagree: a bug in this program.
    Disagreement,
}

impl Resolver {
    /// Any word.
    pub fn find(self, board: &Board, word: &[u8]) -> Result<Change, MoveError> {
        let fast = match self {
            Resolver::Masks | Resolver::Both => board.find_by_masks(word),
            Resolver::Legal => None,
        };
        match fast {
            Some(fast) if self == Resolver::Masks => Ok(fast),
            Some(fast) if board.find_slowly(word) != Ok(fast) => Err(MoveError::Disagreement),
            Some(fast) => Ok(fast),
            None => board.find_slowly(word).map_err(MoveError::Wrong),
        }
    }
}

impl Board {
    /// The move that a word means, in any of the ways that moves are written.
    #[inline]
    pub fn find_move(&self, word: &[u8]) -> Result<Change, WrongMove> {
        self.find_by_masks(word).map_or_else(|| self.find_slowly(word), Ok)
    }

    #[inline]
    fn find_by_masks(&self, word: &[u8]) -> Option<Change> {
        self.find(ShortWord::new(word)?)
    }

    /// By all legal moves.
    fn find_slowly(&self, word: &[u8]) -> Result<Change, WrongMove> {
        use shakmaty::Move;
        let chess = self.to_chess().ok_or(WrongMove::Illegal)?;
        match find_move(&chess, word)? {
            Move::Normal { role, from, to, promotion, .. } => Ok(Change {
                man: man_of(self.turn(), role),
                from,
                to,
                becomes: man_of(self.turn(), promotion.unwrap_or(role)),
                captured: self.man(to),
                captured_on: to,
                rook: None,
            }),
            Move::EnPassant { from, to } => {
                let on = Square::from_coords(to.file(), from.rank());
                let pawn = man_of(self.turn(), Role::Pawn);
                let (captured, captured_on) = (self.man(on), on);
                Ok(Change { man: pawn, from, to, becomes: pawn, captured, captured_on, rook: None })
            }
            Move::Castle { king, rook } => Ok(self.castling_change(king, rook)),
            Move::Put { .. } => Err(WrongMove::Illegal),
        }
    }

    /// By masks. `None` says nothing of the word: it may be illegal, ambiguous, or only unusual.
    pub(super) fn find(&self, word: ShortWord) -> Option<Change> {
        match Spelling::of(word)? {
            Spelling::Man(spelling) => self.find_passing(spelling).or_else(|| {
                let known = KnownMove::of(spelling, self.turn())?;
                let change = Change::from(match self.turn() {
                    Color::White => self.find_known::<false>(&known),
                    Color::Black => self.find_known::<true>(&known),
                }?);
                Some(Change { becomes: change.man - spelling.role + spelling.becomes, ..change })
            }),
            Spelling::ShortCastling => self.find_castling(!0 << u32::from(self.king())),
            Spelling::LongCastling => self.find_castling(!(!0 << u32::from(self.king()))),
        }
    }

    /// A move that is no capture en passant; what a pawn becomes is left out. `BLACK` tells who is to
    /// move. `None` says nothing of the word.
    #[inline(always)]
    pub fn find_known<const BLACK: bool>(&self, known: &KnownMove) -> Option<PlainChange> {
        let KnownMove { man, to, .. } = *known;
        let captured = self.man(to);
        let candidates = known.reach & self.of_man(usize::from(man));
        if !known.may_take(captured) || candidates == 0 {
            return None;
        }
        let from = if candidates & (candidates - 1) == 0 {
            let from = Square::new(candidates.trailing_zeros() & 63);
            if !self.may_go::<BLACK>(man, from, to) {
                return None;
            }
            from
        } else {
            self.only_one::<BLACK>(man, candidates, to)?
        };
        Some(PlainChange { man, from, to, captured })
    }

    /// Whether a man that reaches a square comes there, and its king is safe afterwards. The king is
    /// looked at each time: whether it may be in danger is as much work, and cannot be foreseen.
    #[inline(always)]
    fn may_go<const BLACK: bool>(&self, man: Man, from: Square, to: Square) -> bool {
        let side = usize::from(BLACK);
        let is_king = usize::from(man) == 6 * side + KING;
        let king = if is_king { to } else { self.king_of(side) };
        let occupied = self.occupied();
        let after = (occupied & !bit(from)) | bit(to);
        between(from, to) & occupied == 0 && !self.is_attacked_by(1 - side, king, after, bit(to))
    }

    /// The candidate that may go. Ambiguous is what several men can do, not what several could if
    /// none were pinned.
    #[inline(never)]
    fn only_one<const BLACK: bool>(&self, man: Man, candidates: u64, to: Square) -> Option<Square> {
        let mut found = squares(candidates).filter(|&from| self.may_go::<BLACK>(man, from, to));
        found.next().filter(|_| found.next().is_none())
    }

    /// A capture en passant.
    fn find_passing(&self, spelling: ManSpelling) -> Option<Change> {
        let ManSpelling { role, to, origin, captures, becomes } = spelling;
        let is_pawn = usize::from(role) == PAWN && becomes == role;
        if !(is_pawn && captures && self.passed() == bit(to)) {
            return None;
        }
        let man = man_of(self.turn(), Role::Pawn);
        let reach = REACH[CAPTURES + side(self.turn())][usize::from(to)];
        // At most one is on that file.
        let from = Bitboard(reach & self.of_man(usize::from(man)) & origin).first()?;
        let captured_on = Square::from_coords(to.file(), from.rank());
        let captured = self.man(captured_on);
        if captured != man_of(!self.turn(), Role::Pawn) || self.man(to) != EMPTY {
            return None;
        }
        let after = (self.occupied() & !bit(from) & !bit(captured_on)) | bit(to);
        let change = Change { man, from, to, becomes: man, captured, captured_on, rook: None };
        (!self.is_attacked(self.king(), after, bit(captured_on))).then_some(change)
    }

    /// Castling with the rook on `toward`.
    fn find_castling(&self, toward: u64) -> Option<Change> {
        let king = self.king();
        let rook = self.castling() & home_rank(self.turn()) & toward;
        if rook.count_ones() != 1 {
            return None;
        }
        let rook = Square::new(rook.trailing_zeros());
        let change = self.castling_change(king, rook);
        let (_, rook_to) = change.rook?;
        let occupied = self.occupied();
        let way = |from, to| between(from, to) | bit(to);
        let path = (way(king, change.to) | way(rook, rook_to) | between(king, rook))
            & !bit(king)
            & !bit(rook);
        if occupied & path != 0 {
            return None;
        }
        let without_king = occupied & !bit(king);
        let on_way = way(king, change.to) | bit(king);
        if squares(on_way).any(|square| self.is_attacked(square, without_king, 0)) {
            return None;
        }
        let after = (without_king & !bit(rook)) | bit(rook_to) | bit(change.to);
        (!self.is_attacked(change.to, after, 0)).then_some(change)
    }

    fn castling_change(&self, king: Square, rook: Square) -> Change {
        let (king_file, rook_file) = if rook > king { (6, 5) } else { (2, 3) };
        let first = u32::from(king) & !7;
        let man = man_of(self.turn(), Role::King);
        let to = Square::new(first + king_file);
        Change {
            man,
            from: king,
            to,
            becomes: man,
            captured: EMPTY,
            captured_on: to,
            rook: Some((rook, Square::new(first + rook_file))),
        }
    }
}
