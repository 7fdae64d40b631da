//! A program's play.
//!
//! The positions are searched three times with the values at the start first. Those in which the
//! engine does not repeat itself count no more; where it strays in many, nothing can be told, and
//! nothing is refused.
//!
//! An engine may keep something of a value, such as evaluations in a cache, beyond `ucinewgame`. So
//! one that is told the value between two games of the same position is compared with one that is
//! started with it.

use std::sync::Arc;

use engine::{Position, bench};
use shakmaty::Color;
use tokio::runtime::Handle;

use super::{Change, Probe, ProbeLimit, TunableSpan};
use crate::base::game_options;
use crate::tunable::Tunable;
use arena::game::Limit;
use arena::plan::Plan;
use arena::player::external::External;
use arena::player::program::{
    GameOptions, ProgramHost, ProgramSettings, ProgramSpec, START_FEN, StartErrorKind,
};
use arena::player::{Fault, GoLimit};
use arena::record::{Score, Side};
use arena::runner::Stops;
use arena::session::settings;
use process::Error;
use process::progress::Progress;

/// How often the positions are searched with nothing changed.
const RUNS: usize = 3;
/// The first look is cheap, whatever the limit of the games.
const FIRST_NODES: u64 = 5_000;
const FIRST_DEPTH: u32 = 6;
/// So much more is searched where the first look shows nothing.
const TIMES_NODES: u64 = 8;
const MORE_DEPTH: u32 = 2;
/// The engine may differ in one position, and in one more for so many in which it strays, between
/// being told a value and being started with it: that it repeats itself twice may be chance.
const STRAYED_TO_APART: usize = 4;

/// Move, score, depth, nodes.
type Signature = (String, Option<Score>, u32, u64);

/// Searches of all positions, by limit.
type Runs = Vec<Vec<Signature>>;

/// A program, and its searches with the values at the start.
pub struct ProgramPlay {
    spec: ProgramSpec,
    host: Arc<ProgramHost>,
    /// Every game has a process of its own.
    restart: bool,
    positions: Vec<(String, Color)>,
    limits: [ProbeLimit; 2],
    plain: [Plain; 2],
    /// Running, with the values at the start.
    player: Option<External>,
    of_start: GameOptions,
}

impl ProgramPlay {
    /// Searches all positions with the plan's base and these values; a step of progress for each of
    /// the runs over them. To be called inside of a multi-threaded runtime.
    pub fn begin<'a>(
        plan: &Plan,
        start: impl Iterator<Item = (&'a Tunable, f64)>,
        stops: &Stops,
        progress: &dyn Progress,
    ) -> Result<ProgramPlay, Error> {
        let spec = ProgramSpec::parse(&plan.base.to_string())?;
        let settings = ProgramSettings { ponder: false, ..settings(plan, Side::Base) };
        let host = ProgramHost::new(settings, Handle::current(), stops.now_token())?;
        let of_start = game_options(spec.protocol, start)?;
        let mut play = ProgramPlay {
            spec,
            host,
            restart: plan.restarts(Side::Base),
            positions: Vec::new(),
            limits: limits(plan.limits().of(Side::Base)),
            plain: [Plain::default(), Plain::default()],
            player: None,
            of_start: of_start.clone(),
        };
        let mut player = play.start(&of_start)?;
        play.positions = positions(&player);
        progress.begin("searching with nothing changed", Some((RUNS * play.limits.len()) as u64));
        for stage in 0..play.limits.len() {
            let mut runs = Vec::with_capacity(RUNS);
            for _ in 0..RUNS {
                runs.push(play.searches(&mut player, stage, &of_start)?);
                progress.advance(1);
            }
            play.plain[stage] = Plain::of(&runs);
        }
        play.player = Some(player);
        Ok(play)
    }

    /// In how many of the positions the engine, with nothing changed, did not repeat itself.
    pub fn strayed(&self) -> usize {
        self.plain.iter().map(Plain::strayed).max().unwrap_or(0)
    }

    /// Whether it repeats itself in so few of them that nothing can be told.
    pub fn is_unknown(&self) -> bool {
        2 * self.strayed() > self.positions()
    }

    pub fn positions(&self) -> usize {
        self.positions.len()
    }

    /// Moves each option to its ends, the others at their start; `found` hears of each.
    pub fn probe(
        &mut self,
        turns: &[TunableSpan<'_>],
        found: &dyn Fn(&Probe),
    ) -> Result<Vec<Probe>, Error> {
        let probe = |turn: &TunableSpan<'_>| {
            let moved = turn.ends.into_iter().filter(|value| *value != turn.start);
            let changes: Vec<Change> = moved
                .map(|value| self.change([(turn.tunable, value)].into_iter()))
                .collect::<Result<_, _>>()?;
            let change = Change::strongest(changes.into_iter());
            let probe = Probe { name: turn.tunable.name().to_owned(), change };
            found(&probe);
            Ok(probe)
        };
        turns.iter().map(probe).collect()
    }

    /// What these values change, the others at their start.
    pub fn change<'a>(
        &mut self,
        values: impl Iterator<Item = (&'a Tunable, f64)>,
    ) -> Result<Change, Error> {
        if self.is_unknown() {
            return Ok(Change::Unknown);
        }
        let moved = self.of_start.with(&game_options(self.spec.protocol, values)?);
        if self.restart {
            let mut player = self.start(&moved)?;
            let searches = |stage| self.searches(&mut player, stage, &moved);
            let change = self.look(searches)?.change;
            player.quit();
            return Ok(change.unwrap_or(Change::NoOp));
        }
        let told = self.between_games(&moved)?;
        if told.change == Some(Change::Unknown) {
            return Ok(Change::Unknown);
        }
        if self.differs_from_started(&told, &moved)? {
            // What it has kept must not count against the next option.
            if let Some(player) = self.player.take() {
                player.quit();
            }
            return Ok(match told.change {
                Some(_) => Change::MixedBetweenGames,
                None => Change::ReadAtStart,
            });
        }
        if let Some(change) = told.change {
            return Ok(change);
        }
        let [plain, again] = [self.in_one_game(&self.of_start)?, self.in_one_game(&self.of_start)?];
        let plain = Plain::of(&[plain, again]);
        let forgotten = plain.difference(&self.in_one_game(&moved)?);
        Ok(match forgotten {
            Difference::Shown(_) => Change::ForgottenAtNewGame,
            Difference::Unknown => Change::Unknown,
            Difference::None => Change::NoOp,
        })
    }

    /// What is seen where the running program is told the values between two games.
    fn between_games(&mut self, moved: &GameOptions) -> Result<Look, Error> {
        let mut player = match self.player.take() {
            Some(player) => player,
            None => self.start(&self.of_start)?,
        };
        let look = self.look(|stage| self.in_turn(&mut player, stage, moved))?;
        self.player = Some(player);
        Ok(look)
    }

    /// Whether a program started with the values plays otherwise than one that is told them between
    /// two games.
    fn differs_from_started(&self, told: &Look, moved: &GameOptions) -> Result<bool, Error> {
        let stages = 0..told.seen.len();
        let started = || -> Result<Runs, Error> {
            let mut player = self.start(moved)?;
            let runs = stages.clone().map(|stage| self.searches(&mut player, stage, moved));
            let runs = runs.collect();
            player.quit();
            runs
        };
        let first = started()?;
        if self.apart([&told.seen], [&first], |_| 0) == 0 {
            return Ok(false);
        }
        // By chance, or by what is kept? Both again, in new processes.
        let anew = || -> Result<Runs, Error> {
            let mut player = self.start(&self.of_start)?;
            let runs = stages.clone().map(|stage| self.in_turn(&mut player, stage, moved));
            let runs = runs.collect();
            player.quit();
            runs
        };
        let (told, started) = ([anew()?, anew()?], [first, started()?]);
        let last = self.positions().saturating_sub(1);
        let spared = |plain: &Plain| (1 + plain.strayed() / STRAYED_TO_APART).min(last);
        Ok(self.apart(told.each_ref(), started.each_ref(), spared) > 0)
    }

    /// In how many positions two programs differ, each searched some times, beyond so many of each
    /// limit.
    fn apart<const N: usize>(
        &self,
        a: [&Runs; N],
        b: [&Runs; N],
        spared: impl Fn(&Plain) -> usize,
    ) -> usize {
        let of = |runs: [&Runs; N], stage: usize| Plain::of(&runs.map(|runs| runs[stage].clone()));
        let stages = self.plain.iter().enumerate().take(a[0].len());
        let apart = stages.map(|(stage, plain)| {
            plain.apart(&of(a, stage), &of(b, stage)).saturating_sub(spared(plain))
        });
        apart.sum()
    }

    /// Looks by one limit after the other, as far as the first difference.
    fn look(
        &self,
        mut searches: impl FnMut(usize) -> Result<Vec<Signature>, Error>,
    ) -> Result<Look, Error> {
        let mut look = Look { seen: Vec::new(), change: None };
        for (stage, plain) in self.plain.iter().enumerate() {
            let seen = searches(stage)?;
            let change = match plain.difference(&seen) {
                Difference::Shown(count) => Some(Change::Differs(self.limits[stage], count)),
                Difference::Unknown => Some(Change::Unknown),
                Difference::None => None,
            };
            look.seen.push(seen);
            if change.is_some() {
                return Ok(Look { change, ..look });
            }
        }
        Ok(look)
    }

    /// The first look without a word of new games; empty where the protocol has no such thing.
    fn in_one_game(&self, moved: &GameOptions) -> Result<Vec<Signature>, Error> {
        let mut player = self.start(&self.of_start)?;
        let changes = moved.changes(&self.of_start);
        if !changes.is_empty() {
            self.told(player.set_options(&changes), moved)?;
        }
        let limit = go(self.limits[0]);
        let mut signatures = Vec::with_capacity(self.positions.len());
        for (fen, turn) in &self.positions {
            if !self.told(player.continue_from(fen), moved)? {
                break;
            }
            signatures.push(self.told(signature(&mut player, *turn, &limit), moved)?);
        }
        player.quit();
        Ok(signatures)
    }

    /// All positions, each a game of its own.
    fn searches(
        &self,
        player: &mut External,
        stage: usize,
        options: &GameOptions,
    ) -> Result<Vec<Signature>, Error> {
        let each = self.positions.iter();
        each.map(|position| self.search(player, position, (stage, options))).collect()
    }

    /// All positions, each twice: in a game with the values at the start, then in one with others.
    /// So whatever the program keeps of the first game, it needs in the second.
    fn in_turn(
        &self,
        player: &mut External,
        stage: usize,
        moved: &GameOptions,
    ) -> Result<Vec<Signature>, Error> {
        let (there, back) = (moved.changes(&self.of_start), self.of_start.changes(moved));
        let search = |position: &(String, Color)| {
            self.search(player, position, (stage, &self.of_start))?;
            self.told(player.set_options(&there), moved)?;
            let found = self.search(player, position, (stage, moved))?;
            self.told(player.set_options(&back), &self.of_start)?;
            Ok(found)
        };
        self.positions.iter().map(search).collect()
    }

    fn search(
        &self,
        player: &mut External,
        (fen, turn): &(String, Color),
        (stage, options): (usize, &GameOptions),
    ) -> Result<Signature, Error> {
        let limit = go(self.limits[stage]);
        let found = player.new_game(fen, false).and_then(|()| signature(player, *turn, &limit));
        self.told(found, options)
    }

    fn start(&self, options: &GameOptions) -> Result<External, Error> {
        let spec = self.spec.clone().with_options(options.values());
        External::start(&spec, &self.host).map_err(|error| match error.kind {
            StartErrorKind::Options => Error::usage(format!("--base: {}", error.fault)),
            _ => Error::fault(format!("--base: {}", error.fault)),
        })
    }

    /// A fault of the engine as an error.
    fn told<T>(&self, result: Result<T, Fault>, options: &GameOptions) -> Result<T, Error> {
        result.map_err(|fault| {
            let values = options.values().map(|(name, value)| format!(",{name}={value}"));
            let player = format!("{}{}", self.spec.path.display(), values.collect::<String>());
            match fault {
                Fault::Lack(lack) => Error::input_output(lack),
                fault => Error::fault(fault),
            }
            .context(player)
        })
    }
}

/// By the limit of the games; where that is a time, by depth.
fn limits(limit: Limit) -> [ProbeLimit; 2] {
    match limit {
        Limit::Nodes(nodes) => {
            let first = nodes.min(FIRST_NODES);
            [first, first.saturating_mul(TIMES_NODES)].map(ProbeLimit::Nodes)
        }
        Limit::Depth(depth) => {
            let first = depth.min(FIRST_DEPTH);
            [first, first + MORE_DEPTH].map(ProbeLimit::Depth)
        }
        Limit::MovetimeMs(_) | Limit::Clock(_) => {
            [FIRST_DEPTH, FIRST_DEPTH + MORE_DEPTH].map(ProbeLimit::Depth)
        }
    }
}

fn go(limit: ProbeLimit) -> GoLimit {
    match limit {
        ProbeLimit::Depth(depth) => GoLimit::Depth(depth),
        ProbeLimit::Nodes(nodes) => GoLimit::Nodes(nodes),
    }
}

/// Those of the bench that the program can set up, else the start position.
fn positions(player: &External) -> Vec<(String, Color)> {
    let read = |fen: &&str| {
        let position = Position::from_fen(fen).ok().filter(|position| !position.is_chess960())?;
        // As programs have it: with its move counters.
        let fen = position.fen();
        let turn = if fen.split(' ').nth(1) == Some("b") { Color::Black } else { Color::White };
        player.refuses_start(&fen, false).is_none().then_some((fen, turn))
    };
    let positions: Vec<(String, Color)> = bench::POSITIONS.iter().filter_map(read).collect();
    if positions.is_empty() { vec![(START_FEN.to_owned(), Color::White)] } else { positions }
}

fn signature(player: &mut External, turn: Color, limit: &GoLimit) -> Result<Signature, Fault> {
    let thought = player.think(turn, "", limit)?;
    Ok((thought.best.to_string(), thought.score, thought.depth, thought.nodes))
}

/// Searches with other values.
struct Look {
    /// By the limits, as far as was looked.
    seen: Runs,
    /// `None` where nothing differs from the plain searches.
    change: Option<Change>,
}

/// Searches with nothing changed.
#[derive(Debug, Clone, Default)]
struct Plain {
    /// By position; `None` where the engine did not repeat itself.
    signatures: Vec<Option<Signature>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Difference {
    None,
    /// In so many positions.
    Shown(usize),
    /// In no more positions than the engine strays in by itself.
    Unknown,
}

impl Plain {
    fn of(runs: &[Vec<Signature>]) -> Plain {
        let Some((first, others)) = runs.split_first() else { return Plain::default() };
        let of = |(place, signature): (usize, &Signature)| {
            let is_again = others.iter().all(|run| run.get(place) == Some(signature));
            is_again.then(|| signature.clone())
        };
        Plain { signatures: first.iter().enumerate().map(of).collect() }
    }

    /// In how many positions two programs, each of which repeats itself there, differ; without those
    /// in which the engine has strayed in these searches.
    fn apart(&self, a: &Plain, b: &Plain) -> usize {
        let each = self.signatures.iter().zip(&a.signatures).zip(&b.signatures);
        let differs = |((own, a), b): &((&Option<_>, &Option<Signature>), &Option<Signature>)| {
            own.is_some() && a.is_some() && b.is_some() && a != b
        };
        each.filter(differs).count()
    }

    fn strayed(&self) -> usize {
        self.signatures.iter().filter(|signature| signature.is_none()).count()
    }

    fn difference(&self, found: &[Signature]) -> Difference {
        let each = self.signatures.iter().zip(found);
        let differs = |(plain, found): &(&Option<Signature>, &Signature)| {
            plain.as_ref().is_some_and(|plain| plain != *found)
        };
        match each.filter(differs).count() {
            0 => Difference::None,
            count if count > self.strayed() => Difference::Shown(count),
            _ => Difference::Unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_strays_by_itself_shows_nothing() {
        let run = |nodes: [u64; 4]| -> Vec<Signature> {
            nodes.into_iter().map(|nodes| ("e2e4".to_owned(), None, 1, nodes)).collect()
        };
        let plain = Plain::of(&[run([1, 2, 3, 4]), run([1, 2, 3, 9]), run([1, 2, 3, 4])]);
        assert_eq!(plain.strayed(), 1);
        for (nodes, expected) in [
            ([1, 2, 3, 4], Difference::None),
            ([1, 2, 3, 7], Difference::None),
            ([1, 2, 0, 7], Difference::Unknown),
            ([1, 0, 0, 4], Difference::Shown(2)),
        ] {
            assert_eq!(plain.difference(&run(nodes)), expected, "{nodes:?}");
        }
    }

    #[test]
    fn the_first_look_is_cheap() {
        let nodes = |nodes| limits(Limit::Nodes(nodes));
        assert_eq!(nodes(300), [ProbeLimit::Nodes(300), ProbeLimit::Nodes(2_400)]);
        assert_eq!(nodes(1_000_000)[0], ProbeLimit::Nodes(FIRST_NODES));
        assert_eq!(limits(Limit::Depth(3)), [ProbeLimit::Depth(3), ProbeLimit::Depth(5)]);
        assert_eq!(limits(Limit::MovetimeMs(9))[0], ProbeLimit::Depth(FIRST_DEPTH));
    }
}
