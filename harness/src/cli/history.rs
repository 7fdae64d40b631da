//! `verdict history`: Elo of revisions over time.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::slice;

use clap::Args;

use super::disk_full::or_resumable;
use super::flags::{MatchFlags, PlayerFlag, ReadyPlayer};
use super::match_::{self, OutputFlags};
use super::scale::scale;
use super::{DONE, FAULTS, UNDECIDED, print, print_json, stopping};
use crate::history::{self, HistoryFile, HistoryMatch, Outcome, Revision, Runs, met};
use crate::screen::MatchScreen;
use arena::build::{Cache, Wanted, attempt, commit};
use arena::output_folder::{self, Owner};
use arena::plan::{SideOverrides, WidthOverrides, absolute, slug};
use arena::player::spec::PlayerSpec;
use arena::record::lock::{FolderLock, RUN_LOCK};
use arena::record::{Manifest as _, RUN_FILE};
use arena::runner::Stops;
use arena::session::{OpenRun, Resources, Session};
use process::Error;
use process::terminal::{shell_path, window_width};

/// Show the Elo of tags and commits over time, from recorded runs and, with --play, new ones.
///
/// All runs in and below --in whose players are commits of the repository are rated together; the first
/// rated revision has 0. With --play each revision plays the one before it, if no recorded run has these two.
/// A revision that does not build is left out. `verdict resume` continues.
#[derive(Debug, Args)]
#[command(
    before_help = "Example:\n  verdict history v1.0 v1.1 v1.2 HEAD --play --build 'make EXE=engine' \
        --binary engine --tc 1+0.01 --pairs 200",
    after_help = "Exit codes: 0 all revisions are rated, 2 some are not or interrupted, 3 too many faults, 64 \
        wrong usage, 74 input/output error."
)]
pub struct HistoryArgs {
    /// Tags, branches or commits, the earliest first.
    #[arg(value_name = "REV", required = true, num_args = 2.., help_heading = "Revisions")]
    revisions: Vec<String>,

    /// Folder of recorded runs. May be repeated.
    #[arg(long = "in", value_name = "DIR", default_value = "results", help_heading = "Revisions")]
    roots: Vec<PathBuf>,

    /// Play matches between revisions and those before them, where no recorded run has the two.
    #[arg(long, help_heading = "Revisions")]
    play: bool,

    #[command(flatten)]
    flags: MatchFlags,

    /// Folder of the table, the page and the new runs [default with --play: results/DATE-history].
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    out: Option<PathBuf>,

    #[command(flatten)]
    output: OutputFlags,
}

pub fn run(args: HistoryArgs) -> Result<u8, Error> {
    let HistoryArgs { revisions, roots, play, flags, out, output } = args;
    let repo = flags.recipe().repo;
    let revisions = revisions_of(&revisions, &repo)?;
    let roots: Vec<PathBuf> = roots.into_iter().map(absolute).collect();
    let file =
        HistoryFile { format: HistoryFile::FORMAT, repo, revisions, roots, matches: Vec::new() };
    let dir = out.or_else(|| play.then(|| super::new_folder("history")));
    if let Some(dir) = &dir {
        output_folder::refuse(dir, Owner::New)?;
    }
    match (dir, play) {
        (Some(dir), true) => {
            let file = with_matches(file, flags, output)?;
            file.write(&dir)?;
            or_resumable(&dir, go_on(&dir, &file, &WidthOverrides::default(), output))
        }
        (dir, _) => {
            let outcome = outcome(&file, None)?;
            if let Some(dir) = &dir {
                std::fs::create_dir_all(dir).map_err(Error::io(dir, "create the folder"))?;
                history::write(&outcome, &file.repo, dir)?;
            }
            tell(&outcome, &file, dir.as_deref(), output)?;
            Ok(if outcome.is_complete() { DONE } else { UNDECIDED })
        }
    }
}

fn revisions_of(names: &[String], repo: &Path) -> Result<Vec<Revision>, Error> {
    let mut revisions: Vec<Revision> = Vec::new();
    for name in names {
        let commit = commit(name, repo)?;
        if let Some(other) = revisions.iter().find(|it| it.commit.commit == commit.commit) {
            return Err(Error::usage(format!(
                "{} and {name} are one commit ({}): expected each once",
                other.name,
                commit.short()
            )));
        }
        revisions.push(Revision { name: name.clone(), commit });
    }
    Ok(revisions)
}

/// Builds the revisions, and adds the matches that are missing.
fn with_matches(
    mut file: HistoryFile,
    flags: MatchFlags,
    output: OutputFlags,
) -> Result<HistoryFile, Error> {
    let say = |line: &str| output.print_status(line);
    let runs = Runs::find(&file.roots, &file.repo, &file.revisions);
    let (recipe, cache) = (flags.recipe(), Cache::of_user());
    // What is wrong with the flags is told before anything is built.
    let stand_in = PlayerFlag::Build {
        wanted: Wanted::Revision(file.revisions[0].commit.commit.clone()),
        rest: String::new(),
    };
    let stand_in = flags.stand_in(stand_in)?;
    let own = |revision: &Revision| SideOverrides {
        name: Some(revision.name.clone()),
        ..SideOverrides::default()
    };
    let sides = [0, 1].map(|at: usize| (stand_in.clone(), own(&file.revisions[at])));
    Resources::new(Stops::default()).look_at(&flags.clone().plan(sides)?, &[])?;
    let mut built: HashMap<usize, ReadyPlayer> = HashMap::new();
    let mut before: Option<usize> = None;
    for (at, revision) in file.revisions.iter().enumerate() {
        let wanted = Wanted::Revision(revision.commit.commit.clone());
        match attempt(&wanted, &recipe, &cache, &say)? {
            Ok(it) => {
                let spec = PlayerSpec::uci(&it.binary, String::new());
                let hold = it.hold.map(std::sync::Arc::new);
                let player =
                    ReadyPlayer { build: Some(it.identity), hold, ..ReadyPlayer::of(spec) };
                built.insert(at, player);
            }
            Err(why) => {
                say(&why);
                say(&format!("{} does not build and is left out", revision.name));
                continue;
            }
        }
        if let Some(before) = before.replace(at) {
            let base = &file.revisions[before];
            if met(&runs, &base.commit.commit, &revision.commit.commit) {
                continue;
            }
            let (Some(first), Some(second)) = (built.get(&before), built.get(&at)) else {
                continue;
            };
            let sides = [(first.clone(), own(base)), (second.clone(), own(revision))];
            let mut plan = flags.clone().plan(sides)?;
            scale(slice::from_mut(&mut plan), &say);
            let number = file.matches.len() + 1;
            let words = slug(&format!("{}-v-{}", revision.name, base.name));
            file.matches.push(HistoryMatch {
                folder: format!("{number:02}-{words}"),
                base: before,
                test: at,
                plan: plan.to_json()?,
            });
        }
    }
    if built.len() < 2 {
        return Err(Error::input_output("expected two revisions that build, found fewer"));
    }
    Ok(file)
}

pub(super) fn resume(dir: &Path, width: &WidthOverrides, output: OutputFlags) -> Result<u8, Error> {
    or_resumable(dir, go_on(dir, &HistoryFile::read(dir)?, width, output))
}

/// Plays what is left, one match after another, and writes the history.
fn go_on(
    dir: &Path,
    file: &HistoryFile,
    width: &WidthOverrides,
    output: OutputFlags,
) -> Result<u8, Error> {
    let _lock = FolderLock::acquire(dir, RUN_LOCK)?;
    let mut faulty = false;
    let finished = match_::run_session(async |stops: Stops| {
        let mut resources = Resources::new(stops.clone());
        for it in &file.matches {
            let run = dir.join(&it.folder);
            let begun = run.join(RUN_FILE).exists().then(|| OpenRun::open(&run)).transpose()?;
            let session = match begun {
                Some(begun) if begun.is_finished() => continue,
                _ if stops.no_new_games() => return Ok(false),
                Some(begun) => Session::resume(begun, width, false, &mut resources, stops.part())?,
                None => {
                    Session::begin_planned(&it.plan, &run, width, &mut resources, stops.part())?
                }
            };
            let screen = MatchScreen::new(session.match_state(), output.quiet, output.interval);
            let status_line = screen.status_line();
            let _listening = stopping::listen(stops.clone(), status_line.clone())?;
            output.print_status(&format!("{}: {} pairs", it.folder, session.plan.pairs));
            let played = session.play(screen).await?;
            if let Some(faults) = &played.too_many_faults {
                faulty = true;
                status!("{}: {}", played.dir.display(), faults.0);
            } else {
                let judged = played.summary.judged.words();
                output.print_status(&format!("{}: {judged}", it.folder));
            }
        }
        Ok(!stops.no_new_games())
    })?;
    let outcome = outcome(file, Some(dir))?;
    history::write(&outcome, &file.repo, dir)?;
    tell(&outcome, file, Some(dir), output)?;
    if !finished {
        status!("not finished yet; continue with: verdict resume {}", shell_path(dir));
    }
    Ok(match (faulty, finished && outcome.is_complete()) {
        (true, _) => FAULTS,
        (false, true) => DONE,
        (false, false) => UNDECIDED,
    })
}

fn outcome(file: &HistoryFile, dir: Option<&Path>) -> Result<Outcome, Error> {
    let mut roots: Vec<PathBuf> = dir.iter().map(|dir| dir.to_path_buf()).collect();
    roots.extend(file.roots.iter().cloned());
    Outcome::new(&file.revisions, &Runs::find(&roots, &file.repo, &file.revisions))
}

fn tell(
    outcome: &Outcome,
    file: &HistoryFile,
    dir: Option<&Path>,
    output: OutputFlags,
) -> Result<(), Error> {
    if output.json {
        return print_json(&history::json(outcome, &file.repo));
    }
    let text = history::page(outcome).plain(window_width());
    let recorded = dir.map_or(String::new(), |dir| format!("\nRecorded in {}\n", dir.display()));
    print(text + &recorded)
}
