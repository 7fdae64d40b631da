//! The pages of runs and of nights.

use charts::frame::{SORT_SCRIPT, whole};

use super::overview::{OverviewRow, overview};

const INTRO: &str = "All Elo is <strong>test minus base</strong>: positive means that test is \
                     stronger. Two games from one opening, colours swapped, are a pair, the \
                     unit of all statistics.";

pub(super) fn page(rows: &[OverviewRow], sections: &str) -> String {
    let (title, heading, table) = match rows {
        [row] => (row.title(), "Match report".to_owned(), String::new()),
        rows => {
            let heading = format!("{} matches", rows.len());
            (heading.clone(), heading, overview(rows))
        }
    };
    let script = format!("<script>\n{SORT_SCRIPT}</script>\n");
    let source = "run.json and games.jsonl";
    whole([&title, &heading], INTRO, &format!("{table}{sections}"), source, &script)
}

pub(super) fn night(name: &str, entries: &str, rows: &[OverviewRow], sections: &str) -> String {
    let table = if rows.is_empty() { String::new() } else { overview(rows) };
    let script = format!("<script>\n{SORT_SCRIPT}</script>\n");
    let body = format!("{entries}{table}{sections}");
    whole([name, name], INTRO, &body, "nightly.json and the matches' journals", &script)
}
