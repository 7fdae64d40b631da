//! `verdict status`: prints the state of a fleet.

use std::time::Duration;

use arena::record::ODD;
use charts::numbers::{count, fixed};
use charts::page::{Page, PageTable};
use fleet::status::{FleetLook, FleetStatus, RunStatus, WorkerStatus};
use process::Error;
use process::terminal::window_width;

use super::super::words::StatusArgs;
use super::hands::{Invited, connect, coordinator};
use super::log;
use crate::cli::{DONE, print, print_json, runtime};

const AGAIN: Duration = Duration::from_secs(2);
/// Runs that have ended and are shown, the last ones.
const ENDED: usize = 5;
/// Moves the cursor to the top left and clears the screen.
const CLEAR: &str = "\x1b[H\x1b[2J";

pub(in crate::cli) fn status(args: &StatusArgs) -> Result<u8, Error> {
    runtime(1)?.block_on(show(args, &coordinator(args.fleet.as_deref())?))
}

async fn show(args: &StatusArgs, invited: &Invited) -> Result<u8, Error> {
    let link = connect(&invited.access).await?;
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
                let text = page(&status, &invited.invite).plain(window_width());
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

fn page(status: &FleetStatus, invite: &str) -> Page {
    let mut page = Page::default();
    if status.runs.is_empty() {
        page.text("no run; verdict match … --fleet begins one");
    } else {
        let head = ["run", "state", "pairs", "of", "prefix", "games/s", "waits for"];
        let mut runs = PageTable::new(1, head);
        let ended = status.runs.iter().filter(|run| run.state == "stopped").count();
        let mut left_out = ended.saturating_sub(ENDED);
        // The oldest are first.
        let shown = status.runs.iter().filter(|run| {
            let is_old = run.state == "stopped" && left_out > 0;
            left_out -= usize::from(is_old);
            !is_old
        });
        runs.rows.extend(shown.map(run_row));
        page.table(runs);
        if ended > ENDED {
            page.text(format!("runs that ended before: {}; --json lists them", ended - ENDED));
        }
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
        page.text(format!("no worker; {invite} prints what to type on another machine"));
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
        worker.games_per_s.map_or("–".to_owned(), |rate| fixed(rate, 1)),
        worker.games.map_or("–".to_owned(), count),
        why.join("; "),
    ]
}
