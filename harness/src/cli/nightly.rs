//! `verdict nightly`: matches until the morning.

use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use clap::Args;

use super::{entries, print, runtime};
use crate::cli::flags::FleetFlags;
use crate::nightly::{
    Deadline, EntryOutcome, Night, NightFolder, NightSummary, NightlyPlan, next_time, night_of,
    page,
};
use arena::output_folder::{self, Owner};
use arena::plan::read_duration;
use arena::record::{REPORT_FILE, atomic, run_name};
use process::Error;
use process::terminal::window_width;

/// Play a list of matches and tournaments one after another until a deadline, with one report.
///
/// The plan is a JSON file: {"until": "07:00", "matches": [{"name": "last-tag", "base": "git:v1.0",
/// "test": "git:HEAD", "tc": "1+0.01", "pairs": 5000}]}. An entry has the flags of a plan file
/// (--plan) of `verdict match`; "word": "tournament" makes the entry a tournament. All entries are
/// checked before the first game: flags, revisions, programs, openings. Started again with the same
/// --out, a nightly run continues where it stopped.
///
/// "bisect": true in a match of git:REV against git:REV or workdir: if test is weaker, `verdict bisect`
/// searches the commit after all entries, until the deadline, in the folder NAME.bisect. A later nightly
/// run with a folder beside this one goes on with it, if it shows a regression, too, and repository, good
/// commit and flags are the same.
///
/// At the deadline no new game starts. Running games get two minutes; unfinished games are played again
/// when the run is continued.
///
/// nightly.json, nightly.md and report.html are rewritten after each entry.
#[derive(Debug, Args)]
#[command(
    before_help = "Example:\n  verdict nightly night.json --until 07:00",
    after_long_help = EXIT_CODES
)]
pub struct NightlyArgs {
    /// File of the plan.
    #[arg(value_name = "FILE")]
    plan: PathBuf,

    /// Stop at this time of day [default: the plan's "until", else when everything is played].
    #[arg(long, value_name = "HH:MM", value_parser = next_time)]
    until: Option<Deadline>,

    /// Stop after this time instead, like 8h, 90m or 1h30m.
    #[arg(long = "for", value_name = "TIME", value_parser = read_duration, conflicts_with = "until")]
    duration: Option<Duration>,

    /// Folder of the nightly run: a new one, or one to continue [default: results/DATE-nightly; DATE is the
    /// date of the evening].
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Print no progress.
    #[arg(long)]
    quiet: bool,

    #[command(flatten)]
    fleet: FleetFlags,
}

/// What the exit code says; the night's rules in `nightly::NightSummary`.
const EXIT_CODES: &str = "\
Exit codes (if several apply, the first of this list):
  1   regression: a finished match shows that test is weaker than base
  3   an entry failed, its verdict is VOID, or the tested side had a fault (test of a match, the
      gauntlet players, every player of a round robin; faults of other opponents are only reported)
  2   an entry is not finished
  0   everything is played, no regression
  64  the plan or the folder is wrong; nothing was played
  74  a file cannot be read or written, or another process uses the folder

What is a regression depends on the rule of the match:
  los, anytime        REJECT
  sprt=-5,0 and such  REJECT (elo0 + elo1 below 0: the test asks whether test is not worse)
  sprt=0,5 and such   REJECT, if the 95% interval of Elo lies below 0. The interval is corrected for
                      the early stop. REJECT alone means only: not better by elo1.
  any sprt            UNDECIDED, if that interval lies below 0
ACCEPT and VOID are never regressions. Tournaments are only measured.";

pub fn run(args: &NightlyArgs) -> Result<u8, Error> {
    let plan = NightlyPlan::read(&args.plan)?;
    let own = plan.until.as_deref().and_then(|until| next_time(until).ok());
    let deadline = args.until.or_else(|| args.duration.map(Deadline::after)).or(own);
    let default = || PathBuf::from(format!("results/{}-nightly", night_of(SystemTime::now())));
    let dir = args.out.clone().unwrap_or_else(default);
    let say = |line: &str| {
        if !args.quiet {
            status!("{line}");
        }
    };
    output_folder::refuse(&dir, Owner::Night(&args.plan))?;
    entries::check(&plan, &args.plan, &dir)?;
    let folder = NightFolder::open(&dir)?;
    let so_far = |ended, entries: &[EntryOutcome]| {
        let summary = NightSummary { name: run_name(&dir), ended, entries: entries.to_vec() };
        summary.write(&dir)?;
        atomic::replace_by(&dir.join(REPORT_FILE), page(&summary))?;
        Ok::<_, Error>(summary)
    };
    let note = |entries: &[EntryOutcome]| {
        // The games are worth more than what is said of them meanwhile.
        if let Err(error) = so_far(false, entries) {
            status!("{error}");
        }
    };
    let runtime = runtime(1)?;
    let words = &args.fleet.words();
    let (quiet, say, note) = (args.quiet, &say, &note);
    let night = Night { folder: &folder, plan: &plan, deadline, words, quiet, say, note };
    let played = runtime.block_on(night.play())?;
    let summary = so_far(true, &played.entries)?;
    print(summary.page().plain(window_width()))?;
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
