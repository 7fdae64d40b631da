//! Counts as JSON, by names that other programs rely on.

use engine::eval::MaterialCounts;
use serde_json::{Map, Value, json};

use super::count::pst::{LETTERS, Phase};
use super::count::{MinedCounts, mit};

/// `{"mit": {"8 8 2 2 2 2 2 2 1 1": [wins, draws, losses], …}, "pst": {"middlegame": {"P": [64],
/// …}, "endgame": {…}}, "openings": {"key": [wins, draws, losses, without result], …}}`, each only
/// if it was counted. Keys of `mit` are the men in the order of the paper's loops, wp bp wn bn wb
/// bb wr br wq bq, results White's; `pst` counts positions, a1 = 0 to h8 = 63; results of
/// `openings` are those of the side that moved to the position with that key (Polyglot's).
pub fn counts_json(counts: &MinedCounts) -> Value {
    let mut object = Map::new();
    if let Some(mit) = &counts.mit {
        let cells = mit
            .used()
            .map(|(cell, wdl)| (cell_name(cell), json!([wdl.wins, wdl.draws, wdl.losses])));
        object.insert("mit".to_owned(), Value::Object(cells.collect()));
    }
    if let Some(pst) = &counts.pst {
        let phases = Phase::ALL.map(|phase| {
            let boards = LETTERS.iter().enumerate();
            let boards =
                boards.map(|(man, letter)| (letter.to_string(), json!(pst.board(phase, man))));
            (phase.to_string(), Value::Object(boards.collect()))
        });
        object.insert("pst".to_owned(), Value::Object(phases.into_iter().collect()));
    }
    if let Some(openings) = &counts.openings {
        let positions = openings.sorted().into_iter().map(|(key, wdl, undecided)| {
            (format!("{key:016x}"), json!([wdl.wins, wdl.draws, wdl.losses, undecided]))
        });
        object.insert("openings".to_owned(), Value::Object(positions.collect()));
    }
    Value::Object(object)
}

/// The men of a cell, separated by blanks. Panics when there is no such cell.
pub fn cell_name(cell: usize) -> String {
    let MaterialCounts(men) = cell_men(cell);
    men.map(|count| count.to_string()).join(" ")
}

fn cell_men(mut cell: usize) -> MaterialCounts {
    assert!(cell < mit::CELLS, "cell {cell}");
    let mut men = [0; 10];
    for (man, counts) in men.iter_mut().zip([9, 9, 3, 3, 3, 3, 3, 3, 2, 2]).rev() {
        *man = (cell % counts) as u8;
        cell /= counts;
    }
    MaterialCounts(men)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_have_names() {
        for cell in (0..mit::CELLS).step_by(11) {
            assert_eq!(cell_men(cell).index(), Some(cell));
        }
        assert_eq!(cell_name(mit::CELLS - 1), "8 8 2 2 2 2 2 2 1 1");
        assert_eq!(cell_name(1), "0 0 0 0 0 0 0 0 0 1");
    }
}
