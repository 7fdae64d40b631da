//! What is written must not be what is read.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use arena::output_folder;
use arena::record::{RecordError, atomic};
use process::{Context as _, Error, ErrorKind, files};
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
        refuse_read(output, files)?;
    }
    Ok(())
}

/// Refuses to write over a file that is to be read, by whatever name: links are followed.
pub(super) fn refuse_read(output: &Path, inputs: &[PathBuf]) -> Result<(), Error> {
    // What is not there yet is not read either.
    let (Ok(place), Ok(metadata)) = (fs::canonicalize(output), fs::metadata(output)) else {
        return Ok(());
    };
    let is_output = |input: &PathBuf| match fs::metadata(input) {
        Ok(folder) if folder.is_dir() => {
            metadata.is_file()
                && fs::canonicalize(input).is_ok_and(|folder| place.starts_with(folder))
                && has_games(&place.to_string_lossy())
        }
        Ok(input) => files::identity(&input) == files::identity(&metadata),
        Err(_) => false,
    };
    match inputs.iter().any(is_output) {
        true => {
            let output = output.display();
            let why = format!("{output} is to be read: expected another file to write");
            Err(Error::usage(why))
        }
        false => Ok(()),
    }
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
    write_by(output, |out| out.write_all(bytes.as_ref()))
}

/// [`write`], of what `content` writes.
pub(super) fn write_by<T>(
    output: &Path,
    content: impl FnOnce(&mut dyn Write) -> io::Result<T>,
) -> Result<T, Error> {
    if fs::metadata(output).is_ok_and(|metadata| !metadata.is_file()) {
        let direct = || {
            let mut out = BufWriter::new(File::create(output)?);
            let value = content(&mut out)?;
            out.flush().map(|()| value)
        };
        return direct().context(format!("cannot write {}", output.display()));
    }
    let written =
        atomic::replace(output, |out| content(out).map_err(RecordError::io(output, "write")));
    Ok(written?)
}
