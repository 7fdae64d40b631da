//! Candidates that search as the base does: games with them would be the same games.

use std::num::NonZeroUsize;

use process::progress::Progress;
use process::{Error, parallel};

use super::SweepFile;
use crate::base::params_of;
use crate::preflight::embedded::Plain;
use crate::preflight::program::ProgramPlay;
use crate::preflight::{Change, Probe};
use crate::tunable::Tunable;
use engine::Params;

/// What each candidate changes of the embedded engine's play; each is a step of progress.
pub fn of_embedded(
    file: &SweepFile,
    base: &Params,
    tunables: &[Tunable],
    threads: NonZeroUsize,
    progress: &dyn Progress,
) -> Result<Vec<Probe>, Error> {
    let plain = Plain::of(base);
    let looked_at = parallel::map(
        &file.candidates,
        threads,
        || (),
        |(), candidate| {
            let params = params_of(&file.player(tunables, &candidate.values)?)?;
            let change = plain.change(&params);
            progress.advance(1);
            Ok(Probe { name: candidate.name.clone(), change })
        },
    );
    looked_at.into_iter().collect()
}

/// The same of a program's play.
pub fn of_program(
    file: &SweepFile,
    play: &mut ProgramPlay,
    tunables: &[Tunable],
    progress: &dyn Progress,
) -> Result<Vec<Probe>, Error> {
    let probe = |candidate: &super::Candidate| {
        let values = tunables.iter().zip(candidate.values.iter().copied());
        let change = play.change(values)?;
        progress.advance(1);
        Ok(Probe { name: candidate.name.clone(), change })
    };
    file.candidates.iter().map(probe).collect()
}

/// Names of those that change nothing.
pub fn no_ops(probes: &[Probe]) -> Vec<&str> {
    let nothing = probes.iter().filter(|probe| probe.change == Change::NoOp);
    nothing.map(|probe| probe.name.as_str()).collect()
}
