//! `/run/ID`: figures, charts and tables of a run, as in its report.

use std::sync::Arc;

use axum::Extension;
use axum::extract::{Path, State};
use axum::http::HeaderValue;
use charts::html::HtmlText;
use charts::numbers::{count, counted, fixed};

use super::{Links, Whole};
use crate::answer::{HTML, Handled, Refusal, typed};
use crate::shown::Shown;
use crate::source::{Charts, RunSource};
use crate::state::{Phase, RunState};

pub(super) async fn found(shown: &Shown, id: &str) -> Result<Arc<dyn RunSource>, Refusal> {
    shown.site.run(id).await?.ok_or_else(|| Refusal::not_found("that run"))
}

pub(crate) async fn page(
    State(shown): State<Shown>,
    Path(id): Path<String>,
    Extension(links): Extension<Links>,
) -> Handled {
    let run = found(&shown, &id).await?;
    let state = run.state();
    let charts = run.charts().await?;
    let is_playing = state.phase == Phase::Playing;
    let path = format!("/run/{}", state.id);
    let live = match is_playing {
        true => format!("<a href=\"{}\">Games under way</a>", links.to(&format!("{path}/live"))),
        false => String::new(),
    };
    let workers = match state.fleet.is_some() && shown.site.workers().is_some() {
        true => format!("<a href=\"{}\">Workers</a>", links.to("/workers")),
        false => String::new(),
    };
    let main = format!(
        "<h1>{}</h1>\n<div class=\"now\" data-run=\"{}\">\n{}<nav class=\"also\" aria-label=\"Of this run\">\
         <a href=\"{}\">Games</a> {live} {workers} <a href=\"{}\">summary.json</a></nav>\n</div>\n{}{}",
        HtmlText(&state.name),
        HtmlText(&state.id),
        now(&state),
        links.to(&format!("{path}/games")),
        links.to(&format!("/api{path}/summary")),
        warnings(&state),
        drawn(&state, &charts),
    );
    let again = is_playing.then_some(10);
    let whole = Whole { title: &state.name, above: &[("/", "Runs")], main, again };
    Ok(whole.render(&links))
}

/// Only the charts, for the script. A header has their version.
pub(crate) async fn charts(State(shown): State<Shown>, Path(id): Path<String>) -> Handled {
    let Charts { version, html } = found(&shown, &id).await?.charts().await?;
    let mut response = typed(HTML, html.to_string());
    response.headers_mut().insert("x-charts-version", HeaderValue::from(version));
    Ok(response)
}

fn drawn(state: &RunState, charts: &Charts) -> String {
    format!(
        "<div id=\"charts\" data-run=\"{}\" data-version=\"{}\">\n{}</div>\n",
        HtmlText(&state.id),
        charts.version,
        charts.html
    )
}

/// The figures at the top.
fn now(state: &RunState) -> String {
    let mut rows = vec![
        ("state", "State", state.phase.as_str().to_owned()),
        (
            "pairs_of",
            "Pairs that count",
            format!("{} of {}", count(state.summary.pairs), count(state.total_pairs())),
        ),
        ("prefix", "Gap-free prefix, pairs", count(state.prefix)),
        ("finished", "Games finished", count(state.finished)),
        (
            "games_per_s",
            "Games a second",
            state.games_per_s.map_or("–".to_owned(), |rate| fixed(rate, 2)),
        ),
    ];
    if let Some(fleet) = &state.fleet {
        rows.extend([
            ("waits_for", "Waits for", fleet.waits_for()),
            ("finished_pairs", "Pairs finished", count(fleet.finished_pairs)),
            (
                "workers",
                "Workers",
                format!("{} with {}", count(fleet.workers), counted(fleet.slots, "slot")),
            ),
            ("redrawn", "Pairs replayed", count(fleet.redrawn)),
            ("duplicates", "Games that came twice", count(fleet.duplicates)),
            ("refused", "Messages refused", count(fleet.refused)),
            ("audited", "Pairs played twice", count(fleet.audited)),
        ]);
    }
    let rows: String = rows
        .iter()
        .map(|(field, name, value)| {
            let value = HtmlText(value);
            format!("<div><dt>{name}</dt><dd data-field=\"{field}\">{value}</dd></div>\n")
        })
        .collect();
    format!(
        "<p class=\"line\" data-field=\"line\">{}</p>\n<dl class=\"figures\">\n{rows}</dl>\n",
        HtmlText(&state.line)
    )
}

fn warnings(state: &RunState) -> String {
    let items: String =
        state.warnings.iter().map(|it| format!("<li>{}</li>\n", HtmlText(it))).collect();
    let hidden = if items.is_empty() { " hidden" } else { "" };
    format!(
        "<section id=\"warnings\" class=\"told\" aria-label=\"Warnings\"{hidden}>\n<h2>Warnings</h2>\n\
         <ul>\n{items}</ul>\n</section>\n"
    )
}
