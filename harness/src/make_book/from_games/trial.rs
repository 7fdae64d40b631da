//! Tries a program before any work: whether it starts, takes its options, and ends a search by the limit.

use std::sync::Arc;
use std::time::Duration;

use arena::compliance::{LimitKind, search_once, shortened};
use arena::player::external::External;
use arena::player::program::{
    ProgramHost, ProgramSettings, ProgramSpec, StartError, StartErrorKind,
};
use arena::player::{Fault, GoLimit};
use process::Error;
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;

/// A short search that takes longer does not end by its limit.
const PATIENCE: Duration = Duration::from_secs(10);
/// A position that no program has by itself.
const SET_UP: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";

/// In processes of its own. A program that crashes now and then is not refused: scoring skips such positions.
pub(super) fn run(
    spec: &ProgramSpec,
    settings: &ProgramSettings,
    runtime: Handle,
    limit: &GoLimit,
) -> Result<(), Error> {
    let settings = ProgramSettings { hang: settings.hang.min(PATIENCE), ..settings.clone() };
    let host = &ProgramHost::new(settings, runtime, CancellationToken::new())?;
    let Some(fault) = search(spec, host, limit)? else { return Ok(()) };
    let is_crash = matches!(fault, Fault::Crash(_));
    let is_of_limits =
        is_crash || matches!(fault, Fault::Hang(_) | Fault::NotStarted(_) | Fault::Garbage(_));
    if !is_of_limits || is_crash && search(spec, host, limit)?.is_none() {
        return Ok(());
    }
    // What else the scores of a book can be limited by.
    let other = match limit {
        GoLimit::Depth(_) => LimitKind::Nodes,
        _ => LimitKind::Depth,
    };
    let way_out = match (search(spec, host, &other.short())?, is_crash) {
        (None, _) => format!("it obeys {other}: expected {}", other.flag()),
        (Some(_), true) => return Ok(()),
        (Some(_), false) => {
            let (word, path) = (spec.protocol.word(), spec.path.display());
            format!(
                "if it speaks {word} only when told to: {word}:{path},arg=--{word}; verdict check says more"
            )
        }
    };
    Err(Error::usage(format!("does not obey {}: {fault}; {way_out}", LimitKind::of(limit))))
}

/// A short search, and what was wrong with it.
fn search(
    spec: &ProgramSpec,
    host: &Arc<ProgramHost>,
    limit: &GoLimit,
) -> Result<Option<Fault>, Error> {
    let mut player = External::start(spec, host).map_err(start_error)?;
    if let Some(why) = player.refuses_start(SET_UP, false) {
        player.quit();
        return Err(Error::usage(format!("cannot score positions: {why}")));
    }
    let fault = match player.refuses_limit(limit) {
        Some(why) => Some(Fault::NotStarted(why.to_owned())),
        None => search_once(&mut player, &shortened(*limit), host.settings.margin).err(),
    };
    player.quit();
    match fault {
        Some(Fault::Lack(lack)) => Err(Error::input_output(lack)),
        fault => Ok(fault),
    }
}

fn start_error(error: StartError) -> Error {
    match error.kind {
        StartErrorKind::Options => Error::usage(error.to_string()),
        StartErrorKind::Engine => Error::fault(error.to_string()),
        StartErrorKind::Lack => Error::input_output(error.to_string()),
    }
}
