//! What men reach on an empty board: what stands in between is looked at afterwards.

use shakmaty::attacks::{
    bishop_attacks, king_attacks, knight_attacks, pawn_attacks, queen_attacks, rook_attacks,
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

/// The squares from which a man attacks each square: as [`REACH`], but pawns by capturing.
pub(super) static ATTACKS: [[u64; 64]; 12] = {
    let mut attacks = [[0; 64]; 12];
    let mut man = 0;
    while man < 12 {
        attacks[man] = if man % 6 == 0 { REACH[CAPTURES + man / 6] } else { REACH[man] };
        man += 1;
    }
    attacks
};

/// The squares in line with each square by rank or file, and by a diagonal.
pub(super) static STRAIGHT: [u64; 64] = REACH[3];
pub(super) static DIAGONAL: [u64; 64] = REACH[2];
