//! The evaluation: a list of knowledge areas, each in a file of its own, blended by the game's phase.
//! 256 is a pawn everywhere (EVA-01), and values stand in tables by square where that makes sense
//! (EVA-02).
//!
//! The way through it: [`attack_map`] (the papers' WB and BB) and [`hanging`] make up the context;
//! each area reads the context and the parameters and adds its terms to one sum; special endgames
//! may replace it, and scaling has the last word. `classical` has the areas that the papers lack and
//! `default` plays by. Everything is White minus Black.

pub mod attack_map;
mod bishops;
mod breakdown;
mod centre;
mod classical;
mod context;
mod double_attack;
mod endgame;
pub mod hanging;
mod imbalance;
mod initiative;
mod king_ring;
mod king_safety;
mod knights;
mod mate_threat;
mod material;
mod mobility;
mod passed;
mod pawn_cache;
mod pawn_ending;
mod pawn_structure;
mod pawns;
mod phase;
mod pins;
mod quadrant;
mod rank_sums;
mod rooks;
mod scaling;
mod shelter;
mod shuffle;
mod spans;
#[cfg(test)]
mod testing;
mod threats;
mod trace;
mod tropism;

use std::sync::Arc;

use crate::params::Params;
use crate::position::{Position, SquareTable};
use crate::types::{ByColor, Move, Score, Value};

use classical::KingSquares;
use context::Context;
use hanging::StatusTable;
use imbalance::CellValues;
use mate_threat::patterns::Pattern;
use rank_sums::RankSums;
use trace::Sum;

pub use breakdown::Breakdown;
pub use classical::{KingCell, king_cells};
pub(crate) use endgame::SolvedEnding;
pub use imbalance::{ImbalanceError, ImbalanceStatistics, ImbalanceTable, MaterialCounts};
pub use material::square_table;
pub use pawn_cache::PawnCache;
pub use phase::{Ending, Phase, Stage};
pub use threats::{HangingMen, Threats};
pub use trace::{NoTrace, Term, Trace};

/// What the evaluation must know of the line that led to the position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LineFacts {
    /// When the last move was a shuffling one: how many its side has made on the line (PRO-07).
    pub shuffles: u8,
}

/// A position's value and what the search wants to know of how it came about (GEN-08).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Evaluation {
    /// White minus Black.
    pub value: Value,
    /// Danger to each colour's own king, 1/256 pawn (KSF-11).
    pub king_danger: ByColor<i32>,
    /// What each colour's passed pawns are worth, 1/256 pawn.
    pub passed: ByColor<i32>,
    /// Men of each colour that stand to be lost (EVA-07).
    pub hanging: HangingMen,
    /// Whether a pawn runs outside the enemy king's square (PAS-13).
    pub quadrant: bool,
    /// Whether special endgame knowledge made the value (END-11).
    pub known_ending: bool,
    /// A move of each colour that mates: at once if it is on the move, else a threat (EVA-13).
    pub mates: ByColor<Option<Move>>,
}

/// Everything the evaluation derives from the parameters, once.
#[derive(Debug, Clone)]
pub struct Evaluator {
    /// The table that positions under this evaluation must carry.
    pub table: Arc<SquareTable>,
    params: Arc<Params>,
    phase: Phase,
    status: Arc<StatusTable>,
    centre: RankSums,
    imbalance: Option<Arc<CellValues>>,
    mate_patterns: Box<[&'static Pattern]>,
    king_squares: Option<Arc<KingSquares>>,
    lists_hanging: bool,
}

impl Evaluator {
    /// Derives tables from parameters.
    #[must_use]
    pub fn new(params: &Arc<Params>) -> Evaluator {
        Evaluator::with_imbalance(params, None)
    }

    /// The same with a material imbalance table (PRO-01); without one, the program's own that the
    /// parameters name.
    #[must_use]
    pub fn with_imbalance(params: &Arc<Params>, imbalance: Option<&ImbalanceTable>) -> Evaluator {
        let built_in = ImbalanceTable::built_in(params.imbalance.table);
        let table = imbalance.or(built_in.as_deref()).filter(|_| params.imbalance.on);
        let values = table.map(|table| CellValues::new(table, &params.imbalance));
        Evaluator {
            imbalance: values.map(Arc::new),
            table: Arc::new(square_table(params)),
            phase: Phase::new(&params.phase),
            status: StatusTable::shared(&params.hanging),
            centre: RankSums::new(&params.centre.table),
            mate_patterns: mate_threat::patterns::known(&params.mate_threat),
            king_squares: params
                .king_squares
                .on
                .then(|| Arc::new(KingSquares::new(&params.king_squares))),
            lists_hanging: true,
            params: Arc::clone(params),
        }
    }

    /// The same without [`Evaluation::hanging`] and [`Threats::hanging`], for a search in which no
    /// rule reads them: to list them takes 2 % of its instructions.
    #[must_use]
    pub(crate) fn without_hanging_men(self) -> Evaluator {
        Evaluator { lists_hanging: false, ..self }
    }

    /// What the material imbalance table says of these men, White minus Black, 1/256 pawn; nought
    /// without a table, and of men beyond its limits (PRO-01).
    #[must_use]
    pub fn imbalance(&self, men: MaterialCounts) -> i32 {
        let values = self.imbalance.as_deref();
        values.zip(men.index()).map_or(0, |(values, cell)| values.at(cell))
    }

    /// A position's value, White minus Black, 1/256 pawn. The position must carry
    /// [`Evaluator::table`]. Without a cache, pawn facts are worked out anew.
    #[inline]
    pub fn evaluate<T: Trace>(
        &self,
        position: &Position,
        line: LineFacts,
        cache: Option<&mut PawnCache>,
        trace: &mut T,
    ) -> Evaluation {
        self.evaluate_knowing(self.threats(position), position, line, cache, trace)
    }

    /// The same of a position whose [`Evaluator::threats`] are known.
    #[inline]
    pub fn evaluate_knowing<T: Trace>(
        &self,
        threats: Threats,
        position: &Position,
        line: LineFacts,
        cache: Option<&mut PawnCache>,
        trace: &mut T,
    ) -> Evaluation {
        let cx = &Context::new(self, position, threats, line, cache);
        let mut sum = Sum::new(trace);
        material::evaluate(cx, &mut sum);
        pawns::evaluate(cx, &mut sum);
        let passed = passed::evaluate(cx, &mut sum);
        let quadrant = quadrant::evaluate(cx, &mut sum);
        let king_danger = king_safety::evaluate(cx, &mut sum);
        shelter::evaluate(cx, &mut sum);
        tropism::evaluate(cx, &mut sum);
        let mobility = mobility::evaluate(cx, &mut sum);
        bishops::evaluate(cx, &mut sum);
        knights::evaluate(cx, &mut sum);
        centre::evaluate(cx, &mut sum);
        pins::evaluate(cx, &mut sum);
        rooks::evaluate(cx, &mut sum);
        double_attack::evaluate(cx, &mut sum);
        imbalance::evaluate(cx, &mut sum);
        initiative::evaluate(cx, &mut sum, &king_danger, &passed, &mobility);
        shuffle::evaluate(cx, &mut sum);
        let full_board = classical::evaluate(cx, &mut sum);
        pawn_ending::evaluate(cx, &mut sum);
        let known_ending = endgame::evaluate(cx, &mut sum);
        if !known_ending {
            classical::adjust(cx, &mut sum);
            scaling::evaluate(cx, &mut sum);
        }
        let value =
            Value::new(self.phase.blend(sum.total, position.phase_material())).clamp_evaluation();
        let mates = mate_threat::detect(cx);
        Evaluation {
            value,
            king_danger: full_board.king_danger.unwrap_or(king_danger),
            passed: full_board.passed.unwrap_or(passed),
            hanging: cx.hanging,
            quadrant,
            known_ending,
            mates,
        }
    }

    /// The stages of a position.
    #[must_use]
    pub fn stage(&self, position: &Position) -> Stage {
        self.phase.stage(position)
    }

    /// `I_SCORE` in the position's phase, White minus Black (GEN-07). The position must carry
    /// [`Evaluator::table`].
    #[inline]
    #[must_use]
    pub fn i_score(&self, position: &Position) -> Value {
        self.in_phase(position.i_score(), position)
    }

    /// A pair's value in a position's phase, 1/256 pawn.
    #[inline]
    #[must_use]
    pub fn in_phase(&self, score: Score, position: &Position) -> Value {
        Value::new(self.phase.blend(score, position.phase_material()))
    }

    /// The same behind a legal move, which need not be made; the phase is still that before it.
    #[inline]
    #[must_use]
    pub fn i_score_after(&self, position: &Position, mv: Move) -> Value {
        self.in_phase(position.i_score_after(mv), position)
    }

    /// Every term of a position with the table it needs.
    #[must_use]
    pub fn breakdown(&self, position: &Position) -> Breakdown {
        let mut position = position.clone();
        position.set_table(&self.table);
        let mut breakdown = Breakdown::new(self.phase.clone(), &position);
        let found = self.evaluate(&position, LineFacts::default(), None, &mut breakdown);
        breakdown.finish(&found, &position);
        breakdown
    }
}
