//! The early-opening table as the engine reads it (PRO-19): keys of the positions that moves of
//! strong games lead to.

use std::io::{self, Write};

use super::count::{OpeningCounts, OpeningRecord};

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OpeningChoice {
    /// At least so many games reached the position.
    pub min_games: u64,
    /// The side that moved there scored at least this, 0 to 1, in games with a result.
    pub min_score: f64,
}

impl OpeningChoice {
    fn has(&self, record: &OpeningRecord) -> bool {
        let wdl = record.wdl;
        // Without a result there is no score to be too low.
        let scores = wdl.games() == 0 || wdl.score() >= self.min_score;
        record.games() >= self.min_games && scores
    }
}

/// Writes a line for each chosen position: its key, and as a comment the games and the score of the
/// side that moved there. Returns the number of lines.
pub fn write_openings(
    out: &mut dyn Write,
    openings: &OpeningCounts,
    choice: &OpeningChoice,
) -> io::Result<u64> {
    let mut chosen = 0;
    for record in openings.records() {
        let record = record?;
        if choice.has(&record) {
            chosen += 1;
            let OpeningRecord { key, wdl, undecided } = record;
            let (games, score) = (record.games(), 100.0 * wdl.score());
            let of = if undecided > 0 { format!(" of {}", wdl.games()) } else { String::new() };
            writeln!(out, "{key:016x} # {games} games, {score:.0}%{of}")?;
        }
    }
    Ok(chosen)
}

/// The keys of the chosen positions, ascending.
pub fn chosen_keys(openings: &OpeningCounts, choice: &OpeningChoice) -> io::Result<Vec<u64>> {
    let chosen = openings.records().filter_map(|record| match record {
        Ok(record) => choice.has(&record).then_some(Ok(record.key)),
        Err(error) => Some(Err(error)),
    });
    chosen.collect()
}

#[cfg(test)]
mod tests {
    use super::super::count::SideWdl;
    use super::super::count::openings::RunWriter;
    use super::super::scratch::Scratch;
    use super::*;

    /// The engine finds the positions, by key.
    #[test]
    fn the_engine_reads_the_table() {
        let start = engine::Position::startpos();
        let mut run = RunWriter::new(&Scratch::default());
        let mut add = |key, wins, draws, losses, undecided| {
            let wdl = SideWdl { wins, draws, losses };
            run.push(OpeningRecord { key, wdl, undecided }).unwrap();
        };
        add(7, 0, 0, 9, 0);
        add(8, 1, 0, 0, 0);
        add(start.key(), 3, 1, 0, 1);
        let openings = OpeningCounts::new(run.finish().unwrap(), 10);
        let choice = OpeningChoice { min_games: 2, min_score: 0.4 };
        let mut text = Vec::new();
        assert_eq!(write_openings(&mut text, &openings, &choice).unwrap(), 1);
        let text = String::from_utf8(text).unwrap();
        assert_eq!(text, format!("{:016x} # 5 games, 88% of 4\n", start.key()));
        let table = engine::search::OpeningTable::parse(&text).expect("the engine's form");
        assert!(table.len() == 1 && table.contains(&start));
        assert_eq!(chosen_keys(&openings, &choice).unwrap(), [start.key()]);
    }
}
