//! Candidates that search as the base does: games with them would be the same games.

use std::num::NonZeroUsize;

use process::progress::Progress;
use process::{Error, parallel};

use super::SweepFile;
use crate::base::params_of;
use crate::preflight::Plain;
use crate::tunable::Tunable;

/// The names of candidates whose searches equal the base's in all positions tried; each candidate
/// is a step of progress.
pub fn no_ops(
    file: &SweepFile,
    tunables: &[Tunable],
    threads: NonZeroUsize,
    progress: &dyn Progress,
) -> Result<Vec<String>, Error> {
    let base = Plain::of(&params_of(&file.plan.base)?);
    let looked_at = parallel::map(
        &file.candidates,
        threads,
        || (),
        |(), candidate| {
            let params = params_of(&file.player(tunables, &candidate.values)?)?;
            let differs = base.differs(&params).is_some();
            progress.advance(1);
            Ok((!differs).then(|| candidate.name.clone()))
        },
    );
    looked_at.into_iter().filter_map(Result::transpose).collect()
}
