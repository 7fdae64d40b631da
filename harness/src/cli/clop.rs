//! `verdict tune clop`: the best of few parameters, by a quadratic fitted to games.

use std::num::NonZeroU64;
use std::path::PathBuf;

use clap::Args;

use super::experiment_help::of_a_tuner;
use super::numbers::at_most;
use super::tuner::{MOST_BATCH, TunerFlags, read_form};
use process::{Context as _, Error};
use tuning::form::Form;
use tuning::tunable::Base;
use tuning::tune::clop::{ClopFile, ClopParam};

/// Find the best values of one to four parameters or options within given ranges, by games against one base (CLOP).
///
/// Every pair of games plays new values. A weighted quadratic is fitted to the results: points that the
/// fit predicts to be weak get a low weight. New values are drawn with the same weights (Coulom's
/// Confident Local Optimization). For more parameters use `tune spsa`. Writes the tuned values as
/// JSON (tuned.json), as lines for the engine (setoption.txt) and as a table (tuned.md), the fitted
/// landscape to report.html, and plays the tuned values against the base. `verdict resume` continues
/// an interrupted run.
#[derive(Debug, Args)]
#[command(
    before_help = "Example:\n  verdict tune clop lazy.margin=0.25..2.0 lmr.min_move=2..10 \
    --pairs 5000 --nodes 5000\n  verdict tune clop --base uci:./engine 'Contempt=-100..100' --tc 2+0.02",
    mut_args(of_a_tuner)
)]
pub struct ClopArgs {
    /// Ranges of parameters or options: NAME=FROM..TO, or NAME=FROM..TO:log to try as many values below
    /// the geometric middle as above. Units are those of engine/PARAMETERS.md; for parameters in 1/256
    /// pawn a decimal number is in pawns. NAME[*] scales all cells of a table, and a NAME with a *
    /// elsewhere all matching weights; both are in per cent.
    #[arg(required_unless_present = "params", value_name = "RANGE")]
    ranges: Vec<String>,

    /// File of parameters, in whose ranges is searched: lines of OpenBench or fishtest, or the JSON of
    /// weather-factory or chess-tuning-tools.
    #[arg(long, value_name = "FILE", help_heading = "CLOP")]
    params: Option<PathBuf>,

    /// Pairs between two fits. At least one per search thread keeps all of them busy.
    #[arg(long, value_name = "N", default_value = "16", value_parser = at_most::<MOST_BATCH>, help_heading = "CLOP")]
    batch: NonZeroU64,

    #[command(flatten, next_help_heading = "CLOP")]
    tuner: TunerFlags,
}

pub fn run(args: ClopArgs) -> Result<u8, Error> {
    let dir = args.tuner.experiment.folder("clop")?;
    let (varied, confirm) = args.tuner.varied(["base", "trial"])?;
    let (ranges, form) = ranges(&args, &varied.base)?;
    let (batch, plan) = (args.batch.get(), varied.plan.clone());
    let file = ClopFile::new(&ranges, batch, confirm, plan, &varied.base)?;
    args.tuner.run(&dir, ClopFile { form, ..file })
}

/// The ranges of the file and of the command line, and the form of the file.
fn ranges(args: &ClopArgs, base: &Base) -> Result<(Vec<ClopParam>, Option<Form>), Error> {
    let (mut ranges, mut form) = (Vec::<ClopParam>::new(), None);
    let apart = |range: ClopParam, others: &[ClopParam]| {
        range.tunable.check_apart(others.iter().map(|other| &other.tunable)).map(|()| range)
    };
    if let Some(path) = &args.params {
        let file = read_form(path)?;
        for param in &file.params {
            let range = ClopParam::given(&param.what, base);
            ranges.push(range.and_then(|range| apart(range, &ranges)).context(&param.place)?);
        }
        form = Some(file.form);
    }
    for text in &args.ranges {
        let range = apart(ClopParam::read(text, base)?, &ranges);
        ranges.push(range.context(format_args!("'{text}'"))?);
    }
    Ok((ranges, form))
}
