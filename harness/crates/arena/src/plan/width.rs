//! How the work is spread, as far as somebody says so.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use crate::runner::Pin;

/// What is asked of the spread of the work; the rest is the machine's or the run's own. It does not change
/// which games are played.
#[derive(Debug, Clone, Default)]
pub struct WidthOverrides {
    /// Games in flight.
    pub concurrency: Option<NonZeroUsize>,
    /// Processors to think on.
    pub slots: Option<NonZeroUsize>,
    /// Whether all games in flight advance together.
    pub fair: bool,
    /// The processors that slots keep to.
    pub pin: Option<Pin>,
    /// The folder of all traffic.
    pub traffic: Option<PathBuf>,
}

impl WidthOverrides {
    /// As many slots as were asked for, by number or by the processors that they keep to.
    pub fn wanted_slots(&self) -> Option<NonZeroUsize> {
        let named = match &self.pin {
            Some(Pin::These(these)) => NonZeroUsize::new(these.len()),
            None | Some(Pin::Off | Pin::All) => None,
        };
        self.slots.or(named)
    }
}
