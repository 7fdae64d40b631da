//! The machine and the versions a run is played with, for its record.

use process::machine;
use serde::{Deserialize, Serialize};

/// What cannot be found out is absent.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    pub cpu: Option<String>,
    /// Processors that this process may use.
    pub cores: Option<usize>,
    /// In bytes.
    pub memory: Option<u64>,
    pub kernel: Option<String>,
    pub os: Option<String>,
}

impl Machine {
    pub fn here() -> Machine {
        Machine {
            cpu: machine::cpu(),
            cores: std::thread::available_parallelism().ok().map(usize::from),
            memory: machine::memory(),
            kernel: machine::kernel(),
            os: Some(machine::os()),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Versions {
    pub verdict: String,
    /// The commit, with `+dirty` if the sources were not all committed: git's, or what
    /// `VERDICT_COMMIT` said at build time.
    pub commit: Option<String>,
}

impl Versions {
    pub fn here() -> Versions {
        Versions {
            verdict: env!("CARGO_PKG_VERSION").to_owned(),
            commit: option_env!("VERDICT_COMMIT").map(str::to_owned),
        }
    }
}
