//! A program that plays, by the protocol of its spec.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use super::program::{Capsule, ProgramHost, ProgramSpec, Protocol, StartError};
use super::protocol::Program;
use super::uci::UciPlayer;
use super::xboard::XboardPlayer;

/// After a [`Fault`](super::Fault) take the [`External::capsule`]; another game needs another player. Dropping a
/// player kills its process without waiting.
pub struct External(Box<dyn Program>);

impl Deref for External {
    type Target = dyn Program;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}

impl DerefMut for External {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut *self.0
    }
}

impl External {
    /// Starts the program and sets its options; returns when it is ready.
    pub fn start(spec: &ProgramSpec, host: &Arc<ProgramHost>) -> Result<External, StartError> {
        Ok(External(match spec.protocol {
            Protocol::Uci => Box::new(UciPlayer::start(spec, host)?),
            Protocol::Xboard => Box::new(XboardPlayer::start(spec, host)?),
        }))
    }

    /// The process's number, which is also its group's.
    pub fn pid(&self) -> i32 {
        self.process().pid()
    }

    pub fn capsule(&self) -> Capsule {
        self.process().capsule()
    }

    /// Ends the process: by `quit`, then SIGTERM, then SIGKILL to its group, with a
    /// [`grace`](super::program::ProgramSettings::grace) between them. Returns when it has ended;
    /// gives back what was wrong with its end, if it did not end by itself and in order.
    pub fn quit(mut self) -> Option<String> {
        self.process_mut().end()
    }
}
