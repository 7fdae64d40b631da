//! A history for people and for programs.

use std::collections::BTreeMap;
use std::path::Path;

use jiff::Timestamp;
use serde_json::{Value, json};

use super::{LeftOut, Outcome, Row};
use arena::record::{RecordError, run_name, write_outcome};
use charts::curve::{Curve, Dot};
use charts::figure::{Figure, Key};
use charts::frame::whole;
use charts::html::HtmlText;
use charts::numbers::counted;
use charts::page::{Page, PageTable};
use charts::svg::Naming;

const INTRO: &str = "Elo of revisions over time: recorded games between commits of the repository, under the \
                     same conditions, are rated together. The first of them has 0.";

/// Writes `summary.md`, `summary.json` and `report.html`.
pub fn write(outcome: &Outcome, repo: &Path, dir: &Path) -> Result<(), RecordError> {
    let name = run_name(dir);
    let mut whole = Page::default();
    whole.heading(1, name.as_str());
    whole.append(page(outcome));
    write_outcome(dir, &whole, &json(outcome, repo), &html(outcome, &name))
}

pub fn json(outcome: &Outcome, repo: &Path) -> Value {
    let mut json = json!({ "repo": repo, "complete": outcome.is_complete() });
    let outcome = serde_json::to_value(outcome).unwrap_or_default();
    if let (Value::Object(json), Value::Object(outcome)) = (&mut json, outcome) {
        json.extend(outcome);
    }
    json
}

/// The table, and what it is made of.
pub fn page(outcome: &Outcome) -> Page {
    let mut page = Page::default();
    page.text(from(outcome));
    page.table(table(outcome));
    let missing = outcome.revisions.iter().filter_map(|row| Some((row, row.why.as_ref()?)));
    let missing: Vec<String> = missing.map(|(row, why)| format!("{}: {why}", row.name)).collect();
    if !missing.is_empty() {
        page.list("Not rated (--play plays what is missing)", missing);
    }
    let left_out = left_out(outcome);
    if !left_out.is_empty() {
        page.list("Runs left out", left_out);
    }
    page
}

/// Why, how many, and the first of them.
fn left_out(outcome: &Outcome) -> Vec<String> {
    let mut by_reason: BTreeMap<&str, Vec<&LeftOut>> = BTreeMap::new();
    for it in &outcome.left_out {
        by_reason.entry(&it.why).or_default().push(it);
    }
    let line = |(why, runs): (&str, Vec<&LeftOut>)| {
        let first = runs[0].run.display();
        match runs.len() {
            1 => format!("{first}: {why}"),
            more => format!("{first} and {} more: {why}", more - 1),
        }
    };
    by_reason.into_iter().map(line).collect()
}

fn from(outcome: &Outcome) -> String {
    let mut text = format!(
        "From {} in {}",
        counted(outcome.games, "game"),
        counted(outcome.runs.len() as u64, "run")
    );
    if let Some(conditions) = &outcome.conditions {
        text += &format!(" ({conditions})");
    }
    text += ". Elo is against the first of them, gain against the one before.";
    if outcome.stopped_early > 0 {
        let runs = counted(outcome.stopped_early, "run");
        text += &format!(
            " {runs} ended by the rule before the last pair: such runs overstate differences on average."
        );
    }
    text
}

fn with_error(elo: Option<f64>, error: Option<f64>) -> String {
    match (elo, error) {
        (Some(elo), Some(error)) if error > 0.0 => format!("{elo:+.1} ± {error:.1}"),
        (Some(elo), _) => format!("{elo:+.1}"),
        (None, _) => "–".to_owned(),
    }
}

fn table(outcome: &Outcome) -> PageTable {
    let head = ["revision", "date", "Elo ± 95 %", "gain ± 95 %", "games", "commit", "subject"];
    let mut table = PageTable::new(1, head);
    for row in &outcome.revisions {
        let Row { name, date, elo, error95, gain, gain_error95, games, commit, subject, .. } = row;
        table.rows.push(vec![
            name.clone(),
            date.get(..10).unwrap_or(date).to_owned(),
            with_error(*elo, *error95),
            with_error(*gain, *gain_error95),
            games.to_string(),
            commit.get(..10).unwrap_or(commit).to_owned(),
            subject.clone(),
        ]);
    }
    table
}

fn html(outcome: &Outcome, name: &str) -> String {
    let chart = figure(outcome).render();
    let body = format!(
        "<section>\n<h2>{}</h2>\n<p>{}</p>\n<div class=\"charts\">\n{chart}</div>\n{}</section>\n",
        HtmlText(name),
        HtmlText(&from(outcome)),
        table(outcome).html("Revisions")
    );
    whole([name, "A history"], INTRO, &body, "the journals of recorded runs", "")
}

/// When a commit was written, in years.
fn year(date: &str) -> Option<f64> {
    const YEAR: f64 = 365.2425 * 24.0 * 3600.0;
    let at: Timestamp = date.parse().ok()?;
    Some(1970.0 + at.as_second() as f64 / YEAR)
}

fn figure(outcome: &Outcome) -> Figure {
    const HEADING: &str = "Elo over time";
    let first = outcome.revisions.iter().position(|row| row.elo.is_some());
    let dots = outcome.revisions.iter().enumerate().filter_map(|(at, row)| {
        let (x, y) = (year(&row.date)?, row.elo?);
        let class = if Some(at) == first { "base" } else { "test" };
        Some(Dot { class, x, y, error: row.error95.unwrap_or(f64::NAN) })
    });
    let dots: Vec<Dot> = dots.collect();
    if dots.len() < 2 {
        return Figure::nothing(HEADING, "fewer than two revisions are rated");
    }
    let line = dots.iter().map(|dot| [dot.x, dot.y, 0.0]).collect();
    let names: Vec<String> = outcome
        .revisions
        .iter()
        .map(|row| format!("{} {}", row.name, with_error(row.elo, row.error95)))
        .collect();
    let desc = format!("Elo of each revision by the date of its commit: {}.", names.join(", "));
    let naming = Naming { id: "history".to_owned(), title: HEADING.to_owned(), desc: desc.clone() };
    let chart = Curve { naming, x_name: "year", dots, line, top: None }.render();
    let keys = [Key::Line("test", "revisions, 95% intervals"), Key::Area("base", "the first")];
    Figure::new(HEADING, chart).with_keys(&keys).with_note(&desc)
}
