//! Moves in SAN, taken apart without a branch for each letter: which piece moves next cannot be
//! foreseen, and a processor's wrong guess costs as much as all of this.

use crate::ShortWord;
use shakmaty::Square;

use super::board::PAWN;

/// What a word says of a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Spelling {
    Man(ManSpelling),
    ShortCastling,
    LongCastling,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ManSpelling {
    /// 0 pawn to 5 king.
    pub(super) role: u8,
    pub(super) to: Square,
    /// The squares that the man may come from.
    pub(super) origin: u64,
    pub(super) captures: bool,
    /// What it becomes, as `role`.
    pub(super) becomes: u8,
}

const CASTLING: u8 = 6;
const NONE: u8 = 7;

/// What moves, by the first letter of a word. A pawn is named by its file.
static ROLES: [u8; 256] = {
    let mut roles = [NONE; 256];
    let mut index = 0;
    while index < 8 {
        roles[b'a' as usize + index] = PAWN as u8;
        index += 1;
    }
    let mut role = 1;
    while role < 6 {
        roles[b" NBRQK"[role] as usize] = role as u8;
        role += 1;
    }
    roles[b'O' as usize] = CASTLING;
    roles[b'0' as usize] = CASTLING;
    roles
};

/// Files and ranks by their names; all squares by 0.
static LINES: [u64; 256] = {
    let mut lines = [0; 256];
    lines[0] = !0;
    let mut index = 0;
    while index < 8 {
        lines[b'a' as usize + index] = 0x0101_0101_0101_0101 << index;
        lines[b'1' as usize + index] = 0xff << (8 * index);
        index += 1;
    }
    lines
};

/// The last letter is the highest byte; without the signs of check.
#[inline(always)]
fn without_checks(word: ShortWord) -> (u64, u32) {
    let (mut text, mut len) = (word.bits_to_end(), word.length());
    let is_check = |text: u64| matches!((text >> 56) as u8, b'+' | b'#');
    let sign = u32::from(is_check(text));
    text <<= 8 * sign;
    len -= sign;
    while sign != 0 && is_check(text) {
        text <<= 8;
        len -= 1;
    }
    (text, len)
}

impl Spelling {
    /// `None` says nothing of the word: it may be no move, or only an unusual way to write one.
    pub(super) fn of(word: ShortWord) -> Option<Spelling> {
        let (mut text, mut len) = without_checks(word);
        let role = ROLES[usize::from(word.first())];
        if role == CASTLING {
            return castling(text);
        }
        let mut becomes = role;
        if !matches!((text >> 56) as u8, b'1'..=b'8') {
            (text, len, becomes) = promotion(text, len)?;
            if usize::from(role) != PAWN {
                return None;
            }
        }
        Some(Spelling::Man(ManSpelling { becomes, ..ManSpelling::bare(role, text, len)? }))
    }
}

impl ManSpelling {
    /// The same of a word that tells of no castling and no promotion.
    #[inline(always)]
    pub(super) fn plain(word: ShortWord) -> Option<ManSpelling> {
        let (text, len) = without_checks(word);
        ManSpelling::bare(ROLES[usize::from(word.first())], text, len)
    }

    /// Of a word that ends with a square.
    #[inline(always)]
    fn bare(role: u8, text: u64, len: u32) -> Option<ManSpelling> {
        let rank = ((text >> 56) as u8).wrapping_sub(b'1');
        let file = ((text >> 48) as u8).wrapping_sub(b'a');
        if (rank | file > 7) | (role >= CASTLING) {
            return None;
        }
        let captures = (text >> 40) as u8 == b'x';
        let is_pawn = usize::from(role) == PAWN;
        // The letters between the piece's and the sign of a capture.
        let place = text << 16 << (8 * u32::from(captures));
        let letters = (len + u32::from(is_pawn)).wrapping_sub(3 + u32::from(captures));
        let one = if letters == 1 { (place >> 56) as u8 } else { 0 };
        let mut origin = LINES[usize::from(one)];
        if letters > 1 {
            let (file, rank) = ((place >> 48) as u8, (place >> 56) as u8);
            let is_square = matches!((file, rank), (b'a'..=b'h', b'1'..=b'8'));
            if letters > 2 || !is_square || is_pawn {
                return None;
            }
            origin = LINES[usize::from(file)] & LINES[usize::from(rank)];
        }
        // A pawn that captures is named by its file, and no other.
        if is_pawn & (letters != u32::from(captures)) {
            return None;
        }
        let to = Square::new(u32::from(rank * 8 + file));
        Some(ManSpelling { role, to, origin, captures, becomes: role })
    }
}

#[cold]
fn castling(text: u64) -> Option<Spelling> {
    const fn ending(word: &[u8]) -> u64 {
        let mut bits = 0;
        let mut index = 0;
        while index < word.len() {
            bits |= (word[index] as u64) << (8 * (8 - word.len() + index));
            index += 1;
        }
        bits
    }
    const SHORT: [u64; 2] = [ending(b"O-O"), ending(b"0-0")];
    const LONG: [u64; 2] = [ending(b"O-O-O"), ending(b"0-0-0")];
    if SHORT.contains(&text) {
        Some(Spelling::ShortCastling)
    } else if LONG.contains(&text) {
        Some(Spelling::LongCastling)
    } else {
        None
    }
}

/// Takes what a pawn becomes from the end of a word: `=Q` or `Q`.
#[cold]
fn promotion(text: u64, len: u32) -> Option<(u64, u32, u8)> {
    let role = match (text >> 56) as u8 {
        b'N' => 1,
        b'B' => 2,
        b'R' => 3,
        b'Q' => 4,
        _ => return None,
    };
    let (text, len) = (text << 8, len - 1);
    let sign = u32::from((text >> 56) as u8 == b'=');
    Some((text << (8 * sign), len - sign, role))
}
