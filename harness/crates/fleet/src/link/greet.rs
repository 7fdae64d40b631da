//! Whether a broker answers, and whether a key is a coordinator's: in words, before anything is
//! prepared.

use std::io::{Error as IoError, ErrorKind};
use std::net::ToSocketAddrs as _;

use process::Error;
use wire::names::KV_WORKERS;

use super::{Access, CONNECT_WITHIN, Link, LinkState, Told};
use crate::server::{Greeting, NoGreeting};

/// A subject of [`KV_WORKERS`] that only coordinators may ask for. Nothing is stored there.
const OF_COORDINATORS: &str = "$KV.workers.none.none";

/// Checks that a broker answers.
pub fn greet(access: &Access) -> Result<(), Error> {
    // With WebSocket, a server does not speak first.
    let plain = access.url.split_once("://").filter(|(scheme, _)| !scheme.starts_with("ws"));
    let Some((_, address)) = plain else { return Ok(()) };
    let nobody =
        |why: String| Error::input_output(format!("no broker answers at {address}: {why}"));
    let found = address.to_socket_addrs().map_err(|error| {
        nobody(format!(
            "no address of this name is found ({error}); expected a name that this machine can look up, or an \
             invitation with another (verdict serve invite NAME --host HOST)"
        ))
    })?;
    let mut failed = None;
    for at in found {
        match Greeting::of(at, CONNECT_WITHIN) {
            Ok(greeting) => return as_invited(access, address, &greeting),
            Err(error) => failed = Some(error),
        }
    }
    Err(nobody(failed.map_or_else(String::new, in_words)))
}

/// Whether it encrypts as the invitation says.
fn as_invited(access: &Access, address: &str, greeting: &Greeting) -> Result<(), Error> {
    match (access.authority.is_some(), greeting.tls_required) {
        (true, false) => Err("encrypted connections, and the broker there takes plain ones"),
        (false, true) => Err("plain connections, and the broker there takes encrypted ones"),
        _ => Ok(()),
    }
    .map_err(|why| {
        Error::usage(format!(
            "{address}: this invitation is for {why}: since then verdict serve was started with another --listen; \
             expected a new invitation, or the --listen of before"
        ))
    })
}

fn in_words(failed: NoGreeting) -> String {
    match failed {
        NoGreeting::Unconnected(error) if error.kind() == ErrorKind::ConnectionRefused => {
            "nothing listens there; start it there: verdict serve".to_owned()
        }
        NoGreeting::Unconnected(error) => format!(
            "{}; its machine may be off, or a firewall does not let this port in",
            error_in_words(&error)
        ),
        NoGreeting::Other(what) => format!(
            "{what} listens there; expected the address and port at which verdict serve takes workers, which are \
             not those of its page"
        ),
    }
}

fn error_in_words(error: &IoError) -> String {
    match error.kind() {
        ErrorKind::TimedOut | ErrorKind::WouldBlock => {
            format!("no answer in {} s", CONNECT_WITHIN.as_secs())
        }
        _ => error.to_string(),
    }
}

impl Link {
    /// Connects with the key of a coordinator; refuses that of a worker.
    pub async fn of_coordinator(access: &Access) -> Result<Link, Told> {
        let link = Link::connect(access).await?;
        let mut state = link.state();
        tokio::select! {
            coordinates = link.coordinates() => coordinates?,
            Ok(_) = state.wait_for(|state| *state == LinkState::Refused) => {
                return Err(Told::Refused(
                    "this is the invitation of a worker; expected that of a coordinator, which this prints at the \
                     broker: verdict serve invite NAME --coordinator"
                        .to_owned(),
                ));
            }
        }
        Ok(link)
    }

    /// Succeeds with the key of a coordinator. With that of a worker the broker does not answer.
    pub(crate) async fn coordinates(&self) -> Result<(), Told> {
        self.last(KV_WORKERS, OF_COORDINATORS).await.map(drop)
    }
}

#[cfg(test)]
mod tests {
    use wire::token::Fingerprint;

    use super::*;

    #[test]
    fn an_invitation_of_before_is_told() {
        for is_encrypted in [false, true] {
            let authority = is_encrypted.then(|| Fingerprint::of(b"authority"));
            let access =
                Access { url: String::new(), seed: String::new(), authority, inbox: String::new() };
            for tls_required in [false, true] {
                let version = "2.12.7".to_owned();
                let greeting = Greeting { version, jetstream: true, tls_required };
                let said = as_invited(&access, "home:4222", &greeting);
                assert_eq!(said.is_ok(), is_encrypted == tls_required);
            }
        }
    }
}
