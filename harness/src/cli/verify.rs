//! `--verify`: whether what runs have recorded can be true, before it is counted.

use std::path::{Path, PathBuf};

use clap::Args;

use super::folders::runs_in;
use arena::record::{GAMES_FILE, GAMES_ZST_FILE, RUN_FILE};
use arena::verify::{self, VerifyScope};
use process::Error;

/// How much of what is recorded is checked.
#[derive(Debug, Clone, Copy, Default, Args)]
pub(super) struct VerifyFlags {
    /// Replay every game first: check its opening against the book, its result against its moves.
    /// Without this flag a sample is replayed. Journal digests and, unless the book is large, the
    /// schedule are checked for all games.
    #[arg(long)]
    verify: bool,
}

impl VerifyFlags {
    /// Verifies the runs that these inputs are or hold; files are left to who reads them.
    pub(super) fn check(self, inputs: &[PathBuf]) -> Result<(), Error> {
        let extent = if self.verify { VerifyScope::All } else { VerifyScope::Sample };
        for dir in inputs.iter().filter(|input| input.is_dir()) {
            // What holds no runs is told by who reads it.
            for run in runs_in(dir).unwrap_or_default().iter().filter(|run| has_games(run)) {
                let verified = verify::run(run, extent, |_| Ok(()))?;
                let run = run.display();
                verified.remarks.iter().for_each(|remark| status!("warning: {run}: {remark}"));
                if self.verify {
                    status!("{run}: {verified}");
                }
            }
        }
        Ok(())
    }
}

fn has_games(run: &Path) -> bool {
    let has = |file| run.join(file).is_file();
    has(RUN_FILE) && (has(GAMES_FILE) || has(GAMES_ZST_FILE))
}
