//! Whether the games say how much White's advantage is.

use super::results::Meeting;

/// Games of two players in one group, by their numbers.
pub(super) type NumberedMeeting<'a> = (usize, usize, &'a Meeting);

/// Whether White's advantage has a finite likeliest value beside the ratings.
///
/// It has none where some ratings explain all games as well at any greater (or smaller) advantage:
/// where White won every game, or where the same players always had White.
pub(super) fn is_bounded(players: usize, meetings: &[NumberedMeeting<'_>]) -> bool {
    [1.0, -1.0].into_iter().all(|advantage| !can_grow(players, meetings, advantage))
}

/// Whether ratings can follow as White's advantage goes up by `advantage`, without a game becoming
/// less likely: differences `v` with, for each game of White against Black, `v_white − v_black +
/// advantage` at least 0 where White won, at most 0 where White lost, both where they drew. Such a
/// system is solvable unless its graph has a negative cycle.
fn can_grow(players: usize, meetings: &[NumberedMeeting<'_>], advantage: f64) -> bool {
    let mut limits: Vec<(usize, usize, f64)> = Vec::new();
    for &(first, second, meeting) in meetings {
        let [with_white, with_black] = meeting.by_colour();
        // The shortest negative cycle, which nearly all tournaments have: the colour that would
        // gain lost points to both players.
        let [lost, won] = [0, 2].map(|points| {
            with_white[points] + with_white[1] > 0 && with_black[2 - points] + with_black[1] > 0
        });
        if if advantage > 0.0 { lost } else { won } {
            return false;
        }
        for (games, white, black) in [
            (with_white, first, second),
            ([with_black[2], with_black[1], with_black[0]], second, first),
        ] {
            let [lost, drawn, won] = games;
            // v_black ≤ v_white + advantage where White scored.
            if won + drawn > 0 {
                limits.push((white, black, advantage));
            }
            // v_white ≤ v_black − advantage where Black scored.
            if lost + drawn > 0 {
                limits.push((black, white, -advantage));
            }
        }
    }
    let mut least = vec![0.0_f64; players];
    for _ in 0..=players {
        let mut changed = false;
        for &(from, to, length) in &limits {
            if least[from] + length < least[to] {
                least[to] = least[from] + length;
                changed = true;
            }
        }
        if !changed {
            return true;
        }
    }
    false
}
