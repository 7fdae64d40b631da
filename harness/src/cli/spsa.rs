//! `verdict tune spsa`: parameters walked uphill by games.

use std::{
    io::Write as _,
    num::NonZeroU64,
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use clap::Args;
use indicatif::ProgressBar;
use serde_json::Value;

use super::{
    DONE, FAULTS, UNDECIDED,
    confirm::ConfirmFlags,
    match_::{self, OutputFlags},
};
use crate::{
    build::Cache,
    parallel,
    plan::{MatchFlags, Own, Plan, PlayerFlag, WidthFlags},
    player::spec::PlayerSpec,
    record::RUN_FILE,
    runner::Stops,
    screen::{Screen, TournamentScreen},
    session::{Resources, Session, SessionError},
    stats::Verdict,
    sweep::{CONFIRM_FOLDER, Confirm, SweepError, params_of},
    truth::{Peak, Truth},
    tune::spsa::{
        Gains, Line, LineError, SpsaError, SpsaFile, play, preflight, read_lines,
        report::{self, TUNED_FILE, Told},
        simulated,
    },
};

/// Pairs of a run that does not say it.
const PAIRS: u64 = 5000;

/// Tune numbers of the engine by games between settings on either side of them (SPSA).
///
/// Takes lines as fishtest and OpenBench have them (`mutineer params spsa` prints all), or names. Every
/// parameter is tried first: what changes no search is refused. `verdict resume` goes on with an
/// interrupted run. Writes a personality to play with (tuned.json), and plays it against the base.
#[derive(Debug, Args)]
#[command(
    before_help = "Example:\n  verdict tune spsa --param lazy.margin:32 --param lmr.min_move \
    --base embedded:default,lazy.on=true --pairs 20000 --nodes 5000 --out tuned"
)]
pub struct SpsaArgs {
    /// A file of lines: name, int|float, value, min, max, c_end, r_end.
    #[arg(long, value_name = "FILE", required_unless_present = "names", help_heading = "SPSA")]
    params: Option<PathBuf>,

    /// A parameter by name, from the base's value within the table's range; moved to either side by
    /// the table's step or by C_END. NAME[*] scales all cells of a table, in per cent. May be given
    /// again.
    #[arg(long = "param", value_name = "NAME[:C_END[:R_END]]", help_heading = "SPSA")]
    names: Vec<String>,

    /// What is tuned, and the opponent at the end: embedded[:personality][,param=value…].
    #[arg(long, value_name = "SPEC", default_value = "embedded:default", help_heading = "Players")]
    base: PlayerFlag,

    /// Pairs of an iteration: more keep more processors busy, fewer learn more often.
    #[arg(long, value_name = "N", default_value = "8", help_heading = "SPSA")]
    batch: NonZeroU64,

    /// How long the first steps are held back, as a share of all pairs (A).
    #[arg(long, value_name = "SHARE", default_value_t = Gains::default().a_ratio, value_parser = share, help_heading = "SPSA")]
    a_ratio: f64,

    /// How fast steps shrink (α).
    #[arg(long = "step-decay", value_name = "EXPONENT", default_value_t = Gains::default().alpha, value_parser = share, help_heading = "SPSA")]
    step_decay: f64,

    /// How fast the moves to either side shrink (γ).
    #[arg(long = "reach-decay", value_name = "EXPONENT", default_value_t = Gains::default().gamma, value_parser = share, help_heading = "SPSA")]
    reach_decay: f64,

    /// Stop when each parameter is shown, at 95 % by the second half of the run, to gain less than this
    /// Elo by another move.
    #[arg(long, value_name = "ELO", num_args = 0..=1, default_missing_value = "3",
          value_parser = elo, help_heading = "SPSA")]
    stop_flat: Option<f64>,

    /// Leave out what changes no search, instead of refusing it.
    #[arg(long, help_heading = "SPSA")]
    skip_no_ops: bool,

    /// Play nothing: draw the results of a simulated engine that is strongest at OPTIMUM and ELO (20)
    /// weaker at WIDTH from it, to see what this run would find; may be given again.
    #[arg(long, value_name = "NAME=OPTIMUM:WIDTH[:ELO]", help_heading = "SPSA")]
    truth: Vec<Peak>,

    #[command(flatten)]
    confirm: ConfirmFlags,

    #[command(flatten)]
    flags: MatchFlags,

    /// The run's folder, a new one [default: results/DATE-spsa].
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    out: Option<PathBuf>,

    #[command(flatten)]
    output: OutputFlags,
}

fn share(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| (0.0..=2.0).contains(number));
    number.ok_or_else(|| format!("expected a number from 0 to 2, found '{text}'"))
}

fn elo(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| *number > 0.0 && number.is_finite());
    number.ok_or_else(|| format!("expected Elo above 0, found '{text}'"))
}

/// Runs `verdict tune spsa`; returns the exit code.
///
/// # Errors
/// See [`SessionError`] and [`SpsaError`].
pub fn run(args: SpsaArgs) -> anyhow::Result<u8> {
    let say = |line: &str| {
        if !args.output.quiet {
            tell!("{line}");
        }
    };
    let not_embedded = |spec: String| SpsaError::Base(SweepError::NotEmbedded(spec));
    let PlayerFlag::Ready(spec) = &args.base else {
        return Err(not_embedded("of a build".to_owned()).into());
    };
    let base = params_of(spec).map_err(SpsaError::Base)?;
    let mut lines = lines(&args, &base)?;
    let mut flags = args.flags;
    flags.pairs = flags.pairs.or(NonZeroU64::new(PAIRS));
    let player = flags.ready(args.base, &Cache::of_user(), &say)?;
    let own = |name: &str| Own { name: Some(name.to_owned()), ..Own::default() };
    let plan = Plan::of(flags, [(player.clone(), own("minus")), (player, own("plus"))]);
    let plan = plan.map_err(SessionError::from)?;
    let gains = Gains { a_ratio: args.a_ratio, alpha: args.step_decay, gamma: args.reach_decay };
    if args.truth.is_empty() {
        refuse_no_ops(&mut lines, &base, args.skip_no_ops, args.output.quiet)?;
    }
    let (batch, confirm) = (args.batch.get(), args.confirm.of(plan.pairs.div_ceil(4)));
    let file = SpsaFile::new(&lines, batch, gains, args.stop_flat, confirm, plan)?;
    let dir = args.out.unwrap_or_else(|| super::new_folder("spsa"));
    if args.truth.is_empty() {
        file.write(&dir)?;
        return play(&dir, &file, &WidthFlags::default(), args.output);
    }
    let mut spsa = file.begin()?;
    let truth = Truth::new(lines.iter().map(|line| line.knob.name()), &args.truth);
    simulated::run(&mut spsa, &truth, file.flat, file.plan.seed);
    std::fs::create_dir_all(&dir).with_context(|| dir.display().to_string())?;
    let told =
        Told { spsa: &spsa, file: &file, is_over: true, confirmation: None, truth: &args.truth };
    tell(&report::write_all(&dir, &told)?, &dir, args.output)?;
    Ok(DONE)
}

/// The lines of the file and of the names.
fn lines(args: &SpsaArgs, base: &engine::Params) -> anyhow::Result<Vec<Line>> {
    let mut lines = Vec::new();
    if let Some(path) = &args.params {
        let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
        lines = read_lines(&text).map_err(|(number, error)| {
            let place = match number {
                0 => path.display().to_string(),
                line => format!("{}:{line}", path.display()),
            };
            SpsaError::Line { place, error }
        })?;
    }
    for name in &args.names {
        let wrong = |error| SpsaError::Line { place: format!("--param {name}"), error };
        let line = Line::of_table(name, base).map_err(wrong)?;
        if lines.iter().any(|other: &Line| other.knob.name() == line.knob.name()) {
            return Err(wrong(LineError::Twice(line.knob.name().to_owned())).into());
        }
        lines.push(line);
    }
    Ok(lines)
}

/// Refuses parameters that change nothing, or leaves them out.
fn refuse_no_ops(
    lines: &mut Vec<Line>,
    base: &engine::Params,
    skip: bool,
    quiet: bool,
) -> Result<(), SpsaError> {
    let bar = if quiet { ProgressBar::hidden() } else { ProgressBar::new(lines.len() as u64) };
    let probes = preflight::probe(lines, base, parallel::threads(None), &bar);
    bar.finish_and_clear();
    for probe in probes.iter().filter(|_| !quiet) {
        let (name, all) = (&probe.name, preflight::positions());
        match probe.differs {
            Some((depth, count)) => {
                tell!("{name}: play differs in {count} of {all} positions at depth {depth}");
            }
            None => tell!("{name}: no-op"),
        }
    }
    let no_ops = probes.iter().filter(|probe| probe.differs.is_none());
    let no_ops: Vec<&str> = no_ops.map(|probe| probe.name.as_str()).collect();
    if !no_ops.is_empty() && !skip {
        return Err(SpsaError::NoOps(no_ops.join(", ")));
    }
    lines.retain(|line| !no_ops.contains(&line.knob.name()));
    if lines.is_empty() { Err(SpsaError::Nothing) } else { Ok(()) }
}

/// Goes on with the run in `dir`; returns the exit code.
///
/// # Errors
/// As [`run`].
pub(super) fn resume(dir: &Path, width: &WidthFlags, output: OutputFlags) -> anyhow::Result<u8> {
    play(dir, &SpsaFile::read(dir)?, width, output)
}

fn play(
    dir: &Path,
    file: &SpsaFile,
    width: &WidthFlags,
    output: OutputFlags,
) -> anyhow::Result<u8> {
    let (sitting, confirmed) = match_::sitting(async |stops: Stops| {
        let mut resources = Resources::new(stops.clone());
        // For its voice; a run has no bar, its parameters are told in lines.
        let screen = TournamentScreen::new(std::iter::empty(), true, None);
        let voice = screen.voice();
        let _listening = match_::listen_for_signals(stops.clone(), screen.voice());
        let say = |line: &str| {
            if !output.quiet {
                voice.say(line);
            }
        };
        say(&format!(
            "{} parameters, {} pairs; {}",
            file.lines.len(),
            file.plan.pairs,
            dir.display()
        ));
        let sitting = play::play(dir, file, width, &mut resources, &stops, &say).await?;
        report::write_all(dir, &sitting.told(file, None))?;
        let (Some(confirm), true, false) = (file.confirm, sitting.is_over, stops.no_new_games())
        else {
            return Ok((sitting, None));
        };
        let run = dir.join(CONFIRM_FOLDER);
        let session = if run.join(RUN_FILE).exists() {
            Session::resume(&run, width, &mut resources, stops.part())?
        } else {
            let plan = confirm_plan(dir, file, confirm).with_width(width);
            Session::begin(plan, Some(run), &mut resources, stops.part())?
        };
        say(&format!("confirming: {} pairs at most, {}", confirm.pairs, confirm.rule));
        let screen = Screen::new(session.standing(), output.quiet).every(output.interval);
        let played = session.play(screen).await?;
        Ok((sitting, Some((played.summary, played.verdict))))
    })?;
    let summary = confirmed.as_ref().map(|(summary, _)| summary);
    tell(&report::write_all(dir, &sitting.told(file, summary))?, dir, output)?;
    if let Some(fault) = &sitting.faults {
        tell!("stopped, too many faults: {fault}");
        return Ok(FAULTS);
    }
    let verdict = confirmed.and_then(|(_, verdict)| verdict);
    let is_complete = sitting.is_over && (file.confirm.is_none() || verdict.is_some());
    if !is_complete {
        tell!("not finished yet; continue with: verdict resume {}", dir.display());
    }
    Ok(match verdict {
        _ if !is_complete => UNDECIDED,
        verdict => verdict.map_or(DONE, Verdict::exit_code),
    })
}

/// The match of the tuned values against the base, in openings that the run has not used.
fn confirm_plan(dir: &Path, file: &SpsaFile, confirm: Confirm) -> Plan {
    let tuned = dir.join(TUNED_FILE);
    let tuned = std::path::absolute(&tuned).unwrap_or(tuned);
    let mut plan = file.plan.clone();
    plan.openings.offset = plan.openings.offset.saturating_add(plan.pairs);
    Plan {
        test: PlayerSpec::Embedded {
            personality: tuned.display().to_string(),
            parameters: Vec::new(),
        },
        test_own: Own { name: Some("tuned".to_owned()), ..Own::default() },
        base_own: Own::default(),
        rule: confirm.rule,
        pairs: confirm.pairs,
        ..plan
    }
}

/// The outcome, on standard output.
fn tell((markdown, json): &(String, Value), dir: &Path, output: OutputFlags) -> anyhow::Result<()> {
    let text = if output.json {
        serde_json::to_string_pretty(json).context("cannot write the outcome")?
    } else {
        format!("{}\n\nRecorded in {}", markdown.trim_end(), dir.display())
    };
    writeln!(std::io::stdout(), "{text}").context("cannot write to standard output")
}
