//! What men reach on an empty board: what stands in between is looked at afterwards.

use shakmaty::attacks::{
    self, bishop_attacks, king_attacks, knight_attacks, pawn_attacks, queen_attacks, rook_attacks,
};
use shakmaty::{Bitboard, Color, Square};

/// The rows of [`REACH`] for pawns that capture: this one White's, the next Black's.
pub(super) const CAPTURES: usize = 12;

/// The squares from which a man comes to each square: by a man's code, of pawns without capturing.
pub(super) static REACH: [[u64; 64]; 14] = {
    let mut reach = [[0; 64]; 14];
    let mut index = 0;
    while index < 64 {
        let square = Square::new(index as u32);
        let pieces = [
            knight_attacks(square).0,
            bishop_attacks(square, Bitboard::EMPTY).0,
            rook_attacks(square, Bitboard::EMPTY).0,
            queen_attacks(square, Bitboard::EMPTY).0,
            king_attacks(square).0,
        ];
        let mut role = 1;
        while role < 6 {
            reach[role][index] = pieces[role - 1];
            reach[role + 6][index] = pieces[role - 1];
            role += 1;
        }
        let bit = 1 << index;
        reach[0][index] = (bit >> 8) | if index / 8 == 3 { bit >> 16 } else { 0 };
        reach[6][index] = (bit << 8) | if index / 8 == 4 { bit << 16 } else { 0 };
        reach[CAPTURES][index] = pawn_attacks(Color::Black, square).0;
        reach[CAPTURES + 1][index] = pawn_attacks(Color::White, square).0;
        index += 1;
    }
    reach
};

/// What attacks a square, if nothing stands in between.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub(super) struct Attackers {
    pub(super) straight: u64,
    pub(super) diagonal: u64,
    pub(super) knights: u64,
    pub(super) kings: u64,
    /// White's pawns, and Black's.
    pub(super) pawns: [u64; 2],
}

pub(super) static ATTACKERS: [Attackers; 64] = {
    let none = Attackers { straight: 0, diagonal: 0, knights: 0, kings: 0, pawns: [0; 2] };
    let mut attackers = [none; 64];
    let mut index = 0;
    while index < 64 {
        attackers[index] = Attackers {
            straight: REACH[3][index],
            diagonal: REACH[2][index],
            knights: REACH[1][index],
            kings: REACH[5][index],
            pawns: [REACH[CAPTURES][index], REACH[CAPTURES + 1][index]],
        };
        index += 1;
    }
    attackers
};

/// The squares between two, by the first and the second; none where these are not in line.
static BETWEEN: [[u64; 64]; 64] = {
    let mut between = [[0; 64]; 64];
    let mut index = 0;
    while index < 64 * 64 {
        let (a, b) = (index / 64, index % 64);
        between[a][b] = attacks::between(Square::new(a as u32), Square::new(b as u32)).0;
        index += 1;
    }
    between
};

#[inline(always)]
pub(super) fn between(a: Square, b: Square) -> u64 {
    BETWEEN[usize::from(a)][usize::from(b)]
}
