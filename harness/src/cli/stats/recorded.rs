//! `verdict stats RUN…`: the numbers of a recorded run, under its own rule or another, or of
//! several added up.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use arena::collector::{Ruling, TooManyFaults};
use arena::plan::Plan;
use arena::record::{Games, Identity, PairStatus, Repeats, RunFile, Side, Tally};
use process::{Context as _, Error};
use stats::{Pentanomial, Rule, Sprt, Statistics};

/// What recorded runs have shown.
pub(super) struct RecordedResults {
    pub(super) statistics: Statistics,
    pub(super) ruling: Ruling,
    /// The verdict and its reason, or why there is none.
    pub(super) words: String,
}

/// The statistics of the pairs that count in a run's folder, finished or not: the gap-free prefix
/// up to the pair at which `sprt`, or else the run's own rule, decided.
pub(super) fn statistics(dir: &Path, sprt: Option<&Sprt>) -> Result<RecordedResults, Error> {
    let run = RunFile::read(dir)?;
    let plan: Plan = serde_json::from_value(run.plan).map_err(|error| {
        let dir = dir.display();
        Error::input_output(format!("{dir}: expected a plan in run.json: {error}"))
    })?;
    let rule = sprt.map_or(plan.rule, |sprt| Rule::Sprt(*sprt));
    let mut tally = Tally::new(rule, plan.pairs);
    for game in Games::open(dir)? {
        tally.add(&game?).map_err(Error::input_output).context(dir.display())?;
    }
    let statistics = tally.state.statistics();
    if let (Some(_), Ok(verdict)) = (sprt, statistics.verdict) {
        let (counts, pairs) = (tally.state.pairs(), tally.state.gap_free_pairs());
        if counts < pairs {
            status!("{verdict} after {counts} of {pairs} pairs; later pairs are not counted");
        }
    }
    let ruling = Ruling::of(&tally, plan.max_faults);
    let words = ruling.in_words(&tally);
    Ok(RecordedResults { statistics, ruling, words })
}

impl RecordedResults {
    /// The statistics as `summary.json` has them; under `why` also what makes them void, and why
    /// the verdict fell or did not.
    pub(super) fn json(&self) -> Value {
        let mut json = json!(self.statistics);
        json["reason"] = self.words.as_str().into();
        if let Some(verdict) = self.ruling.verdict {
            json["verdict"] = verdict.as_str().into();
        }
        if let Some(faults) = self.ruling.too_many_faults() {
            json["why"]["verdict"] = faults.into();
        }
        if let Some(void) = self.ruling.void() {
            json["void"] = void.into();
        }
        json
    }
}

/// The pairs of several runs of the same players, finished or not, without those that repeat
/// others; or why they are not to be added up.
pub(super) fn together(dirs: &[PathBuf]) -> Result<Pentanomial, Error> {
    let mut first: Option<(&Path, RunFile)> = None;
    let mut repeats = Repeats::default();
    let mut sum = Pentanomial::default();
    let (mut pairs, mut repeated) = (0, 0);
    for dir in dirs {
        let run = RunFile::read(dir)?;
        let plan = run.plan.clone();
        match &first {
            None => first = Some((dir, run)),
            Some((known_as, known)) => {
                for side in [Side::Base, Side::Test] {
                    if let Some(what) = difference(known.identity(side), run.identity(side)) {
                        let (a, b) = (known_as.display(), dir.display());
                        return Err(Error::usage(format!(
                            "expected runs of the same players: {side} of {a} and of {b} differ in {what}"
                        )));
                    }
                }
            }
        }
        let mut alone = Tally::default();
        for game in Games::open(dir)? {
            for (pair, _) in
                alone.add(&game?).map_err(Error::input_output).context(dir.display())?
            {
                match repeats.note(pair.keys) {
                    PairStatus::New => sum.add_pair(pair.half_points.iter().sum()),
                    PairStatus::Repeated => repeated += 1,
                    PairStatus::Void => (),
                }
            }
        }
        pairs += alone.counts.pairs;
        let limit = serde_json::from_value(plan).ok().and_then(|plan: Plan| plan.max_faults);
        if let Some(TooManyFaults(why)) = TooManyFaults::of_run(&alone, limit, true) {
            status!("{}: void: {why}", dir.display());
        }
    }
    status!(
        "{} runs: {pairs} pairs, {repeated} of them are duplicates and are not counted",
        dirs.len()
    );
    Ok(sum)
}

/// In what two players differ; builds of other machines are told by their bench.
pub(in crate::cli) fn difference(a: &Identity, b: &Identity) -> Option<&'static str> {
    let unlike = |a: &Option<String>, b: &Option<String>| a.is_some() && b.is_some() && a != b;
    match (a.bench, b.bench) {
        (Some(one), Some(other)) if one != other => return Some("their bench"),
        (None, _) | (_, None) if unlike(&a.build, &b.build) => return Some("their build"),
        _ => (),
    }
    if a.name != b.name {
        Some("their name")
    } else if a.limit_anywhere() != b.limit_anywhere() {
        Some("their limit")
    } else if a.options != b.options {
        Some("their options")
    } else if unlike(&a.commit, &b.commit) {
        Some("their commit")
    } else {
        None
    }
}
