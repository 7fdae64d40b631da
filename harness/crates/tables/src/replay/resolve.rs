//! From a word of movetext to the move it means.

use shakmaty::attacks::{
    between, bishop_attacks, king_attacks, knight_attacks, pawn_attacks, queen_attacks,
    rook_attacks,
};
use shakmaty::{Bitboard, Color, Role, Square};

use super::board::{Board, Change, Man, bit, home_rank, in_line, man_of, squares};
use pgn::{WrongMove, find_move};

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
pub(crate) enum MoveError {
    Wrong(WrongMove),
    /// The two ways disagree: a bug in this program.
    Disagreement,
}

impl Resolver {
    #[inline]
    pub(crate) fn find(self, board: &Board, word: &[u8]) -> Result<Change, MoveError> {
        match self {
            Resolver::Masks => match board.find(word) {
                Some(change) => Ok(change),
                None => board.find_slowly(word).map_err(MoveError::Wrong),
            },
            Resolver::Legal => board.find_slowly(word).map_err(MoveError::Wrong),
            Resolver::Both => {
                let slow = board.find_slowly(word);
                match board.find(word) {
                    Some(fast) if slow != Ok(fast) => Err(MoveError::Disagreement),
                    _ => slow.map_err(MoveError::Wrong),
                }
            }
        }
    }
}

impl Board {
    /// By all legal moves.
    #[cold]
    fn find_slowly(&self, word: &[u8]) -> Result<Change, WrongMove> {
        use shakmaty::Move;
        let chess = self.to_chess().ok_or(WrongMove::Illegal)?;
        let captured = |square| (self.man(square), square);
        match find_move(&chess, word)? {
            Move::Normal { role, from, capture, to, promotion } => Ok(Change {
                man: man_of(self.turn(), role),
                from,
                to,
                becomes: man_of(self.turn(), promotion.unwrap_or(role)),
                captured: capture.map(|_| captured(to)),
                rook: None,
            }),
            Move::EnPassant { from, to } => Ok(Change {
                man: man_of(self.turn(), Role::Pawn),
                from,
                to,
                becomes: man_of(self.turn(), Role::Pawn),
                captured: Some(captured(Square::from_coords(to.file(), from.rank()))),
                rook: None,
            }),
            Move::Castle { king, rook } => Ok(self.castling_change(king, rook)),
            Move::Put { .. } => Err(WrongMove::Illegal),
        }
    }

    /// By masks. `None` says nothing of the word: it may be illegal, ambiguous, or only unusual.
    #[inline]
    fn find(&self, word: &[u8]) -> Option<Change> {
        let mut text = word;
        while let [rest @ .., b'+' | b'#'] = text {
            text = rest;
        }
        let role = match text.first()? {
            b'a'..=b'h' => return self.find_pawn(text),
            b'N' => Role::Knight,
            b'B' => Role::Bishop,
            b'R' => Role::Rook,
            b'Q' => Role::Queen,
            b'K' => Role::King,
            b'O' | b'0' => return self.find_castling(text),
            _ => return None,
        };
        let (middle, to) = text[1..].split_last_chunk::<2>()?;
        let to = square(*to)?;
        let (origin, captures) = match middle {
            [] => (!0, false),
            [b'x'] => (!0, true),
            [place] => (line(*place)?, false),
            [place, b'x'] => (line(*place)?, true),
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => (line(*file)? & line(*rank)?, false),
            [file @ b'a'..=b'h', rank @ b'1'..=b'8', b'x'] => (line(*file)? & line(*rank)?, true),
            _ => return None,
        };
        let occupied = self.occupied();
        if self.own() & bit(to) != 0 || captures != (occupied & bit(to) != 0) {
            return None;
        }
        let reach = match role {
            Role::Knight => knight_attacks(to).0,
            Role::Bishop => bishop_attacks(to, Bitboard(occupied)).0,
            Role::Rook => rook_attacks(to, Bitboard(occupied)).0,
            Role::Queen => queen_attacks(to, Bitboard(occupied)).0,
            _ => king_attacks(to).0,
        };
        let mut candidates = reach & self.of_role(role) & self.own() & origin;
        // Ambiguous is what several men can do, not what several could if none were pinned.
        let mut found = None;
        while candidates != 0 {
            let from = Square::new(candidates.trailing_zeros());
            candidates &= candidates - 1;
            let king = if role == Role::King { to } else { self.king() };
            if role == Role::King || self.may_expose(king, from) {
                let after = (occupied & !bit(from)) | bit(to);
                if self.is_attacked(king, after, bit(to)) {
                    continue;
                }
            }
            if found.is_some() {
                return None;
            }
            found = Some(from);
        }
        let man = man_of(self.turn(), role);
        let captured = captures.then(|| (self.man(to), to));
        Some(Change { man, from: found?, to, becomes: man, captured, rook: None })
    }

    /// Whether the king could be in check once a man has left a square: it is, or the man may be
    /// pinned.
    #[inline]
    fn may_expose(&self, king: Square, from: Square) -> bool {
        self.is_check() || in_line(king, from)
    }

    #[inline]
    fn find_pawn(&self, text: &[u8]) -> Option<Change> {
        let man = man_of(self.turn(), Role::Pawn);
        let (file, to, promotion) = match *text {
            [file, rank] => (None, square([file, rank])?, None),
            [from, b'x', file, rank] => (Some(from), square([file, rank])?, None),
            [file, rank, b'=', role] | [file, rank, role] => {
                (None, square([file, rank])?, Some(role))
            }
            [from, b'x', file, rank, b'=', role] | [from, b'x', file, rank, role] => {
                (Some(from), square([file, rank])?, Some(role))
            }
            _ => return None,
        };
        let on_last = bit(to) & home_rank(!self.turn()) != 0;
        let becomes = match promotion {
            None if !on_last => man,
            Some(b'N') if on_last => man + 1,
            Some(b'B') if on_last => man + 2,
            Some(b'R') if on_last => man + 3,
            Some(b'Q') if on_last => man + 4,
            _ => return None,
        };
        let occupied = self.occupied();
        let pawns = self.of_role(Role::Pawn) & self.own();
        let back = |steps: u32| {
            let to = u32::from(to);
            match self.turn() {
                Color::White => to.checked_sub(8 * steps),
                Color::Black => Some(to + 8 * steps).filter(|&from| from < 64),
            }
            .map(Square::new)
        };
        let (from, captured) = if let Some(file) = file {
            let from = pawn_attacks(!self.turn(), to).0 & pawns & line(file)?;
            // At most one is on that file.
            let from = Square::new(Some(from).filter(|&from| from != 0)?.trailing_zeros());
            let taken = if self.passed() == Some(to) { back(1)? } else { to };
            if (occupied & !self.own()) & bit(taken) == 0 {
                return None;
            }
            (from, Some((self.man(taken), taken)))
        } else {
            if occupied & bit(to) != 0 {
                return None;
            }
            let near = back(1)?;
            let from = if pawns & bit(near) != 0 {
                near
            } else {
                let start = home_rank(self.turn());
                let start = self.turn().fold_wb(start << 8, start >> 8);
                let far = back(2).filter(|&far| pawns & start & bit(far) != 0)?;
                if occupied & bit(near) != 0 {
                    return None;
                }
                far
            };
            (from, None)
        };
        let king = self.king();
        if self.may_expose(king, from) || self.passed() == Some(to) {
            let taken = captured.map_or(0, |(_, square)| bit(square));
            let after = (occupied & !bit(from) & !taken) | bit(to);
            if self.is_attacked(king, after, taken) {
                return None;
            }
        }
        Some(Change { man, from, to, becomes, captured, rook: None })
    }

    fn find_castling(&self, text: &[u8]) -> Option<Change> {
        let king = self.king();
        let behind = !0 << u32::from(king);
        let toward = match text {
            b"O-O" | b"0-0" => behind,
            b"O-O-O" | b"0-0-0" => !behind,
            _ => return None,
        };
        let rook = self.castling() & home_rank(self.turn()) & toward;
        if rook.count_ones() != 1 {
            return None;
        }
        let rook = Square::new(rook.trailing_zeros());
        let change = self.castling_change(king, rook);
        let (_, rook_to) = change.rook?;
        let occupied = self.occupied();
        let way = |from, to| between(from, to).0 | bit(to);
        let path = (way(king, change.to) | way(rook, rook_to) | between(king, rook).0)
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
        let man: Man = man_of(self.turn(), Role::King);
        Change {
            man,
            from: king,
            to: Square::new(first + king_file),
            becomes: man,
            captured: None,
            rook: Some((rook, Square::new(first + rook_file))),
        }
    }
}

#[inline]
fn square([file, rank]: [u8; 2]) -> Option<Square> {
    let (file, rank) = (file.wrapping_sub(b'a'), rank.wrapping_sub(b'1'));
    (file < 8 && rank < 8).then(|| Square::new(u32::from(rank * 8 + file)))
}

#[inline]
fn line(name: u8) -> Option<u64> {
    match name {
        b'a'..=b'h' => Some(0x0101_0101_0101_0101 << (name - b'a')),
        b'1'..=b'8' => Some(0xff << (8 * (name - b'1'))),
        _ => None,
    }
}
