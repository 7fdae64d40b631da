//! Whether a file that is written for long still has its name: its folder may be removed meanwhile.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::RecordError;
use process::files::identity;

#[derive(Debug)]
pub struct FilePlace {
    path: PathBuf,
    /// Device and inode.
    identity: (u64, u64),
}

impl FilePlace {
    pub fn of(path: &Path, file: &File) -> io::Result<FilePlace> {
        Ok(FilePlace { path: path.to_owned(), identity: identity(&file.metadata()?) })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// [`RecordError::Gone`] when the name no longer leads to the file.
    pub fn check(&self) -> Result<(), RecordError> {
        match fs::symlink_metadata(&self.path) {
            Ok(metadata) if identity(&metadata) == self.identity => Ok(()),
            _ => Err(RecordError::Gone { path: self.path.clone() }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_removed_moved_or_replaced_is_gone() {
        let dir = tempfile::tempdir().unwrap();
        let (path, other) = (dir.path().join("run/file"), dir.path().join("run/other"));
        let begin = || {
            fs::create_dir_all(dir.path().join("run")).unwrap();
            let file = File::create(&path).unwrap();
            FilePlace::of(&path, &file).unwrap()
        };
        let place = begin();
        assert!(place.check().is_ok());
        fs::rename(dir.path().join("run"), dir.path().join("moved")).unwrap();
        assert!(matches!(place.check(), Err(RecordError::Gone { .. })));
        let place = begin();
        fs::write(&other, "").unwrap();
        fs::rename(&other, &path).unwrap();
        assert!(matches!(place.check(), Err(RecordError::Gone { .. })));
        let place = begin();
        fs::remove_dir_all(dir.path().join("run")).unwrap();
        assert!(matches!(place.check(), Err(RecordError::Gone { .. })));
    }
}
