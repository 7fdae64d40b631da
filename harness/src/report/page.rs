//! The whole page.

use super::html::Text;
use super::overview::{Row, overview};
use crate::truth::Peak;

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("sort.js");
const INTRO: &str = "All Elo is <strong>test minus base</strong>: a positive number says that test is \
                     the stronger one. Two games from one opening, colours swapped, are a pair, the \
                     unit of all statistics.";

/// The page of these runs and their sections.
pub(super) fn page(rows: &[Row], sections: &str) -> String {
    let (title, heading, table) = match rows {
        [row] => (row.title(), "Match report".to_owned(), String::new()),
        rows => {
            let heading = format!("{} matches", rows.len());
            (heading.clone(), heading, overview(rows))
        }
    };
    let script = format!("<script>\n{SCRIPT}</script>\n");
    let source = "run.json and games.jsonl";
    whole([&title, &heading], INTRO, &format!("{table}{sections}"), source, &script)
}

/// The page of a night: what is said of its entries, then of their runs.
pub(super) fn night(name: &str, entries: &str, rows: &[Row], sections: &str) -> String {
    let table = if rows.is_empty() { String::new() } else { overview(rows) };
    let script = format!("<script>\n{SCRIPT}</script>\n");
    let body = format!("{entries}{table}{sections}");
    whole([name, name], INTRO, &body, "nightly.json and the matches' journals", &script)
}

/// What the page of a series is made of: its files, unless its results were drawn by lot.
pub(super) fn made_of<'a>(truth: &[Peak], files: &'a str) -> &'a str {
    if truth.is_empty() { files } else { "a simulated engine" }
}

/// A page of that title and heading about anything, made from that source; `intro`, `body` and `script`
/// are HTML.
pub(super) fn whole(
    [title, heading]: [&str; 2],
    intro: &str,
    body: &str,
    source: &str,
    script: &str,
) -> String {
    // A page without a script lets none run.
    let policy = if script.is_empty() { "" } else { "; script-src 'unsafe-inline'" };
    let (title, heading, source) = (Text(title), Text(heading), Text(source));
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" \
         content=\"default-src 'none'; style-src 'unsafe-inline'{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <header>\n<h1>{heading}</h1>\n<p>{intro}</p>\n</header>\n<main>\n{body}</main>\n\
         <footer>Rendered by verdict from {source}.</footer>\n{script}</body>\n</html>\n"
    )
}
