//! What a cell is worth: the paper's five ways to use the table.

use super::table::{ImbalanceCell, ImbalanceTable, MaterialCounts};
use crate::params;
use crate::types::cp;

/// Points of every cell, White minus Black, 1/256 pawn.
pub(in crate::eval) struct CellValues(Box<[i16]>);

impl CellValues {
    /// Works all cells out.
    pub(in crate::eval) fn new(table: &ImbalanceTable, params: &params::Imbalance) -> CellValues {
        let value = |index| {
            let points = points(table, params, index) * params.weight / 100;
            points.clamp(i32::from(i16::MIN), i32::from(i16::MAX)) as i16
        };
        CellValues((0..table.cells().len()).map(value).collect())
    }

    /// The points of one cell.
    #[inline]
    pub(in crate::eval) fn at(&self, cell: usize) -> i32 {
        i32::from(self.0[cell])
    }
}

/// The values are too many to print.
impl std::fmt::Debug for CellValues {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CellValues").finish_non_exhaustive()
    }
}

/// Games of a balance of material, and White's score less 50 per cent.
struct Record {
    games: i32,
    lead: i32,
}

impl Record {
    /// The cell alone, or together with the games in which the colours were changed: then a
    /// colour-flipped position has exactly the opposite value.
    fn of(table: &ImbalanceTable, index: usize, counts: MaterialCounts, symmetric: bool) -> Record {
        let lead = |cell: ImbalanceCell| i32::from(cell.percent) - 50;
        let own = table.cell(index);
        let games = i32::from(own.games);
        let other = counts.flipped().index().filter(|_| symmetric);
        let Some(other) = other.map(|other| table.cell(other)) else {
            return Record { games, lead: lead(own) };
        };
        let both = games + i32::from(other.games);
        let sum = games * lead(own) - i32::from(other.games) * lead(other);
        // Rounded towards nought: a cell with one game other than won is not "all won".
        Record { games: both, lead: if both == 0 { 0 } else { sum / both } }
    }
}

/// A cell's points before the weight, by the mode: all cells by their lead, a centipawn for each
/// per cent (PRO-02), safe ones (PRO-03), named ones (PRO-04), those with more than so many games
/// and a clear score (PRO-05), or those of the orange columns, 0 to 3 and 97 to 100 % (PRO-25): of these
/// the blog says neither the least games nor the height. A cell without games says nothing.
fn points(table: &ImbalanceTable, params: &params::Imbalance, index: usize) -> i32 {
    let counts = MaterialCounts::of_cell(index);
    let Record { games, lead } = Record::of(table, index, counts, params.symmetric);
    if games == 0 {
        return 0;
    }
    match params.mode {
        1 => cp(lead),
        2 => safe(params, games, lead),
        3 if is_named_imbalance(params, counts) => cp(lead),
        4 => {
            let percent = lead + 50;
            let sure = percent > params.reliable_high || percent < params.reliable_low;
            if games > params.reliable_games && sure { cp(lead) } else { 0 }
        }
        5 => {
            let percent = lead + 50;
            let is_orange = percent <= params.orange_low || percent >= params.orange_high;
            if games >= params.orange_games && is_orange { cp(lead) } else { 0 }
        }
        _ => 0,
    }
}

/// The safe way (PRO-03): only cells that are all won or all lost with enough games count. One step
/// at the least number of games, one more for each doubling.
fn safe(params: &params::Imbalance, games: i32, lead: i32) -> i32 {
    if lead.abs() < 50 || games < params.min_games {
        return 0;
    }
    let doublings = (games / params.min_games).ilog2() as i32;
    lead.signum() * params.safe_step * (doublings + 1).min(params.safe_steps)
}

/// The parts of the evaluation that the paper would tune this way (PRO-04), for either colour. The
/// men not named are equal on both sides; pawns may differ where pieces are set against pieces.
fn is_named_imbalance(params: &params::Imbalance, counts: MaterialCounts) -> bool {
    let pairs = (counts.0[4] == 2) != (counts.0[5] == 2);
    let difference = counts.difference();
    let named = |[pawns, knights, bishops, rooks, queens]: [i32; 5]| {
        let minors = knights + bishops;
        match (queens, rooks, minors, pawns) {
            (0, 1, -2, _) => params.rook_two_minors,
            (1, 0, -3, _) => params.queen_three_minors,
            (0, 1, -1, -1) => params.rook_bishop_pawn && bishops == -1,
            (0, 0, 1, -3) => params.minor_three_pawns,
            (0, 0, 0, 0) => params.bishop_pair && pairs,
            _ => false,
        }
    };
    named(difference) || named(difference.map(|count| -count))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Params;

    fn params(change: impl FnOnce(&mut params::Imbalance)) -> params::Imbalance {
        let mut params = Params::default().imbalance;
        change(&mut params);
        params
    }

    fn named(counts: [u8; 10], off: fn(&mut params::Imbalance)) -> bool {
        let (all, counts) = (params(|_| ()), MaterialCounts(counts));
        let found = is_named_imbalance(&all, counts);
        assert_eq!(found, is_named_imbalance(&all, counts.flipped()), "{counts:?}");
        assert!(!is_named_imbalance(&params(off), counts), "its switch: {counts:?}");
        found
    }

    #[test]
    fn named_imbalances() {
        let pair = |p: &mut params::Imbalance| p.bishop_pair = false;
        let two_minors = |p: &mut params::Imbalance| p.rook_two_minors = false;
        let three_minors = |p: &mut params::Imbalance| p.queen_three_minors = false;
        let bishop_pawn = |p: &mut params::Imbalance| p.rook_bishop_pawn = false;
        let pawns = |p: &mut params::Imbalance| p.minor_three_pawns = false;
        //               wp bp wn bn wb bb wr br wq bq
        assert!(named([8, 8, 1, 2, 2, 1, 2, 2, 1, 1], pair));
        assert!(named([6, 5, 1, 2, 1, 2, 2, 1, 1, 1], two_minors));
        assert!(named([6, 5, 0, 2, 1, 2, 2, 2, 1, 0], three_minors));
        assert!(named([5, 6, 2, 2, 1, 2, 2, 1, 1, 1], bishop_pawn));
        assert!(named([3, 6, 2, 1, 1, 1, 1, 1, 0, 0], pawns));
        // Equal, a clean exchange up, a clean piece up, a knight instead of the bishop, two pawns.
        let none = |_: &mut params::Imbalance| ();
        assert!(!named([8, 8, 2, 2, 2, 2, 2, 2, 1, 1], none));
        assert!(!named([6, 6, 2, 2, 1, 2, 2, 1, 1, 1], none));
        assert!(!named([6, 6, 2, 1, 2, 2, 2, 2, 1, 1], none));
        assert!(!named([5, 6, 1, 2, 2, 2, 2, 1, 1, 1], none));
        assert!(!named([4, 6, 2, 1, 1, 1, 1, 1, 0, 0], none));
    }

    #[test]
    fn safe_bonus_grows_with_the_games() {
        let params = params(|p| p.safe_step = 20);
        for (games, lead, expected) in [
            (9, 50, 0),
            (10, 50, 20),
            (19, 50, 20),
            (20, 50, 40),
            (10, -50, -20),
            (159, 50, 80),
            (160, 50, 100),
            (60_000, -50, -100),
            (60_000, 49, 0),
        ] {
            assert_eq!(safe(&params, games, lead), expected, "PRO-03: {games} games, {lead}");
        }
    }
}
