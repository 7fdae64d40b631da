//! The list of texts to read.

use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use super::archive;
use pgn::compression::{Compression, check_encoding};
use process::{Error, plain_file};

const STANDARD_INPUT: &str = "-";

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    pub name: String,
    pub(super) place: InputPlace,
    /// Bytes as stored; 0 if not known.
    pub bytes: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum InputPlace {
    /// An uncompressed file.
    Plain(PathBuf),
    /// To be read in sequence, compressed or not.
    Stream(PathBuf),
    /// At an index of an archive.
    Entry(PathBuf, usize),
    /// Compressed or not.
    StandardInput,
}

impl Input {
    /// Whether it can be read again.
    pub fn is_lasting(&self) -> bool {
        self.bytes > 0 || matches!(self.place, InputPlace::Plain(_) | InputPlace::Entry(..))
    }

    /// Whether it is in an archive.
    pub(super) fn is_entry(&self) -> bool {
        matches!(self.place, InputPlace::Entry(..))
    }
}

/// The texts of files, folders (all games in them, sorted by name) and `-`, standard input. Fails
/// for what is missing, has no games, or is named twice.
pub fn list(paths: &[PathBuf]) -> Result<Vec<Input>, Error> {
    let mut inputs = Vec::new();
    for path in paths {
        if path.as_os_str() == STANDARD_INPUT {
            let name = "standard input".to_owned();
            inputs.push(Input { name, place: InputPlace::StandardInput, bytes: 0 });
        } else if path.is_dir() {
            let before = inputs.len();
            list_folder(path, &mut inputs)?;
            if inputs.len() == before {
                return Err(none_found(&name_of(path), FILES));
            }
        } else if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
            // A pipe is opened once: who opens it waits for its writer, and who closes it ends
            // that.
            let place = InputPlace::Stream(path.clone());
            inputs.push(Input { name: name_of(path), place, bytes: 0 });
        } else {
            list_file(path, &mut inputs)?;
        }
    }
    let mut names: Vec<&str> = inputs.iter().map(|input| input.name.as_str()).collect();
    names.sort_unstable();
    match names.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(Error::input_output(format!(
            "{} is there twice: its games would count twice",
            pair[0]
        ))),
        None => Ok(inputs),
    }
}

const FILES: &str = "files named .pgn, .pgn.gz, .pgn.bz2, .pgn.zst, .pgn.xz or .zip";

fn none_found(name: &str, expected: &str) -> Error {
    Error::input_output(format!("{name}: expected {expected}, found none"))
}

fn cannot_read(name: &str, source: io::Error) -> Error {
    Error::from(source).context(format!("cannot read {name}"))
}

fn name_of(path: &Path) -> String {
    path.display().to_string()
}

/// Whether a file of that name in a folder is read.
pub fn has_games(name: &str) -> bool {
    let name = name.to_lowercase();
    let bare = [".gz", ".bz2", ".zst", ".xz"].iter().find_map(|suffix| name.strip_suffix(suffix));
    bare.unwrap_or(&name).ends_with(".pgn") || name.ends_with(".zip")
}

fn list_folder(folder: &Path, inputs: &mut Vec<Input>) -> Result<(), Error> {
    let failed = |source| cannot_read(&name_of(folder), source);
    let mut entries = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        entries.push(entry.map_err(failed)?);
    }
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let kind = entry.file_type().map_err(failed)?;
        // Links to folders may lead in circles.
        if kind.is_dir() {
            list_folder(&entry.path(), inputs)?;
        } else if has_games(&entry.file_name().to_string_lossy()) {
            list_file(&entry.path(), inputs)?;
        }
    }
    Ok(())
}

fn list_file(path: &Path, inputs: &mut Vec<Input>) -> Result<(), Error> {
    let name = name_of(path);
    let failed = |source| cannot_read(&name, source);
    let mut file = plain_file::open(path).map_err(failed)?;
    let mut head = Vec::new();
    file.by_ref().take(Compression::HEAD).read_to_end(&mut head).map_err(failed)?;
    let bytes = file.metadata().map_err(failed)?.len();
    match Compression::of(&head) {
        None => {
            check_encoding(&head).map_err(failed)?;
            inputs.push(Input { name, place: InputPlace::Plain(path.to_owned()), bytes });
        }
        Some(Compression::Zip) => {
            let mut archive = archive::of_file(file).map_err(failed)?;
            let before = inputs.len();
            for index in 0..archive.len() {
                let entry = archive.by_index(index).map_err(|error| failed(error.into()))?;
                if entry.is_file() && entry.name().to_lowercase().ends_with(".pgn") {
                    let name = format!("{name}:{}", entry.name());
                    let bytes = entry.compressed_size();
                    let place = InputPlace::Entry(path.to_owned(), index);
                    inputs.push(Input { name, place, bytes });
                }
            }
            if inputs.len() == before {
                return Err(none_found(&name, "an archive with .pgn files"));
            }
        }
        Some(_) => inputs.push(Input { name, place: InputPlace::Stream(path.to_owned()), bytes }),
    }
    Ok(())
}
