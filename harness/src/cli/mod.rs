//! The command line: commands, flags, exit codes (returned by each `run` and `resume`).
//!
//! `flags`: flags of matches, made into a plan; `experiment`: what sweeps and tuners share;
//! `crew`: by whom games are played; `fleet`: many machines;
//! `choices`: flags with a fixed set of values;
//! `stopping`: signals while games are played; `interrupted`: signals elsewhere; `foreign`: command
//! lines of fastchess, cutechess-cli and c-chess-cli.

pub mod bisect;
pub mod builds;
pub mod check;
mod choices;
pub mod claims;
pub mod clop;
mod confirm;
mod crew;
mod disk_full;
mod draft;
mod entries;
mod experiment;
mod experiment_help;
pub mod export;
pub mod flags;
mod fleet;
mod folders;
mod foreign;
pub mod history;
mod interrupted;
pub mod label;
pub mod ledger;
pub mod match_;
pub mod nightly;
mod no_ops;
mod numbers;
pub mod openings;
mod outputs;
pub mod personality;
mod plan_file;
pub mod ratings;
pub mod replay;
pub mod report;
mod resumable;
pub mod resume;
mod scale;
pub mod selfcheck;
pub mod shell;
pub mod spsa;
pub mod stats;
mod stopping;
pub mod sweep;
pub mod tables;
mod texel_trace;
pub mod tournament;
pub mod tune;
mod tuner;
mod verify;
mod web;

use std::borrow::Cow;
use std::ffi::OsString;
use std::fmt;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use serde::Serialize;
use tokio::runtime::{Builder, Runtime};

use process::children::adopted::Orphans;
use process::terminal::escape;
use process::{Context as _, Error, ErrorKind, limits};

/// Done, or the change is accepted.
pub const DONE: u8 = 0;
/// Stopped before the end.
pub const UNDECIDED: u8 = 2;
/// Too many games ended by faults.
pub const FAULTS: u8 = 3;
pub const WRONG_USAGE: u8 = 64;
pub const INPUT_OUTPUT: u8 = 74;
/// Broken off by Ctrl-C where nothing was kept.
pub const BROKEN_OFF: u8 = 130;

#[cfg(any(test, fuzzing))]
pub mod fuzzing {
    //! What a fuzzer drives.

    use std::sync::{LazyLock, Mutex};

    use clap::{Command, CommandFactory as _};
    use process::lock;

    /// Another runner's command line, or a script: what it is translated to is read as words again.
    pub fn like(data: &[u8]) {
        static CLI: LazyLock<Mutex<Command>> = LazyLock::new(|| Mutex::new(super::Cli::command()));
        super::foreign::check(&String::from_utf8_lossy(data), &lock(&CLI));
    }
}

/// A match runner for chess engines: Elo, SPRT and LOS, tournaments, parameter tuning, tables from PGN.
#[derive(Debug, Parser)]
#[command(
    name = "verdict",
    version,
    before_help = "Example:\n  verdict match --base ./old --test ./new --tc 8+0.08 --rule sprt=0,5",
    after_help = "Exit codes: 0 accepted or done, 1 rejected, 2 undecided or interrupted, 3 too many \
                  faults, 64 wrong usage, 74 input/output error, 130 interrupted and nothing saved."
)]
pub struct Cli {
    #[command(subcommand)]
    word: VerdictCommand,
}

#[derive(Debug, Subcommand)]
enum VerdictCommand {
    Match(Box<match_::MatchArgs>),
    Tournament(Box<tournament::TournamentArgs>),
    Sweep(Box<sweep::SweepArgs>),
    Bisect(Box<bisect::BisectArgs>),
    History(Box<history::HistoryArgs>),
    Nightly(nightly::NightlyArgs),
    Claims(claims::ClaimsArgs),
    Resume(resume::ResumeArgs),
    Check(check::CheckArgs),
    Export(export::ExportArgs),
    Replay(replay::ReplayArgs),
    Selfcheck(selfcheck::SelfcheckArgs),
    Openings(openings::OpeningsArgs),
    Stats(Box<stats::StatsArgs>),
    Ratings(ratings::RatingsArgs),
    Ledger(Box<ledger::LedgerArgs>),
    Report(report::ReportArgs),
    Tune(tune::TuneArgs),
    Label(Box<label::LabelArgs>),
    Tables(Box<tables::TablesArgs>),
    Personality(personality::PersonalityArgs),
    Builds(builds::BuildsArgs),
    Serve(Box<fleet::ServeArgs>),
    Worker(Box<fleet::WorkerArgs>),
    Status(fleet::StatusArgs),
    Completions(shell::CompletionsArgs),
    Man(shell::ManArgs),
}

/// Reads the command line, does what it says, and returns the exit code. Errors are said on
/// standard error.
pub fn run() -> ExitCode {
    limits::survive_file_size_limit();
    let _orphans = Orphans::adopt();
    let mut command = Cli::command();
    let words = foreign::expand(std::env::args_os().collect(), &command);
    let words = match words.and_then(|words| plan_file::expand(words, &command)) {
        Ok(words) => words,
        Err(error) => {
            status!("error: {error}");
            return WRONG_USAGE.into();
        }
    };
    if foreign::is_foreign(&words)
        && let Some(text) = foreign::explained(&words, &command)
    {
        status!("{}", escape::lines(&text));
        return WRONG_USAGE.into();
    }
    let parsed = command.try_get_matches_from_mut(words.clone());
    let parsed = parsed.and_then(|matches| Ok((Cli::from_arg_matches(&matches)?, matches)));
    let (cli, matches) = match parsed {
        Ok(parsed) => parsed,
        Err(error) => return refused(&error, &words, &command).into(),
    };
    let done = match cli.word {
        VerdictCommand::Match(args) if args.plan.print_plan => print_plan(&command, &matches),
        VerdictCommand::Match(args) => match_::run_match(*args),
        VerdictCommand::Tournament(args) if args.plan.print_plan => print_plan(&command, &matches),
        VerdictCommand::Tournament(args) => tournament::run(*args),
        VerdictCommand::Sweep(args) => sweep::run(*args),
        VerdictCommand::Bisect(args) if args.plan.print_plan => print_plan(&command, &matches),
        VerdictCommand::Bisect(args) => bisect::run(*args),
        VerdictCommand::History(args) => history::run(*args),
        VerdictCommand::Nightly(args) => nightly::run(&args),
        VerdictCommand::Claims(args) => claims::run(args),
        VerdictCommand::Resume(args) => resume::run(&args),
        VerdictCommand::Check(args) => check::run(&args),
        VerdictCommand::Export(args) => export::run(&args),
        VerdictCommand::Replay(args) => replay::run(&args),
        VerdictCommand::Selfcheck(args) => selfcheck::run(args),
        VerdictCommand::Openings(args) => openings::run(args),
        VerdictCommand::Stats(args) => stats::run(&args),
        VerdictCommand::Ratings(args) => ratings::run(args),
        VerdictCommand::Ledger(args) => ledger::run(&args),
        VerdictCommand::Report(args) => report::run(&args),
        VerdictCommand::Tune(args) => tune::run(args),
        VerdictCommand::Label(args) => label::run(*args),
        VerdictCommand::Tables(args) => tables::run(*args),
        VerdictCommand::Personality(args) => personality::run(&args),
        VerdictCommand::Builds(args) => builds::run(&args),
        VerdictCommand::Serve(args) => fleet::serve(&args),
        VerdictCommand::Worker(args) => fleet::worker(&args),
        VerdictCommand::Status(args) => fleet::status(&args),
        VerdictCommand::Completions(args) => shell::completions(&args),
        VerdictCommand::Man(args) => shell::man(&args),
    };
    match done {
        Ok(code) => code.into(),
        Err(error) => {
            // Whoever read our output has seen enough, as `head` does.
            if error.io_kind() != Some(std::io::ErrorKind::BrokenPipe) {
                status!("error: {error}");
            }
            exit_code(&error).into()
        }
    }
}

/// Says why a command line cannot be read, or the help or version that it asks for; the exit code.
fn refused(error: &clap::Error, words: &[OsString], command: &clap::Command) -> u8 {
    let is_wrong = error.use_stderr();
    let better = || foreign::explained(words, command).or_else(|| foreign::in_plain_words(error));
    let explained = is_wrong.then(better).flatten();
    let text = explained.clone().unwrap_or_else(|| error.render().to_string());
    match (explained, escape::lines(&text)) {
        // Help and version are no errors. Nobody is left to tell of a closed output.
        (None, Cow::Borrowed(_)) => drop(error.print()),
        (_, shown) => status!("{}", shown.trim_end()),
    }
    if is_wrong { WRONG_USAGE } else { DONE }
}

/// The command line as a file for `--plan`, on standard output.
fn print_plan(cli: &clap::Command, matches: &clap::ArgMatches) -> Result<u8, Error> {
    let given = matches.subcommand();
    let given = given.and_then(|(word, given)| Some((cli.find_subcommand(word)?, given)));
    let plan = given.map(|(command, given)| plan_file::of(command, given)).unwrap_or_default();
    print(format_args!("{plan:#}\n"))?;
    Ok(DONE)
}

fn exit_code(error: &Error) -> u8 {
    match error.kind() {
        ErrorKind::Usage => WRONG_USAGE,
        ErrorKind::InputOutput => INPUT_OUTPUT,
        ErrorKind::Fault => FAULTS,
    }
}

/// Writes to standard output.
fn print(text: impl fmt::Display) -> Result<(), Error> {
    write!(std::io::stdout(), "{text}").context("cannot write to standard output")
}

fn print_json(value: &impl Serialize) -> Result<(), Error> {
    let text = serde_json::to_string_pretty(value).map_err(std::io::Error::from);
    print(text.context("cannot write as JSON")? + "\n")
}

/// For work that starts programs, which `workers` threads watch over.
fn runtime(workers: usize) -> Result<Runtime, Error> {
    let mut builder = Builder::new_multi_thread();
    let runtime = builder.worker_threads(workers).enable_all().build();
    runtime.context("cannot start the asynchronous runtime")
}

/// A folder under `results/` that is not there yet.
fn new_folder(kind: &str) -> PathBuf {
    let name = format!("results/{}-{kind}", arena::record::today());
    first_free(&name, |name| !Path::new(name).exists()).into()
}

/// The name, or the first one that is free with a number from 2 behind it.
fn first_free(name: &str, is_free: impl Fn(&str) -> bool) -> String {
    let numbered = (2..).map(|number| format!("{name}-{number}"));
    let mut names = std::iter::once(name.to_owned()).chain(numbered);
    names.find(|name| is_free(name)).unwrap_or_default()
}
