//! What came of a night.

use std::path::Path;

use serde_json::json;

use super::ratings::crosstable;
use super::{EntryOutcome, EntryState};
use arena::record::output_files::NIGHT_MD_FILE;
use arena::record::{FolderKind, RecordError, atomic};
use charts::page::{Page, PageTable};

/// The version of `nightly.json`.
const FORMAT: u32 = 2;

#[derive(Debug, Clone, PartialEq)]
pub struct NightSummary {
    /// Its name: the folder's.
    pub name: String,
    /// Whether it has ended, be it early.
    pub ended: bool,
    pub entries: Vec<EntryOutcome>,
}

impl NightSummary {
    /// The exit code, the first of these that holds: 1 when an entry shows a regression, 3 when one
    /// failed or the tested side had a fault, 2 when something is not played to its end, 0.
    pub fn exit_code(&self) -> u8 {
        if self.entries.iter().any(|entry| entry.regression.is_some()) {
            1
        } else if self.entries.iter().any(EntryOutcome::has_failed) {
            3
        } else if self.entries.iter().any(|entry| entry.state != EntryState::Finished) {
            2
        } else {
            0
        }
    }

    pub fn page(&self) -> Page {
        let mut page = Page::default();
        page.heading(1, self.name.as_str());
        if !self.ended {
            page.text("Not finished; this is the state so far.");
        }
        let rows = self.entries.iter().map(|entry| vec![entry.name.clone(), entry.in_words()]);
        let head = ["Entry", "Result"].map(str::to_owned).to_vec();
        page.table(PageTable { head, rows: rows.collect(), keys: 1 });
        for entry in self.entries.iter().filter(|entry| !entry.ratings.is_empty()) {
            page.heading(2, entry.name.as_str());
            page.table(crosstable(&entry.ratings));
        }
        page.text("Elo is test minus base. Ratings of a tournament have mean 0.");
        page
    }

    /// Writes `nightly.json` and `nightly.md`, each whole or not at all.
    pub fn write(&self, dir: &Path) -> Result<(), RecordError> {
        let json = json!({
            "format": FORMAT,
            "name": self.name,
            "ended": self.ended,
            "exit_code": self.exit_code(),
            "entries": self.entries,
        });
        atomic::replace_by(&dir.join(FolderKind::Night.file()), format!("{json:#}\n"))?;
        atomic::replace_by(&dir.join(NIGHT_MD_FILE), self.page().markdown())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nightly::{Cause, EntryKind, FaultCounts, Stop};

    fn entry(state: EntryState) -> EntryOutcome {
        EntryOutcome {
            name: "a".to_owned(),
            word: EntryKind::Match,
            state,
            stopped: None,
            regression: None,
            bisect: None,
            faults: FaultCounts::default(),
            verdict: None,
            result: None,
            ratings: Vec::new(),
            runs: Vec::new(),
        }
    }

    fn code(entries: &[EntryOutcome]) -> u8 {
        NightSummary { name: "n".to_owned(), ended: true, entries: entries.to_vec() }.exit_code()
    }

    #[test]
    fn the_gravest_finding_is_the_exit_code() {
        let done = entry(EntryState::Finished);
        let worse = EntryOutcome { regression: Some("LOS 1%".to_owned()), ..done.clone() };
        let ours = FaultCounts { total: 1, own: 1 };
        let theirs = FaultCounts { total: 1, own: 0 };
        let [ours, theirs] = [ours, theirs].map(|faults| EntryOutcome { faults, ..done.clone() });
        let unplayed =
            |by| entry(EntryState::NotPlayed).stopped(Some(Stop { by, why: String::new() }));
        let late = unplayed(Cause::Deadline);
        assert_eq!(code(&[done.clone(), theirs.clone()]), 0);
        assert_eq!(code(&[done.clone(), late.clone()]), 2);
        for failed in [ours, unplayed(Cause::Faults), unplayed(Cause::Error)] {
            assert_eq!(code(&[done.clone(), late.clone(), failed.clone()]), 3);
            assert_eq!(code(&[failed, late.clone(), worse.clone()]), 1);
        }
        // What the deadline found finished was not stopped by it.
        let deadline = Stop { by: Cause::Deadline, why: String::new() };
        assert_eq!(done.clone().stopped(Some(deadline)), done);
    }
}
