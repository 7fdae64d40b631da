//! `verdict stats FILE…` of results of fastchess, OpenBench and fishtest.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::render;
use crate::imported::{self, ImportedMatch};
use charts::page::{Page, PageTable};
use process::Error;
use process::terminal::window_width;
use stats::{Defined, Sprt, Verdict, percent_clamped};

/// What files of others have shown.
pub(super) struct ImportedResults {
    pub(super) text: String,
    pub(super) json: Value,
    /// Of the only match, if it has a test.
    pub(super) verdict: Option<Verdict>,
}

/// Whether these files are read here.
pub(super) fn are_imported(files: &[PathBuf]) -> Result<bool, Error> {
    for file in files {
        if file.is_file() && imported::is_imported(file)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The numbers of these files' matches, judged by `sprt`, or else by their own test.
pub(super) fn results(
    files: &[PathBuf],
    [test, base]: [Option<&String>; 2],
    sprt: Option<&Sprt>,
) -> Result<ImportedResults, Error> {
    let [tests, bases] = [test, base].map(|name| name.cloned().into_iter().collect::<Vec<_>>());
    let mut matches = imported::read(files, &tests, &bases)?;
    matches.retain(|one| {
        let is_asked = |side, name: Option<&String>| name.is_none_or(|it| one.is_player(side, it));
        is_asked(0, test) && is_asked(1, base)
    });
    if let (Some(test), true) = (test, matches.is_empty()) {
        let base = base.map_or(String::new(), |base| format!(" against '{base}'"));
        return Err(Error::usage(format!("expected a match of '{test}'{base}, found none")));
    }
    let [one] = matches.as_slice() else { return Ok(table(&matches, sprt)) };
    let statistics = one.statistics(sprt);
    let mut text = render(&statistics, sprt.or(one.sprt.as_ref()), None);
    let [test, base] = &one.players;
    let mut line = |name: &str, value: &str| {
        if !value.is_empty() {
            text.push_str(&format!("{name:<8} {value}\n"));
        }
    };
    line("given", &one.given_in_words().unwrap_or_default());
    line("from", &format!("{}: {test} (test) against {base} (base)", one.name()));
    line("", &one.conditions.to_string());
    one.notes.iter().for_each(|note| line("note", note));
    let mut json = json!(statistics);
    json["from"] = one.json();
    Ok(ImportedResults { text, json, verdict: statistics.verdict.ok() })
}

fn table(matches: &[ImportedMatch], sprt: Option<&Sprt>) -> ImportedResults {
    let mut page = Page::default();
    page.text(format!("{} matches. All Elo is test minus base.", matches.len()));
    let head = ["match", "test", "base", "games", "Elo", "LOS", "LLR", "verdict", "given"];
    let mut table = PageTable::new(1, head);
    let (mut all, mut notes) = (Vec::new(), Vec::new());
    for one in matches {
        let statistics = one.statistics(sprt);
        let show = |value: Defined<String>| value.unwrap_or("–".to_owned());
        let elo = &statistics.elo;
        let error = elo.error95.map_or(String::new(), |error| format!(" ± {error:.2}"));
        let [test, base] = one.players.clone();
        table.rows.push(vec![
            one.name(),
            test,
            base,
            statistics.games.to_string(),
            show(elo.elo.map(|elo| format!("{elo:+.2}{error}"))),
            show(statistics.los.map(percent_clamped)),
            show(statistics.llr.map(|llr| format!("{llr:.2}"))),
            show(statistics.verdict.map(|verdict| verdict.to_string())),
            one.given_in_words().unwrap_or("–".to_owned()),
        ]);
        notes.extend(one.notes.iter().map(|note| format!("{}: {note}", one.name())));
        let mut json = json!(statistics);
        json["from"] = one.json();
        all.push(json);
    }
    page.table(table);
    if !notes.is_empty() {
        page.list("Notes:", notes);
    }
    let text = page.plain(window_width());
    ImportedResults { text, json: json!({ "matches": all }), verdict: None }
}
