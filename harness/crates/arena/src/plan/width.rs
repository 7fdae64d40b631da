//! Settings that spread the work over processors.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use crate::runner::Pin;

/// A setting that is `None` is taken from the run or the machine. No setting changes which games
/// are played.
#[derive(Debug, Clone, Default)]
pub struct WidthOverrides {
    pub concurrency: Option<NonZeroUsize>,
    pub slots: Option<NonZeroUsize>,
    pub fair: bool,
    pub pin: Option<Pin>,
    /// Folder for all engine input and output.
    pub traffic: Option<PathBuf>,
}

impl WidthOverrides {
    /// `slots`, or else the length of `pin`'s list.
    pub fn wanted_slots(&self) -> Option<NonZeroUsize> {
        let named = match &self.pin {
            Some(Pin::These(these)) => NonZeroUsize::new(these.len()),
            None | Some(Pin::Off | Pin::All) => None,
        };
        self.slots.or(named)
    }
}
