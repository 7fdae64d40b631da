//! Files that say what is done in a folder: `sweep.json`, `spsa.json`, `clop.json`.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde::{Serialize, de::DeserializeOwned};

use super::{FolderKind, RecordError, atomic};
use process::terminal::shell_path;
use process::{
    Error,
    plain_file::{self, DOCUMENT},
};

pub trait Manifest: Serialize + DeserializeOwned {
    /// What it makes of its folder.
    const KIND: FolderKind;
    const FORMAT: u32;

    /// The version that this file was written as.
    fn format(&self) -> u32;

    /// What is wrong with a file that parses: what was expected, in words.
    fn check(&self) -> Result<(), String> {
        Ok(())
    }

    fn is_in(dir: &Path) -> bool {
        dir.join(Self::KIND.file()).is_file()
    }

    fn read(dir: &Path) -> Result<Self, ManifestError> {
        let path = dir.join(Self::KIND.file());
        let text =
            plain_file::read_text(&path, DOCUMENT).map_err(RecordError::io(&path, "read"))?;
        let damaged = |line, reason| ManifestError::Damaged {
            path: path.clone(),
            line,
            what: Self::KIND.what(),
            reason,
        };
        let file: Self = serde_json::from_str(&text)
            .map_err(|error| damaged(error.line(), error.to_string()))?;
        if file.format() != Self::FORMAT {
            return Err(damaged(1, format!("format {}, found {}", Self::FORMAT, file.format())));
        }
        file.check().map_err(|reason| damaged(1, reason))?;
        Ok(file)
    }

    /// Writes it into a folder, which is made. Fails if the file is there already.
    fn write(&self, dir: &Path) -> Result<(), ManifestError> {
        let path = dir.join(Self::KIND.file());
        if path.exists() {
            return Err(ManifestError::Exists { dir: dir.to_owned(), what: Self::KIND.what() });
        }
        fs::create_dir_all(dir).map_err(RecordError::io(dir, "create the folder"))?;
        let text = serde_json::to_string_pretty(self).unwrap_or_default() + "\n";
        atomic::replace_by(&path, text)?;
        Ok(())
    }
}

#[derive(Debug, thiserror::Error)]
pub enum ManifestError {
    #[error("{dir}: there is {what} already; continue it with: verdict resume {word}", dir = .dir.display(), word = shell_path(.dir))]
    Exists { dir: PathBuf, what: &'static str },
    #[error("{path}:{line}: expected {what}: {reason}", path = .path.display())]
    Damaged { path: PathBuf, line: usize, what: &'static str, reason: String },
    #[error(transparent)]
    Record(#[from] RecordError),
}

impl From<ManifestError> for Error {
    fn from(error: ManifestError) -> Error {
        match error {
            ManifestError::Exists { .. } => Error::usage(error),
            ManifestError::Damaged { .. } | ManifestError::Record(_) => Error::input_output(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use process::ErrorKind;
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct TestManifest {
        format: u32,
        pairs: u64,
    }

    impl Manifest for TestManifest {
        const KIND: FolderKind = FolderKind::Sweep;
        const FORMAT: u32 = 3;

        fn format(&self) -> u32 {
            self.format
        }

        fn check(&self) -> Result<(), String> {
            if self.pairs > 0 { Ok(()) } else { Err("pairs above 0".to_owned()) }
        }
    }

    #[test]
    fn what_is_written_reads_back_once() {
        let dir = tempfile::tempdir().expect("a folder");
        let inner = dir.path().join("new");
        assert!(!TestManifest::is_in(&inner));
        let sample = TestManifest { format: 3, pairs: 5 };
        sample.write(&inner).expect("a new folder");
        assert!(TestManifest::is_in(&inner));
        assert_eq!(TestManifest::read(&inner).expect("its own file"), sample);
        let again = sample.write(&inner).expect_err("it is there");
        assert!(again.to_string().contains("there is a sweep already"), "{again}");
        assert_eq!(Error::from(again).kind(), ErrorKind::Usage);
    }

    #[test]
    fn damage_is_told_with_its_line() {
        let dir = tempfile::tempdir().expect("a folder");
        for (text, told) in [
            ("{\n\"format\": 3,\n\"pairs\": x}", "sweep.json:3: expected a sweep"),
            ("{\"format\": 4, \"pairs\": 1}", "format 3, found 4"),
            ("{\"format\": 3, \"pairs\": 0}", "pairs above 0"),
        ] {
            fs::write(dir.path().join(TestManifest::KIND.file()), text).expect("a file");
            let error = TestManifest::read(dir.path()).expect_err(text);
            assert!(error.to_string().contains(told), "{error}");
            assert_eq!(Error::from(error).kind(), ErrorKind::InputOutput);
        }
    }
}
