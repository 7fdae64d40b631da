//! Weights in pairs.
//!
//! A tapered weight has a cell for the middle game and one for the end game, and where one counts
//! the other mostly does. As pairs they are read, multiplied and written in one step.

use std::collections::HashMap;

use super::cells::Cells;

/// What the names of the two halves of a tapered weight differ in.
const PHASE_SUFFIXES: [(&str, &str); 2] = [("_mg", "_eg"), (".middlegame", ".endgame")];

/// The place of each cell among the pairs.
#[derive(Debug, Clone)]
pub struct PhasePairs {
    /// By cell: twice the pair, plus its half.
    places: Vec<u16>,
}

impl PhasePairs {
    /// Joins the halves of each tapered weight; other cells in sequence. Panics with more than
    /// 65,536 cells.
    pub fn of(cells: &Cells) -> PhasePairs {
        PhasePairs::of_names(&cells.0.iter().map(|cell| cell.name()).collect::<Vec<_>>())
    }

    /// The same of weights with these names.
    pub fn of_names(names: &[String]) -> PhasePairs {
        let by_name: HashMap<&str, usize> =
            names.iter().enumerate().map(|(cell, name)| (&**name, cell)).collect();
        let partner = |name: &str| {
            PHASE_SUFFIXES.iter().find_map(|(first, second)| {
                let other = name.replacen(first, second, 1);
                by_name.get(&*other).copied().filter(|_| other != name)
            })
        };
        let tapered: Vec<[usize; 2]> = names
            .iter()
            .enumerate()
            .filter_map(|(cell, name)| Some([cell, partner(name)?]))
            .collect();
        let mut order = tapered.concat();
        let mut placed = vec![false; names.len()];
        for &cell in &order {
            placed[cell] = true;
        }
        order.extend((0..names.len()).filter(|&cell| !placed[cell]));
        let mut places = vec![0; names.len()];
        for (place, cell) in order.into_iter().enumerate() {
            places[cell] = u16::try_from(place).expect("fewer cells than 65,536");
        }
        PhasePairs { places }
    }

    pub fn count(&self) -> usize {
        self.places.len().div_ceil(2)
    }

    /// A cell's pair, and its half.
    #[inline]
    pub fn place(&self, cell: u16) -> (u16, usize) {
        let place = self.places[usize::from(cell)];
        (place / 2, usize::from(place % 2))
    }

    /// From cell order to pairs.
    pub fn paired(&self, by_cell: &[f32]) -> Vec<[f32; 2]> {
        let mut paired = vec![[0.0; 2]; self.count()];
        for (place, number) in self.places.iter().zip(by_cell) {
            paired[usize::from(place / 2)][usize::from(place % 2)] = *number;
        }
        paired
    }

    /// From pairs to cell order.
    pub fn by_cell<'a, T: Copy>(&'a self, paired: &'a [[T; 2]]) -> impl Iterator<Item = T> + 'a {
        self.places.iter().map(|place| paired[usize::from(place / 2)][usize::from(place % 2)])
    }
}

#[cfg(test)]
mod tests {
    use engine::Params;

    use super::*;

    /// Every cell has a place of its own, and the halves of a tapered weight share a pair.
    #[test]
    fn halves_are_together() {
        let params = Params::default();
        for patterns in [vec![], vec!["*"], vec!["pst.*", "centre.table"], vec!["pst.knight_mg"]] {
            let patterns: Vec<String> = patterns.into_iter().map(str::to_owned).collect();
            let cells = Cells::matching(&params, &patterns).unwrap();
            let pairs = PhasePairs::of(&cells);
            let numbers: Vec<f32> = (0..cells.0.len()).map(|cell| cell as f32 + 1.0).collect();
            let paired = pairs.paired(&numbers);
            assert_eq!(pairs.by_cell(&paired).collect::<Vec<_>>(), numbers, "{patterns:?}");
            let place = |name: &str| {
                let cell = cells.0.iter().position(|cell| cell.name() == name)?;
                Some(pairs.place(cell as u16))
            };
            let halves = [place("pst.knight_mg[e4]"), place("pst.knight_eg[e4]")];
            if let [Some(first), Some(second)] = halves {
                assert_eq!((first.0, first.1, second.1), (second.0, 0, 1), "{patterns:?}");
            }
        }
    }
}
