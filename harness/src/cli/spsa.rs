//! `verdict tune spsa`: parameters walked uphill by games.

use std::num::NonZeroU64;
use std::path::PathBuf;

use clap::Args;

use super::embedded::of_a_tuner;
use super::numbers::{at_most, number};
use super::tuner::{MOST_BATCH, TunerFlags};
use arena::record::Manifest as _;
use process::plain_file::{self, DOCUMENT};
use process::{Context as _, Error};
use tuning::base::params_of;
use tuning::tune::spsa::{Gains, SpsaFile, SpsaParam, read_lines};

/// Tune parameters of mutineer by games with SPSA, as fishtest and OpenBench do.
///
/// Takes parameter lines in the format of fishtest or OpenBench (--params; `mutineer params spsa`
/// prints one for each parameter), or parameter names (--param). A parameter that does not change
/// the bench is refused. Writes the tuned personality to tuned.json and plays it against the base.
/// `verdict resume` continues an interrupted run.
#[derive(Debug, Args)]
#[command(
    before_help = "Example:\n  verdict tune spsa --param lazy.margin:32 --param lmr.min_move \
    --pairs 20000 --nodes 5000 --out tuned",
    mut_args(of_a_tuner)
)]
pub struct SpsaArgs {
    /// File of parameters, one per line: name, int|float, value, min, max, c_end, r_end.
    #[arg(long, value_name = "FILE", help_heading = "SPSA")]
    params: Option<PathBuf>,

    /// A parameter by name. Value and range are those of the base and of the parameter table; C_END
    /// is the perturbation [default: the table's step]. NAME[*] scales all cells of a table, and a
    /// NAME with a * elsewhere all matching weights; both are in per cent. May be repeated.
    #[arg(long = "param", value_name = "NAME[:C_END[:R_END]]", help_heading = "SPSA")]
    names: Vec<String>,

    /// Pairs per iteration. At least one per search thread keeps all of them busy.
    #[arg(long, value_name = "N", default_value = "8", value_parser = at_most::<MOST_BATCH>, help_heading = "SPSA")]
    batch: NonZeroU64,

    /// A of SPSA, as a fraction of all pairs: keeps the first steps small.
    #[arg(long, value_name = "SHARE", default_value_t = Gains::default().a_ratio, value_parser = zero_to_two, help_heading = "SPSA")]
    a_ratio: f64,

    /// α of SPSA: how fast the steps shrink.
    #[arg(long = "step-decay", value_name = "EXPONENT", default_value_t = Gains::default().alpha, value_parser = zero_to_two, help_heading = "SPSA")]
    step_decay: f64,

    /// γ of SPSA: how fast the perturbations shrink.
    #[arg(long = "reach-decay", value_name = "EXPONENT", default_value_t = Gains::default().gamma, value_parser = zero_to_two, help_heading = "SPSA")]
    reach_decay: f64,

    /// Stop early when every parameter is shown to gain less than ELO by a further step [default: off;
    /// without ELO: 3].
    ///
    /// Checked after 6, 9, 13, 20, 30, 44 and 67 % of the pairs, by the second half of the games so far. The
    /// confidence of 95 % covers all seven checks together.
    #[arg(long, value_name = "ELO", num_args = 0..=1, default_missing_value = "3",
          value_parser = elo, help_heading = "SPSA")]
    stop_flat: Option<f64>,

    #[command(flatten, next_help_heading = "SPSA")]
    tuner: TunerFlags,
}

fn zero_to_two(text: &str) -> Result<f64, String> {
    number(text, |number| (0.0..=2.0).contains(&number), "a number from 0 to 2")
}

fn elo(text: &str) -> Result<f64, String> {
    number(text, |elo| elo > 0.0 && elo.is_finite(), "Elo above 0")
}

pub fn run(args: SpsaArgs) -> Result<u8, Error> {
    let dir = args.tuner.experiment.folder("spsa")?;
    let (plan, confirm) = args.tuner.plan(["minus", "plus"])?;
    let lines = lines(&args, &params_of(&plan.base)?)?;
    let gains = Gains { a_ratio: args.a_ratio, alpha: args.step_decay, gamma: args.reach_decay };
    let lines = lines.iter().map(SpsaParam::text).collect();
    let (format, batch, flat) = (SpsaFile::FORMAT, args.batch.get(), args.stop_flat);
    args.tuner.run(&dir, SpsaFile { format, lines, batch, gains, flat, confirm, plan })
}

/// The lines of the file and of the names.
fn lines(args: &SpsaArgs, base: &engine::Params) -> Result<Vec<SpsaParam>, Error> {
    if args.params.is_none() && args.names.is_empty() {
        let why = "nothing to tune: expected --params FILE or --param NAME";
        return Err(Error::usage(why));
    }
    let mut lines: Vec<SpsaParam> = Vec::new();
    if let Some(path) = &args.params {
        let place = path.display().to_string();
        let text = plain_file::read_given_text(path, DOCUMENT).context(&place)?;
        lines = read_lines(&place, &text, base)?;
    }
    for name in &args.names {
        let line = SpsaParam::of_table(name, base).and_then(|line| {
            line.tunable.check_apart(lines.iter().map(|other| &other.tunable))?;
            Ok(line)
        });
        lines.push(line.context(format_args!("--param {name}"))?);
    }
    Ok(lines)
}
