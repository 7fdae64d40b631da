//! What a bisection needs next.

use std::ops::RangeInclusive;
use std::path::Path;

use super::BisectFile;
use super::halving::{Halving, HalvingStep};
use super::steps::{self, Step};
use arena::record::{GAMES_FILE, Games, MatchState, PairStatus, RecordError};
use stats::culprit::{CulpritSearch, NextStep, Posterior};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Need {
    Build(usize),
    /// The first pairs of a version's match, so many.
    Pairs(usize, u64),
    /// The verdict of a version's match.
    Verdict(usize),
    Ended(Ending),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// One of these commits; where there are several, none between them could play.
    Found(RangeInclusive<usize>),
    /// None lost as much.
    NoLoss,
    /// All pairs that could tell more are played.
    Stuck,
}

enum Method {
    Posterior(Box<CulpritSearch>),
    Halving(Halving),
}

/// What is known of a version.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Known {
    pub is_built: bool,
    pub bench: Option<u64>,
    /// Why it was passed over.
    pub passed_over: Option<String>,
    /// An earlier version that has its bench, where games then are the same.
    pub same_as: Option<usize>,
    /// Pairs taken into account.
    pub looked: u64,
}

pub struct Search {
    method: Method,
    /// Of every version, the good one first.
    versions: Vec<Known>,
    /// The half points of each version's pairs as they were played; `None`: a pair that says nothing
    /// new.
    played: Vec<Vec<Option<u8>>>,
    /// What was done, and how much of it is taken into account.
    steps: Vec<Step>,
    replayed: usize,
    /// Of each version's match.
    max_pairs: u64,
    /// Whether versions of one bench play alike: where time counts, their speed may differ.
    bench_tells: bool,
}

impl Search {
    pub fn new(file: &BisectFile) -> Search {
        let changes = file.last();
        let method = match file.rule {
            Some(_) => Method::Halving(Halving::new(changes)),
            None => Method::Posterior(Box::new(CulpritSearch::new(changes, file.terms()))),
        };
        Search {
            method,
            versions: vec![Known::default(); changes + 1],
            played: vec![Vec::new(); changes + 1],
            steps: Vec::new(),
            replayed: 0,
            max_pairs: file.plan.pairs,
            bench_tells: file.plan.repeats_itself(),
        }
    }

    /// The search in a bisection's folder, with all that was done.
    pub fn read(file: &BisectFile, dir: &Path) -> Result<Search, RecordError> {
        let mut search = Search::new(file);
        search.steps = steps::read(dir, file.last())?;
        for version in 1..=file.last() {
            let run = file.run(dir, version);
            if !run.join(GAMES_FILE).is_file() {
                continue;
            }
            let mut state = MatchState::default();
            for game in Games::open(&run)? {
                // Resuming the run reports a game that is there twice.
                for pair in state.add(&game?).unwrap_or_default() {
                    search.add(version, pair.half_points, pair.pair_status);
                }
            }
        }
        search.need();
        Ok(search)
    }

    pub fn write(&self, dir: &Path) -> Result<(), RecordError> {
        steps::write(dir, &self.steps)
    }

    pub fn versions(&self) -> &[Known] {
        &self.versions
    }

    /// Adds the next pair of a version's match.
    pub fn add(&mut self, version: usize, half_points: [u8; 2], status: PairStatus) {
        let half_points = half_points.iter().sum();
        self.played[version].push((status == PairStatus::New).then_some(half_points));
    }

    /// Pairs of a version that were played; not all of them may count yet.
    pub fn played(&self, version: usize) -> u64 {
        self.played[version].len() as u64
    }

    /// The half points of its pairs that count and say something new.
    pub(super) fn pairs(&self, version: usize) -> impl Iterator<Item = u8> {
        let counted = match self.method {
            Method::Posterior(_) => self.versions[version].looked as usize,
            Method::Halving(_) => usize::MAX,
        };
        self.played[version].iter().take(counted).flatten().copied()
    }

    pub fn built(&mut self, version: usize, bench: Option<u64>) {
        self.did(Step::Built { version, bench });
    }

    pub fn pass_over(&mut self, version: usize, why: String) {
        self.did(Step::PassedOver { version, why });
    }

    /// By plain halving, the match of a version is decided: whether it has lost Elo.
    pub fn judged(&mut self, version: usize, lost: bool) {
        self.did(Step::Judged { version, lost });
    }

    fn did(&mut self, step: Step) {
        self.take(&step);
        self.steps.push(step);
        self.replayed = self.steps.len();
    }

    /// What is needed next, after all is taken into account that is there.
    pub fn need(&mut self) -> Need {
        loop {
            if let Some(step) = self.steps.get(self.replayed).cloned() {
                if let Step::Looked { version, pairs } = step
                    && self.played(version) < pairs
                {
                    return Need::Pairs(version, pairs);
                }
                self.take(&step);
                self.replayed += 1;
                continue;
            }
            let (version, pairs) = match &self.method {
                Method::Posterior(search) => match search.next() {
                    NextStep::Play { version, pairs } => (version, Some(pairs)),
                    NextStep::Found(changes) => return Need::Ended(Ending::Found(changes)),
                    NextStep::NoLoss => return Need::Ended(Ending::NoLoss),
                    NextStep::Stuck => return Need::Ended(Ending::Stuck),
                },
                Method::Halving(halving) => match halving.next() {
                    HalvingStep::Match(version) => (version, None),
                    HalvingStep::NoLoss => return Need::Ended(Ending::NoLoss),
                    HalvingStep::Stuck => return Need::Ended(Ending::Stuck),
                    HalvingStep::Found(changes) => return Need::Ended(Ending::Found(changes)),
                },
            };
            if !self.versions[version].is_built {
                return Need::Build(version);
            }
            let Some(pairs) = pairs else { return Need::Verdict(version) };
            let pairs = self.versions[version].looked.saturating_add(pairs).min(self.max_pairs);
            if self.played(version) < pairs {
                return Need::Pairs(version, pairs);
            }
            self.did(Step::Looked { version, pairs });
        }
    }

    fn take(&mut self, step: &Step) {
        match *step {
            Step::Built { version, bench } => self.take_build(version, bench),
            Step::PassedOver { version, ref why } => {
                self.versions[version].passed_over = Some(why.clone());
                match &mut self.method {
                    Method::Posterior(search) => search.pass_over(version),
                    Method::Halving(halving) => halving.pass_over(version),
                }
            }
            Step::Looked { version, pairs } => {
                let looked = std::mem::replace(&mut self.versions[version].looked, pairs);
                let Method::Posterior(search) = &mut self.method else { return };
                let new = looked as usize..(pairs as usize).min(self.played[version].len());
                let new = self.played[version].get(new).unwrap_or_default();
                new.iter().flatten().for_each(|half_points| search.add(version, *half_points));
                if pairs >= self.max_pairs {
                    search.exhaust(version);
                }
            }
            Step::Judged { version, lost } => {
                if let Method::Halving(halving) = &mut self.method {
                    halving.judge(version, lost);
                }
            }
        }
    }

    fn take_build(&mut self, version: usize, bench: Option<u64>) {
        self.versions[version].is_built = true;
        self.versions[version].bench = bench;
        let Some(bench) = bench.filter(|_| self.bench_tells) else { return };
        let others = 0..self.versions.len();
        for other in others.filter(|other| *other != version) {
            if self.versions[other].bench != Some(bench) {
                continue;
            }
            let (first, last) = (version.min(other), version.max(other));
            self.versions[last].same_as.get_or_insert(first);
            match &mut self.method {
                Method::Posterior(search) => search.same(first, last),
                Method::Halving(halving) => halving.same(first, last),
            }
        }
    }

    /// `None` with plain halving.
    pub fn posterior(&self) -> Option<Posterior> {
        match &self.method {
            Method::Posterior(search) => Some(search.posterior()),
            Method::Halving(_) => None,
        }
    }

    /// Whether a commit may have lost the Elo: a build has not shown that it changes nothing.
    pub fn is_candidate(&self, version: usize) -> bool {
        match &self.method {
            Method::Posterior(search) => search.is_candidate(version),
            Method::Halving(_) => self.versions[version].same_as.is_none_or(|it| it + 1 < version),
        }
    }
}
