//! Starting a program and getting to know it, and how that fails.

use std::sync::Arc;

use super::{Capsule, Process, ProgramHost, ProgramSpec};
use crate::player::Fault;

/// An engine that did not start, and what there is to know about it.
#[derive(Debug, thiserror::Error)]
#[error("{fault}")]
pub struct StartError {
    /// What kept it from starting.
    pub kind: StartErrorKind,
    /// Always [`Fault::NotStarted`].
    pub fault: Fault,
    /// Empty of traffic if there was no process at all.
    pub capsule: Box<Capsule>,
}

/// What kept an engine from starting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StartErrorKind {
    /// The engine: it cannot be run, ends or does not answer.
    Engine,
    /// What it was asked for: an option that it does not have, or not with this value.
    Options,
}

/// Why a handshake failed.
pub(in crate::player) enum HandshakeError {
    /// By the engine's fault.
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
    fn into_parts(self) -> (StartErrorKind, String) {
        match self {
            HandshakeError::Options(text) => (StartErrorKind::Options, text),
            HandshakeError::Fault(
                Fault::NotStarted(text)
                | Fault::Crash(text)
                | Fault::Hang(text)
                | Fault::Garbage(text)
                | Fault::BrokenPipe(text)
                | Fault::FalseClaim(text)
                | Fault::Resigns(text),
            ) => (StartErrorKind::Engine, text),
        }
    }
}

/// Starts the program of `spec` and does the protocol's `handshake` with it.
///
/// # Errors
/// With the process's whole story.
pub(in crate::player) fn start<T>(
    spec: &ProgramSpec,
    host: &Arc<ProgramHost>,
    handshake: impl FnOnce(&mut Process, &ProgramSpec) -> Result<T, HandshakeError>,
) -> Result<(Process, T), StartError> {
    let failed = |kind, text: &str, capsule| {
        let fault = Fault::NotStarted(format!("{}: {text}", spec.path.display()));
        StartError { kind, fault, capsule: Box::new(capsule) }
    };
    let mut process = Process::start(spec, host).map_err(|error| {
        failed(StartErrorKind::Engine, &error.to_string(), Capsule::unstarted(spec))
    })?;
    match handshake(&mut process, spec) {
        Ok(told) => Ok((process, told)),
        Err(error) => {
            process.end();
            let (kind, text) = error.into_parts();
            Err(failed(kind, &text, process.capsule()))
        }
    }
}
