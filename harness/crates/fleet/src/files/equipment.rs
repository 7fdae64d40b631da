//! What a worker has for all runs: a sandbox, programs, tables, a cache.

use std::path::PathBuf;

use arena::record::sha256_file;
use process::Error;
use process::children::{Sandbox, SandboxKind};
use wire::message::{Have, TableSet};
use wire::names::Label;

use super::cache::FileCache;
use super::tables;

/// As the command line has it.
#[derive(Debug, Clone, Default)]
pub struct Provisions {
    /// `None`: bubblewrap where it works, else programs of others are declined.
    pub sandbox: Option<SandboxKind>,
    /// Programs that are installed here.
    pub have: Vec<(Label, PathBuf)>,
    /// Folders of endgame tablebases.
    pub syzygy: Vec<PathBuf>,
}

/// Tried, and known by its hashes.
#[derive(Debug, Clone)]
pub(crate) struct Equipment {
    /// Or why there is none.
    pub(crate) sandbox: Result<Sandbox, String>,
    pub(crate) have: Vec<(Have, PathBuf)>,
    pub(crate) tables: Vec<(TableSet, PathBuf)>,
    pub(crate) cache: FileCache,
}

impl Equipment {
    /// Fails where something does not work that was asked for by name.
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

    /// In one word, for its card.
    pub(crate) fn sandbox_in_words(&self) -> &'static str {
        self.sandbox.as_ref().map_or("none", |sandbox| sandbox.kind().word())
    }
}
