//! King tropism: pieces near the enemy king, an idea of Mediocre's wish list (EVA-16).

use super::context::Context;
use super::trace::{Sum, Term, Trace};
use crate::types::{ByColor, Role, Score};

/// For each piece points by the steps that it stands nearer to the enemy king than the board's
/// width; middle game.
#[inline]
pub(super) fn evaluate<T: Trace>(cx: &Context<'_>, sum: &mut Sum<'_, T>) {
    let params = &cx.params.king_tropism;
    if !params.on {
        return;
    }
    const FARTHEST: i32 = 7;
    let pieces = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
    let points = ByColor::new_with(|color| {
        let king = cx.position.king(color.other());
        let mut points = 0;
        for (role, weight) in pieces.into_iter().zip(params.weights) {
            for sq in cx.men(color, role) {
                points += weight * (FARTHEST - sq.distance(king) as i32);
            }
        }
        Score::new(points, 0)
    });
    sum.add_both(Term::KingTropism, points);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::testing::white_with;

    /// EVA-16: the nearer the more, the dearer piece the more; off unless asked for.
    #[test]
    fn near_pieces_score() {
        let points = |fen: &str| white_with(|p| p.king_tropism.on = true, fen, Term::KingTropism).0;
        assert_eq!(points("6k1/8/6N1/8/8/8/8/K7 w - - 0 1"), 5);
        assert_eq!(points("6k1/8/8/8/6N1/8/8/K7 w - - 0 1"), 3);
        assert_eq!(points("6k1/8/8/8/6Q1/8/8/K7 b - - 0 1"), 9);
        let off = white_with(|_| (), "6k1/8/6N1/8/8/8/8/K7 w - - 0 1", Term::KingTropism);
        assert_eq!(off, (0, 0));
    }
}
