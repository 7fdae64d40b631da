//! What is written must not be what is read.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;

use arena::output_folder;
use arena::record::atomic;
use tables::has_games;

/// Refuses to write over what is to be read, before anything is opened.
pub(super) fn check<'a>(
    outputs: impl IntoIterator<Item = Option<&'a Path>>,
    files: &[PathBuf],
) -> Result<(), String> {
    for output in outputs.into_iter().flatten() {
        if output.as_os_str() == "-" {
            return Err("-: expected the name of a file to write".to_owned());
        }
        let folder = output.parent().filter(|folder| !folder.as_os_str().is_empty());
        match output_folder::refuse_work(folder.unwrap_or(Path::new("."))) {
            Err(why) if why.is_usage() => return Err(why.to_string()),
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
            return Err(format!("{output} is to be read: expected another file to write"));
        }
    }
    Ok(())
}

/// The same of a file that is replaced as a whole, which a device is not.
pub(super) fn check_replaced(output: &Path, files: &[PathBuf]) -> Result<(), String> {
    check([Some(output)], files)?;
    match fs::metadata(output) {
        Ok(facts) if !facts.is_file() => {
            Err(format!("{}: expected a plain file to write", output.display()))
        }
        _ => Ok(()),
    }
}

/// Writes the file atomically; devices and pipes are written directly.
pub(super) fn write(output: &Path, bytes: impl AsRef<[u8]>) -> anyhow::Result<()> {
    if fs::metadata(output).is_ok_and(|facts| !facts.is_file()) {
        return fs::write(output, bytes)
            .with_context(|| format!("cannot write {}", output.display()));
    }
    Ok(atomic::replace_by(output, bytes)?)
}
