//! Settings that spread the work over processors.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use crate::runner::Pin;

/// Overrides; what is `None` comes from the run or from the machine. They do not change which games are played.
#[derive(Debug, Clone, Default)]
pub struct WidthOverrides {
    /// Games in flight.
    pub concurrency: Option<NonZeroUsize>,
    /// Search threads.
    pub slots: Option<NonZeroUsize>,
    /// Whether all games in flight advance together.
    pub fair: bool,
    /// Pinning of search threads to processors.
    pub pin: Option<Pin>,
    /// The folder for all engine input and output.
    pub traffic: Option<PathBuf>,
}

impl WidthOverrides {
    /// The number of slots, from `slots` or else from the list of `pin`.
    pub fn wanted_slots(&self) -> Option<NonZeroUsize> {
        let named = match &self.pin {
            Some(Pin::These(these)) => NonZeroUsize::new(these.len()),
            None | Some(Pin::Off | Pin::All) => None,
        };
        self.slots.or(named)
    }
}
