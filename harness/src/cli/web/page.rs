//! The page of a match: address, start and end.

use std::io::ErrorKind;
use std::net::{IpAddr, SocketAddr, TcpListener, ToSocketAddrs as _};
use std::path::PathBuf;
use std::thread::JoinHandle;

use arena::session::Session;
use process::machine::reached_at;
use process::{Context as _, Error};
use tokio::task;
use tokio_util::sync::CancellationToken;
use web::{Access, RecordedRuns, Site, WebObserver, new_token, run_id, serve};

use crate::screen::live_line;

const HOST: &str = "127.0.0.1";
const PORT: u16 = 8080;
/// Folder of recorded runs.
const RECORDED: &str = "results";

pub(in crate::cli) struct Page {
    listener: Option<TcpListener>,
    access: Access,
    /// The printed address, before and after the path.
    url: [String; 2],
    site: Site,
    stop: CancellationToken,
    server: Option<task::JoinHandle<()>>,
    followers: Vec<JoinHandle<()>>,
}

impl Page {
    /// Listens at `address`, but does not answer yet.
    pub(in crate::cli) fn open(address: Option<&str>) -> Result<Page, Error> {
        let (listener, name) = match address {
            None => (free(), None),
            Some(address) => {
                let (at, name) = place(address)?;
                (TcpListener::bind(at), name)
            }
        };
        let shown = address.unwrap_or(HOST);
        let listener = listener.map_err(|error| {
            Error::usage(match error.kind() {
                ErrorKind::AddrInUse => format!(
                    "--web {shown}: another program listens there, perhaps another verdict with a page; choose \
                     another port with --web, or 0 for any free one"
                ),
                _ => format!("--web {shown}: {error}"),
            })
        })?;
        listener.set_nonblocking(true).context("--web")?;
        let at = listener.local_addr().context("--web")?;
        let (access, token) = if at.ip().is_loopback() {
            (Access::local(), String::new())
        } else {
            let token = new_token()?;
            (Access::with_token(&token, name.as_slice())?, format!("?token={token}"))
        };
        // Other machines do not use a name of a loopback address.
        let name = name.filter(|name| !at.ip().is_loopback() || name == "localhost");
        let host = name.unwrap_or_else(|| SocketAddr::new(reached_at(at.ip()), 0).to_string());
        // Formatted with port 0, because an IPv6 address then gets its brackets.
        let host = host.strip_suffix(":0").unwrap_or(&host);
        Ok(Page {
            listener: Some(listener),
            access,
            url: [format!("http://{host}:{}", at.port()), token],
            site: Site::new(RecordedRuns::under(PathBuf::from(RECORDED))),
            stop: CancellationToken::new(),
            server: None,
            followers: Vec::new(),
        })
    }

    /// Address of the list of runs.
    pub(in crate::cli) fn all(&self) -> String {
        self.url.join("/")
    }

    /// Begins to answer. Call it inside a runtime.
    pub(in crate::cli) fn begin(&mut self) -> Result<Site, Error> {
        if let Some(listener) = self.listener.take() {
            let listener = tokio::net::TcpListener::from_std(listener).context("--web")?;
            let served = serve(listener, self.site.clone(), self.access.clone(), self.stop.clone());
            self.server = Some(task::spawn(served));
        }
        Ok(self.site.clone())
    }

    /// Shows a match. Returns the observer of its games and its address. Begins to answer. Call it
    /// inside a runtime.
    pub(in crate::cli) fn show(
        &mut self,
        session: &Session,
    ) -> Result<(WebObserver, String), Error> {
        let (run, live) = (session.run.clone(), session.live());
        let (observer, follower) =
            WebObserver::begin(&session.dir, run, live_line, live, &self.site)?;
        self.followers.push(follower);
        self.begin()?;
        let [url, token] = &self.url;
        Ok((observer, format!("{url}/run/{}{token}", run_id(&session.dir))))
    }

    /// Sends the last state to browsers. The observers must be dropped before.
    pub(in crate::cli) async fn end(mut self) {
        let followers = std::mem::take(&mut self.followers);
        // Their panics were already printed.
        let joined = move || followers.into_iter().for_each(|it| drop(it.join()));
        let _ = task::spawn_blocking(joined).await;
        self.stop.cancel();
        if let Some(server) = self.server.take() {
            let _ = server.await;
        }
    }
}

/// Binds the usual port, or any free one.
fn free() -> std::io::Result<TcpListener> {
    match TcpListener::bind((HOST, PORT)) {
        Err(error) if error.kind() == ErrorKind::AddrInUse => TcpListener::bind((HOST, 0)),
        bound => bound,
    }
}

/// `HOST:PORT`, `PORT` or `:PORT`, and the host if that is a name.
fn place(address: &str) -> Result<(SocketAddr, Option<String>), Error> {
    let whole = match address.strip_prefix(':').unwrap_or(address).parse::<u16>() {
        Ok(port) => format!("{HOST}:{port}"),
        Err(_) => address.to_owned(),
    };
    let found = whole.to_socket_addrs().ok().and_then(|mut found| found.next());
    let at = found.ok_or_else(|| {
        Error::usage(format!(
            "--web {address}: expected an address of this machine with a port, like {HOST}:{PORT} or \
             0.0.0.0:{PORT}"
        ))
    })?;
    let name = whole.rsplit_once(':').map(|(host, _)| host.to_owned());
    let is_name = |host: &String| host.trim_matches(['[', ']']).parse::<IpAddr>().is_err();
    Ok((at, name.filter(is_name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        let place = |text| place(text).map(|(at, name)| (at.to_string(), name));
        assert_eq!(place("9000").unwrap(), ("127.0.0.1:9000".to_owned(), None));
        assert_eq!(place(":0").unwrap(), ("127.0.0.1:0".to_owned(), None));
        assert_eq!(place("[::1]:0").unwrap(), ("[::1]:0".to_owned(), None));
        assert_eq!(place("localhost:80").unwrap().1, Some("localhost".to_owned()));
        for bad in ["", "results/x", "0.0.0.0", "70000", "a b:1"] {
            assert_eq!(place(bad).unwrap_err().kind(), process::ErrorKind::Usage, "{bad}");
        }
    }

    #[test]
    fn only_loopback_is_without_a_token() {
        let open = |address| Page::open(Some(address)).unwrap().url;
        for any in ["127.0.0.1:0", ":0", "0"] {
            let [url, token] = open(any);
            let port = url.strip_prefix("http://127.0.0.1:").unwrap();
            // The real port, not the 0 of the command line.
            assert!(port.parse::<u16>().unwrap() > 0 && token.is_empty(), "{url} {token}");
        }
        let [url, token] = open("0.0.0.0:0");
        assert!(!url.contains("0.0.0.0") || reached_at([0; 4].into()).is_unspecified(), "{url}");
        assert_eq!(token.len(), "?token=".len() + 32);
        // Each page has a token of its own.
        assert_ne!(open("0.0.0.0:0")[1], token);
        let taken = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = taken.local_addr().unwrap().to_string();
        assert_eq!(Page::open(Some(&address)).err().unwrap().kind(), process::ErrorKind::Usage);
    }
}
