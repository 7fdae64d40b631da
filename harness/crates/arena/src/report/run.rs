//! A run as summary and page know it, gathered in one pass over its journal.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::openings::OpeningResults;
use super::pace::PaceByMove;
use super::path::Thinned;
use crate::collector::Ruling;
use crate::record::{
    Brief, Charged, CountedPair, FleetFacts, FleetSummary, GameRecord, Games, MatchState,
    PairStatus, RUN_FILE, RecordError, RunFile, Summary, Tally, Termination, Torn, Workers,
};
use process::Error;
use stats::{Rule, Wdl};

const FAULTS_LISTED: usize = 20;
/// Of a fault's text.
const DETAIL_CHARS: usize = 300;

/// Memory: what [`Tally`] keeps to find equal games, some 150 bytes an opening, and a few dozen a
/// game that waits for an earlier pair; nothing else grows with the run.
pub struct RunResults {
    pub(super) name: String,
    dir: PathBuf,
    pub file: RunFile,
    pub terms: VerdictTerms,
    /// The counts behind the summary.
    pub(super) tally: Tally,
    /// How the counts grew.
    pub(super) path: Thinned<CountedPair>,
    pub(super) openings: OpeningResults,
    /// Games by full moves.
    pub(super) lengths: BTreeMap<u32, u64>,
    /// With the white and with the black men.
    pub(super) by_color: [Wdl; 2],
    pub(super) pace: PaceByMove,
    /// The first ones, by game.
    pub(super) faults: BTreeMap<u64, RecordedFault>,
    pub(super) torn: Option<Torn>,
    /// What was known of its machines when it was opened.
    pub(super) fleet: FleetFacts,
    workers: Workers,
}

pub(super) struct RecordedFault {
    pub(super) termination: Termination,
    pub(super) charged: Charged,
    pub(super) detail: String,
}

/// What the plan says of the verdict.
#[derive(Clone, Copy, Deserialize)]
pub struct VerdictTerms {
    pub rule: Rule,
    /// Pairs at most.
    pub pairs: u64,
    /// The share of faults, 0 to 1, that makes the run void.
    #[serde(default)]
    pub max_faults: Option<f64>,
}

impl RunResults {
    /// The run in `dir` before its games are read.
    pub fn new(dir: &Path, name: &str, file: RunFile) -> Result<RunResults, Error> {
        let terms = VerdictTerms::deserialize(&file.plan).map_err(|error| {
            Error::input_output(format!(
                "{}: run.json holds no plan with a rule and a number of pairs: {error}",
                dir.display()
            ))
        })?;
        Ok(RunResults {
            name: name.to_owned(),
            dir: dir.to_owned(),
            file,
            terms,
            tally: Tally::new(terms.rule, terms.pairs),
            path: Thinned::default(),
            openings: OpeningResults::default(),
            lengths: BTreeMap::new(),
            by_color: [Wdl::default(); 2],
            pace: PaceByMove::default(),
            faults: BTreeMap::new(),
            torn: None,
            fleet: FleetFacts::read(dir)?,
            workers: Workers::default(),
        })
    }

    /// Forgets all games.
    pub fn begin_again(&mut self) -> Result<(), Error> {
        *self = RunResults::new(&self.dir, &self.name, self.file.clone())?;
        Ok(())
    }

    pub fn read(dir: &Path, name: &str) -> Result<RunResults, Error> {
        if !dir.join(RUN_FILE).is_file() {
            return Err(Error::input_output(format!(
                "{}: no run is recorded there: expected a folder with run.json and games.jsonl",
                dir.display()
            )));
        }
        Ok(RunResults::new(dir, name, RunFile::read(dir)?)?.with_games(dir)?)
    }

    /// Reads the journal in `dir`.
    pub fn with_games(mut self, dir: &Path) -> Result<RunResults, RecordError> {
        let mut games = Games::open(dir)?;
        for game in &mut games {
            self.add(&game?)?;
        }
        self.torn = games.torn();
        Ok(self)
    }

    pub fn add(&mut self, game: &GameRecord) -> Result<(), RecordError> {
        self.pace.add(game);
        self.note_fault(game);
        self.workers.add(game);
        for (pair, games) in self.tally.add(game)? {
            self.count(pair, games);
        }
        Ok(())
    }

    pub fn is_decided(&self) -> bool {
        self.tally.state.judgement().verdict().is_some()
    }

    /// Whether what has decided is still to be compared with what other machines play.
    pub fn is_doubted(&self) -> bool {
        self.fleet.doubted_from().is_some_and(|pair| pair < self.tally.state.pairs())
    }

    /// `None` of a run that no fleet has played.
    pub fn fleet(&self) -> Option<FleetSummary> {
        FleetSummary::of(&self.fleet, self.workers.rows())
    }

    /// What counts so far.
    pub fn match_state(&self) -> &MatchState<Brief> {
        &self.tally.state
    }

    pub fn ruling(&self) -> Ruling {
        Ruling::of(&self.tally, self.terms.max_faults)
    }

    pub fn summary(&self) -> Summary {
        let judged = self.ruling().judged(&self.tally);
        Summary { fleet: self.fleet(), ..Summary::new(&self.name, &self.file, &self.tally, judged) }
    }

    fn count(&mut self, pair: CountedPair, games: [Brief; 2]) {
        if pair.pair_status == PairStatus::Void {
            return;
        }
        self.path.push(pair);
        for ((game, key), half_points) in games.iter().zip(pair.keys).zip(pair.half_points) {
            *self.lengths.entry(game.plies.div_ceil(2)).or_default() += 1;
            let [white, black] = &mut self.by_color;
            if key.test_is_white { white } else { black }.add_game(half_points);
        }
        if pair.pair_status == PairStatus::New {
            let white = games.iter().map(|game| game.white_half_points).sum();
            let [Brief { opening, start, .. }, _] = games;
            self.openings.add(opening, start, pair.half_points.iter().sum(), white);
        }
    }

    fn note_fault(&mut self, game: &GameRecord) {
        let Some(charged) = game.charged() else { return };
        let detail = game.detail.as_deref().unwrap_or_default();
        let detail = detail.chars().take(DETAIL_CHARS).collect();
        let fault = RecordedFault { termination: game.termination, charged, detail };
        self.faults.insert(game.game, fault);
        if self.faults.len() > FAULTS_LISTED {
            self.faults.pop_last();
        }
    }
}
