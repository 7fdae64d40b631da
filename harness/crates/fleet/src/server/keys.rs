//! The list of invitations: `keys.json`, with public keys only. Secret keys are printed once and
//! not kept.

use std::fs;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use nkeys::KeyPair;
use process::Error;
use process::locked::Locked;
use serde::{Deserialize, Serialize};

use super::{Role, User};

const KEYS_FILE: &str = "keys.json";
const LOCK_FILE: &str = "keys.lock";

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RoleKind {
    Serve,
    Coordinator,
    Worker,
}

/// An invitation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Invited {
    pub name: String,
    pub role: RoleKind,
    /// Public key.
    pub nkey: String,
    /// Most slots of all its workers together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slots: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until_at: Option<Timestamp>,
    pub invited_at: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub removed_at: Option<Timestamp>,
}

impl Invited {
    pub fn may_come(&self, now: Timestamp) -> bool {
        self.removed_at.is_none() && self.until_at.is_none_or(|until| now < until)
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct KeysFile {
    v: u64,
    users: Vec<Invited>,
}

/// A new secret key.
pub fn new_seed() -> Result<String, Error> {
    KeyPair::new_user().seed().map_err(Error::fault)
}

/// The invitations in a broker's folder. Each change reads and writes the file under a lock, so
/// that `serve` and `serve invite` can run at the same time.
#[derive(Debug, Clone)]
pub struct Keys {
    dir: PathBuf,
}

impl Keys {
    pub fn new(dir: &Path) -> Keys {
        Keys { dir: dir.to_owned() }
    }

    /// Adds an invitation; returns its secret key. A removed name may be invited again.
    pub fn invite(
        &self,
        name: &str,
        role: RoleKind,
        slots: Option<u32>,
        until_at: Option<Timestamp>,
    ) -> Result<String, Error> {
        let key = KeyPair::new_user();
        let seed = key.seed().map_err(Error::fault)?;
        self.change(|users| {
            let now = Timestamp::now();
            if let Some(known) = users.iter().find(|user| user.name == name && user.may_come(now)) {
                return Err(Error::usage(format!(
                    "{name} was invited on {}; expected another name, or first: verdict serve remove {name}",
                    known.invited_at.strftime("%Y-%m-%d")
                )));
            }
            let nkey = key.public_key();
            users.push(Invited {
                name: name.to_owned(),
                role,
                nkey,
                slots,
                until_at,
                invited_at: now,
                removed_at: None,
            });
            Ok(())
        })?;
        Ok(seed)
    }

    /// Removes an invitation.
    pub fn remove(&self, name: &str) -> Result<(), Error> {
        self.change(|users| {
            let now = Timestamp::now();
            let mut there =
                users.iter_mut().filter(|it| it.name == name && it.removed_at.is_none());
            let Some(user) = there.next() else {
                return Err(Error::usage(format!(
                    "nobody of the name {name} is invited (verdict serve list shows who is)"
                )));
            };
            user.removed_at = Some(now);
            Ok(())
        })
    }

    /// All invitations, with removed ones, oldest first.
    pub fn list(&self) -> Result<Vec<Invited>, Error> {
        let path = self.dir.join(KEYS_FILE);
        let bytes = match fs::read(&path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            read => read.map_err(Error::io(&path, "read"))?,
        };
        let file: KeysFile = serde_json::from_slice(&bytes).map_err(|error| {
            Error::input_output(format!(
                "{}:{}: expected the list of invitations: {error}; restore it from a copy, or remove it and \
                 invite again",
                path.display(),
                error.line()
            ))
        })?;
        Ok(file.users)
    }

    /// The keys that may log in now.
    pub fn users(&self) -> Result<Vec<User>, Error> {
        let now = Timestamp::now();
        let may_come = self.list()?.into_iter().filter(|user| user.may_come(now));
        Ok(may_come
            .map(|Invited { name, role, nkey, .. }| User { nkey, role: role.of(name) })
            .collect())
    }

    fn change(
        &self,
        what: impl FnOnce(&mut Vec<Invited>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let lock = self.dir.join(LOCK_FILE);
        let file = fs::OpenOptions::new().create(true).append(true).open(&lock);
        let _locked = Locked::wait(file.map_err(Error::io(&lock, "open"))?)?;
        let mut users = self.list()?;
        what(&mut users)?;
        let path = self.dir.join(KEYS_FILE);
        let text = serde_json::to_vec_pretty(&KeysFile { v: 1, users }).map_err(Error::fault)?;
        process::files::write_private(&path, &text).map_err(Error::io(&path, "write"))
    }
}

impl RoleKind {
    fn of(self, name: String) -> Role {
        match self {
            RoleKind::Serve => Role::Serve,
            RoleKind::Coordinator => Role::Coordinator(name),
            RoleKind::Worker => Role::Worker(name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_invited_may_come_until_removed_or_the_time_is_over() {
        let dir = tempfile::tempdir().unwrap();
        let keys = Keys::new(dir.path());
        assert_eq!(keys.users().unwrap().len(), 0);
        let alice = keys.invite("alice", RoleKind::Worker, Some(4), None).unwrap();
        let over = Some(Timestamp::UNIX_EPOCH);
        keys.invite("bob", RoleKind::Worker, None, over).unwrap();
        let users = keys.users().unwrap();
        let public = KeyPair::from_seed(&alice).unwrap().public_key();
        assert_eq!(users.len(), 1);
        assert_eq!(
            (users[0].nkey.as_str(), &users[0].role),
            (&*public, &Role::Worker("alice".into()))
        );
        assert!(keys.invite("alice", RoleKind::Worker, None, None).is_err());
        keys.remove("alice").unwrap();
        assert!(keys.remove("alice").is_err() && keys.remove("carol").is_err());
        assert_eq!(keys.users().unwrap().len(), 0);
        let again = keys.invite("alice", RoleKind::Worker, None, None).unwrap();
        assert_ne!(again, alice);
        assert_eq!(keys.list().unwrap().len(), 3);
        // No file contains a secret.
        for file in fs::read_dir(dir.path()).unwrap() {
            let text = fs::read_to_string(file.unwrap().path()).unwrap();
            assert!(!text.contains(&alice) && !text.contains(&again));
        }
    }
}
