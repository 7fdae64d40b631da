//! A running broker with its keys.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use nkeys::KeyPair;
use process::Error;
use process::locked::Locked;
use wire::names::{Label, WorkerName};
use wire::token::Token;

use super::place::near;
use super::{
    Broker, BrokerSettings, Keys, Place, Role, RoleKind, User, certificate, find_program, streams,
};
use crate::link::{Access, Link};

/// File with the invitation for coordinators of this user on this machine.
pub const COORDINATOR_FILE: &str = "coordinator.token";
const LOCK_FILE: &str = "serve.lock";
/// Name of that invitation.
const COORDINATOR: &str = "here";
const SERVE: &str = "serve";

pub struct ServeSettings {
    pub dir: PathBuf,
    pub listen: SocketAddr,
    pub websocket: Option<u16>,
    /// `None`: the installed one.
    pub program: Option<PathBuf>,
    pub old_server_ok: bool,
}

impl ServeSettings {
    /// Whether a broker can be started there, before anything is written.
    pub fn check(&self) -> Result<(), Error> {
        if self.dir.is_dir() {
            // Otherwise its port would seem to be somebody else's.
            locked(&self.dir)?;
        }
        self.broker()?.check().map(drop)
    }

    fn broker(&self) -> Result<BrokerSettings, Error> {
        let ServeSettings { dir, listen, websocket, program, old_server_ok } = self;
        Ok(BrokerSettings {
            dir: dir.clone(),
            listen: *listen,
            websocket: *websocket,
            program: program.clone().map_or_else(find_program, Ok)?,
            certificate: None,
            old_server_ok: *old_server_ok,
        })
    }
}

pub struct Serving {
    broker: Broker,
    keys: Keys,
    own: KeyPair,
    allowed: Vec<User>,
    access: Access,
    _lock: Locked,
}

impl Serving {
    /// Starts the broker and creates its streams.
    pub async fn start(settings: ServeSettings) -> Result<Serving, Error> {
        let broker = settings.broker()?;
        let BrokerSettings { dir, listen, websocket, .. } = broker.clone();
        super::private_folder(&dir)?;
        let lock = locked(&dir)?;
        let tls = !listen.ip().is_loopback();
        let certificate = if tls { Some(certificate(&dir)?) } else { None };
        let (certificate, authority) = certificate.unzip();
        let keys = Keys::new(&dir);
        let own = KeyPair::new_user();
        let allowed = allowed(&keys, &own)?;
        let broker = Broker::start(BrokerSettings { certificate, ..broker }, &allowed)?;
        let listen = broker.address();
        let place = Place { listen, websocket, tls };
        place.write(&dir)?;
        let name = WorkerName { name: label(SERVE)?, instance: label(SERVE)? };
        let seed = own.seed().map_err(Error::fault)?;
        let host = near(listen.ip()).to_string();
        let token = place.token(&dir, name.name.clone(), &seed, (Some(&host), false))?;
        let access = Access { authority, ..Access::of(&token, &name) };
        let mut serving = Serving { broker, keys, own, allowed, access, _lock: lock };
        let link = Link::connect(&serving.access).await?;
        streams::create(link.broker()).await?;
        link.close().await;
        serving.invite_coordinator(&dir, &place)?;
        serving.look_at_keys()?;
        Ok(serving)
    }

    /// The part that answers workers that want to join. `tell`: for the user.
    pub fn greeter(&self, tell: impl Fn(&str) + Send + Sync + 'static) -> super::Greeter {
        super::Greeter::new(self.keys.clone(), tell)
    }

    /// Address of the broker, with a key that may do everything.
    pub fn access(&self) -> &Access {
        &self.access
    }

    pub fn broker(&self) -> &Broker {
        &self.broker
    }

    /// Restarts the broker if it has ended, and applies changes of the invitations. Returns a
    /// message for the user.
    pub fn look_after(&mut self) -> Result<Option<String>, Error> {
        let said = self.broker.look_after()?;
        self.look_at_keys()?;
        Ok(said)
    }

    pub fn end(self) {
        self.broker.end();
    }

    fn look_at_keys(&mut self) -> Result<(), Error> {
        let now = allowed(&self.keys, &self.own)?;
        if now != self.allowed {
            self.broker.allow(&now)?;
            self.allowed = now;
        }
        Ok(())
    }

    /// Coordinators of this user on this machine read their invitation from a file.
    fn invite_coordinator(&self, dir: &Path, place: &Place) -> Result<(), Error> {
        let path = dir.join(COORDINATOR_FILE);
        let near = near(place.listen.ip()).to_string();
        let host = (Some(&*near), false);
        let known = std::fs::read_to_string(&path).ok().and_then(|line| Token::read(&line).ok());
        let is_valid = |token: &Token| {
            let public = KeyPair::from_seed(token.seed.reveal()).ok().map(|key| key.public_key());
            self.allowed.iter().any(|user| Some(&user.nkey) == public.as_ref())
        };
        let seed = match known.filter(is_valid) {
            Some(token) => token.seed.reveal().to_owned(),
            None => {
                // The invitation whose secret is lost is removed.
                let _ = self.keys.remove(COORDINATOR);
                self.keys.invite(COORDINATOR, RoleKind::Coordinator, None, None)?
            }
        };
        // The port may have changed.
        let token = place.token(dir, label(COORDINATOR)?, &seed, host)?;
        process::files::write_private(&path, token.reveal().as_bytes())
            .map_err(Error::io(&path, "write"))
    }
}

fn label(text: &str) -> Result<Label, Error> {
    text.parse().map_err(Error::fault)
}

fn allowed(keys: &Keys, own: &KeyPair) -> Result<Vec<User>, Error> {
    let mut users = vec![User { nkey: own.public_key(), role: Role::Serve }];
    users.extend(keys.users()?);
    Ok(users)
}

fn locked(dir: &Path) -> Result<Locked, Error> {
    let path = dir.join(LOCK_FILE);
    let file = std::fs::OpenOptions::new().create(true).append(true).open(&path);
    let file = file.map_err(Error::io(&path, "open"))?;
    Locked::attempt(file)?.map_err(|_| {
        Error::usage(format!(
            "another verdict serve runs in {}; end it, or give this one another --dir and --listen",
            dir.display()
        ))
    })
}
