//! What is written must not be what is read.

use std::fs;
use std::path::{Path, PathBuf};

use arena::output_folder;
use arena::record::atomic;
use process::{Context as _, Error, ErrorKind};
use tables::has_games;

/// Refuses to write over what is to be read, before anything is opened.
pub(super) fn check<'a>(
    outputs: impl IntoIterator<Item = Option<&'a Path>>,
    files: &[PathBuf],
) -> Result<(), Error> {
    for output in outputs.into_iter().flatten() {
        if output.as_os_str() == "-" {
            return Err(Error::usage("-: expected the name of a file to write"));
        }
        let folder = output.parent().filter(|folder| !folder.as_os_str().is_empty());
        match output_folder::refuse_work(folder.unwrap_or(Path::new("."))) {
            Err(error) if error.kind() == ErrorKind::Usage => return Err(error),
            // What cannot be looked into cannot be written either.
            Ok(()) | Err(_) => (),
        }
        // What is not there yet is not read either.
        let Ok(place) = fs::canonicalize(output) else { continue };
        let is_read = |file: &PathBuf| match fs::canonicalize(file) {
            Ok(folder) if folder.is_dir() => {
                place.is_file() && place.starts_with(folder) && has_games(&place.to_string_lossy())
            }
            Ok(file) => file == place,
            Err(_) => false,
        };
        if files.iter().any(is_read) {
            let output = output.display();
            let why = format!("{output} is to be read: expected another file to write");
            return Err(Error::usage(why));
        }
    }
    Ok(())
}

/// The same of a file that is replaced as a whole, which a device is not.
pub(super) fn check_replaced(output: &Path, files: &[PathBuf]) -> Result<(), Error> {
    check([Some(output)], files)?;
    match fs::metadata(output) {
        Ok(metadata) if !metadata.is_file() => {
            Err(Error::usage(format!("{}: expected a plain file to write", output.display())))
        }
        _ => Ok(()),
    }
}

/// Writes the file atomically; devices and pipes are written directly.
pub(super) fn write(output: &Path, bytes: impl AsRef<[u8]>) -> Result<(), Error> {
    if fs::metadata(output).is_ok_and(|metadata| !metadata.is_file()) {
        return fs::write(output, bytes).context(format!("cannot write {}", output.display()));
    }
    Ok(atomic::replace_by(output, bytes)?)
}
