//! `verdict resume`: goes on with whatever a folder holds.

use std::path::{Path, PathBuf};

use clap::Args;

use super::crew::Crew;
use super::match_::{self, OutputFlags};
use super::web::WebFlags;
use super::{
    DONE, bisect, history, openings, print, print_json, resumable, sweep, tournament, tuner,
};
use crate::cli::flags::WidthFlags;
use arena::output_folder;
use arena::record::{FolderKind, GAMES_FILE, SUMMARY_FILE};
use process::Error;
use tuning::tune::clop::ClopFile;
use tuning::tune::spsa::SpsaFile;

/// Resume an interrupted match, tournament, sweep, tuner, bisection or opening book; without a folder, list
/// what can be resumed.
///
/// The result is the same as without the interruption. A nightly run or claims are resumed by their own
/// command with the same --out.
#[derive(Debug, Args)]
#[command(
    before_help = "Example:\n  verdict resume results/2026-01-31-rebel-vs-default\n  verdict resume"
)]
pub struct ResumeArgs {
    /// Folder of the run.
    #[arg(value_name = "DIR")]
    dir: Option<PathBuf>,

    /// Folder to search for interrupted runs when DIR is omitted [default: results, and the current folder].
    #[arg(long = "in", value_name = "DIR", conflicts_with = "dir")]
    root: Option<PathBuf>,

    /// Resume even if files that engine options name (logs, learning files, networks) have changed.
    #[arg(long, help_heading = "Players")]
    changed_files: bool,

    #[command(flatten)]
    width: WidthFlags,

    #[command(flatten)]
    output: OutputFlags,

    #[command(flatten)]
    web: WebFlags,
}

pub fn run(args: &ResumeArgs) -> Result<u8, Error> {
    let ResumeArgs { dir, width, output, web, .. } = args;
    let Some(dir) = dir else {
        if web.is_given() {
            return Err(Error::usage(
                "--web: expected the folder of a match first, like verdict resume results/NAME --web",
            ));
        }
        return list(args.root.as_deref(), *output);
    };
    if !dir.exists() {
        return Err(Error::usage(format!(
            "{} does not exist: expected a run's folder; verdict resume alone lists the interrupted \
             runs. A command that was stopped before it made its folder (before its first game, or \
             in the builds before it) has kept nothing: type it again",
            dir.display()
        )));
    }
    let kind = FolderKind::of(dir);
    let has_page = |kind: &FolderKind| matches!(kind, FolderKind::Match | FolderKind::Tournament);
    if let (true, Some(kind)) = (web.is_given(), kind.filter(|kind| !has_page(kind))) {
        return Err(Error::usage(format!(
            "--web shows a match or a tournament; {} holds {}",
            dir.display(),
            kind.what()
        )));
    }
    if kind == Some(FolderKind::Book) {
        return openings::resume(dir, width, *output);
    }
    let crew = &Crew::resuming(width, args.changed_files)?;
    match kind {
        Some(FolderKind::Tournament) => {
            return tournament::resume(dir, crew, *output, web);
        }
        Some(FolderKind::BookRates) => {
            return openings::rate::resume(dir, crew, *output);
        }
        Some(FolderKind::Sweep) => return sweep::resume(dir, crew, *output),
        Some(FolderKind::Spsa) => return tuner::resume::<SpsaFile>(dir, crew, *output),
        Some(FolderKind::Clop) => return tuner::resume::<ClopFile>(dir, crew, *output),
        Some(FolderKind::Bisection) => return bisect::resume(dir, crew, *output),
        Some(FolderKind::History) => return history::resume(dir, crew, *output),
        Some(FolderKind::Match) => (),
        kind if !dir.join(GAMES_FILE).exists() => {
            if let Some(why) = output_folder::other_way(dir) {
                return Err(Error::usage(why).context(dir.display()));
            }
            // Simulated runs and fits have an outcome but no games: nothing is left to resume.
            if kind == Some(FolderKind::Fit) || dir.join(SUMMARY_FILE).exists() {
                match_::print_finished(dir, *output);
                return Ok(DONE);
            }
        }
        _ => (),
    }
    match_::resume(dir, crew, *output, web)
}

fn list(root: Option<&Path>, output: OutputFlags) -> Result<u8, Error> {
    if let Some(root) = root.filter(|root| !root.is_dir()) {
        return Err(Error::usage(format!(
            "{} does not exist; expected a folder with runs, or verdict resume DIR for one run",
            root.display()
        )));
    }
    let found = resumable::unfinished(root);
    match output.json {
        true => print_json(&found)?,
        false => print(resumable::in_words(root, &found))?,
    }
    if !output.json {
        output.print_status(
            "elsewhere: verdict resume DIR resumes one run, --in DIR lists those in a folder",
        );
    }
    Ok(DONE)
}
