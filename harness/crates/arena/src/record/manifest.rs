//! Files that say what is done in a folder: `sweep.json`, `spsa.json`, `clop.json`.

use std::fs;
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{FolderKind, RecordError, read_json, write_json};
use process::Error;
use process::terminal::shell_path;

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

    fn read(dir: &Path) -> Result<Self, Error> {
        let path = dir.join(Self::KIND.file());
        let file: Self = read_json(&path, Self::KIND.what())?;
        let damaged = |found| {
            RecordError::damaged(&path, 1, format!("expected {}: {found}", Self::KIND.what()))
        };
        if file.format() != Self::FORMAT {
            return Err(damaged(format!("format {}, found {}", Self::FORMAT, file.format())).into());
        }
        file.check().map_err(damaged)?;
        Ok(file)
    }

    /// Writes it into a folder, which is made. Fails if the file is there already.
    fn write(&self, dir: &Path) -> Result<(), Error> {
        let path = dir.join(Self::KIND.file());
        if path.exists() {
            return Err(Error::usage(format!(
                "{}: there is {} already; continue it with: verdict resume {}",
                dir.display(),
                Self::KIND.what(),
                shell_path(dir)
            )));
        }
        fs::create_dir_all(dir).map_err(RecordError::io(dir, "create the folder"))?;
        Ok(write_json(&path, self)?)
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
        assert_eq!(again.kind(), ErrorKind::Usage);
    }

    #[test]
    fn damage_is_told_with_its_line() {
        let dir = tempfile::tempdir().expect("a folder");
        for (text, told) in [
            ("{\n\"format\": 3,\n\"pairs\": x}", "sweep.json, line 3: expected a sweep"),
            ("{\"format\": 4, \"pairs\": 1}", "format 3, found 4"),
            ("{\"format\": 3, \"pairs\": 0}", "pairs above 0"),
        ] {
            fs::write(dir.path().join(TestManifest::KIND.file()), text).expect("a file");
            let error = TestManifest::read(dir.path()).expect_err(text);
            assert!(error.to_string().contains(told), "{error}");
            assert_eq!(error.kind(), ErrorKind::InputOutput);
        }
    }
}
