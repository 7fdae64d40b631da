//! A run as the rows of its tables name it.

use std::path::Path;

use arena::record::{RunFile, Side};
use process::Error;

pub(super) struct Run {
    pub(super) name: String,
    pub(super) file: RunFile,
    /// Of base and of test.
    players: [String; 2],
}

impl Run {
    pub(super) fn read(dir: &Path, name: &str) -> Result<Run, Error> {
        let file = RunFile::read(dir)?;
        let players = [Side::Base, Side::Test].map(|side| file.label(side));
        Ok(Run { name: name.to_owned(), file, players })
    }

    pub(super) fn player(&self, side: Side) -> &str {
        let [base, test] = &self.players;
        side.choose(base, test)
    }
}
