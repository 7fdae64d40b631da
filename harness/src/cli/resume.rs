//! `verdict resume`: goes on with whatever a folder holds.

use std::path::PathBuf;

use clap::Args;

use super::match_::{self, OutputFlags};
use super::{DONE, WRONG_USAGE, sweep, tournament, tuner};
use crate::{
    occupied,
    plan::WidthFlags,
    record::{GAMES_FILE, Kept as _, RUN_FILE, SUMMARY_FILE},
    sweep::SweepFile,
    tournament::TournamentFile,
    tune::{clop::ClopFile, spsa::SpsaFile, texel::report::TEXEL_FILE},
};

/// Go on with an interrupted match, tournament, sweep or tuner, to the same verdict as without the interruption.
#[derive(Debug, Args)]
#[command(before_help = "Example:\n  verdict resume results/2026-01-31-rebel-vs-default")]
pub struct ResumeArgs {
    /// The run's folder.
    #[arg(value_name = "DIR")]
    dir: PathBuf,

    /// Go on though files or folders have changed that options of programs name: those that a program writes
    /// itself, as it does a log or what it has learnt.
    #[arg(long, help_heading = "Players")]
    changed_files: bool,

    #[command(flatten)]
    width: WidthFlags,

    #[command(flatten)]
    output: OutputFlags,
}

/// Runs `verdict resume`; returns the exit code.
///
/// # Errors
/// See [`SessionError`](crate::session::SessionError).
pub fn run(args: &ResumeArgs) -> anyhow::Result<u8> {
    let ResumeArgs { dir, width, output, .. } = args;
    if TournamentFile::is_in(dir) {
        return tournament::resume(dir, width, args.changed_files, *output);
    }
    if SweepFile::is_in(dir) {
        return sweep::resume(dir, width, *output);
    }
    if SpsaFile::is_in(dir) {
        return tuner::resume::<SpsaFile>(dir, width, *output);
    }
    if ClopFile::is_in(dir) {
        return tuner::resume::<ClopFile>(dir, width, *output);
    }
    let has = |file: &str| dir.join(file).exists();
    if !has(RUN_FILE) && !has(GAMES_FILE) {
        if let Some(why) = occupied::other_way(dir)? {
            tell!("error: {}: {why}", dir.display());
            return Ok(WRONG_USAGE);
        }
        // Simulated runs and fits leave an outcome, and nothing that could go on.
        if has(SUMMARY_FILE) || has(TEXEL_FILE) {
            match_::tell_finished(dir, *output);
            return Ok(DONE);
        }
    }
    match_::resume(dir, width, args.changed_files, *output)
}
