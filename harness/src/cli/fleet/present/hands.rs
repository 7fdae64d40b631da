//! `--fleet`: workers play, too.

use std::path::Path;
use std::sync::Arc;

use arena::hands::Hands;
use fleet::coordinator::{Fleet, FleetSettings};
use fleet::files::Builds;
use fleet::link::{Access, Link, greet};
use fleet::server::COORDINATOR_FILE;
use process::Error;
use wire::names::WorkerName;
use wire::token::Token;

use super::{instance, invite_command, token, usual_folder};
use crate::cli::flags::{BuildsFlag, FleetFlags};
use crate::cli::runtime;
use crate::screen::{live_line, say};

pub(in crate::cli) fn hands(
    at: Option<&str>,
    flags: &FleetFlags,
    plays_here: bool,
) -> Result<Arc<dyn Hands>, Error> {
    let Invited { access, name, invite } = coordinator(at)?;
    // Before anything is built, and a folder made.
    runtime(1)?.block_on(async {
        connect(&access).await?.close().await;
        Ok::<_, Error>(())
    })?;
    let settings = FleetSettings {
        access,
        name,
        plays_here,
        chunk: flags.chunk,
        audit: flags.fleet_audit,
        flags: flags.shown(),
        invite,
        line: live_line,
        builds: match flags.builds {
            None => Builds::Either,
            Some(BuildsFlag::Send) => Builds::Send,
            Some(BuildsFlag::Make) => Builds::Make,
        },
    };
    Ok(Arc::new(Fleet::new(settings, say)))
}

/// Connects to the broker, or says in words at once why not.
pub(super) async fn connect(access: &Access) -> Result<Link, Error> {
    greet(access)?;
    Ok(Link::of_coordinator(access).await?)
}

pub(super) struct Invited {
    /// Address of the broker and key of the coordinator.
    pub(super) access: Access,
    name: WorkerName,
    /// The command that invites a worker.
    pub(super) invite: String,
}

pub(super) fn coordinator(at: Option<&str>) -> Result<Invited, Error> {
    let folder = match at {
        Some(at) if !Path::new(at).is_dir() => None,
        Some(dir) => Some(dir.into()),
        None => Some(usual_folder()?),
    };
    let token = match &folder {
        Some(folder) => of_folder(folder)?,
        None => token(at.unwrap_or_default())?,
    };
    let name = WorkerName { name: token.name.clone(), instance: instance(None)? };
    let invite = invite_command(folder.as_deref());
    Ok(Invited { access: Access::of(&token, &name), name, invite })
}

fn of_folder(folder: &Path) -> Result<Token, Error> {
    let file = folder.join(COORDINATOR_FILE);
    if !file.exists() {
        return Err(Error::usage(format!(
            "--fleet: {} has no broker; expected one that was started there (verdict serve), or an invitation \
             (--fleet vw1_…, printed by verdict serve invite NAME --coordinator)",
            folder.display()
        )));
    }
    token(&file.display().to_string())
}
