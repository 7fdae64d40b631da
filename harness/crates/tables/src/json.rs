//! Counts as JSON, by names that other programs rely on.

use std::io::{self, Write};

use engine::eval::MaterialCounts;
use serde::ser::{Error as _, Serialize, SerializeMap as _, Serializer};
use serde_json::{Map, Value, json};

use super::count::pst::{LETTERS, Phase};
use super::count::{MinedCounts, MitCounts, OpeningCounts, PstCounts, mit};

/// Writes `{"mit": {"8 8 2 2 2 2 2 2 1 1": [wins, draws, losses], …}, "pst": {"middlegame": {"P": [64],
/// …}, "endgame": {…}}, "openings": {"key": [wins, draws, losses, without result], …}}`, each only
/// if it was counted. Keys of `mit` are the men in the order of the paper's loops, wp bp wn bn wb
/// bb wr br wq bq, results White's; `pst` counts positions, a1 = 0 to h8 = 63; results of
/// `openings` are those of the side that moved to the position with that key (Polyglot's).
pub fn write_counts_json(out: &mut dyn Write, counts: &MinedCounts) -> io::Result<()> {
    Ok(serde_json::to_writer(out, &JsonCounts(counts))?)
}

struct JsonCounts<'a>(&'a MinedCounts);

impl Serialize for JsonCounts<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(None)?;
        if let Some(mit) = &self.0.mit {
            object.serialize_entry("mit", &material(mit))?;
        }
        if let Some(pst) = &self.0.pst {
            object.serialize_entry("pst", &squares(pst))?;
        }
        if let Some(openings) = &self.0.openings {
            object.serialize_entry("openings", &JsonOpenings(openings))?;
        }
        object.end()
    }
}

fn material(mit: &MitCounts) -> Value {
    let cells =
        mit.used().map(|(cell, wdl)| (cell_name(cell), json!([wdl.wins, wdl.draws, wdl.losses])));
    Value::Object(cells.collect())
}

fn squares(pst: &PstCounts) -> Value {
    let phases = Phase::ALL.map(|phase| {
        let boards = LETTERS.iter().enumerate();
        let boards = boards.map(|(man, letter)| (letter.to_string(), json!(pst.board(phase, man))));
        (phase.to_string(), Value::Object(boards.collect()))
    });
    Value::Object(phases.into_iter().collect::<Map<_, _>>())
}

/// Written one by one, since there may be many.
struct JsonOpenings<'a>(&'a OpeningCounts);

impl Serialize for JsonOpenings<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(None)?;
        for record in self.0.records() {
            let record = record.map_err(S::Error::custom)?;
            let wdl = record.wdl;
            let games = [wdl.wins, wdl.draws, wdl.losses, record.undecided];
            object.serialize_entry(&format!("{:016x}", record.key), &games)?;
        }
        object.end()
    }
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
