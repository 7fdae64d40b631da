//! `verdict tune spsa`: parameters walked uphill by games.

use std::{num::NonZeroU64, path::PathBuf};

use clap::Args;

use super::{
    DONE,
    confirm::ConfirmFlags,
    embedded::of_a_tuner,
    match_::OutputFlags,
    numbers::{at_most, number},
    outcome,
    tuner::{self, MOST_BATCH},
};
use crate::cli::flags::{MatchFlags, PlayerFlag};
use arena::plan::WidthOverrides;
use arena::{
    output_folder::{self, Owner},
    record::Manifest as _,
};
use process::plain_file::{self, DOCUMENT};
use process::{Context as _, Error};
use tuning::{
    simulated_engine::{Peak, SimulatedEngine},
    tune::{
        TuneError,
        preflight::Turn,
        spsa::{
            Gains, Line, LineError, SpsaFile, read_lines,
            report::{self, Told},
            simulated,
        },
    },
};

/// Tune parameters of mutineer by games with SPSA, as fishtest and OpenBench do.
///
/// Takes input lines of fishtest and OpenBench (`mutineer params spsa` prints all), or names. A parameter
/// that does not change the bench is refused. Writes the tuned personality to tuned.json and plays it
/// against the base. `verdict resume` continues an interrupted run.
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

    /// A parameter by name. Value and range are those of the base and of the parameter table; C_END is the
    /// perturbation [default: the table's step]. NAME[*] scales a table and a NAME with * in it all
    /// matching weights, in per cent. May be repeated.
    #[arg(long = "param", value_name = "NAME[:C_END[:R_END]]", help_heading = "SPSA")]
    names: Vec<String>,

    /// Engine to tune, and opponent of the confirmation match: embedded[:personality][,param=value…].
    #[arg(long, value_name = "SPEC", default_value = "embedded:default", help_heading = "Players")]
    base: PlayerFlag,

    /// Pairs per iteration. At least one per search thread keeps all of them busy.
    #[arg(long, value_name = "N", default_value = "8", value_parser = at_most::<MOST_BATCH>, help_heading = "SPSA")]
    batch: NonZeroU64,

    /// A of SPSA, as a fraction of all pairs: keeps the first steps small.
    #[arg(long, value_name = "SHARE", default_value_t = Gains::default().a_ratio, value_parser = share, help_heading = "SPSA")]
    a_ratio: f64,

    /// α of SPSA: how fast the steps shrink.
    #[arg(long = "step-decay", value_name = "EXPONENT", default_value_t = Gains::default().alpha, value_parser = share, help_heading = "SPSA")]
    step_decay: f64,

    /// γ of SPSA: how fast the perturbations shrink.
    #[arg(long = "reach-decay", value_name = "EXPONENT", default_value_t = Gains::default().gamma, value_parser = share, help_heading = "SPSA")]
    reach_decay: f64,

    /// Stop early when every parameter is shown to gain less than ELO by a further step [default: off;
    /// without ELO: 3].
    ///
    /// Checked after 6, 9, 13, 20, 30, 44 and 67 % of the pairs, by the second half of the games so far. The
    /// confidence of 95 % covers all seven checks together.
    #[arg(long, value_name = "ELO", num_args = 0..=1, default_missing_value = "3",
          value_parser = elo, help_heading = "SPSA")]
    stop_flat: Option<f64>,

    /// Skip parameters that do not change the bench, instead of refusing them.
    #[arg(long, help_heading = "SPSA")]
    skip_no_ops: bool,

    /// Simulate instead of playing: the Elo of a simulated engine is highest at OPTIMUM and ELO (20)
    /// lower at distance WIDTH from it. Shows what this run would find. May be repeated.
    #[arg(long, value_name = "NAME=OPTIMUM:WIDTH[:ELO]", help_heading = "SPSA")]
    truth: Vec<Peak>,

    #[command(flatten)]
    confirm: ConfirmFlags,

    #[command(flatten)]
    flags: MatchFlags,

    /// Folder of the run, new or empty [default: results/DATE-spsa].
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    out: Option<PathBuf>,

    #[command(flatten)]
    output: OutputFlags,
}

fn share(text: &str) -> Result<f64, String> {
    number(text, |share| (0.0..=2.0).contains(&share), "a number from 0 to 2")
}

fn elo(text: &str) -> Result<f64, String> {
    number(text, |elo| elo > 0.0 && elo.is_finite(), "Elo above 0")
}

pub fn run(args: SpsaArgs) -> Result<u8, Error> {
    let dir = args.out.clone().unwrap_or_else(|| super::new_folder("spsa"));
    output_folder::refuse(&dir, Owner::New)?;
    let spec = args.base.clone();
    let (base, plan) =
        tuner::ready(spec, args.flags.clone(), ["minus", "plus"], args.output.quiet)?;
    let mut lines = lines(&args, &base)?;
    let gains = Gains { a_ratio: args.a_ratio, alpha: args.step_decay, gamma: args.reach_decay };
    if args.truth.is_empty() {
        let turns: Vec<Turn> = lines.iter().map(Line::turn).collect();
        let mut moving =
            tuner::refuse_no_ops(&turns, &base, args.skip_no_ops, args.output.quiet)?.into_iter();
        lines.retain(|_| moving.next() == Some(true));
    }
    let (batch, confirm) = (args.batch.get(), args.confirm.of(plan.pairs.div_ceil(4)));
    let file = SpsaFile::new(&lines, batch, gains, args.stop_flat, confirm, plan);
    if args.truth.is_empty() {
        file.write(&dir)?;
        return tuner::play(&dir, &file, &WidthOverrides::default(), args.output);
    }
    let mut spsa = file.start()?;
    let truth = SimulatedEngine::new(lines.iter().map(|line| line.tunable.name()), &args.truth);
    let truth = truth.map_err(TuneError::from)?;
    simulated::run(&mut spsa, &truth, file.flat, file.plan.seed);
    std::fs::create_dir_all(&dir).context(dir.display())?;
    let told =
        Told { spsa: &spsa, file: &file, is_over: true, confirmation: None, truth: &args.truth };
    outcome::say(&report::write_all(&dir, &told)?, &dir, args.output)?;
    Ok(DONE)
}

/// The lines of the file and of the names.
fn lines(args: &SpsaArgs, base: &engine::Params) -> Result<Vec<Line>, Error> {
    if args.params.is_none() && args.names.is_empty() {
        return Err(TuneError::Unnamed.into());
    }
    let mut lines = Vec::new();
    if let Some(path) = &args.params {
        let text = plain_file::read_given_text(path, DOCUMENT).context(path.display())?;
        let wrong = |(number, error)| {
            let place = match number {
                0 => path.display().to_string(),
                line => format!("{}:{line}", path.display()),
            };
            TuneError::Line { place, error }
        };
        lines = read_lines(&text, base).map_err(wrong)?;
    }
    for name in &args.names {
        let wrong = |error| TuneError::Line { place: format!("--param {name}"), error };
        let line = Line::of_table(name, base).map_err(wrong)?;
        if lines.iter().any(|other: &Line| other.tunable.overlaps(&line.tunable)) {
            return Err(wrong(LineError::Twice(line.tunable.name().to_owned())).into());
        }
        lines.push(line);
    }
    Ok(lines)
}
