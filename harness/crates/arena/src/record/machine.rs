//! The machine and the versions a run is played with, for its record.

use std::fs;

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
        let read = |path| fs::read_to_string(path).unwrap_or_default();
        Machine {
            cpu: value(&read("/proc/cpuinfo"), "model name", ':'),
            cores: std::thread::available_parallelism().ok().map(usize::from),
            memory: value(&read("/proc/meminfo"), "MemTotal", ':')
                .and_then(|size| size.split(' ').next()?.parse::<u64>().ok())
                .map(|kib| kib * 1024),
            kernel: Some(read("/proc/sys/kernel/osrelease").trim().to_owned())
                .filter(|release| !release.is_empty()),
            os: value(&read("/etc/os-release"), "PRETTY_NAME", '=')
                .or_else(|| Some(std::env::consts::OS.to_owned())),
        }
    }
}

/// The value of the first line `key SEPARATOR value`, without blanks and quotes around it.
fn value(text: &str, key: &str, separator: char) -> Option<String> {
    text.lines()
        .filter_map(|line| line.split_once(separator))
        .find(|(name, _)| name.trim() == key)
        .map(|(_, value)| value.trim().trim_matches('"').to_owned())
        .filter(|value| !value.is_empty())
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

#[cfg(test)]
mod tests {
    use super::value;

    #[test]
    fn values_are_found_by_their_whole_key() {
        let text =
            "model\t\t: 6\nmodel name\t: Some CPU @ 2.00GHz\nPRETTY_NAME=\"An OS\"\nEMPTY=\n";
        assert_eq!(value(text, "model name", ':').as_deref(), Some("Some CPU @ 2.00GHz"));
        assert_eq!(value(text, "PRETTY_NAME", '=').as_deref(), Some("An OS"));
        assert_eq!(value(text, "EMPTY", '='), None);
        assert_eq!(value(text, "cpu cores", ':'), None);
    }
}
