//! The pawns on the king's three files: shelter by the own pawn's rank, storm by the enemy's.

use super::{from_edge, pair, rank_of, ranks};
use crate::eval::spans::file_of;
use crate::params::KingShelter;
use crate::types::{Bitboard, ByColor, Color, File, Score, Square};

/// Points of a king's pawns: its file and the two beside it, shifted onto the board; only pawns on the
/// king's rank or before it count.
pub(in crate::eval) fn shelter(
    params: &KingShelter,
    color: Color,
    king: Square,
    pawns: &ByColor<Bitboard>,
) -> Score {
    let before = ranks(color, rank_of(color, king) as u32, 7);
    let [own, enemy] = [color, color.other()].map(|color| pawns[color] & before);
    let centre = (king as u32 & 7).clamp(1, 6);
    let mut score = Score::ZERO;
    for file in centre - 1..=centre + 1 {
        let squares = file_of(Square::new(file));
        let (shield, storm) = (nearest(color, own & squares), nearest(color, enemy & squares));
        // 0: no pawn there.
        let by_edge = 8 * from_edge(File::new(file));
        score += pair(&params.shelter_mg, &params.shelter_eg, by_edge + shield);
        score += if shield != 0 && storm == shield + 1 {
            pair(&params.blocked_mg, &params.blocked_eg, storm)
        } else {
            pair(&params.storm_mg, &params.storm_eg, by_edge + storm)
        };
    }
    score
}

/// The rank of the pawn nearest to a colour's own side, 1 to 6; 0 without any.
#[inline]
fn nearest(color: Color, pawns: Bitboard) -> usize {
    let first = color.fold_wb(pawns.first(), pawns.last());
    first.map_or(0, |sq| rank_of(color, sq))
}
