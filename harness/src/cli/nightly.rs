//! `verdict nightly`: matches until the morning.

use std::{
    io::Write as _,
    path::PathBuf,
    time::{Duration, SystemTime},
};

use anyhow::Context as _;
use clap::Args;

use crate::{
    nightly::{Deadline, Night, NightlyPlan, Summary, next_time, night_of},
    plan::read_duration,
    record::run_name,
    report::{self, REPORT_FILE},
};

/// Play a list of matches and tournaments one after another until a deadline, with one report.
///
/// The plan is a JSON file: {"until": "07:00", "matches": [{"name": "last-tag", "base": "git:v1.0",
/// "test": "git:HEAD", "tc": "1+0.01", "pairs": 5000}]}, flags as in a file of --plan;
/// "word": "tournament" makes an entry one. Begun again with the same folder, a night goes on where
/// it was. Exit code: 1 when a match shows test to be the weaker one (LOS of 5 % or less), 3 when an
/// engine or a match failed, 2 when something is unfinished, else 0.
#[derive(Debug, Args)]
#[command(before_help = "Example:\n  verdict nightly night.json --until 07:00")]
pub struct NightlyArgs {
    /// The plan.
    #[arg(value_name = "FILE")]
    plan: PathBuf,

    /// When to end, a time of the day [default: the plan's, else when all is played].
    #[arg(long, value_name = "HH:MM", value_parser = next_time)]
    until: Option<Deadline>,

    /// How long to play, instead: 8h, 90m.
    #[arg(long = "for", value_name = "TIME", value_parser = read_duration, conflicts_with = "until")]
    duration: Option<Duration>,

    /// The night's folder [default: results/DATE-nightly, the date of the evening].
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Say nothing while matches are played.
    #[arg(long)]
    quiet: bool,
}

/// Runs `verdict nightly`; returns the exit code.
///
/// # Errors
/// When the plan is none, or the night's files cannot be written.
pub fn run(args: &NightlyArgs) -> anyhow::Result<u8> {
    let plan = NightlyPlan::read(&args.plan)?;
    let own = plan
        .until
        .as_deref()
        .map(next_time)
        .transpose()
        .map_err(|reason| anyhow::anyhow!("{}: \"until\": {reason}", args.plan.display()))?;
    let later = |duration| Deadline(SystemTime::now() + duration);
    let deadline = args.until.or_else(|| args.duration.map(later)).or(own);
    let default = || PathBuf::from(format!("results/{}-nightly", night_of(SystemTime::now())));
    let dir = args.out.clone().unwrap_or_else(default);
    let say = |line: &str| {
        if !args.quiet {
            tell!("{line}");
        }
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("cannot start the asynchronous runtime")?;
    let night = Night { dir: &dir, plan: &plan, deadline, say: &say };
    let entries = runtime.block_on(night.play())?;
    let summary = Summary { name: run_name(&dir), entries };
    summary.write(&dir).with_context(|| dir.display().to_string())?;
    let runs = summary.entries.iter().flat_map(|entry| entry.runs.clone());
    let played: Vec<PathBuf> = runs.filter(|run| run.join("run.json").is_file()).collect();
    if !played.is_empty() {
        report::write(&played, &dir.join(REPORT_FILE))?;
    }
    write!(std::io::stdout(), "{}", summary.markdown())
        .context("cannot write to standard output")?;
    Ok(summary.exit_code())
}
