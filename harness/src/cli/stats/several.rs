//! `verdict stats FOLDER` of a tournament, a night or any folder of runs: each of them in a line.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::recorded::{self, Shown};
use crate::record::{RunFile, Side, run_name};
use crate::stats::{Defined, Sprt, sure};

/// The numbers of each of these runs, in words and as JSON; `kind` is what `dir` holds.
///
/// # Errors
/// When one is damaged.
pub(super) fn told(
    dir: &Path,
    kind: &str,
    runs: &[PathBuf],
    sprt: Option<&Sprt>,
) -> anyhow::Result<(String, Value)> {
    let mut text = format!(
        "{dir} is {kind} with {} run{}; `verdict ratings {dir}` rates all players together, \
         `verdict report {dir}` makes one page. All Elo is test minus base.\n",
        runs.len(),
        if runs.len() == 1 { "" } else { "s" },
        dir = dir.display()
    );
    let mut all = Vec::with_capacity(runs.len());
    for run in runs {
        let shown = recorded::statistics(run, sprt)?;
        let Shown { statistics, ruling, .. } = &shown;
        let file = RunFile::read(run)?;
        let show =
            |value: Defined<String>| value.unwrap_or_else(|why| format!("undefined ({why})"));
        let elo = &statistics.elo;
        let error = elo.error95.map_or(String::new(), |error| format!(" ± {error:.2}"));
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "{}: {} against {}: {} games, Elo {}{error}, LOS {}, verdict {ruling}",
            run.strip_prefix(dir).unwrap_or(run).display(),
            file.label(Side::Test),
            file.label(Side::Base),
            statistics.games,
            show(elo.elo.map(|elo| format!("{elo:+.2}"))),
            show(statistics.los.map(sure)),
        );
        let mut numbers = shown.json()?;
        numbers["name"] = json!(run_name(run));
        numbers["folder"] = json!(run);
        all.push(numbers);
    }
    Ok((text, json!({ "runs": all })))
}
