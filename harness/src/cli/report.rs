//! `verdict report`: runs as a page for people.

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use clap::Args;

use super::folders::{Holds, holds, is_experiment};
use super::verify::VerifyFlags;
use super::{DONE, print};
use crate::bisect;
use crate::imported::{self, ImportedMatch};
use arena::record::{FolderKind, Manifest as _, REPORT_FILE, Summary, atomic};
use arena::report::{self, OtherMatch};
use process::{Context as _, Error, plain_file};
use tuning::confirm::CONFIRM_FOLDER;
use tuning::report::Circumstances;
use tuning::sweep::speed::{self, SpeedOutcome};
use tuning::sweep::{self, Measure, Racing, SweepFile};
use tuning::tune::clop::ClopFile;
use tuning::tune::spsa::SpsaFile;
use tuning::tune::tuner::{self, Tuner};

/// What pages begin with.
const PAGE: &str = "<!doctype html>";

/// Write an HTML report with charts, of finished, interrupted or running runs, and of results of
/// fastchess, OpenBench and fishtest. Needs no network.
///
/// One run, tournament, nightly run, sweep or tuner: report.html in its folder. Several runs: one
/// report.html in the current directory, with an overview table. Sweeps and tuners always have a page of
/// their own.
#[derive(Debug, Args)]
#[command(before_help = "Example:\n  verdict report results/2026-01-31-a-match\n  \
    verdict report results/2026-01-* --out january.html")]
pub struct ReportArgs {
    /// Folders of runs, or folders that contain runs; JSON of fastchess (config.json), OpenBench
    /// (api/workload/ID/info) and fishtest (api/get_run/ID); PGN files and archives (.pgn.tar). Games of a
    /// match that a JSON file tells of count once.
    #[arg(value_name = "DIR|FILE", required = true)]
    dirs: Vec<PathBuf>,

    /// Name of the test engine in PGN files that no JSON file tells of, and of JSON files whose sides
    /// are to be turned. May be repeated.
    #[arg(long, value_name = "NAME")]
    test: Vec<String>,

    /// Name of its opponent, where it has several. May be repeated.
    #[arg(long, value_name = "NAME", requires = "test")]
    base: Vec<String>,

    /// File to write.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    #[command(flatten)]
    verify: VerifyFlags,
}

/// Renders what a sweep's or a tuner's folder holds; false for any other folder.
fn render_experiment(dir: &Path) -> Result<bool, Error> {
    let confirmation = Summary::read(&dir.join(CONFIRM_FOLDER)).ok();
    let circumstances = Circumstances::confirmed_by(confirmation.as_ref());
    if SweepFile::is_in(dir) {
        let file = SweepFile::read(dir)?;
        let report = match (file.measure, file.depth()) {
            (Measure::Speed, Some(depth)) => {
                let positions = speed::positions(&file.plan)?.len();
                let timings = speed::read(dir, positions)?;
                let outcome = SpeedOutcome::new(&file, (depth, positions), &timings)?;
                outcome.map(|outcome| outcome.report())
            }
            _ => Some(sweep::report(&file, &Racing::read(&file, dir)?.race(), circumstances)?),
        };
        report.map(|report| report.write(dir)).transpose()?;
        return Ok(true);
    }
    if FolderKind::of(dir) == Some(FolderKind::Bisection) {
        bisect::render(dir)?;
        return Ok(true);
    }
    Ok(render_run::<SpsaFile>(dir, circumstances)? || render_run::<ClopFile>(dir, circumstances)?)
}

/// Renders what a tuner's folder holds; false for any other folder.
fn render_run<T: Tuner>(dir: &Path, circumstances: Circumstances<'_>) -> Result<bool, Error> {
    if !T::is_in(dir) {
        return Ok(false);
    }
    let file = T::read(dir)?;
    file.render(dir, &tuner::replay(dir, &file)?, circumstances)?;
    Ok(true)
}

/// The runs that folders are or have inside.
fn runs_of(dirs: &[PathBuf]) -> Result<Vec<PathBuf>, Error> {
    let mut all = Vec::with_capacity(dirs.len());
    for dir in dirs {
        match holds(dir)? {
            Holds::Runs { runs, .. } => all.extend(runs),
            Holds::Run | Holds::Sweep(_) => all.push(dir.clone()),
            // One that has its file was rendered as what it is.
            Holds::Tuner => {
                return Err(Error::input_output(format!(
                    "{}: its games are a tuner's, whose file is missing",
                    dir.display()
                )));
            }
        }
    }
    Ok(all)
}

/// Refuses to write a page over what is none, such as a run's own files.
pub(super) fn check_page(out: &Path) -> Result<(), Error> {
    if !fs::metadata(out).is_ok_and(|metadata| metadata.is_file() && metadata.len() > 0) {
        return Ok(());
    }
    let mut start = Vec::new();
    let read =
        plain_file::open(out).and_then(|file| file.take(PAGE.len() as u64).read_to_end(&mut start));
    match read.is_ok() && start.eq_ignore_ascii_case(PAGE.as_bytes()) {
        true => Ok(()),
        false => {
            let out = out.display();
            Err(Error::usage(format!("{out}: expected a page or a new file to write")))
        }
    }
}

/// A match that others played, as the page has it.
fn other(one: &ImportedMatch) -> OtherMatch {
    OtherMatch {
        name: one.name(),
        players: one.players.clone(),
        conditions: one.conditions.to_string(),
        statistics: one.statistics(None),
        sprt: one.sprt,
        given: one.given_in_words(),
        source: one.path.display().to_string(),
        notes: one.notes.clone(),
    }
}

pub fn run(args: &ReportArgs) -> Result<u8, Error> {
    args.out.as_deref().map_or(Ok(()), check_page)?;
    let (files, dirs): (Vec<PathBuf>, Vec<PathBuf>) =
        args.dirs.iter().cloned().partition(|path| path.is_file());
    let imported = imported::read(&files, &args.test, &args.base)?;
    let imported: Vec<OtherMatch> = imported.iter().map(other).collect();
    let are_experiments = args.dirs.iter().all(|dir| is_experiment(dir));
    if are_experiments && args.dirs.len() > 1 && args.out.is_some() {
        return Err(Error::usage(
            "--out takes one page, and each sweep or tuner has its own; give one of them, or runs",
        ));
    }
    args.verify.check(&dirs)?;
    let print_path = |page: &Path| print(format_args!("{}\n", page.display()));
    let mut others = Vec::new();
    for dir in &dirs {
        if !render_experiment(dir)? {
            others.push(dir.clone());
            continue;
        }
        let mut page = dir.join(REPORT_FILE);
        if let (Some(out), [_]) = (&args.out, args.dirs.as_slice())
            && page != *out
        {
            let text = fs::read(&page).context(page.display())?;
            atomic::replace_by(out, text)?;
            page.clone_from(out);
        }
        print_path(&page)?;
    }
    if !others.is_empty() || !imported.is_empty() {
        let page = match (&args.out, args.dirs.as_slice()) {
            (Some(out), _) => out.clone(),
            (None, [dir]) if dir.is_dir() => dir.join(REPORT_FILE),
            (None, _) => PathBuf::from(REPORT_FILE),
        };
        report::write(&runs_of(&others)?, &imported, &page)?;
        print_path(&page)?;
    }
    Ok(DONE)
}
