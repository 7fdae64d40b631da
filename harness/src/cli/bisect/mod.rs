//! `verdict bisect`: the commit that lost the Elo.

mod play;

use std::path::{Path, PathBuf};
use std::slice;

use clap::{Arg, Args};

use super::crew::Crew;
use super::experiment;
use super::flags::{MatchFlags, PlayerFlag, ReadyPlayer};
use super::match_::{self, OutputFlags, PlanFileFlags};
use super::numbers::number;
use super::scale::scale;
use crate::bisect::{self, BisectFile, Outcome, Search};
use arena::build::{Cache, Commit, Wanted, is_changed, line};
use arena::output_folder::{self, Owner};
use arena::plan::{SideOverrides, read_percentage};
use arena::record::lock::{FolderLock, RUN_LOCK};
use arena::record::{Manifest as _, Side, today};
use arena::runner::Stops;
use arena::session::{Resources, openings};
use charts::numbers::counted;
use process::{Context as _, Error};
use stats::MAX_ELO;
use stats::culprit::CulpritTerms;

/// Pairs of a version at most, where games do not repeat themselves.
const PAIRS: u64 = 20_000;

/// Find the commit that lost Elo between a good commit and a bad one, by building and playing them.
///
/// Commits are those of the line of first parents from --good to --bad; a merge is one commit. They play
/// against the good commit, a batch of pairs at a time: each time the commit whose result says most,
/// until one of them has lost the Elo with a probability of 1 − alpha. With --rule it is plain halving:
/// the bad commit plays a match by this rule, then the commit in the middle of what is left, and each
/// verdict is believed.
///
/// A commit is built when it is needed. By nodes or depth, commits between two of equal bench are not played;
/// on a clock they are, since their speed may differ. A commit that does not build or start is passed over.
/// Each match is a run in the folder; `verdict resume` continues.
#[derive(Debug, Args)]
#[command(
    before_help = "Example:\n  verdict bisect --good v1.2 --bad HEAD --build 'make EXE=engine' --binary \
        engine --nodes 5000",
    after_help = "Exit codes: 0 found, 1 no commit lost as much as --elo (with --rule: no loss is shown), 2 undecided or interrupted, 3 too \
        many faults, 64 wrong usage, 74 input/output error.",
    mut_args(of_a_bisection)
)]
pub struct BisectArgs {
    /// Commit, tag or branch that has the Elo.
    #[arg(long, value_name = "REV", help_heading = "Commits")]
    good: String,

    /// Later commit that has lost it.
    #[arg(long, value_name = "REV", default_value = "HEAD", help_heading = "Commits")]
    bad: String,

    /// Smallest loss that matters.
    #[arg(long, value_name = "ELO", default_value = "5", value_parser = elo,
          allow_negative_numbers = true, help_heading = "Search")]
    elo: f64,

    /// Probability of naming a wrong commit.
    #[arg(long, value_name = "PERCENT", default_value = "5%", value_parser = alpha,
          help_heading = "Search")]
    alpha: f64,

    /// What each other commit does, as a standard deviation in Elo: 0.5 to 2 where only some of them were
    /// tested. Too small a value takes their sum for the loss, a large one takes more pairs. With `learn`
    /// the results tell, for some more pairs [default: 0.03 of --elo].
    #[arg(long, value_name = "ELO|learn", value_parser = others, allow_negative_numbers = true, help_heading = "Search")]
    others: Option<Others>,

    #[command(flatten)]
    flags: MatchFlags,

    /// Folder of the bisection, new or empty [default: results/DATE-bisect-GOOD-to-BAD].
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    out: Option<PathBuf>,

    #[command(flatten)]
    output: OutputFlags,

    #[command(flatten)]
    pub(super) plan: PlanFileFlags,
}

fn elo(text: &str) -> Result<f64, String> {
    number(text, |elo| elo > 0.0 && elo <= MAX_ELO, &format!("Elo above 0, at most {MAX_ELO}"))
}

/// A probability of error: a search that errs as often as it is right says nothing.
pub(super) fn alpha(text: &str) -> Result<f64, String> {
    let share = read_percentage(text)?;
    let is_possible = share > 0.0 && share < 0.5;
    is_possible
        .then_some(share)
        .ok_or_else(|| format!("expected above 0 and below 50%, found '{text}'"))
}

/// What each other commit does.
#[derive(Debug, Clone, Copy)]
pub(super) enum Others {
    /// A standard deviation in Elo.
    Elo(f64),
    /// As the results tell.
    Learn,
}

impl Others {
    /// In Elo; `None` where the results have to tell.
    pub(super) fn drift(given: Option<Others>, least_elo: f64) -> Option<f64> {
        match given {
            Some(Others::Elo(elo)) => Some(elo),
            Some(Others::Learn) => None,
            None => Some(CulpritTerms::little_drift(least_elo)),
        }
    }
}

pub(super) fn others(text: &str) -> Result<Others, String> {
    if text == "learn" {
        return Ok(Others::Learn);
    }
    let expected = format!("Elo from 0, at most {MAX_ELO}, or learn");
    number(text, |elo| (0.0..=MAX_ELO).contains(&elo), &expected).map(Others::Elo)
}

fn of_a_bisection(arg: Arg) -> Arg {
    match arg.get_id().as_str() {
        "rule" => arg
            .help("Plain halving by matches with this rule, instead of the posterior")
            .long_help(
                "Plain halving by matches with this rule, instead of the posterior. A commit has the \
                 loss where its match shows it to be weaker, as for `verdict nightly`; else it has not. The \
                 bad commit plays first: if it is not shown to be weaker, nothing is searched. --elo, \
                 --alpha and --others have no effect",
            ),
        "pairs" => arg.help(
            "Largest number of pairs of each commit against the good one [default: 20000; by nodes or depth \
             as many as the book has openings; with --rule the rule's pairs=N, else 20000 with sprt or \
             anytime, else 200]",
        ),
        _ => arg,
    }
}

pub fn run(args: BisectArgs) -> Result<u8, Error> {
    let BisectArgs { good, bad, elo, alpha, others, flags, out, output, .. } = args;
    let say = |text: &str| output.print_status(text);
    let recipe = flags.recipe();
    let commits = commits(&good, &bad, &recipe.repo)?;
    let name = || format!("results/{}-{}", today(), BisectFile::slug(&good, &bad));
    let dir =
        out.unwrap_or_else(|| super::first_free(&name(), |name| !Path::new(name).exists()).into());
    output_folder::refuse(&dir, Owner::New)?;
    let halving = flags.rule.map(|asked| asked.rule);
    let names = [name_of(&good, &commits, 0), name_of(&bad, &commits, commits.len() - 1)];
    let plan = |players: [ReadyPlayer; 2]| {
        let [first, second] = players;
        let own = |name: &String| SideOverrides { name: Some(name.clone()), ..Default::default() };
        flags.clone().plan([(first, own(&names[0])), (second, own(&names[1]))])
    };
    // What is wrong with the flags is told before anything is built.
    let ends = [0, commits.len() - 1].map(|version: usize| PlayerFlag::Build {
        wanted: Wanted::Revision(commits[version].commit.clone()),
        rest: String::new(),
    });
    let [first, second] = ends.each_ref().map(|end| flags.stand_in(end.clone()));
    let stand_ins = plan([first?, second?])?;
    Resources::new(Stops::default()).look_at(&stand_ins, &[])?;
    let crew = Crew::of(&flags.width)?;
    let merges = commits.iter().skip(1).filter(|commit| commit.is_merge()).count();
    say(&announcement(&good, &bad, commits.len() - 1, merges));
    if bad == "HEAD" && is_changed(&recipe.repo) {
        say("the work tree has changes that are not committed: they are not looked at");
    }
    let cache = Cache::of_user();
    let ready = |version: usize, which: &str| {
        flags
            .ready(ends[version].clone(), &cache, &say)
            .context(format!("the {which} commit has to build"))
    };
    let first = ready(0, "good")?;
    // Its options, too, are told before more is built.
    let alone = plan([first.clone(), first.clone()])?;
    match_::run_session(async |stops: Stops| {
        Ok(Resources::new(stops).look_at(&alone, &[Side::Base])?)
    })?;
    let players = [first, ready(1, "bad")?];
    let _holds = players.each_ref().map(|player| player.hold.clone());
    let [first, second] = players.each_ref().map(bench);
    let mut plan = plan(players)?;
    match first.or(second) {
        None => say("the engine tells no bench: all commits are candidates"),
        Some(_) if !plan.repeats_itself() => say(
            "time counts: commits of equal bench are candidates, too, since their speed may differ",
        ),
        Some(nodes) if first == second => {
            return Err(Error::usage(format!(
                "--good {good} and --bad {bad} both have bench {nodes}: no functional change lies \
                 between them; nothing can have lost Elo but speed, for which a clock is needed (--tc)"
            )));
        }
        Some(_) => (),
    }
    if halving.is_none() && flags.pairs.is_none() {
        plan.pairs = if plan.repeats_itself() { openings(&plan)? } else { PAIRS };
    }
    scale(slice::from_mut(&mut plan), &say);
    let file = BisectFile {
        format: BisectFile::FORMAT,
        good,
        bad,
        commits,
        repo: recipe.repo,
        build: recipe.command,
        binary: recipe.binary,
        alpha,
        elo,
        others: Others::drift(others, elo),
        rule: halving,
        plan,
    };
    begin(&file, &dir, [first, second])?;
    crew.or_resumable(&dir, go_on(&dir, &file, &crew, output))
}

fn bench(player: &ReadyPlayer) -> Option<u64> {
    player.build.as_ref().and_then(|build| build.bench)
}

/// The commits of the line, of which two or more may have lost the Elo.
fn commits(good: &str, bad: &str, repo: &Path) -> Result<Vec<Commit>, Error> {
    if [good, bad].contains(&"workdir") {
        return Err(Error::usage(
            "workdir: expected commits; commit what is changed, then --bad HEAD",
        ));
    }
    let commits = line(good, bad, repo)?;
    match &commits[..] {
        [_, only] => Err(Error::usage(format!(
            "no commit lies between --good {good} and --bad {bad}: only {} {} can have lost Elo; a match \
             tells whether it did: verdict match --base git:{good} --test git:{bad}",
            only.short(),
            only.subject
        ))),
        _ => Ok(commits),
    }
}

/// What a commit is called in tables: its tag or branch, or some of its hash.
fn name_of(revision: &str, commits: &[Commit], version: usize) -> String {
    let hash = commits[version].short().to_owned();
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./".contains(c);
    let is_name = revision != "HEAD" && revision.chars().all(is_plain);
    if is_name { revision.to_owned() } else { hash }
}

fn announcement(good: &str, bad: &str, count: usize, merges: usize) -> String {
    let merged = match merges {
        0 => String::new(),
        1 => ", one of them a merge, which counts as one commit".to_owned(),
        count => format!(", {count} of them merges, each of which counts as one commit"),
    };
    format!("{} from {good} to {bad}{merged}", counted(count as u64, "commit"))
}

/// Writes the manifest, and that both ends are built.
fn begin(file: &BisectFile, dir: &Path, [good, bad]: [Option<u64>; 2]) -> Result<(), Error> {
    file.write(dir)?;
    let mut search = Search::new(file);
    search.built(0, good);
    search.built(file.last(), bad);
    search.write(dir)?;
    Ok(())
}

pub(super) fn resume(dir: &Path, crew: &Crew, output: OutputFlags) -> Result<u8, Error> {
    crew.or_resumable(dir, go_on(dir, &BisectFile::read(dir)?, crew, output))
}

/// Does what is left, and says what came of it.
fn go_on(dir: &Path, file: &BisectFile, crew: &Crew, output: OutputFlags) -> Result<u8, Error> {
    let _lock = FolderLock::acquire(dir, RUN_LOCK)?;
    let (mut search, faults) = play::play(dir, file, crew, output)?;
    let outcome = Outcome::new(file, &mut search, dir);
    let summary = bisect::write(file, &outcome, dir)?;
    experiment::print_report(&summary, dir, output)?;
    if let Some(faults) = faults {
        status!("stopped: {faults}");
        return Ok(super::FAULTS);
    }
    if !outcome.over {
        status!("{}", crew.not_finished(dir));
    }
    Ok(outcome.exit_code())
}
