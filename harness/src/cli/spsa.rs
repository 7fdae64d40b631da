//! `verdict tune spsa`: parameters walked uphill by games.

use std::num::NonZeroU64;
use std::path::PathBuf;

use clap::Args;

use super::experiment::VariedPlayer;
use super::experiment_help::of_a_tuner;
use super::numbers::{at_most, number};
use super::tuner::{MOST_BATCH, TunerFlags, read_form};
use arena::record::Manifest as _;
use process::{Context as _, Error};
use tuning::base;
use tuning::form::Form;
use tuning::tune::spsa::{Gains, SpsaFile, SpsaParam, of_file};

/// Tune parameters or options of an engine by games with SPSA, as fishtest and OpenBench do.
///
/// Takes a parameter file as fishtest, OpenBench, weather-factory or chess-tuning-tools have it
/// (--params; `mutineer params spsa` prints a line for each parameter), or names (--param). What
/// does not change the search of fixed positions is refused. Writes the tuned values as JSON
/// (tuned.json), as lines for the engine (setoption.txt), as a table (tuned.md) and in the form of
/// the file, and plays them against the base. `verdict resume` continues an interrupted run.
#[derive(Debug, Args)]
#[command(
    before_help = "Example:\n  verdict tune spsa --param lazy.margin:32 --param lmr.min_move \
    --pairs 20000 --nodes 5000 --out tuned\n  verdict tune spsa --base uci:./engine --params \
    openbench.txt --tc 2+0.02 --pairs 20000 --out tuned",
    mut_args(of_a_tuner)
)]
pub struct SpsaArgs {
    /// File of parameters: lines name, int|float, value, min, max, c_end, r_end (fishtest: without the
    /// kind), or the JSON of weather-factory or chess-tuning-tools.
    #[arg(long, value_name = "FILE", help_heading = "SPSA")]
    params: Option<PathBuf>,

    /// A parameter or option by name. Value and range are those of the base and of the parameter table,
    /// or of what the program declares; C_END is the perturbation [default: the table's step, or a
    /// twentieth of a program's range]. NAME[*] scales all cells of a table, and a NAME with a *
    /// elsewhere all matching weights; both are in per cent. May be repeated.
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
    let (varied, confirm) = args.tuner.varied(["minus", "plus"])?;
    let gains = Gains { a_ratio: args.a_ratio, alpha: args.step_decay, gamma: args.reach_decay };
    let (lines, form) = lines(&args, &varied, &gains)?;
    let options = base::varied(lines.iter().map(|line| &line.tunable));
    let (format, batch, flat) = (SpsaFile::FORMAT, args.batch.get(), args.stop_flat);
    let (lines, plan) = (lines.iter().map(SpsaParam::text).collect(), varied.plan.clone());
    let file = SpsaFile { format, lines, batch, gains, flat, form, options, confirm, plan };
    args.tuner.run(&dir, file)
}

/// The lines of the file and of the names, and the form of the file.
fn lines(
    args: &SpsaArgs,
    VariedPlayer { plan, base, .. }: &VariedPlayer,
    gains: &Gains,
) -> Result<(Vec<SpsaParam>, Option<Form>), Error> {
    if args.params.is_none() && args.names.is_empty() {
        let why = "nothing to tune: expected --params FILE or --param NAME";
        return Err(Error::usage(why));
    }
    let (mut lines, mut form) = (Vec::new(), None);
    if let Some(path) = &args.params {
        let file = read_form(path)?;
        lines = of_file(&file.params, base, plan.pairs, gains)?;
        form = Some(file.form);
    }
    for name in &args.names {
        let line = SpsaParam::of_name(name, base).and_then(|line| {
            line.tunable.check_apart(lines.iter().map(|other: &SpsaParam| &other.tunable))?;
            Ok(line)
        });
        lines.push(line.context(format_args!("--param {name}"))?);
    }
    Ok((lines, form))
}
