//! `--fleet`: workers play, too.

use std::path::Path;
use std::sync::Arc;

use arena::hands::Hands;
use fleet::coordinator::{Fleet, FleetSettings};
use fleet::files::Builds;
use fleet::link::Access;
use fleet::server::COORDINATOR_FILE;
use process::Error;
use wire::names::WorkerName;
use wire::token::Token;

use super::{instance, token, usual_folder};
use crate::cli::flags::{BuildsFlag, FleetFlags};
use crate::screen::{live_line, say};

pub(in crate::cli) fn hands(
    at: Option<&str>,
    flags: &FleetFlags,
    plays_here: bool,
) -> Result<Arc<dyn Hands>, Error> {
    let (access, name) = coordinator(at)?;
    fleet::link::greet(&access)?;
    let settings = FleetSettings {
        access,
        name,
        plays_here,
        chunk: flags.chunk,
        audit: flags.fleet_audit,
        flags: flags.shown(),
        line: live_line,
        builds: match flags.builds {
            None => Builds::Either,
            Some(BuildsFlag::Send) => Builds::Send,
            Some(BuildsFlag::Make) => Builds::Make,
        },
    };
    Ok(Arc::new(Fleet::new(settings, say)))
}

/// Address of the broker and key of the coordinator.
pub(super) fn coordinator(at: Option<&str>) -> Result<(Access, WorkerName), Error> {
    let token = invitation(at)?;
    let name = WorkerName { name: token.name.clone(), instance: instance(None)? };
    Ok((Access::of(&token, &name), name))
}

fn invitation(at: Option<&str>) -> Result<Token, Error> {
    let folder = match at {
        Some(at) if !Path::new(at).is_dir() => return token(at),
        Some(dir) => dir.into(),
        None => usual_folder()?,
    };
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
