//! Tables from how often men stood where.

use super::super::count::PstCounts;
use super::super::count::pst::Phase;
use super::SquareTables;

/// Points of the most frequent square in an ordering table, as in the paper's knight table (GEN-03,
/// MISS-08).
const MOST_POINTS: f64 = 50.0;
/// In an evaluation table, 1/256 pawn for e times the role's average frequency: a tenth of a pawn.
const PER_LOGARITHM: f64 = 25.6;
/// Added to every square's share of the average, so that squares nobody visits stay within bounds.
const BASE: f64 = 0.05;

/// For move ordering: each role's squares from 0 to 50 points by how often it stood there, colours
/// merged.
pub fn ordering(counts: &PstCounts) -> SquareTables {
    let meaning = "0 to 50 points by how often a man stood there, colours merged".to_owned();
    by_merged(counts, meaning, |count, most, _| {
        if most == 0.0 { 0 } else { (MOST_POINTS * count / most).round() as i32 }
    })
}

/// For evaluation, in 1/256 pawn: the logarithm of how much more often than on its average square a
/// man stood there, a tenth of a pawn for e times as often, colours merged. Squares a role cannot
/// stand on get 0.
pub fn evaluation(counts: &PstCounts) -> SquareTables {
    let meaning =
        "1/256 pawn: the logarithm of how much more often than on an average square a man \
                   stood there, colours merged"
            .to_owned();
    by_merged(counts, meaning, |count, _, mean| {
        if mean == 0.0 {
            return 0;
        }
        (PER_LOGARITHM * ((count / mean + BASE) / (1.0 + BASE)).ln()).round() as i32
    })
}

/// Each square by its count, the role's greatest, and its average over the squares it can stand on.
fn by_merged(
    counts: &PstCounts,
    meaning: String,
    value: impl Fn(f64, f64, f64) -> i32,
) -> SquareTables {
    let merged = Phase::ALL.map(|phase| [0, 1, 2, 3, 4, 5].map(|role| counts.merged(phase, role)));
    SquareTables::new(meaning, |phase, role, square| {
        if !can_stand(role, square) {
            return 0;
        }
        let board = &merged[phase as usize][role];
        let most = board.iter().copied().max().unwrap_or_default() as f64;
        let squares = (0..64).filter(|&square| can_stand(role, square)).count() as f64;
        let mean = board.iter().sum::<u64>() as f64 / squares;
        value(board[square] as f64, most, mean)
    })
}

pub(super) fn can_stand(role: usize, square: usize) -> bool {
    role != 0 || (8..56).contains(&square)
}

#[cfg(test)]
mod tests {
    use shakmaty::Square;

    use super::super::super::count::pst::index;
    use super::*;

    #[test]
    fn frequented_squares_are_worth_more() {
        let mut counts = PstCounts::default();
        counts.leave(index(Phase::Middlegame, 1, Square::F3), 80);
        // Black's knight, merged with White's.
        counts.leave(index(Phase::Middlegame, 7, Square::F6), 20);
        counts.leave(index(Phase::Middlegame, 7, Square::C6), 50);
        let table = ordering(&counts);
        let knight = table.table(Phase::Middlegame, 1);
        assert_eq!((knight[21], knight[18], knight[0]), (50, 25, 0));
        let table = evaluation(&counts);
        let knight = table.table(Phase::Middlegame, 1);
        assert!(knight[21] > knight[18] && knight[18] > 0 && knight[0] < -70, "{knight:?}");
        assert_eq!(table.table(Phase::Endgame, 1), &[0; 64], "no counts, no opinion");
    }
}
