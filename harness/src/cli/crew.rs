//! Who plays the games of a session: this process, or with `--fleet` several machines.

use std::path::Path;
use std::sync::Arc;

use arena::hands::{Hands, Here};
use arena::plan::WidthOverrides;
use arena::runner::{Stops, Width};
use arena::session::{OpenRun, Resources, Session, SessionError};
use process::Error;
use process::terminal::shell_path;

use super::disk_full::or_resumable;
use super::flags::WidthFlags;
use super::fleet;

#[derive(Clone)]
pub(super) struct Crew {
    /// For a resumed session.
    pub(super) width: WidthOverrides,
    /// Whether to continue although files that options name have changed.
    pub(super) changed_files: bool,
    hands: Arc<dyn Hands>,
    is_fleet: bool,
    plays_here: bool,
    /// Flags by which others play, as they are typed after a command; empty: none.
    flags: String,
}

impl Crew {
    /// For a new session. Its width is in the plan.
    pub(super) fn of(flags: &WidthFlags) -> Result<Crew, Error> {
        let hands: Arc<dyn Hands> = match &flags.fleet.fleet {
            Some(at) => fleet::hands(at.as_deref(), &flags.fleet, flags.plays_here())?,
            None if !flags.plays_here() => {
                return Err(Error::usage(
                    "--slots 0: expected --fleet, so that others play, or 1 and more",
                ));
            }
            None if flags.fleet.builds.is_some() => {
                return Err(Error::usage("--builds: expected --fleet"));
            }
            None if flags.fleet.chunk.is_some() => {
                return Err(Error::usage("--chunk: expected --fleet"));
            }
            None if flags.fleet.fleet_audit.is_some() => {
                return Err(Error::usage("--fleet-audit: expected --fleet"));
            }
            None => Arc::new(Here),
        };
        Ok(Crew {
            width: WidthOverrides::default(),
            changed_files: false,
            hands,
            is_fleet: flags.fleet.fleet.is_some(),
            plays_here: flags.plays_here(),
            flags: flags.who_plays(),
        })
    }

    /// For a resumed session.
    pub(super) fn resuming(flags: &WidthFlags, changed_files: bool) -> Result<Crew, Error> {
        Ok(Crew { width: flags.into(), changed_files, ..Crew::of(flags)? })
    }

    /// The command that continues what a folder holds, with the same machines.
    pub(super) fn resume_command(&self, dir: &Path) -> String {
        format!("verdict resume {}{}", shell_path(dir), self.flags)
    }

    /// What a session says that ends before its work is done.
    pub(super) fn not_finished(&self, dir: &Path) -> String {
        format!("not finished yet; continue with: {}", self.resume_command(dir))
    }

    /// As [`or_resumable`], with the command that continues.
    pub(super) fn or_resumable(&self, dir: &Path, done: Result<u8, Error>) -> Result<u8, Error> {
        or_resumable(dir, &self.resume_command(dir), done)
    }

    /// How many games are played here at once, in words.
    pub(super) fn width_in_words(&self, width: &Width) -> String {
        match (self.is_fleet, self.plays_here) {
            (false, _) => width.to_string(),
            (true, true) => format!("{width} here"),
            (true, false) => "no games here".to_owned(),
        }
    }

    pub(super) fn resources(&self, stops: &Stops) -> Resources {
        let mut resources = Resources::new(stops.clone()).with_hands(Arc::clone(&self.hands));
        if self.is_fleet {
            resources.show();
        }
        resources
    }

    pub(super) fn resume(
        &self,
        begun: OpenRun,
        resources: &mut Resources,
        stops: Stops,
    ) -> Result<Session, SessionError> {
        let unaudited = begun.unaudited_pairs();
        if unaudited > 0 && !self.is_fleet {
            status!(
                "warning: pairs still to be compared with what another machine plays: {unaudited}. Without \
                 --fleet they are not, and count as they are; expected --fleet to compare them first"
            );
        }
        Session::resume(begun, &self.width, self.changed_files, resources, stops)
    }
}
