//! `verdict history`: Elo of revisions over time.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::slice;

use clap::Args;

use super::crew::Crew;
use super::flags::{MatchFlags, PlayerFlag, ReadyPlayer};
use super::match_::{self, OutputFlags};
use super::scale::scale;
use super::{DONE, FAULTS, UNDECIDED, print, print_json, runtime, stopping};
use crate::history::{self, Conditions, HistoryFile, HistoryMatch, Outcome, Revision, Runs, met};
use crate::screen::MatchScreen;
use arena::build::{Cache, Wanted, attempt, commit, is_ancestor};
use arena::output_folder::{self, Owner};
use arena::plan::{SideOverrides, absolute, slug};
use arena::player::spec::PlayerSpec;
use arena::record::lock::{FolderLock, RUN_LOCK};
use arena::record::{Manifest as _, RUN_FILE, Side};
use arena::runner::Stops;
use arena::session::{OpenRun, Resources, Session};
use process::Error;
use process::terminal::window_width;

/// Show the Elo of tags and commits over time, from recorded runs and, with --play, new ones.
///
/// Finished runs in and below --in whose players are commits of the repository are rated together; the first
/// rated revision has 0. All of them have the same limit, hash, book and options: those of the command line
/// with --play, else those that tell most. Others are left out and listed. With --play each revision plays
/// the one before it, if no such run has these two. What is missing is built before the first game; a
/// revision that does not build plays no match. `verdict resume` continues.
#[derive(Debug, Args)]
#[command(
    before_help = "Example:\n  verdict history v1.0 v1.1 v1.2 HEAD --play --build 'make EXE=engine' \
        --binary engine --tc 1+0.01 --pairs 200",
    after_help = "Exit codes: 0 all revisions are rated, 2 some are not or interrupted, 3 too many faults, 64 \
        wrong usage, 74 input/output error."
)]
pub struct HistoryArgs {
    /// Tags, branches or commits. Each stands before those that are built on it.
    #[arg(value_name = "REV", required = true, num_args = 2.., help_heading = "Revisions")]
    revisions: Vec<String>,

    /// Folder of recorded runs. May be repeated [default: results, if it is there].
    #[arg(long = "in", value_name = "DIR", help_heading = "Revisions")]
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
    let file = HistoryFile {
        format: HistoryFile::FORMAT,
        repo,
        revisions,
        roots: folders(roots, play)?,
        conditions: None,
        matches: Vec::new(),
    };
    let dir = out.or_else(|| play.then(|| super::new_folder("history")));
    if let Some(dir) = &dir {
        output_folder::refuse(dir, Owner::New)?;
    }
    match (dir, play) {
        (Some(dir), true) => {
            let crew = Crew::of(&flags.width)?;
            let file = with_matches(file, flags, output)?;
            file.write(&dir)?;
            crew.or_resumable(&dir, go_on(&dir, &file, &crew, output))
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

/// Where runs are looked for.
fn folders(named: Vec<PathBuf>, play: bool) -> Result<Vec<PathBuf>, Error> {
    const USUAL: &str = "results";
    for folder in &named {
        if !folder.is_dir() {
            let folder = folder.display();
            return Err(Error::usage(format!(
                "--in {folder}: expected a folder of recorded runs, found none"
            )));
        }
    }
    let usual = PathBuf::from(USUAL);
    match named.is_empty() {
        false => Ok(named.into_iter().map(absolute).collect()),
        true if usual.is_dir() => Ok(vec![absolute(usual)]),
        true if play => Ok(Vec::new()),
        true => Err(Error::usage(format!(
            "there is no folder '{USUAL}' here: expected recorded runs; name their folder by --in, or play \
             matches by --play"
        ))),
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
        if let Some(later) = revisions.iter().find(|it| is_ancestor(&commit, &it.commit, repo)) {
            return Err(Error::usage(format!(
                "{} is built on {name}, which is given after it: expected the earlier one first",
                later.name
            )));
        }
        revisions.push(Revision { name: name.clone(), commit });
    }
    Ok(revisions)
}

/// Adds the matches that are missing, and builds who plays them.
fn with_matches(
    mut file: HistoryFile,
    flags: MatchFlags,
    output: OutputFlags,
) -> Result<HistoryFile, Error> {
    let say = |line: &str| output.print_status(line);
    // What is wrong with the flags is told before anything is built.
    let stand_in = PlayerFlag::Build {
        wanted: Wanted::Revision(file.revisions[0].commit.commit.clone()),
        rest: String::new(),
    };
    let stand_in = flags.stand_in(stand_in)?;
    let sides = [0, 1].map(|at: usize| (stand_in.clone(), own(&file.revisions[at])));
    let plan = flags.clone().plan(sides)?;
    Resources::new(Stops::default()).look_at(&plan, &[])?;
    file.conditions = Conditions::of(&plan.to_json()?);

    let runs = Runs::find(&file.roots, &file.repo, &file.revisions, file.conditions.as_ref());
    let mut builds = Builds { flags: &flags, say: &say, made: HashMap::new() };
    // Those that a later one may play, or have played with those before.
    let mut line: Vec<usize> = Vec::new();
    for (at, revision) in file.revisions.iter().enumerate() {
        // One before it that has games with it, or builds.
        while let Some(&before) = line.last() {
            let base = &file.revisions[before];
            if met(&runs, &base.commit.commit, &revision.commit.commit) {
                line.push(at);
                break;
            }
            let Some(test) = builds.of(at, revision)? else { break };
            let Some(base_player) = builds.of(before, base)? else {
                line.pop();
                continue;
            };
            let sides = [(base_player, own(base)), (test, own(revision))];
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
            line.push(at);
            break;
        }
        if line.is_empty() {
            line.push(at);
        }
    }
    match file.matches.is_empty() && runs.folders.is_empty() {
        true => Err(Error::input_output("expected two revisions that build, found fewer")),
        false => Ok(file),
    }
}

fn own(revision: &Revision) -> SideOverrides {
    SideOverrides { name: Some(revision.name.clone()), ..SideOverrides::default() }
}

/// Revisions that are built, each once.
struct Builds<'a> {
    flags: &'a MatchFlags,
    say: &'a dyn Fn(&str),
    /// `None` where it does not build.
    made: HashMap<usize, Option<ReadyPlayer>>,
}

impl Builds<'_> {
    fn of(&mut self, at: usize, revision: &Revision) -> Result<Option<ReadyPlayer>, Error> {
        if let Some(made) = self.made.get(&at) {
            return Ok(made.clone());
        }
        let wanted = Wanted::Revision(revision.commit.commit.clone());
        let built = attempt(&wanted, &self.flags.recipe(), &Cache::of_user(), self.say)?;
        let player = match built {
            Ok(it) => {
                let spec = PlayerSpec::uci(&it.binary, String::new());
                let hold = it.hold.map(std::sync::Arc::new);
                let player =
                    ReadyPlayer { build: Some(it.identity), hold, ..ReadyPlayer::of(spec) };
                if self.made.values().all(Option::is_none) {
                    self.check(&player, revision)?;
                }
                Some(player)
            }
            Err(why) => {
                (self.say)(&why);
                (self.say)(&format!("{} does not build and plays no match", revision.name));
                None
            }
        };
        self.made.insert(at, player.clone());
        Ok(player)
    }

    /// What no revision can do is told by the first that builds, before the others are built.
    fn check(&self, player: &ReadyPlayer, revision: &Revision) -> Result<(), Error> {
        let sides = [(player.clone(), SideOverrides::default()), (player.clone(), own(revision))];
        let plan = self.flags.clone().plan(sides)?;
        let runtime = runtime(1)?;
        let _inside = runtime.enter();
        Ok(Resources::new(Stops::default()).look_at(&plan, &[Side::Test])?)
    }
}

pub(super) fn resume(dir: &Path, crew: &Crew, output: OutputFlags) -> Result<u8, Error> {
    crew.or_resumable(dir, go_on(dir, &HistoryFile::read(dir)?, crew, output))
}

/// Plays what is left, one match after another, and writes the history.
fn go_on(dir: &Path, file: &HistoryFile, crew: &Crew, output: OutputFlags) -> Result<u8, Error> {
    let _lock = FolderLock::acquire(dir, RUN_LOCK)?;
    let mut faulty = false;
    let finished = match_::run_session(async |stops: Stops| {
        let mut resources = crew.resources(&stops);
        for it in &file.matches {
            let run = dir.join(&it.folder);
            let begun = run.join(RUN_FILE).exists().then(|| OpenRun::open(&run)).transpose()?;
            let session = match begun {
                Some(begun) if begun.is_finished() => continue,
                _ if stops.no_new_games() => return Ok(false),
                Some(begun) => crew.resume(begun, &mut resources, stops.part())?,
                None => Session::begin_planned(
                    &it.plan,
                    &run,
                    &crew.width,
                    &mut resources,
                    stops.part(),
                )?,
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
        status!("{}", crew.not_finished(dir));
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
    let runs = Runs::find(&roots, &file.repo, &file.revisions, file.wanted().as_ref());
    Outcome::new(&file.revisions, &runs)
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
