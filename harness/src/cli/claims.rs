//! `verdict claims`: what was claimed in 2007, measured again.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::Duration;

use clap::Args;

use super::{DONE, UNDECIDED, interrupted, print, runtime};
use crate::claims::{ClaimsFile, MeasureKind, Measurement, Selection, Work};
use crate::cli::flags::FleetFlags;
use crate::nightly::{Deadline, next_time};
use arena::output_folder::{self, Owner};
use arena::plan::read_duration;
use process::Error;

/// Measure the claims of the REBEL papers: matches with and without each mechanism, time to depth, search
/// counters, won positions played out, and micro-benchmarks.
///
/// Each measurement has its own folder. Finished measurements are skipped, and the table README.md
/// and the page then-and-now.md are rewritten from all of them. If the engine (known by short benches), parameters or conditions
/// have changed, the old measurement is moved to old/ and repeated. A match is not played if both
/// players search alike in all positions. Ctrl-C or the deadline stops; the next call continues.
///
/// Exit code: 0 when everything asked for is measured, else 2.
#[derive(Debug, Args)]
#[command(before_help = "Example:\n  verdict claims --until 07:00\n  \
                         verdict claims --only CLM-13 --personality rebel --list")]
pub struct ClaimsArgs {
    /// Only claims whose id starts with ID. May be repeated [default: all].
    #[arg(long, value_name = "ID")]
    only: Vec<String>,

    /// Only this personality. May be repeated [default: those of the claims file].
    #[arg(long, value_name = "NAME")]
    personality: Vec<String>,

    /// Only this kind of measurement. May be repeated [default: all].
    #[arg(long)]
    measure: Vec<MeasureKind>,

    /// List the measurements and their state, measure nothing.
    #[arg(long)]
    list: bool,

    /// Pairs per match [default: as in the claims file].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pairs: Option<u64>,

    /// Pairs in all of a match whose claim is unclear after --pairs [default: as in the claims
    /// file; with --pairs, no more than these].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    most_pairs: Option<u64>,

    /// Nodes per move [default: as in the claims file].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,

    /// Positions of a speed measurement [default: as in the claims file].
    #[arg(long, value_name = "N")]
    positions: Option<NonZeroUsize>,

    /// Search depth of a speed measurement, in plies [default: as in the claims file, by
    /// personality].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,

    /// File of claims [default: the included one].
    #[arg(long, value_name = "FILE")]
    claims: Option<PathBuf>,

    /// Folder of the results: a new one, or one of claims to continue.
    #[arg(long, value_name = "DIR", default_value = "results/claims")]
    out: PathBuf,

    /// Stop at this time of day [default: when everything is measured].
    #[arg(long, value_name = "HH:MM", value_parser = next_time)]
    until: Option<Deadline>,

    /// Stop after this time instead, like 8h, 90m or 1h30m.
    #[arg(long = "for", value_name = "TIME", value_parser = read_duration, conflicts_with = "until")]
    duration: Option<Duration>,

    #[command(flatten)]
    fleet: FleetFlags,
}

pub fn run(args: ClaimsArgs) -> Result<u8, Error> {
    let mut file = ClaimsFile::read(args.claims.as_deref())?;
    let conditions = &mut file.conditions;
    conditions.most_pairs =
        args.most_pairs.or(conditions.most_pairs.filter(|_| args.pairs.is_none()));
    conditions.pairs = args.pairs.unwrap_or(conditions.pairs);
    if let Some(most) = conditions.most_pairs.filter(|&most| most < conditions.pairs) {
        return Err(Error::usage(format!(
            "--most-pairs {most}: expected at least the pairs of a match, {}",
            conditions.pairs
        )));
    }
    conditions.nodes = args.nodes.unwrap_or(conditions.nodes);
    conditions.positions = args.positions.map_or(conditions.positions, NonZeroUsize::get);
    if let Some(depth) = args.depth {
        conditions.depth.values_mut().for_each(|of_personality| *of_personality = depth);
    }
    let wanted =
        Selection { only: args.only, personalities: args.personality, measures: args.measure };
    let mut work = Work::new(&file, &args.out);
    work.words = args.fleet.words();
    let measurements = work.measurements(&wanted);
    if measurements.is_empty() {
        return Err(Error::usage(
            "nothing to measure: expected a claim's id and a personality that the file has",
        ));
    }
    if args.list {
        for measurement in &measurements {
            let state = work.state(measurement)?;
            print(format_args!(
                "{state:<10}  {:<24} {}\n",
                measurement.name(),
                measurement.claim.claim
            ))?;
        }
        return Ok(DONE);
    }
    output_folder::refuse(&args.out, Owner::Claims)?;
    let all = measurements.len();
    let is_measurable = |measurement: &Measurement<'_>| {
        let Some(book) = measurement.missing_book() else { return true };
        status!(
            "warning: {}: {} not found (relative to the current directory); skipped",
            measurement.name(),
            book.display()
        );
        false
    };
    let measurements: Vec<_> = measurements.into_iter().filter(is_measurable).collect();
    let deadline = args.until.or_else(|| args.duration.map(Deadline::after));
    let runtime = runtime(1)?;
    let (stopped, listener) = interrupted::flag();
    let late = || stopped.load(Ordering::Relaxed) || deadline.is_some_and(Deadline::has_passed);
    let left =
        runtime.block_on(work.run(&measurements, (deadline, &late), &|line| status!("{line}")))?;
    work.write_pages()?;
    drop(listener);
    let done = measurements.len() - left;
    print(format_args!("{done} of {all} measured: {}\n", work.readme().display()))?;
    Ok(if done == all { DONE } else { UNDECIDED })
}
