//! `verdict tournament`: everybody against everybody, or a gauntlet.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::Args;

use super::crew::Crew;
use super::match_::{self, OutputFlags, PlanFileFlags};
use super::scale::scale;
use super::web::{Page, WebFlags};
use super::{DONE, FAULTS, UNDECIDED, print, stopping};
use crate::cli::flags::{MatchFlags, PlayerFlag, ReadyPlayer};
use crate::crosstable::{Crosstable, Options};
use crate::screen::{Both, TournamentScreen};
use crate::tournament::{Entrant, Pairing, TournamentFile, TournamentKind};
use arena::build::Cache;
use arena::game::Limit;
use arena::output_folder::{self, Owner};
use arena::plan::{self, Plan, SideOverrides};
use arena::record::output_files::{CROSSTABLE_FILE, RATINGS_FILE};
use arena::record::{Manifest as _, REPORT_FILE, RUN_FILE, Side, atomic};
use arena::report;
use arena::runner::Stops;
use arena::session::{OpenRun, PlayedMatch, Resources, Session, SessionError, play_together};
use process::Error;
use process::terminal::escape::lines;
use process::terminal::window_width;

/// Play a round robin or a gauntlet, and compute ratings over all games.
///
/// Each pairing is a match with its own folder inside the tournament's folder. All pairings advance
/// together: one pair of games from each in turn. --pairs and --rule apply to each. Continue an
/// interrupted tournament with `verdict resume`.
#[derive(Debug, Args)]
#[command(
    before_help = "Example:\n  verdict tournament --player new=workdir --player old=git:main \
    --player uci:/usr/games/stockfish,UCI_LimitStrength=true,UCI_Elo=2000 --tc 1+0.01 --pairs 100"
)]
pub struct TournamentArgs {
    /// A player: [NAME=]SPEC, with SPEC as for --base of a match. Repeat for each player.
    #[arg(long = "player", value_name = "[NAME=]SPEC", required = true, help_heading = "Players")]
    players: Vec<NamedPlayer>,

    /// Gauntlet: the first --seeds players play against all others.
    #[arg(long, help_heading = "Schedule")]
    gauntlet: bool,

    /// Number of gauntlet players.
    #[arg(long, value_name = "N", default_value_t = NonZeroUsize::MIN, requires = "gauntlet",
          help_heading = "Schedule")]
    seeds: NonZeroUsize,

    /// Limit for one player: NAME=nodes=5000, NAME=tc=2+0.02. May be repeated.
    #[arg(long = "limit-of", value_name = "NAME=LIMIT", value_parser = named_limit,
          help_heading = "Limits")]
    limits: Vec<(String, Limit)>,

    #[command(flatten)]
    flags: MatchFlags,

    /// Folder of the tournament, new or empty [default: results/DATE-tournament].
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    out: Option<PathBuf>,

    #[command(flatten)]
    output: OutputFlags,

    #[command(flatten)]
    web: WebFlags,

    #[command(flatten)]
    pub(super) plan: PlanFileFlags,
}

impl TournamentArgs {
    /// Whether the tournament could be played, as far as that shows without building or playing.
    pub(super) fn check(self, resources: &mut Resources) -> Result<(), Error> {
        let mut to_build = Vec::new();
        let (file, plans) = self.plans(|flags, player| {
            let player = flags.stand_in(player)?;
            to_build.push(player.is_stand_in);
            Ok(player)
        })?;
        for (pairing, plan) in file.matches.iter().zip(&plans) {
            let sides = [(Side::Base, pairing.base), (Side::Test, pairing.test)].into_iter();
            let sides = sides.filter(|(_, player)| !to_build[*player]).map(|(side, _)| side);
            resources.look_at(plan, &sides.collect::<Vec<_>>())?;
        }
        Ok(())
    }

    /// Who plays whom, and how; `ready` makes the players, in their order.
    fn plans(
        self,
        mut ready: impl FnMut(&MatchFlags, PlayerFlag) -> Result<ReadyPlayer, Error>,
    ) -> Result<(TournamentFile, Vec<Plan>), Error> {
        let TournamentArgs { players, gauntlet, seeds, limits, flags, .. } = self;
        if let Some(rule) = flags.rule.filter(|asked| asked.rule.is_sequential()) {
            return Err(Error::usage(format!(
                "--rule {rule}: expected los in a tournament, in which all pairings have equal length"
            )));
        }
        let mut made = Vec::with_capacity(players.len());
        for NamedPlayer { name, player } in players {
            let player = ready(&flags, player)?;
            let name = name.unwrap_or_else(|| player.name.clone());
            made.push((Entrant { name, spec: player.spec.to_string() }, player));
        }
        let kind =
            if gauntlet { TournamentKind::Gauntlet { seeds } } else { TournamentKind::RoundRobin };
        let entrants: Vec<Entrant> = made.iter().map(|(entrant, _)| entrant.clone()).collect();
        if let Some((name, _)) = limits.iter().find(|(n, _)| entrants.iter().all(|e| e.name != *n))
        {
            let names: Vec<&str> = entrants.iter().map(|entrant| entrant.name.as_str()).collect();
            return Err(Error::usage(format!(
                "--limit-of {name}: expected one of the players {}",
                names.join(", ")
            )));
        }
        let file = TournamentFile::new(kind, entrants)?;
        let own = |entrant: &Entrant| SideOverrides {
            name: Some(entrant.name.clone()),
            limit: limits.iter().rfind(|(name, _)| *name == entrant.name).map(|(_, limit)| *limit),
            ..SideOverrides::default()
        };
        let mut plans = Vec::with_capacity(file.matches.len());
        for pairing in &file.matches {
            let seat = |number: usize| {
                let (entrant, player) = &made[number];
                (player.clone(), own(entrant))
            };
            let plan = flags.clone().plan([seat(pairing.base), seat(pairing.test)]);
            plans.push(plan?);
        }
        Ok((file, plans))
    }
}

#[derive(Debug, Clone)]
struct NamedPlayer {
    name: Option<String>,
    player: PlayerFlag,
}

impl FromStr for NamedPlayer {
    type Err = Error;

    fn from_str(text: &str) -> Result<NamedPlayer, Error> {
        // Options have their = behind a comma, kinds their colon before it.
        let (name, spec) = match text.split_once('=') {
            Some((name, spec)) if !name.trim().is_empty() && !name.contains([',', ':']) => {
                (Some(name.trim().to_owned()), spec)
            }
            _ => (None, text),
        };
        Ok(NamedPlayer { name, player: spec.parse()? })
    }
}

fn named_limit(text: &str) -> Result<(String, Limit), String> {
    let expected = || format!("expected NAME=LIMIT like old=tc=2+0.02, found '{text}'");
    let (name, limit) = text.split_once('=').ok_or_else(expected)?;
    Ok((name.to_owned(), plan::read_limit(limit)?))
}

pub fn run(args: TournamentArgs) -> Result<u8, Error> {
    let output = args.output;
    let dir = args.out.clone().unwrap_or_else(|| super::new_folder("tournament"));
    output_folder::refuse(&dir, Owner::New)?;
    let crew = Crew::of(&args.flags.width)?;
    let page = args.web.open()?;
    let say = |line: &str| output.print_status(line);
    let cache = Cache::of_user();
    let (mut file, mut plans) = args.plans(|flags, player| flags.ready(player, &cache, &say))?;
    scale(&mut plans, &say);
    for (pairing, plan) in file.matches.iter_mut().zip(&plans) {
        pairing.plan = plan.to_json()?;
    }
    play(&dir, output, (&crew, page), |stops, resources| {
        for plan in &plans {
            resources.check(plan)?;
        }
        file.write(&dir)?;
        let begin = |(pairing, plan): (&Pairing, Plan)| {
            let run = dir.join(&pairing.folder);
            Ok(Session::begin(plan, Some(run), resources, stops.part())?)
        };
        file.matches.iter().zip(plans).map(begin).collect()
    })
}

pub(super) fn resume(
    dir: &Path,
    crew: &Crew,
    output: OutputFlags,
    web: &WebFlags,
) -> Result<u8, Error> {
    let page = web.open()?;
    let file = TournamentFile::read(dir)?;
    let begun = |run: PathBuf| run.join(RUN_FILE).exists().then(|| OpenRun::open(&run)).transpose();
    let begun = file.runs(dir).into_iter().map(begun).collect::<Result<Vec<_>, _>>()?;
    if begun.iter().all(|begun| begun.as_ref().is_some_and(OpenRun::is_finished)) {
        match_::print_finished(dir, output);
        let played = begun.into_iter().flatten().map(OpenRun::conclude).collect();
        return crew.or_resumable(dir, conclude(dir, crew, output, played));
    }
    // With those that have ended: what is said between games counts them too.
    play(dir, output, (crew, page), |stops, resources| {
        let again = |(pairing, begun): (&Pairing, Option<OpenRun>)| {
            let (run, stops) = (dir.join(&pairing.folder), stops.part());
            Ok(match begun {
                Some(begun) => crew.resume(begun, resources, stops)?,
                // Whoever began the tournament was stopped before this match had its folder.
                None => Session::begin_planned(&pairing.plan, &run, &crew.width, resources, stops)?,
            })
        };
        file.matches.iter().zip(begun).map(again).collect()
    })
}

fn play(
    dir: &Path,
    output: OutputFlags,
    how: (&Crew, Option<Page>),
    sessions: impl FnOnce(&Stops, &mut Resources) -> Result<Vec<Session>, Error>,
) -> Result<u8, Error> {
    let crew = how.0;
    let played = play_all(dir, output, how, sessions)?;
    crew.or_resumable(dir, conclude(dir, crew, output, played))
}

/// Plays several matches in `dir` together, a pair of each in turn.
pub(super) fn play_all(
    dir: &Path,
    output: OutputFlags,
    (crew, mut page): (&Crew, Option<Page>),
    sessions: impl FnOnce(&Stops, &mut Resources) -> Result<Vec<Session>, Error>,
) -> Result<Vec<Result<PlayedMatch, SessionError>>, Error> {
    match_::run_session(async |stops: Stops| {
        let mut resources = crew.resources(&stops);
        page.iter().for_each(|_| resources.show());
        let sessions = sessions(&stops, &mut resources)?;
        let Some(width) = sessions.first().map(|session| session.plan.width()) else {
            return Ok(Vec::new());
        };
        let states = sessions.iter().map(Session::match_state);
        let screen = TournamentScreen::new(states, output.quiet, output.interval);
        let status_line = screen.status_line();
        let _listening = stopping::listen(stops.clone(), status_line.clone())?;
        if !output.quiet {
            announce(dir, &sessions, &crew.width_in_words(&width), &status_line);
        }
        page.iter().for_each(|page| status_line.print(&format!("live page: {}", page.all())));
        let mut watched = Vec::with_capacity(sessions.len());
        for session in sessions {
            let name = session.dir.file_name().map(|name| name.to_string_lossy().into_owned());
            let players = [Side::Base, Side::Test].map(|side| session.run.label(side));
            let observer = screen.rated(&name.unwrap_or_default(), players, session.match_state());
            let shown = page.as_mut().map(|page| page.show(&session)).transpose()?;
            watched.push((session, Both(observer, shown.map(|(told, _)| told))));
        }
        let played = play_together(watched, width, stops).await;
        if let Some(page) = page {
            page.end().await;
        }
        Ok(played?)
    })
}

fn announce(
    dir: &Path,
    sessions: &[Session],
    width: &str,
    status_line: &crate::screen::StatusLine,
) {
    let Some(first) = sessions.first() else { return };
    status_line.print(&format!(
        "{} matches of {} pairs, {}, {width}; {}",
        sessions.len(),
        first.plan.pairs,
        first.run.conditions(),
        dir.display()
    ));
    status_line.print(&first.plan.adjudication_in_words());
    first.note().iter().for_each(|note| status_line.print(note));
    let mut shown = BTreeSet::new();
    for session in sessions {
        let [same, overload] = session.warnings();
        if let Some(same) = same {
            status_line.print(&format!("warning: {}: {same}", session.dir.display()));
        }
        // Of all matches the same, as a rule.
        if let Some(overload) = overload.filter(|overload| shown.insert(overload.clone())) {
            status_line.print(&format!("warning: {overload}"));
        }
    }
}

/// Renders the tables, and says what came of it.
fn conclude(
    dir: &Path,
    crew: &Crew,
    output: OutputFlags,
    played: Vec<Result<PlayedMatch, SessionError>>,
) -> Result<u8, Error> {
    let mut finished = true;
    let mut faulty = false;
    let mut failed = None;
    for played in played {
        let played = match played {
            Ok(played) => played,
            Err(error) => {
                failed.get_or_insert(error);
                continue;
            }
        };
        finished &= played.verdict.is_some();
        if let Some(faults) = &played.too_many_faults {
            faulty = true;
            let what = if played.verdict.is_some() { "void" } else { "stopped" };
            status!("{}: {what}: {}", played.dir.display(), faults.0);
        }
    }
    let runs = TournamentFile::read(dir)?.runs(dir);
    let table = Crosstable::read(&runs, Options::default())?;
    let text = if output.json {
        format!("{:#}", table.json())
    } else {
        let table = table.page().plain(window_width());
        lines(&format!("{}\nRecorded in {}", table.trim_end(), dir.display())).into_owned()
    };
    print(text + "\n")?;
    if let Some(error) = failed {
        return Err(error.into());
    }
    write_table(dir, &runs, &table)?;
    if !finished {
        status!("{}", crew.not_finished(dir));
    }
    Ok(match (faulty, finished) {
        (true, _) => FAULTS,
        (false, true) => DONE,
        (false, false) => UNDECIDED,
    })
}

/// Renders what a tournament's folder holds of all its matches together.
fn write_table(dir: &Path, runs: &[PathBuf], table: &Crosstable) -> Result<(), Error> {
    let json = format!("{:#}\n", table.json());
    for (name, text) in [(CROSSTABLE_FILE, table.page().markdown()), (RATINGS_FILE, json)] {
        atomic::replace_by(&dir.join(name), text)?;
    }
    report::write(runs, &[], &dir.join(REPORT_FILE))?;
    Ok(())
}
