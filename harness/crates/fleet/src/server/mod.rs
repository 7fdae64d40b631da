//! The broker: a `nats-server` that verdict starts, watches and restarts.

mod ca;
mod config;
mod greeter;
mod greeting;
mod keys;
mod place;
mod ports;
mod rights;
mod serving;
pub mod streams;

pub(crate) use ca::VALID_YEARS;
pub use ca::{SERVER_NAME, certificate};
pub use config::{Certificate, MAX_PAYLOAD, User};
pub use greeter::Greeter;
pub use greeting::{Greeting, NoGreeting, is_hardened};
pub use keys::{Invited, Keys, RoleKind, new_seed};
pub use place::Place;
pub use rights::{Rights, Role};
pub use serving::{COORDINATOR_FILE, ServeSettings, Serving};

use std::fs;
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use process::children::{Guarded, Signal, ending};
use process::{Context as _, Error};
use serde::Deserialize;

use config::Config;

/// How long a broker may take to start.
const START: Duration = Duration::from_secs(10);
/// How long it may take to end.
const END: Duration = Duration::from_secs(5);
const LOOK_EVERY: Duration = Duration::from_millis(10);
const SHORTEST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);
/// Folders of the packages of Debian and of NATS.
const FOLDERS: [&str; 3] = ["/usr/sbin", "/usr/local/sbin", "/usr/local/bin"];
const PROGRAM: &str = "nats-server";

/// How to run a broker.
#[derive(Debug, Clone)]
pub struct BrokerSettings {
    /// Folder of its configuration, store and log; only the owner may read it.
    pub dir: PathBuf,
    /// Port 0: any free port.
    pub listen: SocketAddr,
    pub websocket: Option<u16>,
    pub program: PathBuf,
    pub certificate: Option<Certificate>,
    /// Allows other machines to reach a server with known security holes.
    pub old_server_ok: bool,
}

impl BrokerSettings {
    /// Whether this broker can be started, before anything is written; returns its version.
    fn check(&self) -> Result<String, Error> {
        let version = installed_version(&self.program)?;
        let ip = self.listen.ip();
        if !ip.is_loopback() && !is_hardened(&version) && !self.old_server_ok {
            return Err(Error::usage(format!(
                "{PROGRAM} {version} has known security holes, open to everybody who reaches {} (CVE-2023-47090, \
                 CVE-2025-30215, the advisories of 2026); expected 2.12.7 or newer (--nats PATH), or --listen \
                 127.0.0.1:PORT, or --old-server-ok if you trust everybody in that network",
                self.listen
            )));
        }
        ports::check("--listen", self.listen)?;
        if let Some(port) = self.websocket {
            if port == self.listen.port() {
                return Err(Error::usage(format!(
                    "--websocket {port}: expected another port than --listen"
                )));
            }
            ports::check("--websocket", (ip, port).into())?;
        }
        Ok(version)
    }
}

/// Path of `nats-server`.
pub fn find_program() -> Result<PathBuf, Error> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain(FOLDERS.iter().map(PathBuf::from));
    let found = folders.map(|folder| folder.join(PROGRAM)).find(|program| {
        fs::metadata(program)
            .is_ok_and(|file| file.is_file() && process::files::is_executable(&file))
    });
    found.ok_or_else(|| {
        Error::usage(format!(
            "{PROGRAM} is not installed; expected the package of that name (apt-get install {PROGRAM}), or the \
             path of the program (--nats PATH)"
        ))
    })
}

/// Version that the program reports, such as `2.12.7`.
fn installed_version(program: &Path) -> Result<String, Error> {
    let name = program.display();
    let said = Command::new(program).arg("--version").stdin(Stdio::null()).output();
    let said = said.context(format!("cannot start {name}"))?.stdout;
    let said = String::from_utf8_lossy(&said);
    let version = said.split_ascii_whitespace().last().and_then(|word| word.strip_prefix('v'));
    version.map(str::to_owned).ok_or_else(|| {
        Error::usage(format!(
            "{name} --version says {:?}, expected \"{PROGRAM}: v2…\"",
            said.trim()
        ))
    })
}

/// A running broker. It ends with this process.
pub struct Broker {
    settings: BrokerSettings,
    child: Guarded,
    address: SocketAddr,
    version: String,
    pause: Duration,
}

#[derive(Deserialize)]
struct Ports {
    nats: Vec<String>,
}

impl Broker {
    /// Starts it and waits until it accepts connections.
    pub fn start(mut settings: BrokerSettings, users: &[User]) -> Result<Broker, Error> {
        let version = settings.check()?;
        private_folder(&settings.dir)?;
        settings.dir = settings.dir.canonicalize().map_err(Error::io(&settings.dir, "open"))?;
        write_config(&settings, users)?;
        let (child, address, greeting) = begin(&settings)?;
        if !greeting.jetstream {
            return Err(Error::usage(format!("{PROGRAM} {version} has no JetStream")));
        }
        // It keeps this port when it is restarted.
        settings.listen.set_port(address.port());
        write_config(&settings, users)?;
        Ok(Broker { settings, child, address, version, pause: SHORTEST_PAUSE })
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    pub fn version(&self) -> &str {
        &self.version
    }

    pub fn is_encrypted(&self) -> bool {
        self.settings.certificate.is_some()
    }

    pub fn pid(&self) -> u32 {
        self.child.child.id()
    }

    /// Allows exactly these users. Connections of others are closed.
    pub fn allow(&self, users: &[User]) -> Result<(), Error> {
        write_config(&self.settings, users)?;
        self.child.send(Signal::Hangup);
        Ok(())
    }

    /// Restarts the broker if it has ended; then returns what happened, in words.
    pub fn look_after(&mut self) -> Result<Option<String>, Error> {
        let Some(status) = self.child.child.try_wait()? else {
            return Ok(None);
        };
        thread::sleep(self.pause);
        let since = Instant::now();
        let (child, _, _) = begin(&self.settings)?;
        self.child = child;
        // The pause grows if the broker ends again and again.
        self.pause = (2 * self.pause).min(LONGEST_PAUSE);
        if since.elapsed() > LONGEST_PAUSE {
            self.pause = SHORTEST_PAUSE;
        }
        Ok(Some(format!("the broker has ended ({}) and was started again", ending(status))))
    }

    /// Ends the broker in good order.
    pub fn end(mut self) {
        self.child.send(Signal::Terminate);
        let until = Instant::now() + END;
        while Instant::now() < until && matches!(self.child.child.try_wait(), Ok(None)) {
            thread::sleep(LOOK_EVERY);
        }
    }
}

fn private_folder(dir: &Path) -> Result<(), Error> {
    fs::create_dir_all(dir).map_err(Error::io(dir, "create"))?;
    process::files::make_private(dir).map_err(Error::io(dir, "keep to its owner"))
}

fn config_path(dir: &Path) -> PathBuf {
    dir.join("broker.json")
}

fn write_config(settings: &BrokerSettings, users: &[User]) -> Result<(), Error> {
    let BrokerSettings { dir, listen, websocket, certificate, .. } = settings;
    let (listen, websocket, certificate) = (*listen, *websocket, certificate.as_ref());
    let config = Config { listen, websocket, dir, certificate, users }.to_json();
    let path = config_path(dir);
    let text = serde_json::to_vec_pretty(&config).map_err(Error::input_output)?;
    process::files::write_private(&path, &text).map_err(Error::io(&path, "write"))
}

fn begin(settings: &BrokerSettings) -> Result<(Guarded, SocketAddr, Greeting), Error> {
    let BrokerSettings { dir, listen, program, .. } = settings;
    let mut command = Command::new(program);
    command.arg("--config").arg(config_path(dir)).stdin(Stdio::null());
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child =
        Guarded::spawn(command).context(format!("cannot start {}", program.display()))?;
    let until = Instant::now() + START;
    let ports = dir.join(format!("{PROGRAM}_{}.ports", child.child.id()));
    loop {
        if let Some(status) = child.child.try_wait()? {
            return Err(ended(&mut child, settings, &ending(status)));
        }
        let address = match listen.port() {
            0 => read_port(&ports, *listen),
            _ => Some(*listen),
        };
        if let Some(address) = address
            && let Ok(greeting) = Greeting::of(address, Duration::from_secs(2))
        {
            return Ok((child, address, greeting));
        }
        if Instant::now() > until {
            let (program, seconds) = (program.display(), START.as_secs());
            return Err(Error::fault(format!("{program} does not listen after {seconds} s")));
        }
        thread::sleep(LOOK_EVERY);
    }
}

fn read_port(ports: &Path, listen: SocketAddr) -> Option<SocketAddr> {
    let ports: Ports = serde_json::from_slice(&fs::read(ports).ok()?).ok()?;
    let port = ports.nats.iter().find_map(|url| url.rsplit(':').next()?.parse().ok())?;
    Some(SocketAddr::new(listen.ip(), port))
}

fn ended(child: &mut Guarded, settings: &BrokerSettings, how: &str) -> Error {
    let mut words = String::new();
    if let Some(stderr) = &mut child.child.stderr {
        // Errors are ignored: the log has more.
        let _ = io::Read::read_to_string(stderr, &mut words);
    }
    let log = settings.dir.join("broker.log");
    let logged = fs::read_to_string(&log).unwrap_or_default();
    let line = logged.lines().chain(words.lines()).rfind(|line| line.contains("[FTL]"));
    let said = line.or(words.lines().last()).unwrap_or("").trim();
    let program = settings.program.display();
    Error::input_output(format!(
        "{program} ended at its start ({how}): {said}; its log is {}",
        log.display()
    ))
}

#[cfg(test)]
mod rights_tests;
#[cfg(test)]
pub(crate) mod tests;
