//! EloStat's table (TST-05).

use std::path::PathBuf;

use super::{CrosstableInput, Options, page};
use process::Error;
use stats::ratings::{EloStatRow, elostat};

/// The width of EloStat's column of names; longer names make it wider.
const NAME_WIDTH: usize = 30;

/// Reads games as [`Crosstable::read`](super::Crosstable::read) does and rates their players as
/// EloStat does: its table, and below it what was not counted. Pairs and White's advantage play no
/// part.
pub fn elostat_table(inputs: &[PathBuf], options: &Options) -> Result<String, Error> {
    let tally = CrosstableInput::read(inputs, &options.names)?;
    let results = tally.results.with_at_least(options.min_games);
    let left_out = (tally.results.names().len() - results.names().len()) as u64;
    let rows = elostat(&results, &options.scale)?;
    let mut out = table(&rows);
    if rows.last().is_some_and(|row| row.set > 0) {
        out += "\nPlayers below an empty line met nobody above it: their ratings cannot be compared.\n";
    }
    let omitted = page::omitted(&tally.counted, left_out, options.min_games);
    if !omitted.is_empty() {
        out += &format!("\nLeft out: {}.\n", omitted.join("; "));
    }
    if let Some(first) = &tally.counted.first_unusable {
        out += &format!("The first that cannot be used: {first}.\n");
    }
    Ok(out)
}

fn table(rows: &[EloStatRow]) -> String {
    let longest = rows.iter().map(|row| row.name.chars().count()).max().unwrap_or(0);
    let names = longest.max(NAME_WIDTH);
    let mut out = format!(
        "    {:<names$}   {:>4} {:>4} {:>4} {:>6}  {:>7} {:>8}  {:>6}\n",
        "Program", "Elo", "+", "-", "Games", "Score", "Av.Op.", "Draws"
    );
    let mut set = None;
    for (rank, row) in rows.iter().enumerate() {
        if set != Some(row.set) {
            out.push('\n');
            set = Some(row.set);
        }
        let EloStatRow { name, elo, margins, wdl, average_opponent, .. } = row;
        let [plus, minus] = match margins {
            Some(margins) => margins.map(|margin| format!("{margin:.0}")),
            None => ["--", "--"].map(str::to_owned),
        };
        let games = wdl.games();
        let share = |points: f64| 100.0 * points / games as f64;
        let score = share(wdl.win as f64 + wdl.draw as f64 / 2.0);
        let draws = share(wdl.draw as f64);
        out += &format!(
            "{:>3} {name:<names$} : {elo:>4.0} {plus:>4} {minus:>4} {games:>6}  {score:>5.1} % \
             {average_opponent:>8.0}  {draws:>5.1} %\n",
            rank + 1
        );
    }
    out
}
