//! `verdict nightly`: matches until the morning.

use std::{
    io::Write as _,
    path::PathBuf,
    time::{Duration, SystemTime},
};

use anyhow::Context as _;
use clap::Args;

use super::entries;
use crate::{
    nightly::{
        Deadline, Night, NightFolder, NightlyPlan, Outcome, Summary, next_time, night_of, page,
    },
    occupied::{self, Owner},
    plan::read_duration,
    record::{REPORT_FILE, atomic, run_name},
};
use process::terminal::window_width;

/// Play a list of matches and tournaments one after another until a deadline, with one report.
///
/// The plan is a JSON file: {"until": "07:00", "matches": [{"name": "last-tag", "base": "git:v1.0",
/// "test": "git:HEAD", "tc": "1+0.01", "pairs": 5000}]}, flags as in a file of --plan;
/// "word": "tournament" makes an entry one. All entries are checked before the first game: flags,
/// revisions, programs, openings. Begun again with the same folder, a night goes on where it was.
///
/// Games that have begun at the deadline have two minutes to end; what is left of them then is played
/// again when the night goes on.
///
/// After each entry nightly.json, nightly.md and report.html are written anew.
#[derive(Debug, Args)]
#[command(
    before_help = "Example:\n  verdict nightly night.json --until 07:00",
    after_long_help = EXIT_CODES
)]
pub struct NightlyArgs {
    /// The plan.
    #[arg(value_name = "FILE")]
    plan: PathBuf,

    /// When to end, a time of the day [default: the plan's, else when all is played].
    #[arg(long, value_name = "HH:MM", value_parser = next_time)]
    until: Option<Deadline>,

    /// How long to play, instead: 8h, 90m or 1h30m.
    #[arg(long = "for", value_name = "TIME", value_parser = read_duration, conflicts_with = "until")]
    duration: Option<Duration>,

    /// The night's folder, a new one or one to go on with [default: results/DATE-nightly, the date of the evening].
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Say nothing while matches are played.
    #[arg(long)]
    quiet: bool,
}

/// What the exit code says; the night's rules in `nightly::Summary`.
const EXIT_CODES: &str = "\
Exit codes, the first that holds:
  1   a finished match shows test to be the weaker one, a regression
  3   an entry failed, faults made its verdict void, or the tested side had a fault: test of
      a match, the first players of a gauntlet, anybody in a round robin; an opponent's are told
  2   something is not played to its end
  0   all is played, and no regression shown
  64  the plan or the folder is wrong: nothing was played
  74  files cannot be read or written, or another process plays in the folder

A match is judged by its own rule. Under los and anytime a REJECT is a regression. An sprt whose elo0 \
and elo1 lie around a middle below 0, like sprt=-5,0, asks whether test is no worse: a REJECT is a \
regression. Any other, like sprt=0,5, asks whether test is better: a REJECT says only that it is not \
better by 5, and is a regression when the 95% interval of Elo that allows for the early stop lies \
below 0; so is an end without a verdict. An ACCEPT is never one. Tournaments only measure.";

/// Runs `verdict nightly`; returns the exit code.
///
/// # Errors
/// When the plan or the folder is none, or the night's files cannot be written.
pub fn run(args: &NightlyArgs) -> anyhow::Result<u8> {
    let plan = NightlyPlan::read(&args.plan)?;
    let own = plan.until.as_deref().and_then(|until| next_time(until).ok());
    let later = |duration| Deadline(SystemTime::now() + duration);
    let deadline = args.until.or_else(|| args.duration.map(later)).or(own);
    let default = || PathBuf::from(format!("results/{}-nightly", night_of(SystemTime::now())));
    let dir = args.out.clone().unwrap_or_else(default);
    let say = |line: &str| {
        if !args.quiet {
            tell!("{line}");
        }
    };
    occupied::refuse(&dir, Owner::Night(&args.plan))?;
    entries::check(&plan, &args.plan, &dir)?;
    let folder = NightFolder::open(&dir)?;
    let so_far = |ended, entries: &[Outcome]| {
        let summary = Summary { name: run_name(&dir), ended, entries: entries.to_vec() };
        summary.write(&dir)?;
        atomic::replace_by(&dir.join(REPORT_FILE), page(&summary))?;
        anyhow::Ok(summary)
    };
    let note = |entries: &[Outcome]| {
        // The games are worth more than what is said of them meanwhile.
        if let Err(error) = so_far(false, entries) {
            tell!("{error}");
        }
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("cannot start the asynchronous runtime")?;
    let night =
        Night { folder: &folder, plan: &plan, deadline, quiet: args.quiet, say: &say, note: &note };
    let entries = runtime.block_on(night.play())?;
    let summary = so_far(true, &entries)?;
    write!(std::io::stdout(), "{}", summary.text(window_width()))
        .context("cannot write to standard output")?;
    Ok(summary.exit_code())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nightly::GRACE;

    #[test]
    fn the_help_says_how_long_games_may_go_on() {
        assert_eq!(GRACE, Duration::from_secs(120), "the help and scripts/nightly say two minutes");
    }
}
