//! Adjudication: ending a game early by what the players say of it. Pure trackers, fed one note
//! a move.

use std::fmt;
use std::num::NonZeroU32;

use serde::{Deserialize, Serialize};
use shakmaty::Color;

use super::GameEnd;
use crate::record::{Score, Termination};
use pgn::Outcome;

/// Which games are ended early, and when. Each rule can be off (`None`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Adjudication {
    /// Draw when both players' scores stay near zero.
    pub draw: Option<DrawRule>,
    /// Loss when a player's own score stays hopeless.
    pub resign: Option<ResignRule>,
    /// Draw when this full move of the game is over: the number that a PGN of it shows.
    pub max_moves: Option<u32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct DrawRule {
    /// Not before this full move of the game is over: the number that a PGN of it shows.
    pub move_number: u32,
    /// So many moves in a row of each player.
    pub move_count: u32,
    /// Highest score on either side, in centipawns.
    pub score: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResignRule {
    /// So many moves in a row of the losing player.
    pub move_count: u32,
    /// How far behind that player sees itself, in centipawns.
    pub score: u32,
    /// Whether the winner's last `move_count` scores must agree.
    pub two_sided: bool,
}

impl Default for Adjudication {
    fn default() -> Adjudication {
        Adjudication {
            draw: Some(DrawRule::default()),
            resign: Some(ResignRule::default()),
            max_moves: Some(400),
        }
    }
}

impl Default for DrawRule {
    fn default() -> DrawRule {
        DrawRule { move_number: 40, move_count: 8, score: 10 }
    }
}

impl Default for ResignRule {
    fn default() -> ResignRule {
        ResignRule { move_count: 3, score: 500, two_sided: true }
    }
}

impl Adjudication {
    pub fn off() -> Adjudication {
        Adjudication { draw: None, resign: None, max_moves: None }
    }

    pub fn in_words(&self) -> Vec<String> {
        let draw = self.draw.map(|DrawRule { move_number, move_count, score }| {
            format!("draw: |score| ≤ {score} cp for {move_count} moves, from move {move_number}")
        });
        let resign = self.resign.map(|ResignRule { move_count, score, two_sided }| {
            let whose = if two_sided { "both players' scores" } else { "the loser's score" };
            format!("resign: {whose} beyond {score} cp for {move_count} moves")
        });
        let length = self.max_moves.map(|moves| format!("draw at move {moves}"));
        [draw, resign, length].into_iter().flatten().collect()
    }
}

impl fmt::Display for DrawRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let DrawRule { move_number, move_count, score } = self;
        write!(f, "movenumber={move_number},movecount={move_count},score={score}")
    }
}

impl fmt::Display for ResignRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "movecount={},score={}", self.move_count, self.score)?;
        if self.two_sided { f.write_str(",twosided") } else { Ok(()) }
    }
}

/// What the rules need to remember of one game.
#[derive(Debug, Clone)]
pub(super) struct Tracker {
    rules: Adjudication,
    /// Plies in a row with a score near zero.
    level: u32,
    /// Moves in a row at which White and Black saw themselves lost.
    losing: [u32; 2],
    /// Moves in a row at which White and Black saw themselves winning.
    winning: [u32; 2],
}

impl Tracker {
    pub(super) fn new(rules: Adjudication) -> Tracker {
        Tracker { rules, level: 0, losing: [0; 2], winning: [0; 2] }
    }

    pub(super) fn rules(&self) -> Adjudication {
        self.rules
    }

    /// Takes one played move: who moved, the score that player gave (its own view; `None` breaks
    /// every series) and the number of the full move that is next. The start position's counter is
    /// part of that number, so that an opening ends its games alike as moves and as a position.
    pub(super) fn note(
        &mut self,
        mover: Color,
        score: Option<Score>,
        next_move: NonZeroU32,
    ) -> Option<GameEnd> {
        let over = next_move.get() - 1;
        self.count(mover, score);
        // The series may be completed by either player's move.
        if let Some(loser) = [mover, !mover].into_iter().find(|&player| self.is_lost(player)) {
            return Some(GameEnd::by(Termination::ResignAdjudication, Outcome::win(!loser)));
        }
        let termination = if self.is_level(over) {
            Termination::DrawAdjudication
        } else if self.rules.max_moves.is_some_and(|most| over >= most) {
            Termination::LengthAdjudication
        } else {
            return None;
        };
        Some(GameEnd::by(termination, Outcome::Draw))
    }

    /// Takes the score of one move into the series.
    pub(super) fn count(&mut self, mover: Color, score: Option<Score>) {
        let score = score.map(centipawns);
        let count = |series: &mut u32, goes_on: &dyn Fn(i64) -> bool| {
            *series = if score.is_some_and(goes_on) { *series + 1 } else { 0 };
        };
        let us = mover.fold_wb(0, 1);
        if let Some(rule) = self.rules.resign {
            let limit = i64::from(rule.score);
            count(&mut self.losing[us], &|score| score <= -limit);
            count(&mut self.winning[us], &|score| score >= limit);
        }
        if let Some(rule) = self.rules.draw {
            count(&mut self.level, &|score| score.unsigned_abs() <= u64::from(rule.score));
        }
    }

    /// Whether a player's last scores meet the resign rule, and the winner's agree.
    pub(super) fn is_lost(&self, loser: Color) -> bool {
        let (us, them) = loser.fold_wb((0, 1), (1, 0));
        self.rules.resign.is_some_and(|rule| {
            self.losing[us] >= rule.move_count
                && (!rule.two_sided || self.winning[them] >= rule.move_count)
        })
    }

    /// Whether both players' last scores meet the draw rule, when `over` full moves are over.
    pub(super) fn is_level(&self, over: u32) -> bool {
        self.rules.draw.is_some_and(|rule| {
            over >= rule.move_number && self.level >= rule.move_count.saturating_mul(2)
        })
    }
}

/// Centipawns, with every mate beyond every ordinary score.
fn centipawns(score: Score) -> i64 {
    match score {
        Score::Cp(cp) => i64::from(cp),
        Score::Mate(moves) if moves > 0 => i64::MAX,
        Score::Mate(_) => -i64::MAX,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Feeds centipawns of alternating players (White first), `None` for no score, and gives the
    /// ply and the result at which the game ends.
    fn run(rules: Adjudication, scores: &[Option<Score>]) -> Option<(usize, Outcome, Termination)> {
        run_from(1, Color::White, rules, scores)
    }

    /// The same of a game whose start position is before that move of that side.
    fn run_from(
        first_move: u32,
        first: Color,
        rules: Adjudication,
        scores: &[Option<Score>],
    ) -> Option<(usize, Outcome, Termination)> {
        let mut tracker = Tracker::new(rules);
        let black_first = first.fold_wb(0, 1);
        scores.iter().enumerate().find_map(|(ply, score)| {
            let mover = Color::from_white((ply + black_first).is_multiple_of(2));
            let next = first_move + (ply + black_first) as u32 / 2 + u32::from(mover.is_black());
            let end = tracker.note(mover, *score, NonZeroU32::new(next)?)?;
            Some((ply + 1, end.outcome, end.termination))
        })
    }

    fn cp(scores: &[i32]) -> Vec<Option<Score>> {
        scores.iter().map(|cp| Some(Score::Cp(*cp))).collect()
    }

    const RESIGN: ResignRule = ResignRule { move_count: 2, score: 500, two_sided: false };

    fn resign(two_sided: bool) -> Adjudication {
        Adjudication { resign: Some(ResignRule { two_sided, ..RESIGN }), ..Adjudication::off() }
    }

    #[test]
    fn one_sided_resignation_is_the_losers_word() {
        let scores = cp(&[-500, 0, -501, 0]);
        assert_eq!(
            run(resign(false), &scores),
            Some((3, Outcome::Black, Termination::ResignAdjudication))
        );
        // A win that only one side sees is no resignation.
        assert_eq!(run(resign(false), &cp(&[900, 0, 900, 0, 900, 0])), None);
        // A better score between breaks the series.
        assert_eq!(run(resign(false), &cp(&[-900, 0, -499, 0, -900, 0])), None);
    }

    #[test]
    fn two_sided_resignation_needs_both() {
        assert_eq!(run(resign(true), &cp(&[-900, 0, -900, 0, -900, 0])), None);
        assert_eq!(
            run(resign(true), &cp(&[-900, 600, -900, 600])),
            Some((4, Outcome::Black, Termination::ResignAdjudication))
        );
    }

    #[test]
    fn mates_count_and_missing_scores_do_not() {
        let (mated, none) = (Some(Score::Mate(-3)), None);
        let quiet = Some(Score::Cp(0));
        assert_eq!(
            run(resign(false), &[quiet, mated, quiet, mated]),
            Some((4, Outcome::White, Termination::ResignAdjudication))
        );
        assert_eq!(run(resign(false), &[quiet, mated, quiet, none, quiet, mated]), None);
        assert_eq!(
            run(resign(false), &[quiet, Some(Score::Mate(0)), quiet, mated]).map(|e| e.0),
            Some(4)
        );
    }

    #[test]
    fn draw_waits_for_move_number_and_count() {
        let rules = Adjudication {
            draw: Some(DrawRule { move_number: 4, move_count: 2, score: 10 }),
            ..Adjudication::off()
        };
        let drawn = |ply| Some((ply, Outcome::Draw, Termination::DrawAdjudication));
        assert_eq!(run(rules, &cp(&[0; 20])), drawn(8));
        assert_eq!(run(rules, &cp(&[0, 0, 0, 0, 0, 0, 11, 0, 0, -10, 10, 0])), drawn(11));
        assert_eq!(run(rules, &cp(&[11; 20])), None);
    }

    #[test]
    fn length_is_counted_in_full_moves() {
        let rules = Adjudication { max_moves: Some(3), ..Adjudication::off() };
        assert_eq!(
            run(rules, &cp(&[0; 20])),
            Some((6, Outcome::Draw, Termination::LengthAdjudication))
        );
        assert_eq!(run(Adjudication::off(), &cp(&[0; 20])), None);
    }

    /// A game from move 5 of White ends where one from the first move does, be it Black who begins.
    #[test]
    fn the_start_positions_move_number_counts() {
        let draw = Some(DrawRule { move_number: 7, move_count: 2, score: 10 });
        for (rules, termination) in [
            (
                Adjudication { max_moves: Some(7), ..Adjudication::off() },
                Termination::LengthAdjudication,
            ),
            (Adjudication { draw, ..Adjudication::off() }, Termination::DrawAdjudication),
        ] {
            let ends = |ply| Some((ply, Outcome::Draw, termination));
            assert_eq!(run_from(1, Color::White, rules, &cp(&[0; 20])), ends(14));
            assert_eq!(run_from(5, Color::White, rules, &cp(&[0; 20])), ends(6));
            assert_eq!(run_from(5, Color::Black, rules, &cp(&[0; 20])), ends(5));
        }
        let late = Adjudication { max_moves: Some(7), ..Adjudication::off() };
        assert_eq!(
            run_from(u32::MAX - 9, Color::Black, late, &cp(&[0; 3])).map(|end| end.0),
            Some(1)
        );
    }
}
