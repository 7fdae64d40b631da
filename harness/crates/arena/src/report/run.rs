//! What a report knows of a run, gathered in one pass over its journal.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;

use super::ReportError;
use super::openings::Openings;
use super::pace::Pace;
use super::path::Thinned;
use crate::collector::{Counted, MatchState, Ruling};
use crate::record::{
    Charged, DuplicatePair, GameRecord, Games, PairJoiner, PairStatus, Prefix, RUN_FILE, RunFile,
    Side, Tally, Termination, Torn,
};
use stats::{Rule, Wdl};

const FAULTS_TOLD: usize = 20;
/// Of a fault's text.
const DETAIL_CHARS: usize = 300;

/// Memory: what [`MatchState`] and [`Tally`] keep to find equal games, some 150 bytes an opening,
/// and a few dozen a game that waits for an earlier pair; nothing else grows with the run.
pub(super) struct Run {
    pub(super) name: String,
    pub(super) file: RunFile,
    pub(super) rule: Rule,
    /// Pairs at most.
    pub(super) planned: u64,
    /// The share of faults, 0 to 1, that makes it void.
    max_faults: Option<f64>,
    pub(super) standing: MatchState,
    /// The counts behind the summary.
    pub(super) tally: Tally,
    /// How the counts grew.
    pub(super) path: Vec<Counted>,
    pub(super) openings: Openings,
    /// Games by full moves.
    pub(super) lengths: BTreeMap<u32, u64>,
    /// With the white and with the black men.
    pub(super) by_color: [Wdl; 2],
    pub(super) pace: Pace,
    /// The first ones, by game.
    pub(super) faults: BTreeMap<u64, Fault>,
    pub(super) torn: Option<Torn>,
}

pub(super) struct Fault {
    pub(super) termination: Termination,
    pub(super) charged: Charged,
    pub(super) detail: String,
}

/// What the plan says of the verdict.
#[derive(Deserialize)]
struct Terms {
    rule: Rule,
    pairs: u64,
    #[serde(default)]
    max_faults: Option<f64>,
}

/// What is kept of a game until its pair counts.
struct Brief {
    opening: usize,
    start: String,
    plies: u32,
    white_half_points: u8,
    test_is_white: bool,
}

impl Brief {
    fn of(game: &GameRecord) -> Brief {
        let mut start = game.fen.clone();
        for mv in game.moves.split_ascii_whitespace().take(game.book_plies as usize) {
            start.push(' ');
            start.push_str(mv);
        }
        Brief {
            opening: game.opening,
            start,
            plies: game.plies,
            white_half_points: game.result.half_points(true),
            test_is_white: game.white == Side::Test,
        }
    }
}

impl Run {
    pub(super) fn read(dir: &Path, name: &str) -> Result<Run, ReportError> {
        if !dir.join(RUN_FILE).is_file() {
            return Err(ReportError::NoRun { dir: dir.to_owned() });
        }
        let file = RunFile::read(dir)?;
        let terms = Terms::deserialize(&file.plan)
            .map_err(|source| ReportError::Plan { dir: dir.to_owned(), source })?;
        let mut gathering = Gathering::new(name, file, &terms);
        let mut games = Games::open(dir)?;
        for game in &mut games {
            gathering
                .add(&game?)
                .map_err(|source| ReportError::Duplicate { dir: dir.to_owned(), source })?;
        }
        Ok(gathering.finish(games.torn()))
    }

    pub(super) fn ruling(&self) -> Ruling {
        Ruling::of(self.standing.judgement(), &self.tally, self.max_faults)
    }
}

struct Gathering {
    run: Run,
    path: Thinned<Counted>,
    halves: PairJoiner<Brief>,
    prefix: Prefix<[Brief; 2]>,
}

impl Gathering {
    fn new(name: &str, file: RunFile, terms: &Terms) -> Gathering {
        let run = Run {
            name: name.to_owned(),
            file,
            rule: terms.rule,
            planned: terms.pairs,
            max_faults: terms.max_faults,
            standing: MatchState::new(terms.rule, terms.pairs),
            tally: Tally::new(None),
            path: Vec::new(),
            openings: Openings::default(),
            lengths: BTreeMap::new(),
            by_color: [Wdl::default(); 2],
            pace: Pace::default(),
            faults: BTreeMap::new(),
            torn: None,
        };
        let (halves, prefix) = (PairJoiner::default(), Prefix::default());
        Gathering { run, path: Thinned::default(), halves, prefix }
    }

    fn add(&mut self, game: &GameRecord) -> Result<(), DuplicatePair> {
        let was_decided = self.is_decided();
        let mut counted = Vec::new();
        self.run.standing.add_each(game, |pair| counted.push(pair))?;
        if self.is_decided() {
            self.run.tally.limit_to(self.run.standing.pairs());
        }
        self.run.tally.add(game);
        self.run.pace.add(game);
        self.note_fault(game);
        if was_decided {
            return Ok(());
        }
        let Some(pair) = self.halves.add(game.game, Brief::of(game)) else { return Ok(()) };
        // The same pairs as the standing's, which leaves out those beyond the deciding one.
        let ready = self.prefix.add(game.pair, pair)?;
        for (counted, (_, pair)) in counted.into_iter().zip(ready) {
            self.count(counted, pair);
        }
        Ok(())
    }

    fn is_decided(&self) -> bool {
        self.run.standing.judgement().verdict().is_some()
    }

    fn count(&mut self, counted: Counted, pair: [Brief; 2]) {
        if counted.novelty == PairStatus::Void {
            return;
        }
        self.path.push(counted);
        for (game, half_points) in pair.iter().zip(counted.half_points) {
            *self.run.lengths.entry(game.plies.div_ceil(2)).or_default() += 1;
            let [white, black] = &mut self.run.by_color;
            if game.test_is_white { white } else { black }.add_game(half_points);
        }
        if counted.novelty == PairStatus::New {
            let white = pair.iter().map(|game| game.white_half_points).sum();
            let [Brief { opening, start, .. }, _] = pair;
            self.run.openings.add(opening, start, counted.half_points.iter().sum(), white);
        }
    }

    fn note_fault(&mut self, game: &GameRecord) {
        let Some(charged) = game.charged() else { return };
        let detail = game.detail.as_deref().unwrap_or_default();
        let detail = detail.chars().take(DETAIL_CHARS).collect();
        let fault = Fault { termination: game.termination, charged, detail };
        self.run.faults.insert(game.game, fault);
        if self.run.faults.len() > FAULTS_TOLD {
            self.run.faults.pop_last();
        }
    }

    fn finish(self, torn: Option<Torn>) -> Run {
        Run { path: self.path.finish(), torn, ..self.run }
    }
}
