//! The first message that a broker sends on a new connection.

use std::io::{BufRead as _, BufReader, Read as _};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use process::Error;
use serde::Deserialize;

/// Longest greeting in bytes.
const MOST: u64 = 64 << 10;

#[derive(Debug, Deserialize)]
pub struct Greeting {
    pub version: String,
    #[serde(default)]
    pub jetstream: bool,
}

impl Greeting {
    /// Connects and reads the greeting.
    pub fn of(address: SocketAddr, within: Duration) -> Result<Greeting, Error> {
        let no_broker = |why: String| Error::input_output(format!("{address} is no broker: {why}"));
        let connection = TcpStream::connect_timeout(&address, within)?;
        connection.set_read_timeout(Some(within))?;
        let mut line = String::new();
        BufReader::new(connection.take(MOST)).read_line(&mut line)?;
        let json = line.strip_prefix("INFO ").ok_or_else(|| no_broker(format!("{line:?}")))?;
        serde_json::from_str(json).map_err(|error| no_broker(error.to_string()))
    }
}

/// Whether this version has the security fixes of 2.11.16, 2.12.7 and 2.14, so that strangers may
/// reach it.
pub fn is_hardened(version: &str) -> bool {
    let mut parts = version.split(['.', '-']).map(|part| part.parse::<u32>());
    let mut next = || parts.next().and_then(Result::ok).unwrap_or(0);
    match (next(), next(), next()) {
        (2, 11, patch) => patch >= 16,
        (2, 12, patch) => patch >= 7,
        other => other >= (2, 14, 0),
    }
}

#[cfg(test)]
mod tests {
    use super::is_hardened;

    #[test]
    fn which_servers_strangers_may_reach() {
        for old in ["2.9.10", "2.10.29", "2.11.15", "2.12.6", "2.13.0", "", "new"] {
            assert!(!is_hardened(old), "{old}");
        }
        for new in ["2.11.16", "2.12.7", "2.12.10-beta", "2.14.0", "2.15.1", "3.0.0"] {
            assert!(is_hardened(new), "{new}");
        }
    }
}
