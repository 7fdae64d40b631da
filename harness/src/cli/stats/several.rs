//! `verdict stats FOLDER` of a tournament, a night or any folder of runs: a table.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::recorded::{self, RecordedResults};
use arena::record::{RunFile, Side, run_name};
use charts::page::{Page, PageTable};
use process::Error;
use stats::{Defined, Sprt, percent_clamped};

/// The numbers of each of these runs, in words and as JSON; `kind` is what `dir` holds.
pub(super) fn results_of(
    dir: &Path,
    kind: &str,
    runs: &[PathBuf],
    sprt: Option<&Sprt>,
) -> Result<(Page, Value), Error> {
    let mut page = Page::default();
    let place = dir.display();
    let ending = if runs.len() == 1 { "" } else { "s" };
    page.text(format!(
        "{place} is {kind} with {} run{ending}. All Elo is test minus base.",
        runs.len()
    ));
    let mut table = PageTable::new(1, ["run", "test", "base", "games", "Elo", "LOS", "verdict"]);
    let mut all = Vec::with_capacity(runs.len());
    for run in runs {
        let shown = recorded::statistics(run, sprt)?;
        let RecordedResults { statistics, words, .. } = &shown;
        let file = RunFile::read(run)?;
        let show = |value: Defined<String>| value.unwrap_or("–".to_owned());
        let elo = &statistics.elo;
        let error = elo.error95.map_or(String::new(), |error| format!(" ± {error:.2}"));
        table.rows.push(vec![
            run.strip_prefix(dir).unwrap_or(run).display().to_string(),
            file.label(Side::Test).to_string(),
            file.label(Side::Base).to_string(),
            statistics.games.to_string(),
            show(elo.elo.map(|elo| format!("{elo:+.2}{error}"))),
            show(statistics.los.map(percent_clamped)),
            words.clone(),
        ]);
        let mut numbers = shown.json();
        numbers["name"] = json!(run_name(run));
        numbers["folder"] = json!(run);
        all.push(numbers);
    }
    page.table(table);
    page.list(
        "All together:",
        vec![
            format!("ratings of all players: verdict ratings {place}"),
            format!("one page with charts: verdict report {place}"),
        ],
    );
    Ok((page, json!({ "runs": all })))
}
