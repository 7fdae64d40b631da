//! A file that is written beside its place, so that it is there whole or not at all.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use process::signals::Listener;

use super::interrupted;
use arena::record::atomic::create_beside;

/// The unfinished file; it goes when it is dropped, and when the process is interrupted.
pub(super) struct Draft {
    path: PathBuf,
    draft: PathBuf,
    pub(super) file: File,
    _removed_by: Option<Listener>,
}

impl Draft {
    /// Created before the work begins: a folder that cannot be written to shows at once.
    pub(super) fn create(path: &Path) -> io::Result<Draft> {
        let (draft, file) = create_beside(path, "part")?;
        let listener = interrupted::remove(draft.clone());
        Ok(Draft { path: path.to_owned(), draft, file, _removed_by: listener })
    }

    /// Puts it in its place, over what is there.
    pub(super) fn publish(self) -> io::Result<()> {
        self.file.sync_all()?;
        fs::rename(&self.draft, &self.path)
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        // After `publish` there is nothing left to remove.
        let _: io::Result<()> = fs::remove_file(&self.draft);
    }
}
