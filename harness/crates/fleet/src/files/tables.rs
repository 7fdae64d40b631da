//! Syzygy tablebases. They are too large to be sent; workers say which they have.

use std::fs;
use std::path::{Path, PathBuf};

use arena::record::sha256_folder;
use process::Error;
use wire::message::TableSet;

const ENDS: [&str; 2] = ["rtbw", "rtbz"];

/// Pieces of the largest table in a folder; 0 if there is none.
pub(crate) fn men(folder: &Path) -> u32 {
    let files = fs::read_dir(folder).into_iter().flatten().flatten().map(|file| file.path());
    let tables = files.filter(|path| {
        path.extension().and_then(|end| end.to_str()).is_some_and(|end| ENDS.contains(&end))
    });
    // Each capital letter of `KRPvKR` is a piece.
    let pieces = tables.filter_map(|path| {
        let name = path.file_stem()?.to_str()?.to_owned();
        u32::try_from(name.chars().filter(char::is_ascii_uppercase).count()).ok()
    });
    pieces.max().unwrap_or(0)
}

/// The tables in a worker's folders.
pub(crate) fn declared(folders: &[PathBuf]) -> Result<Vec<(TableSet, PathBuf)>, Error> {
    let declared = folders.iter().map(|folder| {
        let men = men(folder);
        if men == 0 {
            return Err(Error::usage(format!(
                "--syzygy {}: expected a folder with Syzygy tables (.rtbw, .rtbz)",
                folder.display()
            )));
        }
        let sha256 = sha256_folder(folder).map_err(Error::input_output)?;
        let sha256 = sha256.parse().map_err(Error::fault)?;
        let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.clone());
        Ok((TableSet { men, sha256 }, folder))
    });
    declared.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn men_are_counted_by_names() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(men(dir.path()), 0);
        assert!(declared(&[dir.path().to_owned()]).is_err());
        for name in ["KQvK.rtbw", "KRPvKR.rtbz", "KRPvKRPP.txt"] {
            fs::write(dir.path().join(name), name).unwrap();
        }
        assert_eq!(men(dir.path()), 5);
        let before = declared(&[dir.path().to_owned()]).unwrap();
        fs::write(dir.path().join("KBvK.rtbw"), "").unwrap();
        assert_ne!(declared(&[dir.path().to_owned()]).unwrap(), before);
    }
}
