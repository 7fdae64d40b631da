//! `verdict worker`.

use std::sync::Arc;
use std::time::Duration;

use fleet::files::Provisions;
use fleet::link::Access;
use fleet::worker::{Log, WorkerSettings, work};
use process::children::adopted::Orphans;
use process::machine::physical_cores;
use process::signals::{StopRequest, hear};
use process::{Context as _, Error};
use wire::names::WorkerName;

use super::super::words::WorkerArgs;
use super::{instance, token};
use crate::cli::{DONE, runtime};
use crate::nightly::Deadline;
use arena::runner::Stops;

const THREADS: usize = 2;
/// How long leaving at once may take.
const AT_ONCE: Duration = Duration::from_millis(1500);

pub(in crate::cli) fn worker(args: &WorkerArgs) -> Result<u8, Error> {
    let token = token(&args.join)?;
    let name = WorkerName { name: token.name.clone(), instance: instance(args.name.as_deref())? };
    let stops = Stops::default();
    let heard = stops.clone();
    let log = Arc::new(Log::new(token.seed.reveal(), |text| status!("{text}")));
    let said = Arc::clone(&log);
    let _listening = hear(move |request| match request {
        _ if heard.no_new_games() => {
            heard.stop_now();
            beside(|| {
                std::thread::sleep(AT_ONCE);
                Orphans::end();
                std::process::exit(DONE.into());
            });
        }
        StopRequest::Interrupt | StopRequest::End => {
            heard.drain();
            let log = Arc::clone(&said);
            beside(move || {
                log.say(
                    "leaves: finishes pairs under way, for at most 90 s; Ctrl-C again leaves at once",
                );
            });
        }
    })
    .context("cannot listen to signals")?;
    let settings = WorkerSettings {
        access: Access::of(&token, &name),
        name,
        slots: args.slots.unwrap_or_else(physical_cores),
        pin: args.pin.clone().unwrap_or_default(),
        provisions: provisions(args)?,
        stops: stops.clone(),
        log,
    };
    let until = args.until.or_else(|| args.duration.map(Deadline::after));
    runtime(THREADS)?.block_on(async {
        let _clock = until.map(|until| {
            tokio::spawn(async move {
                tokio::time::sleep(until.left()).await;
                stops.drain();
            })
        });
        work(settings).await
    })?;
    Ok(DONE)
}

fn provisions(args: &WorkerArgs) -> Result<Provisions, Error> {
    let have = args.have.iter().map(|(name, path)| {
        let name =
            name.parse().map_err(|error| Error::usage(format!("--have: the name {error}")))?;
        Ok((name, path.clone()))
    });
    let have = have.collect::<Result<_, Error>>()?;
    Ok(Provisions { sandbox: args.sandbox, have, syzygy: args.syzygy.clone() })
}

fn beside(work: impl FnOnce() + Send + 'static) {
    // If no thread can be started, the worker still drains.
    let _ = std::thread::Builder::new().spawn(work);
}
