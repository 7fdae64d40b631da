//! What a worker has for all runs: sandbox, installed programs, tablebases, cache.

use std::path::PathBuf;

use arena::record::sha256_file;
use process::Error;
use process::children::{Sandbox, SandboxKind};
use wire::message::{Have, TableSet};
use wire::names::Label;

use super::cache::FileCache;
use super::tables;

/// From the command line.
#[derive(Debug, Clone, Default)]
pub struct Provisions {
    /// `None`: bubblewrap if it works; otherwise no sandbox, and programs of others are declined.
    pub sandbox: Option<SandboxKind>,
    /// Installed programs (`--have`).
    pub have: Vec<(Label, PathBuf)>,
    /// Folders of Syzygy tablebases.
    pub syzygy: Vec<PathBuf>,
}

/// The same, tried and hashed.
#[derive(Debug, Clone)]
pub(crate) struct Equipment {
    /// The error says why there is none.
    pub(crate) sandbox: Result<Sandbox, String>,
    pub(crate) have: Vec<(Have, PathBuf)>,
    pub(crate) tables: Vec<(TableSet, PathBuf)>,
    pub(crate) cache: FileCache,
}

impl Equipment {
    /// Fails if something that the user asked for does not work.
    pub(crate) fn of(provisions: &Provisions) -> Result<Equipment, Error> {
        let sandbox = match provisions.sandbox {
            Some(kind) => Ok(Sandbox::find(kind).map_err(|why| {
                Error::usage(format!(
                    "--sandbox {kind}: {why}; expected another, or off: then programs of others run \
                     with this user's rights"
                ))
            })?),
            None => Sandbox::find(SandboxKind::Bwrap),
        };
        let have = provisions.have.iter().map(|(name, path)| {
            let path = std::path::absolute(path).unwrap_or_else(|_| path.clone());
            let sha256 = sha256_file(&path)
                .map_err(|error| Error::usage(error).context(format!("--have {name}")))?;
            Ok((Have { name: name.clone(), sha256: sha256.parse().map_err(Error::fault)? }, path))
        });
        let have = have.collect::<Result<_, Error>>()?;
        let tables = tables::declared(&provisions.syzygy)?;
        let cache = FileCache::of_user();
        cache.purge();
        Ok(Equipment { sandbox, have, tables, cache })
    }

    /// In one word, for the worker's card.
    pub(crate) fn sandbox_in_words(&self) -> &'static str {
        self.sandbox.as_ref().map_or("none", |sandbox| sandbox.kind().word())
    }
}
