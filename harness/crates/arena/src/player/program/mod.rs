//! Engines in processes of their own, whatever protocol they speak.
//!
//! A player blocks the thread that asks it: waiting in a plain `read` costs the kernel and us a
//! fraction of what an event loop costs (the figures: `harness/benches/uci_cost.rs`). So a game
//! with such a player belongs on a thread of its own, not on tokio's workers. What does not happen
//! on every ply is tokio's: starting, reaping, stderr, the watch over hanging engines.
//!
//! - `spec`: what to start; `start`: how that begins, or fails.
//! - `host`: what all processes share.
//! - `process`, `shared`: one process; `search`: a move it is asked for, and how long that takes.
//! - `identity`: who it says it is.
//! - `lines`, `report`: what it says; `options`: what it can be told, `game_options`: before a game; `transcript`: what of both is
//!   kept for a [`Capsule`], `traffic`: all of it in a file, if asked for.

mod game_options;
mod host;
mod identity;
mod lines;
pub mod options;
mod process;
mod report;
mod search;
mod shared;
mod spec;
mod start;
mod traffic;
mod transcript;

pub use game_options::GameOptions;
pub use host::{DESCRIPTORS, ProgramHost, ProgramSettings, SPARE};
pub use identity::EngineIdentity;
#[cfg(any(test, fuzzing, feature = "testing"))]
pub(in crate::player) use lines::LineBuffer;
pub(in crate::player) use lines::backwards;
pub(in crate::player) use process::Expected;
pub use process::Process;
pub(in crate::player) use report::{ProgramReport, renew};
pub(in crate::player) use search::Search;
pub use spec::{ProgramSpec, Protocol};
pub(in crate::player) use start::{HandshakeError, start};
pub use start::{StartError, StartErrorKind};
use transcript::{heard, quote};

use serde::{Deserialize, Serialize};

/// The start position of chess, which needs no setting up.
pub const START_FEN: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// What is kept of a fault: enough to understand it and to bring it about again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Capsule {
    pub protocol: Protocol,
    /// The command that starts the engine, for a shell.
    pub command: String,
    /// What was written to the engine since its start (of the games only the last), without the
    /// word that the watch sends to end an overdue search.
    pub input: String,
    /// The traffic, with times and directions.
    pub transcript: String,
    /// The end of what came on stderr.
    pub stderr: String,
    /// How the process ended, in words; `None` while it runs.
    pub exit_status: Option<String>,
}

/// Lines that [`Capsule::first_words`] gives at most.
const FIRST_WORDS: usize = 5;

impl Capsule {
    /// The first lines that it printed, readable and cut; `None` if there are none.
    pub fn first_words(&self) -> Option<String> {
        let quoted = |lines: &mut dyn Iterator<Item = &str>| {
            let lines = lines.filter(|line| !line.trim().is_empty()).take(FIRST_WORDS);
            let lines: Vec<String> =
                lines.map(|line| format!("'{}'", quote(line.trim_end().as_bytes()))).collect();
            (!lines.is_empty()).then(|| lines.join(", "))
        };
        let stdout = quoted(&mut heard(&self.transcript));
        let stderr = quoted(&mut self.stderr.lines()).map(|output| format!("on stderr {output}"));
        let said: Vec<String> = stdout.into_iter().chain(stderr).collect();
        (!said.is_empty()).then(|| said.join("; "))
    }

    pub(crate) fn unstarted(spec: &ProgramSpec) -> Capsule {
        Capsule {
            protocol: spec.protocol,
            command: spec.command_line(),
            input: String::new(),
            transcript: String::new(),
            stderr: String::new(),
            exit_status: None,
        }
    }
}

/// A name that fits into a line of PGN or JSON.
pub(crate) fn plain_name(name: &str) -> String {
    name.trim().chars().filter(|c| !c.is_control()).take(200).collect()
}
