//! Files that are whole or absent: written beside their place, then renamed into it.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;

use super::RecordError;

/// Replaces a file by what `content` writes. Whoever reads the path finds the old file or the
/// whole new one, also after a loss of power.
///
/// # Errors
///
/// [`RecordError::Io`] when a write fails or the path is no plain file, or the error of `content`; the
/// old file is unharmed.
pub(crate) fn replace<T>(
    path: &Path,
    content: impl FnOnce(&mut BufWriter<File>) -> Result<T, RecordError>,
) -> Result<T, RecordError> {
    // What a link leads to is replaced, not the link; devices and pipes are left alone.
    if fs::metadata(path).is_ok_and(|facts| !facts.is_file()) {
        let wrong = std::io::Error::other("it is no plain file");
        return Err(RecordError::io(path, "replace")(wrong));
    }
    let followed = fs::canonicalize(path);
    let path = followed.as_deref().unwrap_or(path);
    let mut name = path.file_name().unwrap_or_default().to_owned();
    // Another process may be at it, too.
    name.push(format!(".{}.tmp", std::process::id()));
    let temporary = path.with_file_name(name);
    let written = write(&temporary, content).and_then(|value| {
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

/// The same with bytes that are there already.
///
/// # Errors
///
/// As [`replace`].
pub(crate) fn replace_by(path: &Path, bytes: impl AsRef<[u8]>) -> Result<(), RecordError> {
    replace(path, |out| out.write_all(bytes.as_ref()).map_err(RecordError::io(path, "write")))
}

fn write<T>(
    path: &Path,
    content: impl FnOnce(&mut BufWriter<File>) -> Result<T, RecordError>,
) -> Result<T, RecordError> {
    let file = File::create(path).map_err(RecordError::io(path, "create"))?;
    let mut out = BufWriter::new(file);
    let value = content(&mut out)?;
    out.flush().map_err(RecordError::io(path, "write"))?;
    out.get_ref().sync_all().map_err(RecordError::io(path, "sync"))?;
    Ok(value)
}

/// Makes a file's entry in its folder survive a loss of power.
pub(super) fn sync_folder(path: &Path) -> Result<(), RecordError> {
    #[cfg(unix)]
    if let Some(folder) = path.parent() {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        File::open(folder)
            .and_then(|folder| folder.sync_all())
            .map_err(RecordError::io(folder, "sync the folder"))?;
    }
    Ok(())
}
