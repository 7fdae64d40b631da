//! How often a material imbalance table speaks in real games (PRO-25), and how right it is.

use std::sync::Arc;

use engine::Params;
use engine::eval::{Evaluator, ImbalanceTable, MaterialCounts};

use super::count::PositionSample;
use super::count::sample::SampledPosition;

/// What the table of a player says of the positions of a sample.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct BoardUse {
    /// Cells of the table that are worth something to the player.
    pub cells: usize,
    pub positions: u64,
    /// Positions whose cell is worth something.
    pub spoken: u64,
    /// Positions of these in which one side has more men, or better ones, by 1 3 3 5 9.
    pub unequal: u64,
    /// Points of the side that the table favours, 0 to 1 a position.
    pub score: f64,
    /// The sum of the values, 1/256 pawn, without sign.
    pub values: f64,
}

/// Pawns, knights, bishops, rooks, queens.
const WORTH: [i32; 5] = [1, 3, 3, 5, 9];

impl BoardUse {
    /// By what these parameters make of their table.
    pub fn of(params: &Params, sample: &PositionSample) -> BoardUse {
        let evaluator = Evaluator::new(&Arc::new(params.clone()));
        let worth = |men: MaterialCounts| evaluator.imbalance(men);
        let all = (0..ImbalanceTable::CELLS).map(MaterialCounts::of_cell);
        let cells = all.filter(|&men| worth(men) != 0).count();
        let mut used = BoardUse { cells, ..BoardUse::default() };
        for position in sample.sorted() {
            let men = men(position);
            let points = worth(men);
            used.positions += 1;
            if points != 0 {
                used.spoken += 1;
                used.unequal += u64::from(lead(men) != 0);
                used.values += f64::from(points.abs());
                let white = position.score();
                used.score += if points > 0 { white } else { 1.0 - white };
            }
        }
        used
    }

    /// `part` of the positions in which the table speaks, per cent.
    pub fn of_spoken(&self, part: f64) -> f64 {
        if self.spoken == 0 { 0.0 } else { 100.0 * part / self.spoken as f64 }
    }

    /// One line of words.
    pub fn words(&self) -> String {
        let share = 100.0 * self.spoken as f64 / (self.positions.max(1)) as f64;
        format!(
            "{} of {} cells; speaks in {} of {} positions ({share:.2}%), in {:.1}% of these with material \
             unequal; the side that it favours scores {:.1}%, the mean value is {:.2} pawns",
            self.cells,
            ImbalanceTable::CELLS,
            self.spoken,
            self.positions,
            self.of_spoken(self.unequal as f64),
            self.of_spoken(self.score),
            self.values / 256.0 / self.spoken.max(1) as f64,
        )
    }
}

/// The men on the board, as the table counts them.
fn men(position: SampledPosition) -> MaterialCounts {
    let mut counts = [0; 10];
    for (man, _) in position.men() {
        let (role, side) = (man % 6, man / 6);
        if let Some(count) = counts.get_mut(2 * role + side) {
            *count += 1;
        }
    }
    MaterialCounts(counts)
}

/// White's men less Black's, pawns.
fn lead(MaterialCounts(counts): MaterialCounts) -> i32 {
    let of = |(pair, worth): (&[u8], i32)| worth * (i32::from(pair[0]) - i32::from(pair[1]));
    counts.chunks_exact(2).zip(WORTH).map(of).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::sample::priority;
    use pgn::Outcome;
    use pgn::san::Board;
    use shakmaty::fen::Fen;
    use shakmaty::{CastlingMode, Chess};

    fn add(sample: &mut PositionSample, fen: &str, outcome: Outcome) {
        let setup: Fen = fen.parse().expect(fen);
        let chess: Chess = setup.into_position(CastlingMode::Standard).expect(fen);
        let priority = priority(sample.sorted().len() as u64, 20);
        let position = SampledPosition::new(priority, &Board::new(&chess), outcome);
        sample.add(position.expect("men"));
    }

    /// The tables within the engine know that a queen and two pawns win, for both colours.
    #[test]
    fn what_the_table_says_of_boards() {
        let mut sample = PositionSample::new(100);
        add(&mut sample, "4k3/ppp5/8/8/8/8/PPP5/4K3 w - - 0 1", Outcome::Draw);
        add(&mut sample, "4k3/8/8/8/8/8/PP6/3QK3 w - - 0 1", Outcome::White);
        add(&mut sample, "3qk3/pp6/8/8/8/8/8/4K3 w - - 0 1", Outcome::Black);
        add(&mut sample, "3qk3/pp6/8/8/8/8/8/4K3 w - - 0 1", Outcome::White);
        let used = |mit: &str| {
            let mut params = Params::default();
            params.set("mit", mit).expect(mit);
            params.set("imbalance.mode", "5").expect("a mode");
            BoardUse::of(&params, &sample)
        };
        assert_eq!(used("none"), BoardUse { positions: 4, ..BoardUse::default() });
        let all = used("all");
        assert_eq!((all.positions, all.spoken, all.unequal), (4, 3, 3));
        assert_eq!(all.score, 2.0);
        assert!(all.cells > 1_000 && (47.0 * 3.0..=50.0 * 3.0).contains(&(all.values / 2.56)));
        assert!(all.words().contains("speaks in 3 of 4 positions (75.00%)"), "{}", all.words());
    }
}
