//! Address of the broker, for invitations: `serve.json` in its folder.

use std::fs;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::Path;

use process::{Error, machine};
use serde::{Deserialize, Serialize};
use wire::names::Label;
use wire::token::{Seed, Token};

const PLACE_FILE: &str = "serve.json";

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    pub listen: SocketAddr,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub websocket: Option<u16>,
    /// Whether connections are encrypted.
    pub tls: bool,
}

impl Place {
    pub fn write(&self, dir: &Path) -> Result<(), Error> {
        let path = dir.join(PLACE_FILE);
        let text = serde_json::to_vec_pretty(self).map_err(Error::fault)?;
        process::files::write_private(&path, &text).map_err(Error::io(&path, "write"))
    }

    pub fn read(dir: &Path) -> Result<Place, Error> {
        let path = dir.join(PLACE_FILE);
        let bytes = match fs::read(&path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Err(Error::usage(format!(
                    "{} has no broker yet; expected a broker that was started there: verdict serve --dir {}",
                    dir.display(),
                    process::terminal::shell_path(dir)
                )));
            }
            read => read.map_err(Error::io(&path, "read"))?,
        };
        serde_json::from_slice(&bytes).map_err(|error| {
            Error::input_output(format!(
                "{}:{}: expected where the broker listens: {error}; start verdict serve again, which \
                 writes it anew",
                path.display(),
                error.line()
            ))
        })
    }

    /// An invitation. `host`: name or address by which the invited person reaches this machine.
    pub fn token(
        &self,
        dir: &Path,
        name: Label,
        seed: &str,
        (host, web_socket): (Option<&str>, bool),
    ) -> Result<Token, Error> {
        let seed = Seed::new(seed).ok_or_else(|| Error::fault("a new key is none"))?;
        let fingerprint = if self.tls { Some(super::certificate(dir)?.1) } else { None };
        let own = match (web_socket, self.websocket) {
            (false, _) => self.listen.port(),
            (true, Some(port)) => port,
            (true, None) => {
                return Err(Error::usage(
                    "--websocket: this broker takes no workers by WebSocket; start it with verdict serve \
                     --websocket PORT",
                ));
            }
        };
        let (host, port) = match host {
            None => (machine::reached_at(self.listen.ip()).to_string(), own),
            Some(host) => host_and_port(host, own)?,
        };
        // Parsed again, so that a wrong host is reported now.
        Token::read(&Token { name, host, port, fingerprint, seed, web_socket }.reveal())
    }
}

/// The address by which this machine itself reaches a listener.
pub(super) fn near(listen: IpAddr) -> IpAddr {
    match listen {
        IpAddr::V4(any) if any.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(any) if any.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        one => one,
    }
}

/// `HOST` or `HOST:PORT`; IPv6 addresses with or without brackets.
fn host_and_port(text: &str, own: u16) -> Result<(String, u16), Error> {
    if text.parse::<IpAddr>().is_ok() {
        return Ok((text.to_owned(), own));
    }
    let (host, port) = match text.rsplit_once(':') {
        None => (text, own),
        Some((host, port)) => {
            let port = port.parse().map_err(|_| {
                Error::usage(format!(
                    "--host {text}: expected HOST or HOST:PORT, with a port of 1 to 65535"
                ))
            })?;
            (host, port)
        }
    };
    Ok((host.trim_matches(['[', ']']).to_owned(), port))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_invitation_names_the_place() {
        let dir = tempfile::tempdir().unwrap();
        let place =
            Place { listen: "127.0.0.1:4222".parse().unwrap(), websocket: None, tls: false };
        assert_eq!(Place::read(dir.path()).unwrap_err().kind(), process::ErrorKind::Usage);
        place.write(dir.path()).unwrap();
        assert_eq!(Place::read(dir.path()).unwrap(), place);
        let seed = nkeys::KeyPair::new_user().seed().unwrap();
        let name: Label = "alice".parse().unwrap();
        let token = |place: &Place, host: Option<&str>, web| {
            place.token(dir.path(), name.clone(), &seed, (host, web))
        };
        let plain = token(&place, None, false).unwrap();
        assert_eq!((plain.address(), plain.fingerprint), ("127.0.0.1:4222".to_owned(), None));
        // Without encryption only this machine can be invited.
        assert!(token(&place, Some("home.example.org"), false).is_err());
        assert!(token(&place, None, true).is_err());
        let open =
            Place { listen: "0.0.0.0:4222".parse().unwrap(), websocket: Some(443), tls: true };
        let far = token(&open, Some("home.example.org"), true).unwrap();
        assert_eq!(far.address(), "home.example.org:443");
        assert!(far.fingerprint.is_some());
        assert_eq!(token(&open, Some("[::1]:99"), false).unwrap().address(), "[::1]:99");
        assert!(token(&open, Some("home:x"), false).is_err());
    }
}
