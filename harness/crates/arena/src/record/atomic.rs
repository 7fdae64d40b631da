//! Files that are whole or absent: written beside their place, then renamed into it. A symbolic
//! link in that place gives way like any other file; what it leads to is never written.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

use super::RecordError;
use process::plain_file;

/// Names to try for the file beside: killed processes may have left some.
const MOST_NAMES: u32 = 100;

/// Replaces a file by what `content` writes. Whoever reads the path finds the old file or the
/// whole new one, also after a loss of power.
/// Fails if the path is no plain file. After any error the old file is unharmed.
pub fn replace<T>(
    path: &Path,
    content: impl FnOnce(&mut BufWriter<File>) -> Result<T, RecordError>,
) -> Result<T, RecordError> {
    // Devices and pipes are left alone, and so are links to them.
    if let Ok(metadata) = fs::metadata(path) {
        plain_file::check(&metadata).map_err(RecordError::io(path, "replace"))?;
    }
    let (temporary, file) =
        create_beside(path, "tmp").map_err(RecordError::io(path, "create a file beside it"))?;
    let mut out = BufWriter::new(file);
    let written = content(&mut out).and_then(|value| {
        out.flush().map_err(RecordError::io(&temporary, "write"))?;
        out.get_ref().sync_all().map_err(RecordError::io(&temporary, "sync"))?;
        fs::rename(&temporary, path).map_err(RecordError::io(path, "rename the finished file"))?;
        sync_folder(path)?;
        Ok(value)
    });
    if written.is_err() {
        // The first error is the one to tell.
        let _ = fs::remove_file(&temporary);
    }
    written
}

/// [`replace`] with bytes that are there already.
pub fn replace_by(path: &Path, bytes: impl AsRef<[u8]>) -> Result<(), RecordError> {
    replace(path, |out| out.write_all(bytes.as_ref()).map_err(RecordError::io(path, "write")))
}

/// Creates a new file beside `path`, named like it, with this process's number and `ending`. It can
/// be written and read.
pub fn create_beside(path: &Path, ending: &str) -> io::Result<(PathBuf, File)> {
    let process = std::process::id();
    let mut number = 1;
    loop {
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(match number {
            1 => format!(".{process}.{ending}"),
            _ => format!(".{process}-{number}.{ending}"),
        });
        let beside = path.with_file_name(name);
        // A new file is no link.
        match OpenOptions::new().read(true).write(true).create_new(true).open(&beside) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists && number < MOST_NAMES => {
                number += 1;
            }
            created => return created.map(|file| (beside, file)),
        }
    }
}

/// Makes a file's entry in its folder survive a loss of power.
pub(super) fn sync_folder(path: &Path) -> Result<(), RecordError> {
    if let Some(folder) = path.parent() {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        File::open(folder)
            .and_then(|folder| folder.sync_all())
            .map_err(RecordError::io(folder, "sync the folder"))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use process::files::symlink;

    use super::*;

    #[test]
    fn a_link_gives_way_and_its_target_is_unharmed() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        fs::write(at("victim"), "mine").unwrap();
        symlink(at("victim"), at("page")).unwrap();
        // Whoever plants links knows how files beside are called.
        let beside = at(&format!("page.{}.tmp", std::process::id()));
        symlink(at("victim"), &beside).unwrap();
        replace_by(&at("page"), "new").unwrap();
        assert_eq!(fs::read_to_string(at("victim")).unwrap(), "mine");
        assert_eq!(fs::read_to_string(at("page")).unwrap(), "new");
        assert!(fs::symlink_metadata(at("page")).unwrap().is_file());
        let mut names: Vec<_> =
            fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
        names.sort();
        assert_eq!(names, [at("page"), beside, at("victim")], "nothing is left behind");
    }

    #[test]
    fn what_is_no_file_is_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        symlink("/dev/null", dir.path().join("device")).unwrap();
        assert!(replace_by(&dir.path().join("device"), "new").is_err());
        assert!(replace_by(dir.path(), "new").is_err());
        assert_eq!(fs::read_link(dir.path().join("device")).unwrap(), Path::new("/dev/null"));
    }
}
