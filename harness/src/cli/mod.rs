//! The command line: commands, flags, exit codes (returned by each `run` and `resume`).
//!
//! `flags`: flags of matches, made into a plan; `choices`: values that are one word of a few;
//! `stopping`: signals while games are played; `interrupted`: signals elsewhere; `foreign`: command
//! lines of fastchess and cutechess-cli.

pub mod builds;
pub mod check;
mod choices;
pub mod claims;
pub mod clop;
mod confirm;
mod draft;
mod embedded;
mod entries;
pub mod export;
pub mod flags;
mod folders;
mod foreign;
mod interrupted;
pub mod match_;
pub mod nightly;
mod numbers;
pub mod openings;
mod outcome;
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
mod stopped;
mod stopping;
pub mod sweep;
pub mod tables;
pub mod tournament;
pub mod tune;
mod tuner;
mod verify;

use std::{borrow::Cow, ffi::OsString, io::Write as _, process::ExitCode};

use anyhow::Context as _;

use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

use crate::nightly::PlanError;
use crate::selfcheck::SelfCheckError;
use crate::tournament::TournamentError;
use arena::output_folder::Occupied;
use arena::player::program::SpecError as ProgramError;
use arena::runner::RunError;
use arena::session::SessionError;
use process::children::adopted::Orphans;
use process::terminal::escape;
use process::{Error, ErrorKind, limits};
use tuning::sweep::SweepError;
use tuning::tune::TuneError;

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
    word: Word,
}

#[derive(Debug, Subcommand)]
enum Word {
    Match(Box<match_::MatchArgs>),
    Tournament(Box<tournament::TournamentArgs>),
    Sweep(Box<sweep::SweepArgs>),
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
    Report(report::ReportArgs),
    Tune(tune::TuneArgs),
    Tables(Box<tables::TablesArgs>),
    Builds(builds::BuildsArgs),
    Completions(shell::CompletionsArgs),
    Man(shell::ManArgs),
}

/// Reads the command line, does what it says, and returns the exit code. Errors are said on
/// standard error.
pub fn run() -> ExitCode {
    limits::survive_file_size_limit();
    let _orphans = Orphans::adopt();
    let mut command = Cli::command();
    let words = match plan_file::expand(std::env::args_os().collect(), &command) {
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
        Word::Match(args) if args.prints_plan() => print_plan(&command, &matches),
        Word::Match(args) => match_::run_match(*args),
        Word::Tournament(args) if args.prints_plan() => print_plan(&command, &matches),
        Word::Tournament(args) => tournament::run(*args),
        Word::Sweep(args) => sweep::run(*args),
        Word::Nightly(args) => nightly::run(&args),
        Word::Claims(args) => claims::run(args),
        Word::Resume(args) => resume::run(&args),
        Word::Check(args) => check::run(&args),
        Word::Export(args) => export::run(&args),
        Word::Replay(args) => replay::run(&args),
        Word::Selfcheck(args) => selfcheck::run(args),
        Word::Openings(args) => openings::run(args),
        Word::Stats(args) => stats::run(&args),
        Word::Ratings(args) => ratings::run(args),
        Word::Report(args) => report::run(&args),
        Word::Tune(args) => tune::run(args),
        Word::Tables(args) => tables::run(*args),
        Word::Builds(args) => builds::run(&args),
        Word::Completions(args) => shell::completions(&args),
        Word::Man(args) => shell::man(&args),
    };
    match done {
        Ok(code) => code.into(),
        Err(error) => {
            if !is_of_a_closed_pipe(&error) {
                status!("error: {}", in_words(&error));
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

/// Whether whoever read our output has seen enough, as `head` does, who is not to be told of it.
fn is_of_a_closed_pipe(error: &anyhow::Error) -> bool {
    let kinds = error.chain().filter_map(|cause| cause.downcast_ref()).map(std::io::Error::kind);
    kinds.into_iter().any(|kind| kind == std::io::ErrorKind::BrokenPipe)
}

/// The command line as a file for `--plan`, on standard output.
fn print_plan(cli: &clap::Command, matches: &clap::ArgMatches) -> anyhow::Result<u8> {
    let given = matches.subcommand();
    let given = given.and_then(|(word, given)| Some((cli.find_subcommand(word)?, given)));
    let plan = given.map(|(command, given)| plan_file::of(command, given)).unwrap_or_default();
    let mut out = std::io::stdout().lock();
    serde_json::to_writer_pretty(&mut out, &plan)
        .map_err(std::io::Error::from)
        .and_then(|()| writeln!(out))
        .context("cannot write to standard output")?;
    Ok(DONE)
}

/// An error and its causes, without those that it has already told.
fn in_words(error: &anyhow::Error) -> String {
    let mut text = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        if !text.contains(&cause) {
            text.push_str(": ");
            text.push_str(&cause);
        }
    }
    text
}

/// A plan that cannot be played is wrong usage; a search that does not end, or a program to be
/// checked that does not start, is a fault; all else is trouble with files.
fn exit_code(error: &anyhow::Error) -> u8 {
    if let Some(error) = error.downcast_ref::<Error>() {
        return match error.kind() {
            ErrorKind::Usage => WRONG_USAGE,
            ErrorKind::InputOutput => INPUT_OUTPUT,
            ErrorKind::Fault => FAULTS,
        };
    }
    use SessionError::{Different, Plan, Player, Program};
    let spec = error.is::<ProgramError>()
        || matches!(
            error.downcast_ref(),
            Some(SelfCheckError::Player(_) | SelfCheckError::Option(_))
        )
        || error.downcast_ref().is_some_and(TournamentError::is_usage)
        || error.downcast_ref().is_some_and(SweepError::is_usage)
        || error.downcast_ref().is_some_and(TuneError::is_usage)
        || error.downcast_ref().is_some_and(PlanError::is_usage)
        || error.downcast_ref().is_some_and(Occupied::is_usage);
    let stuck = matches!(error.downcast_ref(), Some(SelfCheckError::Run(RunError::Stuck { .. })))
        || matches!(error.downcast_ref(), Some(SessionError::Run(RunError::Stuck { .. })));
    let silent = matches!(error.downcast_ref(), Some(SelfCheckError::NotStarted(_)));
    match error.downcast_ref::<SessionError>() {
        _ if spec => WRONG_USAGE,
        _ if stuck || silent => FAULTS,
        Some(Plan(_) | Player(_) | Program { .. } | Different { .. }) => WRONG_USAGE,
        _ => INPUT_OUTPUT,
    }
}

/// A folder under `results/` that is not there yet.
fn new_folder(kind: &str) -> std::path::PathBuf {
    let name = format!("results/{}-{kind}", arena::record::today());
    let numbered = (2..).map(|number| format!("{name}-{number}"));
    let mut names = std::iter::once(name.clone()).chain(numbered).map(std::path::PathBuf::from);
    names.find(|dir| !dir.exists()).unwrap_or_else(|| name.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_that_does_not_end_is_a_fault() {
        let stuck = || RunError::Stuck { game: 3, player: String::new(), position: String::new() };
        assert_eq!(exit_code(&SessionError::Run(stuck()).into()), FAULTS);
        assert_eq!(exit_code(&SelfCheckError::Run(stuck()).into()), FAULTS);
        assert_eq!(exit_code(&SessionError::Run(RunError::Lost(3)).into()), INPUT_OUTPUT);
    }
}
