//! `verdict match`.

use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::slice;

use clap::Args;

use super::crew::Crew;
use super::disk_full::is_of_the_disk;
use super::scale::scale;
use super::web::{Page, WebFlags};
use super::{FAULTS, print, print_json, runtime, stopping};
use crate::cli::flags::PlanFlags;
use crate::screen::{Both, MatchScreen, StatusLine};
use arena::build::Cache;
use arena::output_folder::{self, Owner};
use arena::record::{Faults, FinalVerdict, Summary, Twins, faults_line};
use arena::runner::Stops;
use arena::session::{OpenRun, PlayedMatch, Resources, Session, SessionError, recorded};
use process::Error;
use process::terminal::escape::lines;

/// Threads for everything but searching.
const WORKERS: usize = 2;

/// Play a match: pairs of games between base and test, until a stopping rule accepts or rejects test.
///
/// Without arguments it plays a demonstration: mutineer against itself without hash cutoffs, 200 pairs
/// at 3,000 nodes per move from the included book. Draw and resign adjudication are on by default;
/// --draw off --resign off turns them off. Ctrl-C finishes the running games, a second one stops at
/// once; `verdict resume` continues.
///
/// A command line of fastchess or cutechess-cli is played with --like 'fastchess -engine cmd=… -each …';
/// without --like verdict prints the equivalent command line and plays nothing.
#[derive(Debug, Args)]
#[command(before_help = "Example:\n  verdict match --base ./old --test ./new --tc 8+0.08 --rule \
    sprt=0,5 --book UHO.epd\n  verdict match --base git:main --test workdir --build 'make EXE=engine' \
    --binary engine --tc 8+0.08")]
pub struct MatchArgs {
    #[command(flatten)]
    flags: PlanFlags,

    /// Folder of the run, new or empty [default: results/DATE-PLAYERS].
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    out: Option<PathBuf>,

    #[command(flatten)]
    output: OutputFlags,

    #[command(flatten)]
    web: WebFlags,

    #[command(flatten)]
    pub(super) plan: PlanFileFlags,
}

/// A command line as a file, or of another runner.
#[derive(Debug, Clone, Args)]
pub(super) struct PlanFileFlags {
    /// Play a command line of fastchess, cutechess-cli or c-chess-cli: print the verdict command line and
    /// what has no counterpart, then play it. LINE may also be a script that holds one. Flags beside it
    /// override it; --print-plan plays nothing.
    #[arg(long, value_name = "LINE", help_heading = "Plan")]
    like: Option<String>,

    /// Read flags from this JSON file, like {"test": "workdir", "pairs": 500}. Flags on the command line
    /// override it.
    #[arg(long, value_name = "FILE", help_heading = "Plan")]
    plan: Option<PathBuf>,

    /// Print this command line as a file for --plan, and play nothing.
    #[arg(long, help_heading = "Plan")]
    pub(super) print_plan: bool,
}

impl MatchArgs {
    /// Whether the match could be played, as far as that can be told without building or playing.
    pub(super) fn check(self, resources: &mut Resources) -> Result<(), Error> {
        let (players, sides) = self.flags.stand_ins()?;
        let plan = self.flags.plan(players)?;
        Ok(resources.look_at(&plan, &sides)?)
    }
}

/// What is shown.
#[derive(Debug, Clone, Copy, Args)]
pub(super) struct OutputFlags {
    /// Print the result as JSON.
    #[arg(long, help_heading = "Output")]
    pub(super) json: bool,

    /// Print no progress.
    #[arg(long, help_heading = "Output")]
    pub(super) quiet: bool,

    /// Print a status line after every N games (in a tournament: the ratings), like -ratinginterval.
    #[arg(long, value_name = "N", help_heading = "Output")]
    pub(super) interval: Option<NonZeroU64>,
}

impl OutputFlags {
    /// Prints a status line, unless quiet.
    pub(super) fn print_status(self, line: &str) {
        if !self.quiet {
            status!("{line}");
        }
    }
}

pub fn run_match(args: MatchArgs) -> Result<u8, Error> {
    let say = |line: &str| args.output.print_status(line);
    if let Some(dir) = &args.out {
        output_folder::refuse(dir, Owner::New)?;
    }
    let page = args.web.open()?;
    let crew = Crew::of(&args.flags.match_flags.width)?;
    let players = args.flags.players(&Cache::of_user(), &say)?;
    let _holds = players.holds();
    let mut plan = args.flags.plan(players)?;
    if let [Some(base), Some(test)] = [&plan.base_build, &plan.test_build].map(Option::as_ref)
        && let (Some(nodes), true) = (base.bench, base.bench == test.bench)
    {
        say(&format!("bench is {nodes} for both: no functional change, only the speed can differ"));
    }
    scale(slice::from_mut(&mut plan), &say);
    play(args.output, page, &crew, |resources, stops| {
        Session::begin(plan, args.out, resources, stops)
    })
}

pub(super) fn resume(
    dir: &Path,
    crew: &Crew,
    output: OutputFlags,
    web: &WebFlags,
) -> Result<u8, Error> {
    let page = web.open()?;
    let begun = OpenRun::open(dir)?;
    if begun.is_finished() {
        let played = begun.conclude()?;
        print_finished(dir, output);
        print_result(&played, crew, output)?;
        return Ok(code(&played));
    }
    play(output, page, crew, |resources, stops| crew.resume(begun, resources, stops))
}

fn play(
    output: OutputFlags,
    mut page: Option<Page>,
    crew: &Crew,
    session: impl FnOnce(&mut Resources, Stops) -> Result<Session, SessionError>,
) -> Result<u8, Error> {
    let mut dir = None;
    let played = run_session(async |stops: Stops| {
        let mut resources = crew.resources(&stops);
        page.iter().for_each(|_| resources.show());
        let session = session(&mut resources, stops.clone())?;
        dir = Some(session.dir.clone());
        let screen = MatchScreen::new(session.match_state(), output.quiet, output.interval);
        let status_line = screen.status_line();
        let _listening = stopping::listen(stops, status_line.clone())?;
        if !output.quiet {
            announce(&session, crew, &status_line);
        }
        let shown = page.as_mut().map(|page| page.show(&session)).transpose()?;
        let (observer, url) = shown.unzip();
        url.iter().for_each(|url| status_line.print(&format!("live page: {url}")));
        let played = session.play(Both(screen, observer)).await;
        if let Some(page) = page {
            page.end().await;
        }
        Ok(played?)
    });
    let played = match (played, dir) {
        (Err(error), Some(dir)) if is_of_the_disk(&error) => {
            // What is recorded was not lost, and can be told where it cannot be written.
            if let Ok(summary) = recorded(&dir) {
                print_summary(&summary, None, &dir, output)?;
            }
            return crew.or_resumable(&dir, Err(error));
        }
        (played, _) => played?,
    };
    print_result(&played, crew, output)?;
    Ok(code(&played))
}

pub(super) fn print_finished(dir: &Path, output: OutputFlags) {
    output.print_status(&format!("{} is finished: nothing is left to play", dir.display()));
}

/// The exit code of a session.
fn code(played: &PlayedMatch) -> u8 {
    match (&played.too_many_faults, played.verdict) {
        (Some(_), _) => FAULTS,
        (None, verdict) => verdict.unwrap_or(FinalVerdict::Undecided).exit_code(),
    }
}

/// Plays on a runtime of its own, until `work` is done.
pub(super) fn run_session<T>(
    work: impl AsyncFnOnce(Stops) -> Result<T, Error>,
) -> Result<T, Error> {
    let runtime = runtime(WORKERS)?;
    runtime.block_on(work(Stops::default()))
}

fn announce(session: &Session, crew: &Crew, status_line: &StatusLine) {
    let plan = &session.plan;
    status_line.print(&format!("test {} against base {}", plan.test, plan.base));
    status_line.print(&format!(
        "{}, at most {} pairs, {}, {}; {}",
        session.run.conditions(),
        plan.pairs,
        plan.rule,
        crew.width_in_words(&plan.width()),
        session.dir.display()
    ));
    status_line.print(&plan.adjudication_in_words());
    session.note().iter().for_each(|note| status_line.print(note));
    session.warnings().iter().flatten().for_each(|it| status_line.print(&format!("warning: {it}")));
}

fn print_result(played: &PlayedMatch, crew: &Crew, output: OutputFlags) -> Result<(), Error> {
    let judged = played.verdict.zip(played.reason.as_deref());
    print_summary(&played.summary, judged, &played.dir, output)?;
    if let Some(faults) = &played.too_many_faults {
        let what = if played.verdict.is_some() { "void" } else { "stopped" };
        status!("{what}: {}", faults.0);
    }
    if played.verdict.is_none() {
        let has_faults = played.too_many_faults.is_some();
        let state = if has_faults { "when the engine is fixed," } else { "not decided yet;" };
        status!("{state} continue with: {}", crew.resume_command(&played.dir));
    }
    Ok(())
}

/// A summary on standard output, with the verdict and its reason, if there is one.
fn print_summary(
    summary: &Summary,
    judged: Option<(FinalVerdict, &str)>,
    dir: &Path,
    output: OutputFlags,
) -> Result<(), Error> {
    if output.json {
        return print_json(summary);
    }
    let mut text = summary.commit_block();
    let Twins { repeated_pairs, effective_pairs, .. } = summary.twins;
    if repeated_pairs > 0 {
        text += &format!(
            "\n{repeated_pairs} pairs repeat earlier ones and are not counted; {effective_pairs} \
             different pairs count"
        );
    }
    let Faults { total, not_begun, void_pairs, .. } = summary.faults;
    if not_begun > 0 {
        text += &format!(
            "\n{not_begun} games did not start and do not count: verdict resume plays them"
        );
    }
    if void_pairs > 0 {
        text += &format!(
            "\n{void_pairs} pairs do not count: one of their games did not start or was delayed by \
             verdict"
        );
    }
    if let Some(kept) = faults_line(dir).filter(|_| total > 0) {
        text.push_str(&format!("\n{kept}"));
    }
    if let Some(adjudicated) = summary.adjudicated() {
        text.push_str(&format!("\nBy adjudication: {adjudicated}"));
    }
    if let Some((verdict, reason)) = judged {
        let meaning = match verdict {
            verdict if summary.same_players && verdict != FinalVerdict::Void => {
                "A/A test, both sides are the same player"
            }
            FinalVerdict::Accept => "test is stronger",
            FinalVerdict::Reject => "test is not stronger",
            FinalVerdict::Undecided => "neither is shown to be stronger",
            FinalVerdict::Void => "too many faults for a verdict",
        };
        text.push_str(&format!("\n{verdict}: {meaning}; {reason}"));
    }
    text.push_str(&format!("\nRecorded in {}", dir.display()));
    print(format_args!("{}\n", lines(&text)))
}
