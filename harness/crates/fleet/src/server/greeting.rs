//! The first message that a broker sends on a new connection.

use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use serde::Deserialize;

/// Longest greeting in bytes.
const MOST: u64 = 64 << 10;
/// How long a web server may take to answer.
const WEB_WITHIN: Duration = Duration::from_secs(1);

#[derive(Debug, Deserialize)]
pub struct Greeting {
    pub version: String,
    #[serde(default)]
    pub jetstream: bool,
    /// Whether connections are encrypted.
    #[serde(default)]
    pub tls_required: bool,
}

/// Why there is no greeting.
#[derive(Debug, thiserror::Error)]
pub enum NoGreeting {
    /// No connection.
    #[error(transparent)]
    Unconnected(io::Error),
    /// Something listens that is no broker: this, in words.
    #[error("{0}")]
    Other(&'static str),
}

impl Greeting {
    /// Connects and reads the greeting.
    pub fn of(address: SocketAddr, within: Duration) -> Result<Greeting, NoGreeting> {
        let mut connection =
            TcpStream::connect_timeout(&address, within).map_err(NoGreeting::Unconnected)?;
        connection.set_read_timeout(Some(within)).map_err(NoGreeting::Unconnected)?;
        let mut line = String::new();
        // A broker speaks first.
        if BufReader::new((&connection).take(MOST)).read_line(&mut line).is_err() {
            return Err(NoGreeting::Other(match is_web(&mut connection) {
                Ok(true) => "a web server",
                _ => "a program that says nothing, or a broker that hangs,",
            }));
        }
        let json = line.strip_prefix("INFO ").and_then(|json| serde_json::from_str(json).ok());
        json.ok_or(NoGreeting::Other("another program"))
    }
}

/// Whether something that has said nothing answers to a request for a page.
fn is_web(connection: &mut TcpStream) -> io::Result<bool> {
    connection.set_read_timeout(Some(WEB_WITHIN))?;
    connection.write_all(b"GET / HTTP/1.0\r\n\r\n")?;
    let mut first = [0; 5];
    connection.read_exact(&mut first)?;
    Ok(first == *b"HTTP/")
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
    use std::net::TcpListener;
    use std::thread;

    use super::*;

    /// What is found where a program answers `answer` to what is sent first; empty: it hangs up.
    fn found(answer: &'static str) -> Result<Greeting, NoGreeting> {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        thread::spawn(move || {
            let mut client = listener.accept().unwrap().0;
            if !answer.is_empty() {
                client.read_exact(&mut [0; 5]).unwrap();
                client.write_all(answer.as_bytes()).unwrap();
            }
        });
        Greeting::of(address, Duration::from_millis(50))
    }

    #[test]
    fn what_listens_is_told() {
        for (answer, words) in [
            ("HTTP/1.0 400 Bad Request\r\n\r\n", "a web server"),
            ("220 mail ESMTP\r\n", "says nothing"),
            ("", "another program"),
        ] {
            let said = found(answer).unwrap_err().to_string();
            assert!(said.contains(words), "{answer:?}: {said}");
        }
        let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let said = Greeting::of(free, Duration::from_secs(1)).unwrap_err();
        assert!(matches!(said, NoGreeting::Unconnected(_)), "{said}");
    }

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
