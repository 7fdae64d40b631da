//! Starting a program and getting to know it, and how that fails.

use std::sync::Arc;

use super::{Capsule, Process, ProgramHost, ProgramSpec};
use crate::player::Fault;

#[derive(Debug, thiserror::Error)]
#[error("{fault}")]
pub struct StartError {
    pub kind: StartErrorKind,
    /// [`Fault::Lack`] of the kind of that name, else [`Fault::NotStarted`].
    pub fault: Fault,
    /// Empty of traffic if there was no process at all.
    pub capsule: Box<Capsule>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StartErrorKind {
    /// The engine: it cannot be run, ends or does not answer.
    Engine,
    /// What it was asked for: an option that it does not have, or not with this value.
    Options,
    /// This program, or the system: what it takes to start anything was lacking.
    Lack,
}

pub(crate) enum HandshakeError {
    Fault(Fault),
    /// By an option, in words that do not name the program.
    Options(String),
}

impl From<Fault> for HandshakeError {
    fn from(fault: Fault) -> HandshakeError {
        HandshakeError::Fault(fault)
    }
}

impl HandshakeError {
    fn of(self, spec: &ProgramSpec, capsule: Capsule) -> StartError {
        let not_started = |text| Fault::NotStarted(format!("{}: {text}", spec.path.display()));
        let (kind, fault) = match self {
            HandshakeError::Fault(fault @ Fault::Lack(_)) => (StartErrorKind::Lack, fault),
            HandshakeError::Options(text) => (StartErrorKind::Options, not_started(text)),
            HandshakeError::Fault(
                Fault::NotStarted(text)
                | Fault::Crash(text)
                | Fault::Hang(text)
                | Fault::Garbage(text)
                | Fault::BrokenPipe(text)
                | Fault::FalseClaim(text)
                | Fault::AnsweredTwice(text)
                | Fault::Resigns(text),
            ) => (StartErrorKind::Engine, not_started(text)),
        };
        StartError { kind, fault, capsule: Box::new(capsule) }
    }
}

/// Starts the program of `spec` and does the protocol's `handshake` with it.
pub(crate) fn start<T>(
    spec: &ProgramSpec,
    host: &Arc<ProgramHost>,
    handshake: impl FnOnce(&mut Process, &ProgramSpec) -> Result<T, HandshakeError>,
) -> Result<(Process, T), StartError> {
    let mut process = Process::start(spec, host)
        .map_err(|fault| HandshakeError::from(fault).of(spec, Capsule::unstarted(spec)))?;
    match handshake(&mut process, spec) {
        Ok(greeting) => Ok((process, greeting)),
        Err(error) => {
            process.end();
            Err(error.of(spec, process.capsule()))
        }
    }
}

#[cfg(test)]
mod tests;
