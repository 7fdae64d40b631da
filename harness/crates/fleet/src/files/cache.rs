//! Cache of files from the broker, by hash, in the user's cache folder: `fleet/SHA256/NAME`. The
//! original name is kept, because books and parameter files are recognized by their suffix, and a
//! program without a name is called by its file name.

use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use arena::build::Cache;
use arena::record::sha256_file;
use process::files::{free_space, share, share_folder};
use process::{Error, random};
use wire::message::FileCard;
use wire::names::FileHash;

use super::{Again, Missing, objects};
use crate::link::Link;

/// Files that were not used for this time are removed.
const KEPT: Duration = Duration::from_secs(14 * 24 * 60 * 60);
/// Disk space that must stay free, in bytes.
const FREE: u64 = 2 << 30;
/// Prefix of unfinished files.
const UNFINISHED: &str = "unfinished-";
/// What is older was left by a worker that was killed.
const LEFT: Duration = Duration::from_secs(24 * 60 * 60);

#[derive(Debug, Clone)]
pub(crate) struct FileCache {
    root: PathBuf,
}

impl FileCache {
    pub(crate) fn of_user() -> FileCache {
        FileCache::at(Cache::of_user().root().join("fleet"))
    }

    pub(crate) fn at(root: PathBuf) -> FileCache {
        FileCache { root }
    }

    pub(crate) fn folder(&self, file: &FileHash) -> PathBuf {
        self.root.join(file.as_str())
    }

    pub(crate) fn place(&self, file: &FileHash, name: &str) -> PathBuf {
        self.folder(file).join(name)
    }

    /// Returns the path of a file, fetched if necessary. The error names the file and the reason.
    pub(crate) async fn fetch(&self, link: &Link, card: &FileCard) -> Result<PathBuf, Missing> {
        let hash: String = card.sha256.as_str().chars().take(12).collect();
        let name = format!("{} {} (sha256 {hash}…)", card.role, card.name);
        self.have(link, card).await.map_err(|missing| missing.context(&name))
    }

    async fn have(&self, link: &Link, card: &FileCard) -> Result<PathBuf, Missing> {
        let failed = |error| Missing::of_writing(&self.root, error, Again::Later);
        if let Some(known) = self.known(card).map_err(failed)? {
            return Ok(known);
        }
        self.room_for(card.bytes)?;
        let secret = random::secret().map_err(Error::from).map_err(failed)?;
        let unfinished = self.unfinished(&hex::encode(secret)).map_err(failed)?;
        let done = receive(link, card, &unfinished).await.and_then(|()| {
            share(&unfinished, card.executable).map_err(Error::io(&unfinished, "share"))?;
            self.keep(&unfinished, &card.sha256, &card.name)
        });
        done.map_err(|error| {
            // Nothing else can be done about it.
            let _ = fs::remove_file(&unfinished);
            let _ = fs::remove_dir(self.folder(&card.sha256));
            failed(error)
        })
    }

    /// A file that is there and is the right one.
    fn known(&self, card: &FileCard) -> Result<Option<PathBuf>, Error> {
        let folder = self.folder(&card.sha256);
        let Some(known) = known(&folder) else { return Ok(None) };
        if sha256_file(&known).is_ok_and(|found| found == card.sha256.as_str()) {
            let to = self.place(&card.sha256, &card.name);
            return self.as_named(&known, to, card.executable).map(Some);
        }
        // It was damaged.
        fs::remove_dir_all(&folder).map_err(Error::io(&folder, "remove"))?;
        Ok(None)
    }

    /// Checks that there is room for so many bytes.
    pub(crate) fn room_for(&self, bytes: u64) -> Result<(), Missing> {
        let free = fs::create_dir_all(&self.root).and_then(|()| free_space(&self.root));
        let free = free.map_err(Error::io(&self.root, "use")).map_err(Missing::later)?;
        match FREE.saturating_add(bytes) {
            needed if free < needed => Err(Missing::room(&self.root, free, needed)),
            _ => Ok(()),
        }
    }

    /// Path for writing a file before its hash is known.
    pub(crate) fn unfinished(&self, secret: &str) -> Result<PathBuf, Error> {
        fs::create_dir_all(&self.root).map_err(Error::io(&self.root, "create"))?;
        Ok(self.root.join(format!("{UNFINISHED}{secret}")))
    }

    /// Moves such a file to its place in the cache.
    pub(crate) fn keep(
        &self,
        unfinished: &Path,
        hash: &FileHash,
        name: &str,
    ) -> Result<PathBuf, Error> {
        let to = self.place(hash, name);
        let folder = self.folder(hash);
        fs::create_dir_all(&folder).map_err(Error::io(&folder, "create"))?;
        share_folder(&folder).map_err(Error::io(&folder, "share"))?;
        fs::rename(unfinished, &to).map_err(Error::io(&to, "write"))?;
        Ok(to)
    }

    /// Gives a cached file another name, if necessary. Counts as use.
    fn as_named(&self, known: &Path, to: PathBuf, executable: bool) -> Result<PathBuf, Error> {
        if known != to && !to.exists() {
            fs::hard_link(known, &to).map_err(Error::io(&to, "write"))?;
        }
        let is_program = executable
            || fs::metadata(&to).is_ok_and(|metadata| process::files::is_executable(&metadata));
        share(&to, is_program).map_err(Error::io(&to, "share"))?;
        let touched = File::open(&to).and_then(|file| file.set_modified(SystemTime::now()));
        touched.map_err(Error::io(&to, "mark as used"))?;
        Ok(to)
    }

    /// Removes files that were not used for a long time. Errors are ignored.
    pub(crate) fn purge(&self) {
        let now = SystemTime::now();
        for entry in fs::read_dir(&self.root).into_iter().flatten().flatten() {
            let path = entry.path();
            let used = match known(&path) {
                Some(file) => fs::metadata(file),
                None => fs::metadata(&path),
            };
            let used = used.and_then(|metadata| metadata.modified());
            let is_unfinished = entry.file_name().to_string_lossy().starts_with(UNFINISHED);
            let most = if is_unfinished { LEFT } else { KEPT };
            let is_old =
                used.is_ok_and(|used| now.duration_since(used).is_ok_and(|age| age > most));
            if is_old {
                let _ = fs::remove_dir_all(&path).or_else(|_| fs::remove_file(&path));
            }
        }
    }
}

/// The file in a cache folder; it may have several names.
fn known(folder: &Path) -> Option<PathBuf> {
    let mut files = fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path());
    files.find(|path| path.is_file() && path.extension().is_none_or(|it| it != "lock"))
}

async fn receive(link: &Link, card: &FileCard, to: &Path) -> Result<(), Error> {
    let file = File::create_new(to).map_err(Error::io(to, "create"))?;
    let mut out = BufWriter::new(file);
    objects::get(link, &card.sha256, card.bytes, &mut out).await?;
    let file = out.into_inner().map_err(|error| Error::from(error.into_error()));
    let mut file = file.map_err(|error| error.context(to.display()))?;
    file.flush().and_then(|()| file.sync_all()).map_err(Error::io(to, "write"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_used_for_two_weeks_goes() {
        let dir = tempfile::tempdir().unwrap();
        let cache = FileCache::at(dir.path().to_owned());
        for (text, days) in [("new", 13), ("old", 15)] {
            let hash = FileHash::of(text.as_bytes());
            let path = cache.place(&hash, "engine");
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            let file = File::create(&path).unwrap();
            let age = Duration::from_secs(days * 24 * 60 * 60);
            file.set_modified(SystemTime::now() - age).unwrap();
        }
        let left = |age: Duration, name: &str| {
            let path = cache.unfinished(name).unwrap();
            let file = File::create(&path).unwrap();
            file.set_modified(SystemTime::now() - age).unwrap();
            path
        };
        let [young, old] = [left(LEFT / 2, "a"), left(2 * LEFT, "b")];
        cache.purge();
        assert!(young.exists() && !old.exists());
        let is_there = |text: &str| cache.place(&FileHash::of(text.as_bytes()), "engine").exists();
        assert!(is_there("new") && !is_there("old"));
    }
}
