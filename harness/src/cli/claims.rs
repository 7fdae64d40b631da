//! `verdict claims`: what was claimed in 2007, measured again.

use std::{
    io::Write as _,
    num::NonZeroUsize,
    path::PathBuf,
    sync::atomic::Ordering,
    time::{Duration, SystemTime},
};

use anyhow::Context as _;
use clap::Args;

use super::{DONE, UNDECIDED, WRONG_USAGE, interrupted};
use crate::{
    claims::{ClaimsFile, Job, Measure, Selection, Work, render},
    nightly::{Deadline, next_time},
    occupied::{self, Owner},
    plan::read_duration,
    record::atomic,
};

/// Measure the claims that the old papers make: each mechanism against none, by games or by time, what
/// the search counts of itself, won positions played out, and micro-benchmarks of how programs are built.
///
/// Every measurement has a folder of its own; what is there is not measured again, and the table
/// README.md is written anew from all of them. What was measured with another engine (by short benches
/// of both players), other parameters or other conditions is moved to old/ and measured again. A match
/// between players that search alike in all positions is not played. Ctrl-C or the deadline end it; the
/// next call goes on.
/// Exit code: 0 when all that was asked for is measured, else 2.
#[derive(Debug, Args)]
#[command(before_help = "Example:\n  verdict claims --until 07:00\n  \
                         verdict claims --only CLM-13 --personality rebel --list")]
pub struct ClaimsArgs {
    /// The claims whose ids begin so; may be given again [default: all].
    #[arg(long, value_name = "ID")]
    only: Vec<String>,

    /// In which personality; may be given again [default: those of the file].
    #[arg(long, value_name = "NAME")]
    personality: Vec<String>,

    /// How; may be given again [default: all].
    #[arg(long)]
    measure: Vec<Measure>,

    /// Say what there is to measure and whether it is done, and measure nothing.
    #[arg(long)]
    list: bool,

    /// Pairs of a match [default: the file's].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pairs: Option<u64>,

    /// Nodes a move [default: the file's].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,

    /// Positions that are searched for speed [default: the file's].
    #[arg(long, value_name = "N")]
    positions: Option<NonZeroUsize>,

    /// Depth to which they are, in plies [default: the file's, by personality].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,

    /// A file of claims [default: the one in this program].
    #[arg(long, value_name = "FILE")]
    claims: Option<PathBuf>,

    /// Where the results are: a new folder, or one of claims to go on with.
    #[arg(long, value_name = "DIR", default_value = "results/claims")]
    out: PathBuf,

    /// When to end, a time of the day [default: when all is measured].
    #[arg(long, value_name = "HH:MM", value_parser = next_time)]
    until: Option<Deadline>,

    /// How long to measure, instead: 8h, 90m or 1h30m.
    #[arg(long = "for", value_name = "TIME", value_parser = read_duration, conflicts_with = "until")]
    duration: Option<Duration>,
}

/// Runs `verdict claims`; returns the exit code.
///
/// # Errors
/// When the file of claims is none, or results cannot be read or written.
pub fn run(args: ClaimsArgs) -> anyhow::Result<u8> {
    let mut file = ClaimsFile::read(args.claims.as_deref())?;
    let conditions = &mut file.conditions;
    conditions.pairs = args.pairs.unwrap_or(conditions.pairs);
    conditions.nodes = args.nodes.unwrap_or(conditions.nodes);
    conditions.positions = args.positions.map_or(conditions.positions, NonZeroUsize::get);
    if let Some(depth) = args.depth {
        conditions.depth.values_mut().for_each(|of_personality| *of_personality = depth);
    }
    let wanted =
        Selection { only: args.only, personalities: args.personality, measures: args.measure };
    let work = Work::new(&file, &args.out)?;
    let jobs = work.jobs(&wanted);
    if jobs.is_empty() {
        tell!(
            "error: nothing to measure: expected a claim's id and a personality that the file has"
        );
        return Ok(WRONG_USAGE);
    }
    if args.list {
        let mut out = std::io::stdout().lock();
        for job in &jobs {
            let state = work.state(job)?.as_str();
            writeln!(out, "{state:<6} {:<24} {}", job.name(), job.claim.claim)?;
        }
        return Ok(DONE);
    }
    occupied::refuse(&args.out, Owner::Claims)?;
    let all = jobs.len();
    let is_measurable = |job: &Job<'_>| {
        let Some(book) = job.missing_book() else { return true };
        tell!(
            "warning: {}: {} is not there, a path from where verdict runs: left alone",
            job.name(),
            book.display()
        );
        false
    };
    let jobs: Vec<_> = jobs.into_iter().filter(is_measurable).collect();
    let later = |duration| Deadline(SystemTime::now() + duration);
    let deadline = args.until.or_else(|| args.duration.map(later));
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("cannot start the asynchronous runtime")?;
    let (stopped, listener) = interrupted::flag();
    let late = || stopped.load(Ordering::Relaxed) || deadline.is_some_and(Deadline::has_passed);
    let left = runtime.block_on(work.run(&jobs, (deadline, &late), &|line| tell!("{line}")))?;
    let page = render(&work)?;
    atomic::replace_by(&work.readme(), page)?;
    drop(listener);
    let done = jobs.len() - left;
    writeln!(std::io::stdout(), "{done} of {all} measured: {}", work.readme().display())?;
    Ok(if done == all { DONE } else { UNDECIDED })
}
