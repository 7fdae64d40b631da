//! `/`: the runs under way and the recorded runs.

use axum::Extension;
use axum::extract::State;
use charts::html::{Cell, Column, HtmlText, Table};
use charts::numbers::count;

use super::{Links, Whole};
use crate::answer::Handled;
use crate::recorded::RecordedRow;
use crate::shown::Shown;
use crate::state::RunState;

pub(crate) async fn page(
    State(shown): State<Shown>,
    Extension(links): Extension<Links>,
) -> Handled {
    let site = &shown.site;
    let states: Vec<_> = site.runs().iter().map(|run| run.state()).collect();
    let recorded = site.recorded().list().await;
    let others = recorded.iter().filter(|row| states.iter().all(|state| state.id != row.id));
    let others: Vec<&RecordedRow> = others.collect();
    let mut main = "<h1>Runs</h1>\n<div id=\"runs\">\n".to_owned();
    if states.is_empty() {
        main.push_str("<p class=\"none\">No run is under way.</p>\n");
    }
    states.iter().for_each(|state| main.push_str(&card(state, &links)));
    main.push_str("</div>\n");
    if site.workers().is_some() {
        main.push_str(&format!("<p><a href=\"{}\">Workers</a></p>\n", links.to("/workers")));
    }
    if !others.is_empty() {
        main.push_str(&format!("<h2>Recorded runs</h2>\n{}", table(&others, &links)));
    }
    let whole = Whole { title: "Runs", above: &[], main, again: Some(10) };
    Ok(whole.render(&links))
}

/// A run under way.
fn card(state: &RunState, links: &Links) -> String {
    let id = HtmlText(&state.id);
    format!(
        "<article class=\"card\" data-run=\"{id}\">\n<h2><a href=\"{}\">{}</a></h2>\n\
         <p><strong class=\"phase\" data-field=\"state\">{}</strong> \
         <span data-field=\"pairs\">{}</span> of {} pairs, <span data-field=\"finished\">{}</span> games</p>\n\
         <p class=\"line\" data-field=\"line\">{}</p>\n</article>\n",
        links.to(&format!("/run/{}", state.id)),
        HtmlText(&state.name),
        state.phase.as_str(),
        count(state.summary.pairs),
        count(state.total_pairs()),
        count(state.finished),
        HtmlText(&state.line)
    )
}

fn table(rows: &[&RecordedRow], links: &Links) -> String {
    let head = [
        ("Run", Column::Long),
        ("Begun", Column::Text),
        ("Pairs", Column::Number),
        ("Elo, test minus base", Column::Text),
    ];
    let mut table = Table::new("Recorded runs", &head).sortable();
    for row in rows {
        let path = links.to(&format!("/run/{}", row.id));
        let told = row.told.as_ref();
        table.row([
            Cell::html(format!("<a href=\"{path}\">{}</a>", HtmlText(&row.name))),
            Cell::text(told.map_or("–", |told| told.created.get(..10).unwrap_or(&told.created))),
            Cell::keyed(
                told.map_or("–".to_owned(), |told| count(told.pairs)),
                told.map(|told| told.pairs as f64),
            ),
            Cell::text(told.map_or("no summary", |told| &told.words)),
        ]);
    }
    table.render()
}
