//! Where the error of a fit is: by phase of the game, and by family of weights.

use engine::Params;
use serde::Serialize;

use super::cells::Cells;
use super::sample::TexelSample;
use super::targets::{Target, square};

/// Phases of the game, with the least pieces of both sides together (N 3, B 3, R 5, Q 9; 62 at the
/// start) that belong to each: the engine's borders of middle game, end game and late end game.
const PHASES: [(&str, u8); 5] =
    [("opening", 52), ("middle game", 31), ("end game", 11), ("late end game", 1), ("pawns", 0)];

/// The errors of the positions of one phase.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PhaseErrors {
    pub phase: &'static str,
    /// Pieces of both sides together from which it is this phase: N 3, B 3, R 5, Q 9; 62 at the start.
    pub from: u8,
    pub fitted: PhaseError,
    pub held_out: PhaseError,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct PhaseError {
    pub positions: usize,
    /// Mean squared error of the evaluation before and after the fit; 0 without positions.
    pub errors: [f64; 2],
}

/// What the change of a family's weights does; a family is the name before the dot.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FamilyError {
    pub family: &'static str,
    /// Weights that the fit has changed.
    pub changed: usize,
    /// Mean squared error of the positions held out after the fit, were this family's weights as before it.
    pub held_out_without: f64,
}

/// A set of positions, with their values before and after the fit.
pub(super) struct Judged<'a> {
    pub(super) samples: &'a [TexelSample],
    pub(super) targets: &'a [Target],
    pub(super) values: [&'a [f32]; 2],
}

/// The errors of the fitted positions and of those held out.
pub(super) fn by_phase(sets: &[Judged<'_>; 2]) -> Vec<PhaseErrors> {
    let [fitted, held_out] = sets.each_ref().map(Judged::by_phase);
    let phases = PHASES.iter().zip(fitted.into_iter().zip(held_out));
    phases
        .map(|(&(phase, from), (fitted, held_out))| PhaseErrors { phase, from, fitted, held_out })
        .collect()
}

impl Judged<'_> {
    fn by_phase(&self) -> [PhaseError; PHASES.len()] {
        let mut phases = [PhaseError::default(); PHASES.len()];
        for (place, (sample, target)) in self.samples.iter().zip(self.targets).enumerate() {
            // The last begins at 0.
            let found = PHASES.iter().position(|(_, from)| sample.men >= *from);
            let Some(phase) = found.and_then(|found| phases.get_mut(found)) else { continue };
            phase.positions += 1;
            for (sum, values) in phase.errors.iter_mut().zip(self.values) {
                *sum += square(values[place], target);
            }
        }
        for phase in &mut phases {
            phase.errors = phase.errors.map(|sum| sum / phase.positions.max(1) as f64);
        }
        phases
    }
}

/// Sets each family of which weights have changed back to `start`, alone; `error` gives the error of the
/// positions held out. The families that help most come first.
pub(super) fn by_family(
    cells: &Cells,
    start: &Params,
    tuned: &Params,
    error: impl Fn(Params) -> f64,
) -> Vec<FamilyError> {
    let mut families = Vec::new();
    for of_family in cells.0.chunk_by(|a, b| family(a.spec.name) == family(b.spec.name)) {
        let mut without = tuned.clone();
        let mut changed = 0;
        for cell in of_family {
            let before = cell.spec.get(start, cell.index);
            changed += usize::from(cell.spec.get(tuned, cell.index) != before);
            // It was its value before the fit.
            let _ = cell.spec.set(&mut without, cell.index, before);
        }
        if changed > 0 {
            let family = family(of_family[0].spec.name);
            families.push(FamilyError { family, changed, held_out_without: error(without) });
        }
    }
    families.sort_by(|a, b| b.held_out_without.total_cmp(&a.held_out_without));
    families
}

fn family(name: &str) -> &str {
    name.split_once('.').map_or(name, |(family, _)| family)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each position is in the phase of its pieces, with its own error.
    #[test]
    fn positions_are_in_their_phase() {
        let men = [62, 52, 51, 31, 30, 11, 10, 1, 0];
        let of_men = |&men: &u8| TexelSample { men, ..TexelSample::of("", 0.5) };
        let samples: Vec<TexelSample> = men.iter().map(of_men).collect();
        let targets = [Target { expected: 0.5, scale: 1.0 }; 9];
        // The expected score of ln 3 is ¾, so that the error is 1/16.
        let off = 3.0_f32.ln();
        let before: Vec<f32> = (0..9).map(|place| if place % 2 == 0 { off } else { 0.0 }).collect();
        let after = vec![0.0; 9];
        let all = Judged { samples: &samples, targets: &targets, values: [&before, &after] };
        let none = Judged { samples: &[], targets: &[], values: [&[], &[]] };
        let phases = by_phase(&[all, none]);
        let found: Vec<_> = phases
            .iter()
            .map(|it| (it.phase, it.fitted.positions, (it.fitted.errors[0] * 320.0).round() as i32))
            .collect();
        let expected = [
            ("opening", 2, 10),
            ("middle game", 2, 10),
            ("end game", 2, 10),
            ("late end game", 2, 10),
            ("pawns", 1, 20),
        ];
        assert_eq!(found, expected);
        assert!(phases.iter().all(|it| it.fitted.errors[1] == 0.0));
        assert!(phases.iter().all(|it| it.held_out == PhaseError::default()));
    }

    /// A family is set back alone, and one that nothing was changed of is not told.
    #[test]
    fn families_are_set_back_alone() {
        let patterns = ["material.*", "tempo.*", "pst.*"].map(str::to_owned);
        let start = Params::default();
        let cells = Cells::matching(&start, &patterns).unwrap();
        let mut tuned = start.clone();
        tuned.material.rook += 50;
        tuned.material.queen += 7;
        let pst = cells.0.iter().find(|cell| cell.spec.name.starts_with("pst.")).unwrap();
        let moved = pst.start + 3;
        pst.spec.set(&mut tuned, pst.index, moved).unwrap();
        let error = |params: Params| {
            let far = |before: i32, now: i32| f64::from((before - now).abs());
            far(tuned.material.rook, params.material.rook)
                + far(tuned.material.queen, params.material.queen)
                + 100.0 * far(moved, pst.spec.get(&params, pst.index))
        };
        let family =
            |family, changed, held_out_without| FamilyError { family, changed, held_out_without };
        let expected = [family("pst", 1, 300.0), family("material", 2, 57.0)];
        assert_eq!(by_family(&cells, &start, &tuned, error), expected);
    }
}
