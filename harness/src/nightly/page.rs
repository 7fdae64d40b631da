//! The page of a night: its entries, its tournaments, all of their matches.

use super::{EntryOutcome, NightSummary, Stop, crosstable};
use arena::record::FinalVerdict;
use arena::report::{self, Matches};
use charts::html::{Cell, Column, HtmlText, Table};

/// The page of a night. Matches whose files cannot be read are named, and left out.
pub fn page(night: &NightSummary) -> String {
    let mut matches = Matches::default();
    let mut unread = String::new();
    for (name, run) in night.entries.iter().flat_map(runs) {
        match report::RunResults::read(&run.dir, &name) {
            Ok(run) => matches.add(&run),
            Err(error) => {
                let error = error.to_string();
                unread.push_str(&format!("<p class=\"warning\">{}</p>\n", HtmlText(&error)));
            }
        }
    }
    let mut head = String::new();
    if !night.ended {
        head.push_str("<p class=\"note\">Not finished; this is the state so far.</p>\n");
    }
    head.push_str(&entries(&night.entries));
    for (entry, bisect) in
        night.entries.iter().filter_map(|entry| Some((entry, entry.bisect.as_ref()?)))
    {
        let dir = bisect.dir.display().to_string();
        head.push_str(&format!(
            "<p><strong>{}, the commit</strong>: {} See {}.</p>\n",
            HtmlText(&entry.name),
            HtmlText(&bisect.words),
            HtmlText(&dir)
        ));
    }
    head.push_str(&unread);
    for entry in night.entries.iter().filter(|entry| !entry.ratings.is_empty()) {
        let what = "ratings and results (won–drawn–lost by the row's player)";
        head.push_str(&crosstable(&entry.ratings).html(&format!("{}: {what}", entry.name)));
    }
    matches.night(&night.name, &head)
}

/// The matches of an entry that have begun, with their names on the page.
fn runs(entry: &EntryOutcome) -> impl Iterator<Item = (String, &super::NightRun)> {
    let begun = entry.runs.iter().filter(|run| run.dir.join(arena::record::RUN_FILE).is_file());
    begun.map(|run| {
        let folder = arena::record::run_name(&run.dir);
        let is_one = entry.runs.len() == 1 && folder == entry.name;
        (if is_one { folder } else { format!("{}/{folder}", entry.name) }, run)
    })
}

fn entries(entries: &[EntryOutcome]) -> String {
    let head = [
        ("Entry", Column::Text),
        ("State", Column::Text),
        ("Verdict", Column::Text),
        ("Result", Column::Long),
        ("Faults", Column::Text),
        ("Stopped by", Column::Long),
    ];
    let mut table = Table::new("Result of each entry", &head);
    for entry in entries {
        let verdict = match &entry.regression {
            Some(why) => {
                format!("<strong class=\"reject\">REGRESSION</strong> {}", HtmlText(why))
            }
            None => HtmlText(entry.verdict.map_or("–", FinalVerdict::as_str)).to_string(),
        };
        let stopped = entry.stopped.as_ref();
        let stopped = stopped.map(|Stop { by, why }| format!("{by}: {why}")).unwrap_or_default();
        table.row([
            Cell::text(&format!("{} ({})", entry.name, entry.word)),
            Cell::text(&entry.state.to_string()),
            Cell::html(verdict),
            Cell::text(entry.result.as_deref().unwrap_or("–")),
            Cell::text(&entry.faults.words().unwrap_or_default()),
            Cell::text(&stopped),
        ]);
    }
    table.render()
}
