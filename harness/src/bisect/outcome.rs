//! What came of a bisection so far.

use std::path::Path;

use serde::Serialize;

use super::{BisectFile, Ending, Need, Search};
use arena::build::fork;
use stats::culprit::Posterior;
use stats::{Pentanomial, display_elo};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// One commit is named.
    Found,
    /// Several are, which nothing tells apart: those between them do not play.
    OneOf,
    NoLoss,
    /// All pairs are played, and they do not tell.
    Undecided,
    Unfinished,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RowState {
    /// The one that all others play against.
    Good,
    Played,
    /// Built for its bench only.
    Built,
    /// Its bench is that of an earlier one.
    Same,
    PassedOver,
    /// Neither built nor played.
    Untouched,
}

/// A commit.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// Place on the line, the good one 0.
    pub number: usize,
    pub commit: String,
    pub subject: String,
    pub author: String,
    pub date: String,
    pub is_merge: bool,
    pub state: RowState,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bench: Option<u64>,
    /// Why it was passed over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// That it lost the Elo, 0 to 1; absent with plain halving.
    pub probability: Option<f64>,
    /// Pairs against the good one that count.
    pub pairs: u64,
    /// Pairs by this commit's score 0, ½, 1, 1½, 2.
    pub ptnml: [u64; 5],
    /// Against the good one.
    pub elo: Option<f64>,
    pub elo_error95: Option<f64>,
    /// Of its match, inside the bisection's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Outcome {
    pub state: State,
    /// Whether nothing is left to do.
    pub over: bool,
    /// Numbers of the commits that are named.
    pub named: Vec<usize>,
    /// That the loss is in one of them; absent with plain halving.
    pub probability: Option<f64>,
    pub probability_of_no_loss: Option<f64>,
    /// Mean of the posterior, in Elo, above 0.
    pub loss: Option<f64>,
    /// What each other commit does, a standard deviation in Elo: as told, or as the results say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub others_likely: Option<f64>,
    /// Of all matches.
    pub pairs: u64,
    /// Where the branch begins that the one named commit has merged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fork: Option<String>,
    pub commits: Vec<Row>,
}

impl Outcome {
    pub fn new(file: &BisectFile, search: &mut Search, dir: &Path) -> Outcome {
        let need = search.need();
        let posterior = search.posterior();
        let rows =
            (0..=file.last()).map(|version| row(file, search, posterior.as_ref(), dir, version));
        let commits: Vec<Row> = rows.collect();
        let (state, range) = match need {
            Need::Ended(Ending::Found(changes)) => (State::Found, Some(changes)),
            Need::Ended(Ending::NoLoss) => (State::NoLoss, None),
            Need::Ended(Ending::Stuck) => (State::Undecided, None),
            _ => (State::Unfinished, None),
        };
        let named = range.into_iter().flatten().filter(|version| search.is_candidate(*version));
        let named: Vec<usize> = named.collect();
        let state = if named.len() > 1 { State::OneOf } else { state };
        let probability = posterior
            .as_ref()
            .map(|it| named.iter().filter_map(|version| it.changes.get(version - 1)).sum::<f64>());
        let merge = match named[..] {
            [only] => file.commits.get(only).filter(|commit| commit.is_merge()),
            _ => None,
        };
        Outcome {
            state,
            over: state != State::Unfinished,
            probability: probability.filter(|_| !named.is_empty()),
            probability_of_no_loss: posterior.as_ref().map(|it| it.none),
            loss: posterior.as_ref().map(|it| it.loss),
            others_likely: posterior.as_ref().map(|it| it.drift),
            pairs: commits.iter().map(|row| row.pairs).sum(),
            fork: merge.and_then(|merge| fork(merge, &file.repo)),
            named,
            commits,
        }
    }

    /// 0: commits are named; 1: none lost as much; 2: undecided or unfinished.
    pub fn exit_code(&self) -> u8 {
        match self.state {
            State::Found | State::OneOf => 0,
            State::NoLoss => 1,
            State::Undecided | State::Unfinished => 2,
        }
    }

    /// The commit that is likeliest to have lost the Elo.
    pub fn likeliest(&self) -> Option<&Row> {
        let known = self.commits.iter().filter(|row| row.probability.is_some());
        known
            .rev()
            .max_by(|a, b| a.probability.unwrap_or(0.0).total_cmp(&b.probability.unwrap_or(0.0)))
    }
}

fn row(
    file: &BisectFile,
    search: &Search,
    posterior: Option<&Posterior>,
    dir: &Path,
    version: usize,
) -> Row {
    let known = &search.versions()[version];
    let commit = &file.commits[version];
    let pairs = search.counted(version);
    let elo = display_elo(&pairs);
    let is_played = pairs.pairs() > 0;
    let state = match known {
        _ if version == 0 => RowState::Good,
        known if known.passed_over.is_some() => RowState::PassedOver,
        _ if is_played => RowState::Played,
        known if known.same_as.is_some() => RowState::Same,
        known if known.is_built => RowState::Built,
        _ => RowState::Untouched,
    };
    let folder = file.folder(version);
    Row {
        number: version,
        commit: commit.commit.clone(),
        subject: commit.subject.clone(),
        author: commit.author.clone(),
        date: commit.date.clone(),
        is_merge: commit.is_merge(),
        state,
        bench: known.bench,
        why: known.passed_over.clone(),
        probability: posterior
            .filter(|_| version > 0)
            .and_then(|it| it.changes.get(version - 1).copied()),
        pairs: pairs.pairs(),
        ptnml: pairs.into(),
        elo: elo.elo.ok(),
        elo_error95: elo.error95.ok(),
        folder: dir.join(&folder).is_dir().then_some(folder),
    }
}

impl Search {
    /// Pairs of a version that were played and say something new.
    fn counted(&self, version: usize) -> Pentanomial {
        let mut pairs = Pentanomial::default();
        self.pairs(version).for_each(|half_points| pairs.add_pair(half_points));
        pairs
    }
}
