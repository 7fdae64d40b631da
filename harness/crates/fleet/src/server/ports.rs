//! Whether a broker can listen at an address.

use std::io::ErrorKind;
use std::net::{SocketAddr, TcpListener};
use std::time::Duration;

use process::Error;

use super::greeting::Greeting;
use super::place::near;

/// How long whoever has the port may take to say what it is.
const GREETS_WITHIN: Duration = Duration::from_millis(500);

/// Refuses an address that is taken, or is none of this machine.
pub(super) fn check(flag: &str, address: SocketAddr) -> Result<(), Error> {
    let Err(error) = TcpListener::bind(address) else { return Ok(()) };
    let port = address.port();
    Err(Error::usage(match error.kind() {
        ErrorKind::AddrInUse => {
            let near = SocketAddr::new(near(address.ip()), port);
            let who = match Greeting::of(near, GREETS_WITHIN) {
                Ok(greeting) => format!(
                    "nats-server {} listens at this port: of another verdict serve, or the one that Debian's \
                     package starts (sudo systemctl disable --now nats-server)",
                    greeting.version
                ),
                Err(_) => "another program listens at this port (ss -tlnp shows which)".to_owned(),
            };
            format!("{flag} {port}: {who}; end it, or choose another port with {flag}")
        }
        ErrorKind::PermissionDenied => {
            format!("{flag} {port}: {error}; expected a port of 1024 or more, or root's rights")
        }
        _ => format!(
            "{flag} {address}: {error}; expected an address of this machine, or 0.0.0.0 for all its networks"
        ),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_has_the_port() {
        let taken = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = taken.local_addr().unwrap();
        let said = |address| check("--listen", address).unwrap_err().to_string();
        for ip in [address.ip(), [0; 4].into()] {
            let said = said(SocketAddr::new(ip, address.port()));
            let port = format!("--listen {}: another program", address.port());
            assert!(said.contains(&port), "{said}");
        }
        let elsewhere = said("192.0.2.1:4222".parse().unwrap());
        assert!(elsewhere.contains("expected an address of this machine"), "{elsewhere}");
        drop(taken);
        check("--listen", address).unwrap();
    }
}
