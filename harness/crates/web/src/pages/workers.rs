//! `/workers`: what each worker does, and what the runs wait for.

use axum::Extension;
use axum::extract::State;
use charts::html::{Cell, Column, HtmlText, Table};
use charts::numbers::{count, counted, fixed};

use super::{Links, Whole};
use crate::answer::{Handled, Refusal};
use crate::fleet::{BrokerState, FleetState, WorkerPhase, WorkerState, WorkersTotal};
use crate::shown::Shown;
use crate::site::Site;

/// Smaller p-values are shown in bold.
const ODD: f64 = 0.01;
/// Shown digits of a commit.
const COMMIT: usize = 8;

pub(crate) async fn page(
    State(shown): State<Shown>,
    Extension(links): Extension<Links>,
) -> Handled {
    let site = &shown.site;
    let Some(workers) = site.workers() else {
        return Err(Refusal::not_found(
            "a list of workers: this page shows one machine, and the list",
        ));
    };
    let mut main = "<h1>Workers</h1>\n<div id=\"workers\">\n".to_owned();
    main.push_str(&site.broker().map(|broker| of_broker(&broker)).unwrap_or_default());
    if workers.is_empty() {
        main.push_str("<p class=\"none\">No worker has joined yet.</p>\n");
    } else {
        main.push_str(&in_words(&workers));
        main.push_str(&at_work(&workers, site, &links));
        main.push_str(&of_runs(site, &links));
        main.push_str(&declined(&workers, site));
        main.push_str(&residuals(&workers));
        main.push_str(&machines(&workers));
    }
    main.push_str("</div>\n");
    let whole = Whole { title: "Workers", above: &[("/", "Runs")], main, again: Some(10) };
    Ok(whole.render(&links))
}

fn of_broker(broker: &BrokerState) -> String {
    let words = HtmlText(&broker.words);
    match broker.up {
        true => format!("<p>Broker: {words}</p>\n"),
        false => format!(
            "<p class=\"told\"><strong>The broker does not answer.</strong> {words} Workers play on and \
             keep their results; nothing is lost.</p>\n"
        ),
    }
}

fn in_words(workers: &[WorkerState]) -> String {
    let WorkersTotal { workers: there, slots, games_per_s } = WorkersTotal::of(workers);
    let phases = [
        WorkerPhase::Playing,
        WorkerPhase::Preparing,
        WorkerPhase::Idle,
        WorkerPhase::Leaving,
        WorkerPhase::Away,
        WorkerPhase::Removed,
    ];
    let counts = phases.into_iter().filter_map(|phase| {
        let some = workers.iter().filter(|worker| worker.state == phase).count();
        (some > 0).then(|| format!("{some} {}", phase.as_str()))
    });
    format!(
        "<p class=\"line\">{} with {}, {} games a second: {}.</p>\n",
        counted(there, "worker"),
        counted(slots, "slot"),
        fixed(games_per_s, 1),
        counts.collect::<Vec<_>>().join(", ")
    )
}

/// The name of a run, or its id if it is not shown here.
fn run_name(site: &Site, id: &str) -> String {
    site.find(id).map_or_else(|| id.to_owned(), |run| run.state().name.clone())
}

fn run_link(site: &Site, id: &str, links: &Links) -> String {
    let name = run_name(site, id);
    match site.find(id) {
        Some(_) => {
            format!("<a href=\"{}\">{}</a>", links.to(&format!("/run/{id}")), HtmlText(&name))
        }
        None => HtmlText(&name).to_string(),
    }
}

fn at_work(workers: &[WorkerState], site: &Site, links: &Links) -> String {
    let head = [
        ("Worker", Column::Long),
        ("State", Column::Text),
        ("Run and chunks, or why idle", Column::Long),
        ("Slots", Column::Number),
        ("Games/s", Column::Number),
        ("Games", Column::Number),
        ("Faults", Column::Number),
        ("Late", Column::Number),
        ("Unsent", Column::Number),
        ("Heard", Column::Number),
    ];
    let mut table = Table::new("What they do", &head).sortable();
    for worker in workers {
        let heard = worker.heard_s.map_or("–".to_owned(), |seconds| format!("{seconds} s ago"));
        table.row([
            Cell::text(&worker.name),
            Cell::text(worker.state.as_str()),
            Cell::html(doing(worker, site, links)),
            Cell::count(worker.slots),
            known(worker, fixed(worker.games_per_s, 2), worker.games_per_s),
            number(worker, worker.games),
            number(worker, worker.faults),
            number(worker, worker.late),
            number(worker, worker.spooled),
            Cell::keyed(heard, worker.heard_s.map(|seconds| seconds as f64)),
        ]);
    }
    table.render()
}

/// What a worker tells of itself; a dash if it does not answer.
fn known(worker: &WorkerState, text: String, key: f64) -> Cell {
    match worker.state.is_there() {
        true => Cell::keyed(text, Some(key)),
        false => Cell::keyed("–".to_owned(), None),
    }
}

fn number(worker: &WorkerState, number: u64) -> Cell {
    known(worker, count(number), number as f64)
}

/// The run and chunks of a worker, or why it plays nothing. HTML.
fn doing(worker: &WorkerState, site: &Site, links: &Links) -> String {
    let mut parts = Vec::new();
    if let Some(run) = &worker.run {
        let chunks = worker.chunks.iter().map(|chunk| {
            let last = (chunk.first + chunk.pairs).saturating_sub(1);
            format!("pairs {} to {last}: {} of {}", chunk.first, chunk.done, chunk.pairs)
        });
        let chunks: Vec<String> = chunks.collect();
        let chunks = match (chunks.is_empty(), worker.state) {
            (false, _) => format!(", {}", chunks.join("; ")),
            (true, WorkerPhase::Playing) => ", no chunk".to_owned(),
            (true, _) => String::new(),
        };
        parts.push(format!("{}{chunks}", run_link(site, run, links)));
    }
    parts.extend(worker.idle_why.as_ref().map(|why| HtmlText(why).to_string()));
    if parts.is_empty() { "–".to_owned() } else { parts.join("<br>") }
}

/// Progress of the runs.
fn of_runs(site: &Site, links: &Links) -> String {
    let head = [
        ("Run", Column::Long),
        ("Gap-free prefix", Column::Number),
        ("Finished", Column::Number),
        ("Waits for", Column::Long),
        ("Replayed", Column::Number),
        ("Refused", Column::Number),
        ("Duplicates", Column::Number),
        ("Audited", Column::Number),
        ("Games struck", Column::Number),
        ("Barred", Column::Long),
    ];
    let mut table = Table::new("Pairs of each run", &head).sortable();
    let mut is_empty = true;
    for run in site.runs() {
        let state = run.state();
        let Some(fleet) = &state.fleet else { continue };
        let FleetState { finished_pairs, redrawn, refused, duplicates, audited, struck, .. } =
            *fleet;
        is_empty = false;
        let barred = match fleet.convicted.is_empty() {
            true => "–".to_owned(),
            false => fleet.convicted.join("; "),
        };
        table.row([
            Cell::html(run_link(site, &state.id, links)),
            Cell::count(state.prefix),
            Cell::count(finished_pairs),
            Cell::text(&fleet.waits_for()),
            Cell::count(redrawn),
            Cell::count(refused),
            Cell::count(duplicates),
            Cell::count(audited),
            Cell::count(struck),
            Cell::text(&barred),
        ]);
    }
    if is_empty { String::new() } else { table.render() }
}

fn declined(workers: &[WorkerState], site: &Site) -> String {
    let head = [("Worker", Column::Long), ("Run", Column::Long), ("Why", Column::Long)];
    let mut table = Table::new("Runs that they decline", &head).sortable();
    let all = workers.iter().flat_map(|worker| worker.declined.iter().map(move |it| (worker, it)));
    let mut is_empty = true;
    for (worker, declined) in all {
        is_empty = false;
        let run = run_name(site, &declined.run);
        table.row([Cell::text(&worker.name), Cell::text(&run), Cell::text(&declined.why)]);
    }
    if is_empty { String::new() } else { table.render() }
}

fn residuals(workers: &[WorkerState]) -> String {
    let head = [
        ("Worker", Column::Long),
        ("χ²", Column::Number),
        ("p", Column::Number),
        ("Time losses", Column::Number),
        ("Plies a game", Column::Number),
        ("Nodes/s in its games", Column::Number),
    ];
    let mut table = Table::new("How far their results are from those of the others", &head);
    table = table.sortable();
    let mut is_empty = true;
    let cell = |value: Option<f64>, digits| {
        Cell::keyed(value.map_or("–".to_owned(), |value| fixed(value, digits)), value)
    };
    for worker in workers {
        let Some(it) = &worker.residual else { continue };
        is_empty = false;
        let p = match it.p {
            Some(p) if p < ODD => Cell::keyed(format!("<strong>{}</strong>", fixed(p, 4)), Some(p)),
            p => cell(p, 3),
        };
        table.row([
            Cell::text(&worker.name),
            cell(it.chi2, 1),
            p,
            Cell::count(it.time_losses),
            cell(it.plies, 1),
            speed(it.nps),
        ]);
    }
    if is_empty {
        return String::new();
    }
    let note = "<p class=\"note\">χ² is over pairs lost, drawn and won, with two degrees of freedom; p is \
                corrected for the number of workers. No game is dropped by these figures.</p>\n";
    table.render() + note
}

fn speed(nps: Option<u64>) -> Cell {
    Cell::keyed(nps.map_or("–".to_owned(), count), nps.map(|nps| nps as f64))
}

fn machines(workers: &[WorkerState]) -> String {
    let head = [
        ("Worker", Column::Long),
        ("Host", Column::Long),
        ("Processor", Column::Long),
        ("Cores", Column::Number),
        ("Nodes/s of bench", Column::Number),
        ("Clock scale", Column::Number),
        ("verdict", Column::Text),
        ("Sandbox", Column::Text),
    ];
    let mut table = Table::new("Machines", &head).sortable();
    let text = |text: &str| Cell::text(if text.is_empty() { "–" } else { text });
    for worker in workers {
        let commit = worker.verdict.get(..COMMIT).unwrap_or(&worker.verdict);
        let scale = worker.scale.map_or("–".to_owned(), |scale| fixed(scale, 3));
        table.row([
            text(&worker.name),
            text(&worker.host),
            text(&worker.cpu),
            Cell::count(worker.cores),
            speed(worker.nps),
            Cell::keyed(scale, worker.scale),
            text(commit),
            text(&worker.sandbox),
        ]);
    }
    table.render()
}
