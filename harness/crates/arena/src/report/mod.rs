//! `report.html`: one self-contained page for one or several runs.
//!
//! A run is read in one pass over its journal. Style and script are in the page, and its content
//! policy forbids it to load anything. The same folders give the same bytes: nothing on the page
//! depends on when or where it was made.
//!
//! [`MatchState`](crate::record::MatchState) decides which pairs count: the gap-free prefix up
//! to the deciding pair. Repeated pairs do not count in statistics. Thinking times, nodes and
//! faults are of all recorded games, as in the summary.
//!
//! - `run`, `path`, `openings`, `pace`: what is gathered from a journal.
//! - `paths`, `shares`, `games`: the charts of a run.
//! - `other`: a match that another program played.
//! - `key_figures`, `tables`, `section`, `overview`, `page`: what stands where.

mod games;
mod key_figures;
mod openings;
mod other;
mod overview;
mod pace;
mod page;
mod path;
mod paths;
mod run;
mod section;
mod shares;
mod tables;

use std::path::{Path, PathBuf};

use crate::record::{REPORT_FILE, RecordError, atomic, run_name};
pub use other::OtherMatch;
use overview::OverviewRow;
use process::Error;
pub use run::{RunResults, VerdictTerms};

/// The page for these run folders, in the given order, and for matches of others behind them. With
/// several, a table of all comes first.
pub fn render(dirs: &[PathBuf], others: &[OtherMatch]) -> Result<String, Error> {
    let mut matches = Matches::default();
    for (dir, name) in dirs.iter().zip(names(dirs)) {
        matches.add(&RunResults::read(dir, &name)?);
    }
    others.iter().for_each(|other| matches.add_other(other));
    Ok(matches.page())
}

#[derive(Default)]
pub struct Matches {
    rows: Vec<OverviewRow>,
    sections: String,
}

impl Matches {
    pub fn add(&mut self, run: &RunResults) {
        let id = format!("run{}", self.rows.len() + 1);
        self.sections.push_str(&section::section(&id, run));
        self.rows.push(OverviewRow::of(id, run));
    }

    pub fn add_other(&mut self, other: &OtherMatch) {
        let id = format!("run{}", self.rows.len() + 1);
        self.sections.push_str(&other.section(&id));
        self.rows.push(OverviewRow::of_other(id, other));
    }

    pub fn page(&self) -> String {
        page::page(&self.rows, &self.sections)
    }

    /// `head`, the table of all matches, then each match.
    pub fn night(&self, name: &str, head: &str) -> String {
        page::night(name, head, &self.rows, &self.sections)
    }
}

/// What a page says of one run: its figures, charts and tables, as one element with the id `run`.
pub fn fragment(run: &RunResults) -> String {
    section::section("run", run)
}

/// Writes the page of these folders and matches to `out`, whole or not at all.
pub fn write(dirs: &[PathBuf], others: &[OtherMatch], out: &Path) -> Result<(), Error> {
    Ok(atomic::replace_by(out, render(dirs, others)?)?)
}

/// Writes `report.html` of a run that was read.
pub fn write_run(dir: &Path, run: &RunResults) -> Result<(), RecordError> {
    let mut matches = Matches::default();
    matches.add(run);
    atomic::replace_by(&dir.join(REPORT_FILE), matches.page())
}

/// The names of runs; folders of one name are told apart by their paths.
pub fn names(dirs: &[PathBuf]) -> Vec<String> {
    let names: Vec<String> = dirs.iter().map(|dir| run_name(dir)).collect();
    let is_common = |name: &String| names.iter().filter(|other| *other == name).count() > 1;
    let named = dirs.iter().zip(&names);
    named
        .map(|(dir, name)| if is_common(name) { dir.display().to_string() } else { name.clone() })
        .collect()
}
