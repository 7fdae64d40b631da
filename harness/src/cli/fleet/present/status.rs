//! `verdict status`: prints the state of a fleet.

use std::time::Duration;

use arena::record::ODD;
use charts::numbers::{count, fixed};
use charts::page::{Page, PageTable};
use fleet::link::{Access, Link};
use fleet::status::{FleetLook, FleetStatus, RunStatus, WorkerStatus};
use process::Error;
use process::terminal::window_width;

use super::super::words::StatusArgs;
use super::hands::coordinator;
use super::log;
use crate::cli::{DONE, print, print_json, runtime};

const AGAIN: Duration = Duration::from_secs(2);
/// Moves the cursor to the top left and clears the screen.
const CLEAR: &str = "\x1b[H\x1b[2J";

pub(in crate::cli) fn status(args: &StatusArgs) -> Result<u8, Error> {
    let (access, _) = coordinator(args.fleet.as_deref())?;
    runtime(1)?.block_on(show(args, &access))
}

async fn show(args: &StatusArgs, access: &Access) -> Result<u8, Error> {
    let link = Link::connect(access).await?;
    if let Some(worker) = &args.log {
        log::show(&link, worker, args.lines.get()).await?;
        link.close().await;
        return Ok(DONE);
    }
    loop {
        let status = FleetStatus::of(&FleetLook::ask(&link).await?);
        match args.json {
            true => print_json(&status)?,
            false => {
                let text = page(&status).plain(window_width());
                print(format_args!("{}{text}", if args.watch { CLEAR } else { "" }))?;
            }
        }
        if !args.watch {
            link.close().await;
            return Ok(DONE);
        }
        tokio::time::sleep(AGAIN).await;
    }
}

fn page(status: &FleetStatus) -> Page {
    let mut page = Page::default();
    if status.runs.is_empty() {
        page.text("no run; verdict match … --fleet begins one");
    } else {
        let head = ["run", "state", "pairs", "of", "prefix", "games/s", "waits for"];
        let mut runs = PageTable::new(1, head);
        runs.rows.extend(status.runs.iter().map(run_row));
        page.table(runs);
        for run in status.runs.iter().filter(|run| run.state == "playing" && !run.line.is_empty()) {
            page.text(format!("{}: {}", run.name, run.line));
        }
        for run in status.runs.iter().filter(|run| run.state == "playing") {
            for barred in &run.convicted {
                page.text(format!("{}: {barred}", run.name));
            }
        }
    }
    if status.workers.is_empty() {
        page.text("no worker; verdict serve invite NAME prints what to type on another machine");
    } else {
        let head = ["worker", "slots", "state", "run", "games/s", "games", "why"];
        let mut workers = PageTable::new(1, head);
        workers.rows.extend(status.workers.iter().map(worker_row));
        page.table(workers);
    }
    page
}

fn run_row(run: &RunStatus) -> Vec<String> {
    vec![
        run.name.clone(),
        run.state.clone(),
        count(run.pairs),
        count(run.of),
        count(run.prefix),
        fixed(run.games_per_s, 1),
        run.waits_for.clone().unwrap_or_default(),
    ]
}

fn worker_row(worker: &WorkerStatus) -> Vec<String> {
    let p = worker.residual.as_ref().and_then(|row| row.p).filter(|p| *p < ODD);
    let odd = p.map(|p| format!("its results are unlike those of all others (p {})", fixed(p, 4)));
    let why: Vec<String> = worker.why.iter().cloned().chain(odd).collect();
    vec![
        worker.name.clone(),
        count(worker.slots.into()),
        worker.state.clone(),
        worker.run.clone().unwrap_or_default(),
        fixed(worker.games_per_s, 1),
        count(worker.games),
        why.join("; "),
    ]
}
