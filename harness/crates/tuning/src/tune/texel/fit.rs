//! The fit: weights move until the values tell the results best.
//!
//! The error of a position is the square of target minus 1 / (1 + e^(−scale · value)), with a scale
//! for each source; what is made small is its mean, plus a penalty that draws each weight to where
//! it started. Adam walks down the gradient of batches of positions; the walk ends when positions held
//! out gain no more.

use std::num::NonZeroUsize;

use engine::Params;
use process::progress::Progress;
use serde::Serialize;

use super::cells::{Cells, Weight};
use super::pairs::PhasePairs;
use super::slopes::Examples;
use super::walk::{FreeWeight, Walked, walk};

#[derive(Debug, Clone, Serialize)]
pub struct Fitting {
    /// Epochs at most in one round; an epoch is a pass over all positions.
    pub epochs: usize,
    /// The round ends after so many epochs without a gain in the positions held out.
    pub patience: usize,
    /// Positions after which the weights move, about; `None`: all of them.
    pub batch: Option<NonZeroUsize>,
    /// Adam's learning rate: about how far a weight moves at most each time, in steps of the parameter
    /// table.
    pub rate: f64,
    /// The penalty's weight: for each free weight so much times its distance squared, in steps.
    pub l2: f64,
    /// The centre of the penalty.
    pub l2_to: Anchor,
}

/// Where a weight is drawn to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[derive(strum::Display, strum::EnumString, strum::EnumIter, strum::EnumMessage)]
#[derive(strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
#[serde(rename_all = "snake_case")]
pub enum Anchor {
    /// The default of the parameter table, which is the paper's value if a paper gives one.
    #[default]
    Table,
    /// The start value (--from).
    Start,
}

impl Anchor {
    pub(super) fn of(self, cell: &Weight) -> i32 {
        match self {
            Anchor::Table => cell.table(),
            Anchor::Start => cell.start,
        }
    }
}

impl Default for Fitting {
    fn default() -> Fitting {
        Fitting {
            epochs: 1000,
            patience: 50,
            batch: None,
            rate: 0.1,
            l2: 1e-7,
            l2_to: Anchor::Table,
        }
    }
}

#[derive(Debug, Clone, Serialize)]
pub struct Fitted {
    /// In the cells' order.
    #[serde(skip)]
    pub values: Vec<i32>,
    /// Epochs until the best weights for the positions held out.
    pub epochs: usize,
    /// Mean error of the fitted positions at the round's start and at those weights.
    pub errors: [f64; 2],
    /// The same of the positions held out.
    pub held_out_errors: [f64; 2],
}

/// Fits the weights to the positions to fit, with those held out to stop. The result depends on the
/// arguments only; the number of threads changes no bit of it.
pub fn fit(
    examples: &[Examples; 2],
    cells: &Cells,
    params: &Params,
    fitting: &Fitting,
    threads: NonZeroUsize,
    progress: &dyn Progress,
) -> Fitted {
    let at = cells.values(params);
    let (pairs, free) = (PhasePairs::of(cells), free(cells, &at, fitting));
    let Walked { moved, epochs, errors, held_out_errors } =
        walk(examples, &pairs, &free, fitting, threads, progress);
    let moved = moved.iter().zip(&at).zip(&cells.0);
    let values =
        moved.map(|((moved, at), cell)| cell.allowed(f64::from(*at) + f64::from(*moved))).collect();
    Fitted { values, epochs, errors, held_out_errors }
}

/// The weights as the walk sees them, from values in 1/256 pawn.
pub(super) fn free(cells: &Cells, at: &[i32], fitting: &Fitting) -> Vec<FreeWeight> {
    let weight = |(cell, &at): (&Weight, &i32)| FreeWeight {
        at: f64::from(at),
        ends: [cell.spec.min, cell.spec.max].map(f64::from),
        step: f64::from(cell.spec.step),
        anchor: f64::from(fitting.l2_to.of(cell)),
    };
    cells.0.iter().zip(at).map(weight).collect()
}

#[cfg(test)]
mod tests;
