//! What each weight adds to a position's value, found by moving it and evaluating again.
//!
//! Most weights do not count in most positions. So weights are moved in groups first; if a group
//! changes nothing, none of its weights counts. The halves of a tapered weight, which count
//! together, are neighbours there. Piece-square tables by king bucket have too many cells for that:
//! their slopes come from the men on the board (`king_cells`).

use std::num::NonZeroUsize;
use std::sync::Arc;

use engine::eval::{Evaluator, LineFacts, NoTrace};
use engine::{Params, Position};
use process::parallel;
use process::progress::Progress;

use super::cells::Cells;
use super::king_cells::KingCells;
use super::pairs::PhasePairs;
use super::sample::TexelSample;
use super::targets::Target;

/// Positions per block.
pub(super) const BLOCK: usize = 2048;
/// Weights moved together at first; a row of squares.
const GROUP: usize = 64;
/// Parts into which a group is divided.
const PARTS: usize = 8;

/// Positions for the fit: value, target, and the slopes of the weights that count.
#[derive(Debug, Default)]
pub struct SlopeBlock {
    /// Value of each position at the slopes' point, White minus Black, 1/256 pawn.
    pub values: Vec<f32>,
    /// White's expected score, 0 to 1.
    pub targets: Vec<f32>,
    /// By position, that of its source.
    pub scales: Vec<f32>,
    /// Where each position's slopes end.
    ends: Vec<u32>,
    /// Pair indices of the slopes.
    pairs: Vec<u16>,
    /// Gain in value when a weight of the pair gains 1.
    slopes: Vec<[f32; 2]>,
}

impl SlopeBlock {
    /// Adds a position: value, target, and the weights that count in it, each once, with the
    /// value's gain when the weight gains 1.
    pub fn push(&mut self, value: f32, target: Target, slopes: &[(u16, f32)], pairs: &PhasePairs) {
        self.values.push(value);
        self.targets.push(target.expected);
        self.scales.push(target.scale);
        let mut found: Vec<((u16, usize), f32)> =
            slopes.iter().map(|&(cell, slope)| (pairs.place(cell), slope)).collect();
        found.sort_unstable_by_key(|(place, _)| *place);
        for of_pair in found.chunk_by(|((a, _), _), ((b, _), _)| a == b) {
            let mut both = [0.0; 2];
            for &((pair, which), slope) in of_pair {
                both[which] = slope;
                if self.pairs.len() == self.slopes.len() {
                    self.pairs.push(pair);
                }
            }
            self.slopes.push(both);
        }
        self.ends.push(self.pairs.len() as u32);
    }

    /// All blocks of a set but the last are full.
    pub fn is_full(&self) -> bool {
        self.values.len() == BLOCK
    }

    /// A position's pairs and their slopes.
    #[inline]
    pub fn row(&self, place: usize) -> (&[u16], &[[f32; 2]]) {
        let start = place.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        let range = start..self.ends[place] as usize;
        (&self.pairs[range.clone()], &self.slopes[range])
    }
}

#[derive(Debug)]
pub struct Examples(pub Vec<SlopeBlock>);

impl Examples {
    /// The block of a position of the set, and its index there.
    pub(super) fn position(&self, place: usize) -> (&SlopeBlock, usize) {
        (&self.0[place / BLOCK], place % BLOCK)
    }

    pub fn len(&self) -> usize {
        self.0.iter().map(|block| block.values.len()).sum()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// In how many positions each weight counts.
    pub fn met(&self, pairs: &PhasePairs) -> Vec<u32> {
        let mut met = vec![[0; 2]; pairs.count()];
        for block in &self.0 {
            for (&pair, slopes) in block.pairs.iter().zip(&block.slopes) {
                for (met, slope) in met[usize::from(pair)].iter_mut().zip(slopes) {
                    *met += u32::from(*slope != 0.0);
                }
            }
        }
        pairs.by_cell(&met).collect()
    }
}

/// White minus Black, 1/256 pawn.
pub fn values(samples: &[TexelSample], params: &Arc<Params>, threads: NonZeroUsize) -> Vec<f32> {
    let blocks: Vec<&[TexelSample]> = samples.chunks(BLOCK).collect();
    let evaluate = |evaluator: &mut Evaluator, block: &&[TexelSample]| {
        let mut positions = positions(block);
        positions.iter_mut().map(|at| value(evaluator, at) as f32).collect::<Vec<_>>()
    };
    parallel::map(&blocks, threads, || Evaluator::new(params), evaluate).concat()
}

pub fn examples(
    samples: &[TexelSample],
    targets: &[Target],
    cells: &Cells,
    params: &Arc<Params>,
    threads: NonZeroUsize,
    progress: &dyn Progress,
) -> Examples {
    let pairs = PhasePairs::of(cells);
    let blocks: Vec<_> = samples.chunks(BLOCK).zip(targets.chunks(BLOCK)).collect();
    let probe = |(): &mut (), (samples, targets): &(&[TexelSample], &[Target])| {
        let block = Prober::new(samples, cells, &pairs, params).block(targets, &pairs);
        progress.advance(samples.len() as u64);
        block
    };
    Examples(parallel::map(&blocks, threads, || (), probe))
}

fn positions(samples: &[TexelSample]) -> Vec<Position> {
    // The sampler wrote them.
    samples.iter().filter_map(|sample| Position::from_fen(&sample.fen).ok()).collect()
}

/// White minus Black, 1/256 pawn.
pub(super) fn value(evaluator: &Evaluator, position: &mut Position) -> i32 {
    position.set_table(&evaluator.table);
    let found = evaluator.evaluate(position, LineFacts::default(), None, &mut NoTrace);
    found.value.binary()
}

struct Prober<'a> {
    positions: Vec<Position>,
    values: Vec<i32>,
    /// Never moved: evaluators share tables with a live one.
    _unmoved: Evaluator,
    cells: &'a Cells,
    /// The cells as they are grouped.
    order: Vec<usize>,
    /// Each cell's current value.
    at: Vec<i32>,
    params: &'a Arc<Params>,
    found: Vec<Vec<(u16, f32)>>,
    king_cells: Option<KingCells>,
}

impl Prober<'_> {
    fn new<'a>(
        samples: &[TexelSample],
        cells: &'a Cells,
        pairs: &PhasePairs,
        params: &'a Arc<Params>,
    ) -> Prober<'a> {
        let king_cells = KingCells::among(cells, params);
        let is_probed = |cell: &usize| king_cells.as_ref().is_none_or(|it| !it.has(*cell));
        let mut order: Vec<usize> = (0..cells.0.len()).filter(is_probed).collect();
        order.sort_unstable_by_key(|&cell| pairs.place(cell as u16));
        let mut positions = positions(samples);
        let evaluator = Evaluator::new(params);
        let values = positions.iter_mut().map(|at| value(&evaluator, at)).collect();
        let found = vec![Vec::new(); positions.len()];
        Prober {
            positions,
            values,
            _unmoved: evaluator,
            cells,
            order,
            at: cells.values(params),
            params,
            found,
            king_cells,
        }
    }

    fn block(mut self, targets: &[Target], pairs: &PhasePairs) -> SlopeBlock {
        let everywhere: Vec<usize> = (0..self.positions.len()).collect();
        for first in (0..self.order.len()).step_by(GROUP) {
            self.probe(first, (first + GROUP).min(self.order.len()), &everywhere);
        }
        if let Some(king_cells) = &self.king_cells {
            let gains = king_cells.gains(&mut self.positions, &self.values, self.params);
            for ((position, gain), found) in self.positions.iter().zip(gains).zip(&mut self.found) {
                found.extend(king_cells.slopes(position, gain));
            }
        }
        let mut block = SlopeBlock::default();
        for ((value, target), found) in self.values.iter().zip(targets).zip(&self.found) {
            block.push(*value as f32, *target, found, pairs);
        }
        block
    }

    /// Finds the weights `first..end` of the order that count in the positions `places`.
    fn probe(&mut self, first: usize, end: usize, places: &[usize]) {
        if end - first == 1 {
            let cell = self.order[first];
            let (from, to) = (self.at[cell], self.cells.0[cell].probe(self.at[cell]));
            for (place, change) in self.changes(&[(cell, to)], places) {
                self.found[place].push((cell as u16, change as f32 / (to - from) as f32));
            }
            return;
        }
        let places = self.changed_by_group(first, end, places);
        if !places.is_empty() {
            let part = (end - first).div_ceil(PARTS);
            for first in (first..end).step_by(part) {
                self.probe(first, (first + part).min(end), &places);
            }
        }
    }

    /// The places in which some of the weights `first..end` of the order count: those whose value changes when
    /// all are moved. Changes can cancel, so each weight moves by its own distance, and where
    /// nothing changed a second time to other values.
    fn changed_by_group(&mut self, first: usize, end: usize, places: &[usize]) -> Vec<usize> {
        let mut changed: Vec<usize> = Vec::new();
        let mut unchanged = places.to_vec();
        for trial in 0..2 {
            let scattered =
                |cell: usize| (cell, self.cells.0[cell].scattered(self.at[cell], cell, trial));
            let group: Vec<_> = self.order[first..end].iter().copied().map(scattered).collect();
            let found = self.changes(&group, &unchanged);
            changed.extend(found.into_iter().map(|(place, _)| place));
            changed.sort_unstable();
            unchanged.retain(|place| changed.binary_search(place).is_err());
        }
        changed
    }

    /// The places whose value changes when cells take other values, and the change.
    fn changes(&mut self, moved: &[(usize, i32)], places: &[usize]) -> Vec<(usize, i32)> {
        let mut params = Params::clone(self.params);
        for &(cell, value) in moved {
            let cell = &self.cells.0[cell];
            // A probe is in range.
            let _ = cell.spec.set(&mut params, cell.index, value);
        }
        let evaluator = Evaluator::new(&Arc::new(params));
        let change = |&place: &usize| {
            let change = value(&evaluator, &mut self.positions[place]) - self.values[place];
            (change != 0).then_some((place, change))
        };
        places.iter().filter_map(change).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use process::progress::Unseen;

    const FENS: [&str; 4] = [
        "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8",
        "2r3k1/1p3ppp/p3p3/3pP3/3P1P2/P2n1N2/1P4PP/2R3K1 b - - 0 25",
        "8/5pk1/6p1/7p/1P5P/6P1/5PK1/8 w - - 0 40",
        "r4rk1/pp1qbppp/2p1pn2/8/2PP4/1P2PB2/PB3PPP/R2Q1RK1 w - - 0 14",
    ];

    fn block(names: &[&str], params: &Params) -> (Cells, SlopeBlock) {
        let samples: Vec<TexelSample> = FENS.iter().map(|fen| TexelSample::of(fen, 0.5)).collect();
        let targets = [Target { expected: 0.5, scale: 0.003 }; FENS.len()];
        let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        let cells = Cells::matching(params, &names).unwrap();
        let params = Arc::new(params.clone());
        let found = examples(&samples, &targets, &cells, &params, NonZeroUsize::MIN, &Unseen);
        (cells, found.0.into_iter().next().unwrap())
    }

    /// The weights that count in a position, with their slopes, in the cells' order.
    fn by_cell(block: &SlopeBlock, place: usize, cells: &Cells) -> Vec<(u16, f32)> {
        let pairs = PhasePairs::of(cells);
        let mut all = vec![[0.0; 2]; pairs.count()];
        let (found, slopes) = block.row(place);
        for (&pair, slopes) in found.iter().zip(slopes) {
            all[usize::from(pair)] = *slopes;
        }
        let slopes = (0..).zip(pairs.by_cell(&all));
        slopes.filter(|(_, slope)| *slope != 0.0).collect()
    }

    /// Values after any change of the weights are what the slopes say: exact but for rounding.
    #[test]
    fn slopes_tell_the_value_after_a_change() {
        let mut start = Params::default();
        // It counts thresholds.
        start.initiative.on = false;
        let names = ["pst.*", "material.*", "pawns.*", "passed.middlegame", "centre.table"];
        let (cells, block) = block(&names, &start);
        let mut values = cells.values(&start);
        for (number, value) in values.iter_mut().enumerate() {
            *value += (number as i32 * 7) % 23 - 11;
        }
        let mut moved = start.clone();
        cells.put(&values, &mut moved);
        let moved_by: Vec<f32> = cells
            .values(&moved)
            .iter()
            .zip(cells.values(&start))
            .map(|(a, b)| (a - b) as f32)
            .collect();
        let evaluator = Evaluator::new(&Arc::new(moved));
        for (place, fen) in FENS.iter().enumerate() {
            let found = by_cell(&block, place, &cells);
            assert!(!found.is_empty(), "{fen}");
            let change = found.iter().map(|&(cell, slope)| moved_by[usize::from(cell)] * slope);
            let told = block.values[place] + change.sum::<f32>();
            let value = value(&evaluator, &mut Position::from_fen(fen).unwrap()) as f32;
            assert!((told - value).abs() <= 4.0, "{fen}: {told} told, {value} found");
        }
    }

    /// A weight moved alone and a weight found in a group have the same slope, and nothing that counts
    /// is missed.
    #[test]
    fn groups_miss_nothing() {
        let start = Params::default();
        let (cells, block) = block(&["pst.*", "pressure.factor", "mobility.table"], &start);
        let samples: Vec<TexelSample> = FENS.iter().map(|fen| TexelSample::of(fen, 0.5)).collect();
        let params = Arc::new(start);
        let mut alone = Prober::new(&samples, &cells, &PhasePairs::of(&cells), &params);
        let everywhere: Vec<usize> = (0..FENS.len()).collect();
        for cell in 0..cells.0.len() {
            alone.probe(cell, cell + 1, &everywhere);
        }
        for (place, mut found) in alone.found.into_iter().enumerate() {
            found.sort_unstable_by_key(|(cell, _)| *cell);
            assert_eq!(found, by_cell(&block, place, &cells), "{}", FENS[place]);
        }
    }

    /// By the men on the board or by probing, which is what happens without the tempo.
    #[test]
    fn king_squares_count_as_probing_finds_them() {
        let mut start = Params::default();
        start.king_squares.on = true;
        let names = ["king_squares.own_*", "king_squares.enemy_knight_mg", "pst.rook_eg"];
        let (cells, probed) = block(&names, &start);
        start.tempo.on = true;
        let (_, told) = block(&names, &start);
        for (place, fen) in FENS.iter().enumerate() {
            let [probed, told] = [&probed, &told].map(|block| by_cell(block, place, &cells));
            // The pawn ending is judged by rules of its own.
            assert!(place == 2 || told.len() > 8, "{fen}");
            assert_eq!(probed.len(), told.len(), "{fen}");
            for ((cell, slope), (other, probed)) in told.into_iter().zip(probed) {
                let near = cell == other && (slope - probed).abs() < 0.02;
                assert!(near, "{fen}: {} {slope} {probed}", cells.0[usize::from(cell)].name());
            }
        }
    }
}
