//! Slopes of the piece-square tables by king bucket.
//!
//! A cell is added to the sum of its phase once for each man on it. So its slope is the number of
//! White's men there, less Black's, times what the value gains when that sum grows by 1.

use std::collections::HashMap;
use std::sync::Arc;

use engine::eval::{Evaluator, KingCell, king_cells};
use engine::types::{Color, Role};
use engine::{Params, Position};

use super::cells::Cells;
use super::slopes::value;

/// The cells of `king_squares.*` among the weights.
#[derive(Debug)]
pub(super) struct KingCells {
    /// By king (own, enemy), role and phase: the first cell of the row.
    rows: [[[Option<usize>; 2]; 6]; 2],
    /// Whether a weight is one of them.
    among: Vec<bool>,
}

/// By how much the sum of a phase is moved to see what it gains, 1/256 pawn.
const PROBE: i32 = 256;

impl KingCells {
    /// `None` where no such cell is free, or where the tempo is off, by which [`KingCells::gains`] measures.
    pub(super) fn among(cells: &Cells, params: &Params) -> Option<KingCells> {
        if !params.king_squares.on || !params.tempo.on {
            return None;
        }
        let starts: HashMap<&str, usize> = (cells.0.iter().enumerate())
            .filter(|(_, weight)| weight.index == 0)
            .map(|(cell, weight)| (weight.spec.name, cell))
            .collect();
        let mut among = vec![false; cells.0.len()];
        let mut row = |enemy: bool, role: Role, endgame: bool| {
            let name = KingCell { enemy, role, cell: 0, sign: 1 }.row(endgame);
            let start = starts.get(&*name).copied()?;
            let length = cells.0[start].spec.cells();
            among[start..start + length].fill(true);
            Some(start)
        };
        let rows = [false, true].map(|enemy| {
            Role::ALL.map(|role| [false, true].map(|endgame| row(enemy, role, endgame)))
        });
        among.contains(&true).then_some(KingCells { rows, among })
    }

    pub(super) fn has(&self, cell: usize) -> bool {
        self.among[cell]
    }

    /// By position and phase: what the value gains when White's sum grows by 1. The tempo is changed to find
    /// out, since it counts exactly once in every position. `values` are those of the positions.
    pub(super) fn gains(
        &self,
        positions: &mut [Position],
        values: &[i32],
        params: &Params,
    ) -> Vec<[f32; 2]> {
        let moved = [(PROBE, 0), (0, PROBE)].map(|(mg, eg)| {
            let mut params = params.clone();
            params.tempo.move_mg += mg;
            params.tempo.move_eg += eg;
            Evaluator::new(&Arc::new(params))
        });
        let gain = |(position, &before): (&mut Position, &i32)| {
            let sign = if position.turn() == Color::White { 1.0 } else { -1.0 };
            let mut by = |evaluator: &Evaluator| {
                (value(evaluator, position) - before) as f32 / PROBE as f32 * sign
            };
            [by(&moved[0]), by(&moved[1])]
        };
        positions.iter_mut().zip(values).map(gain).collect()
    }

    /// The cells that count in a position, each once, with the value's gain when the cell gains 1.
    pub(super) fn slopes(&self, position: &Position, gain: [f32; 2]) -> Vec<(u16, f32)> {
        let mut counts: Vec<((usize, usize), i32)> = king_cells(position)
            .into_iter()
            .flat_map(|found| {
                let rows = self.rows[usize::from(found.enemy)][found.role as usize - 1];
                let cell =
                    move |phase: usize| Some(((rows[phase]? + found.cell, phase), found.sign));
                [cell(0), cell(1)].into_iter().flatten()
            })
            .collect();
        counts.sort_unstable_by_key(|(place, _)| *place);
        let summed = counts.chunk_by(|(a, _), (b, _)| a == b).map(|same| {
            let (cell, phase) = same[0].0;
            let count: i32 = same.iter().map(|(_, sign)| sign).sum();
            (cell as u16, count as f32 * gain[phase])
        });
        summed.filter(|(_, slope)| *slope != 0.0).collect()
    }
}
