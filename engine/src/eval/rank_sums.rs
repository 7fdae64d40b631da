//! A square table summed over a set of squares without walking the set.

use std::array;

use crate::params::Squares;
use crate::types::{Bitboard, Square};

/// The sums of a square table over every subset of a rank, for the four ranks from the 3rd to the
/// 6th: a sum over a set costs one look a rank, however many squares it has.
#[derive(Debug, Clone)]
pub(super) struct RankSums {
    ranks: Box<[[i16; 256]; 4]>,
}

impl RankSums {
    /// Of a table.
    pub(super) fn new(table: &Squares) -> RankSums {
        let ranks = array::from_fn(|rank| {
            array::from_fn(|subset| {
                let squares = Bitboard((subset as u64) << (8 * (rank + 2)));
                squares.into_iter().map(|sq: Square| table.0[sq as usize]).sum()
            })
        });
        RankSums { ranks: Box::new(ranks) }
    }

    /// The sum over a set, seen by White; other ranks count nothing.
    #[inline]
    pub(super) fn of(&self, squares: Bitboard) -> i32 {
        let [_, _, third, fourth, fifth, sixth, _, _] = squares.0.to_le_bytes();
        let sum = |rank: usize, subset: u8| i32::from(self.ranks[rank][usize::from(subset)]);
        sum(0, third) + sum(1, fourth) + sum(2, fifth) + sum(3, sixth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_the_tables() {
        let mut table = Squares([0; 64]);
        for (cell, value) in table.0.iter_mut().enumerate() {
            *value = (cell as i16 * 37 + 11) % 201 - 100;
        }
        let sums = RankSums::new(&table);
        assert_eq!(sums.of(Bitboard::from_square(Square::A3)), (16 * 37 + 11) % 201 - 100);
        let middle = Bitboard(0x0000_ffff_ffff_0000);
        for seed in 1..200_u64 {
            let set = Bitboard(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
            let walked: i32 = (set & middle).into_iter().map(|sq| table.of(sq)).sum();
            assert_eq!(sums.of(set), walked);
        }
    }
}
