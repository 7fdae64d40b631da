//! What is laid down before a search and again before each of its iterations: how deep null moves
//! go, how near the horizon reductions begin, how much a line may be extended.

use super::setup::Setup;
use super::stack::seen_by;
use crate::eval::Stage;
use crate::position::Position;
use crate::types::{Color, Depth, Value};

/// The plan of one iteration.
#[derive(Debug, Clone)]
pub(super) struct Plan {
    /// The root's stage (SEL-03).
    stage: Stage,
    /// The root's men, N 3, B 3, R 5, Q 9.
    men: i32,
    /// The root's `I_SCORE`, White minus Black (EXT-05).
    pub(super) i_score: Value,
    /// The iteration, plies.
    pub(super) iteration: u32,
    /// S_DEPTH: plies of the null-move part (SEL-04).
    pub(super) null_plies: i32,
    /// The last plies before the horizon in which reductions 2b and 2c are tried (RED-10).
    pub(super) last_plies: i32,
    /// Most reductions on a line (RED-14, RED-15).
    pub(super) reductions: i32,
    /// Most extensions on a line (EXT-15).
    pub(super) extensions: Depth,
    /// What a check at the root gains (EXT-01).
    pub(super) check: Depth,
}

impl Plan {
    /// For a root that carries the evaluation's table; nothing laid down yet.
    pub(super) fn new(setup: &Setup, position: &Position) -> Plan {
        let mut plan = Plan {
            stage: setup.evaluator.stage(position),
            men: position.phase_material(),
            i_score: setup.evaluator.i_score(position),
            iteration: 0,
            null_plies: 0,
            last_plies: 0,
            reductions: 0,
            extensions: Depth::ZERO,
            check: Depth::ZERO,
        };
        plan.begin(setup, 1);
        plan
    }

    /// Sets the tables and limits of an iteration.
    pub(super) fn begin(&mut self, setup: &Setup, iteration: u32) {
        let params = &setup.params;
        self.iteration = iteration;
        let selective = &params.selective;
        let table = match self.stage {
            stage if stage.is_late_for_null_moves() => &selective.late_endgame,
            Stage { endgame: true, .. } => &selective.endgame,
            _ => &selective.middlegame,
        };
        self.null_plies = by_depth_and_on(table, iteration as i32);
        let near = &params.reduction2b;
        let kind = match self.stage {
            Stage { pawn_ending: true, .. } => 4,
            stage if stage.is_late_for_reductions() => 3,
            Stage { endgame: true, .. } if self.men < near.early => 2,
            Stage { endgame: true, .. } => 1,
            _ => 0,
        };
        self.last_plies = by_depth(&near.last_plies, iteration as i32).min(near.most[kind]);
        let reductions = &params.reductions;
        self.reductions = reductions.max;
        if reductions.by_iteration {
            let most = by_depth(&reductions.max_by_iteration, iteration as i32);
            self.reductions = most.min(reductions.max);
        }
        let quarters = Depth::plies(iteration as i32).to_quarters() * params.extensions.share / 100;
        let limited = params.extensions.by_iteration;
        self.extensions = Depth::quarters(if limited { quarters } else { i32::from(i16::MAX) });
    }

    /// Whether the root is an end game (SEL-09, FUT-02).
    #[inline]
    pub(super) fn is_endgame(&self) -> bool {
        self.stage.endgame
    }

    /// The root's `I_SCORE` seen by a colour.
    #[inline]
    pub(super) fn i_score_of(&self, color: Color) -> Value {
        seen_by(color, self.i_score)
    }
}

/// The same of a list that goes on beyond its last entry by one a ply (SEL-04).
fn by_depth_and_on(list: &[i32], plies: i32) -> i32 {
    let beyond = plies - (list.len() as i32 - 1);
    by_depth(list, plies) + beyond.max(0)
}

/// The entry of a list by depth in plies; what lies beyond the list is its last.
#[inline]
pub(super) fn by_depth(list: &[i32], plies: i32) -> i32 {
    let last = list.len() - 1;
    list[(plies.max(0) as usize).min(last)]
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::Params;

    fn plan(fen: &str, iteration: u32) -> Plan {
        let setup = Setup::new(&Arc::new(Params::personality("rebel").expect("known")));
        let mut position = Position::from_fen(fen).expect(fen);
        position.set_table(&setup.evaluator.table);
        let mut plan = Plan::new(&setup, &position);
        plan.begin(&setup, iteration);
        plan
    }

    const MIDDLEGAME: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    const EARLY: &str = "r2qk3/ppp2ppp/8/8/8/8/PPP2PPP/2RQK3 w - - 0 1";
    const ENDGAME: &str = "3qk3/ppp2ppp/8/8/8/8/PPP2PPP/3QK3 w - - 0 1";
    const LATE: &str = "2rrk3/ppp2ppp/8/8/8/8/PPP2PPP/2RRK3 w - - 0 1";
    const MIXED: &str = "3rk1n1/ppp2ppp/8/8/8/8/PPP2PPP/3RK1B1 w - - 0 1";
    const PAWNS: &str = "4k3/ppp2ppp/8/8/8/8/PPP2PPP/4K3 w - - 0 1";

    /// SEL-03, SEL-04: iteration 11 has 5, 7 and 8 plies of null moves.
    #[test]
    fn the_papers_example_of_s_depth() {
        let plies = [MIDDLEGAME, ENDGAME, LATE].map(|fen| plan(fen, 11).null_plies);
        assert_eq!(plies, [5, 7, 8]);
        assert_eq!([MIXED, PAWNS].map(|fen| plan(fen, 11).null_plies), [7, 8], "by kind");
        assert_eq!(plan(MIDDLEGAME, 21).null_plies, 13);
        let later = [30, 31, 32, 79].map(|iteration| plan(LATE, iteration).null_plies);
        assert_eq!(later, [27, 28, 29, 76], "one more each iteration");
    }

    /// RED-10: the most by stage, and less in early iterations.
    #[test]
    fn last_plies_by_stage() {
        let most = [MIDDLEGAME, EARLY, ENDGAME, LATE, PAWNS].map(|fen| plan(fen, 25).last_plies);
        assert_eq!(most, [8, 6, 4, 3, 2]);
        assert_eq!(plan(MIXED, 25).last_plies, 4, "rooks with minor pieces are not late here");
        assert_eq!(
            [1, 4, 9, 15].map(|iteration| plan(MIDDLEGAME, iteration).last_plies),
            [1, 2, 4, 7]
        );
    }

    /// RED-14: 99 unless RED-15 is on.
    #[test]
    fn reductions_are_unlimited() {
        assert_eq!(plan(MIDDLEGAME, 5).reductions, 99);
    }
}
