//! `summary.json`: the results of a run for programs.

use std::collections::BTreeMap;
use std::path::Path;

use charts::numbers::counted;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::audits::AuditSummary;
use super::tally::{Faults, Tally, Twins};
use super::workers::{ODD, WorkerResults};
use super::{
    BySide, FinalVerdict, FleetFacts, Identity, Oversubscribed, PvCounts, RecordError, RunFile,
    SUMMARY_FILE, SUMMARY_MD_FILE, Side, Termination, atomic, faults_line, markdown, read_json,
    write_json,
};
use crate::is_default;
use stats::{Pentanomial, Wdl};

/// What the statistics say of the counts. Elo is test minus base.
///
/// An undefined number is `None`, with the reason in `why` under its name. It also reads from any
/// JSON with these keys, such as `verdict stats --json` prints.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SummaryStatistics {
    /// Logistic Elo.
    pub elo: Option<f64>,
    /// Half the width of its 95% interval.
    pub elo_error95: Option<f64>,
    /// The interval that holds at every look; an open end is `None`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elo_anytime95: Option<[Option<f64>; 2]>,
    /// Normalized Elo.
    pub nelo: Option<f64>,
    pub nelo_error95: Option<f64>,
    /// Likelihood of superiority of test, 0 to 1.
    pub los: Option<f64>,
    pub llr: Option<f64>,
    /// Reject at or below the first, accept at or above the second.
    pub llr_bounds: Option<[f64; 2]>,
    /// Natural logarithms of the e-values for test the better and for test the worse; only under
    /// the rule `anytime`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<[f64; 2]>,
    /// The median-unbiased estimate: without the bias that early stopping brings.
    #[serde(default)]
    pub elo_unbiased: Option<f64>,
    #[serde(default)]
    pub elo_unbiased_ci95: Option<[f64; 2]>,
    /// Absent before the run has ended.
    pub verdict: Option<FinalVerdict>,
    /// Why faults make the verdict void, if they do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub void: Option<String>,
    /// Why a number is undefined, by its name; under `verdict`, the reason of the verdict.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub why: BTreeMap<String, String>,
}

impl SummaryStatistics {
    pub fn words(&self) -> String {
        let elo = match (self.elo, self.elo_error95) {
            (Some(elo), Some(error)) => format!("{elo:+.1} ± {error:.1} Elo"),
            (Some(elo), None) => format!("{elo:+.1} Elo"),
            (None, _) => "Elo undefined".to_owned(),
        };
        format!("{elo}, {}", self.verdict.map_or("not finished", FinalVerdict::as_str))
    }

    /// Summaries of older versions call a void run `UNDECIDED`. Its reason is in `void` or in
    /// `why.verdict`; a run that is `UNDECIDED` by its rule has neither.
    fn of_any_age(mut self) -> SummaryStatistics {
        if self.verdict == Some(FinalVerdict::Undecided) {
            let older = || self.why.get("verdict").cloned();
            self.void = self.void.take().or_else(older);
        }
        if self.void.is_some() {
            self.verdict = Some(FinalVerdict::Void);
        }
        self
    }
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PlayerSummary {
    /// As in the PGN.
    pub label: String,
    #[serde(flatten)]
    pub identity: Identity,
    /// Over all recorded games and thinking time.
    pub nodes_per_second: Option<f64>,
    /// After the book, over all recorded games.
    #[serde(default)]
    pub nodes_per_move: Option<f64>,
}

impl PlayerSummary {
    /// Whether it takes less than a quarter or more than four times the nodes of its limit.
    pub fn ignores_nodes(&self) -> bool {
        const FACTOR: f64 = 4.0;
        let limit = self.identity.limit.strip_prefix("nodes=").and_then(|nodes| nodes.parse().ok());
        let (Some(limit), Some(taken)) = (limit, self.nodes_per_move) else { return false };
        taken * FACTOR < limit || taken > FACTOR * limit
    }
}

/// Recorded games that do not count.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Beyond {
    /// Beyond the deciding pair or a gap.
    pub pairs: u64,
    /// Their games, and games whose partner is missing.
    pub games: u64,
}

/// Shares are 0 to 1.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Details {
    pub name: String,
    pub created: String,
    /// [`RunFile::conditions`].
    pub conditions: String,
    /// As `--rule` takes it; empty where the plan names none.
    #[serde(default)]
    pub rule: String,
    pub beyond: Beyond,
    /// Without repeated pairs.
    pub effective_ptnml: [u64; 5],
    /// By the reason they ended.
    pub terminations: BTreeMap<String, u64>,
    /// White's share of all points.
    pub white_score: Option<f64>,
    /// Pairs by White's score 0, ½, 1, 1½, 2.
    #[serde(default)]
    pub white_ptnml: [u64; 5],
    /// Pairs in which one colour won both games: there the opening decided.
    #[serde(default)]
    pub decided_by_opening: Option<f64>,
    #[serde(default)]
    pub time_loss_share: Option<f64>,
    pub draw_share: Option<f64>,
    /// Book plies included.
    pub average_plies: Option<f64>,
    /// Different openings played.
    pub openings: u64,
    /// Bad entries of a large book that were passed over.
    #[serde(default)]
    pub passed_over: u64,
    /// Of both players.
    pub nodes: u64,
    /// Seconds with at least one game under way.
    pub active_s: f64,
    /// All recorded games over that time.
    pub games_per_s: Option<f64>,
}

/// What was found out about the machines of a fleet.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct FleetSummary {
    /// Played by two machines and compared.
    pub audited_pairs: u64,
    /// Still to be compared.
    pub unaudited_pairs: u64,
    /// Games of convicted workers that were taken out of the journal, and played anew.
    pub struck_games: u64,
    /// Why, by worker.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub convicted: BTreeMap<String, String>,
    /// Why nothing is compared any more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub audits_ended: Option<String>,
    /// Pairs on a clock that a worker had begun and that were drawn anew: long games are hit more often.
    #[serde(default)]
    pub redrawn_pairs: u64,
    /// Of all recorded games.
    #[serde(default)]
    pub workers: Vec<WorkerResults>,
}

impl FleetSummary {
    /// `None` of a run that no fleet has played.
    pub fn of(facts: &FleetFacts, workers: Vec<WorkerResults>) -> Option<FleetSummary> {
        let is_fleet = *facts != FleetFacts::default() || !workers.is_empty();
        is_fleet.then(|| FleetSummary {
            audited_pairs: facts.audited_pairs(),
            unaudited_pairs: facts.due.values().map(|pairs| u64::from(*pairs)).sum(),
            struck_games: 2 * facts.struck_pairs,
            convicted: facts.convicted.clone(),
            audits_ended: facts.lapsed.clone(),
            redrawn_pairs: facts.redrawn,
            workers,
        })
    }

    /// In sentences.
    pub fn words(&self) -> String {
        let FleetSummary { audited_pairs, unaudited_pairs, struck_games, .. } = self;
        let mut words =
            format!("Played by two machines and compared: {}.", counted(*audited_pairs, "pair"));
        if *unaudited_pairs > 0 {
            words += &format!(
                " Chosen for that and not compared: {}.",
                counted(*unaudited_pairs, "pair")
            );
        }
        for (worker, why) in &self.convicted {
            words += &format!(" {worker} was convicted: {why}.");
        }
        if !self.convicted.is_empty() {
            words += &format!(
                " Struck and played anew: {} of convicted workers.",
                counted(*struck_games, "game")
            );
        }
        if self.redrawn_pairs > 0 {
            words += &format!(
                " Begun by a lost worker and drawn anew: {}.",
                counted(self.redrawn_pairs, "pair")
            );
        }
        for worker in &self.workers {
            if let Some(p) = worker.p.filter(|p| *p < ODD) {
                words += &format!(
                    " The results of {} are unlike those of all others (p = {p:.4}, corrected for the \
                     number of machines); that alone proves nothing, and its games count.",
                    worker.name()
                );
            }
        }
        if let Some(why) = &self.audits_ended {
            words += &format!(" Nothing was compared any more then: {why}.");
        }
        words
    }
}

/// The content of `summary.json`. Counts are over the gap-free prefix of pairs up to the deciding
/// one; only the faults are those of all recorded games.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    pub pairs: u64,
    pub games: u64,
    pub wdl: Wdl,
    /// Pairs by the test player's score 0, ½, 1, 1½, 2.
    pub ptnml: [u64; 5],
    #[serde(flatten)]
    pub judged: SummaryStatistics,
    pub twins: Twins,
    /// Of all recorded games.
    pub faults: Faults,
    #[serde(default, skip_serializing_if = "is_default")]
    pub same_players: bool,
    /// Recorded games on a clock with more threads than processors.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub oversubscribed: Option<Oversubscribed>,
    /// Absent when no audit was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub audit: Option<AuditSummary>,
    /// Of all recorded games; absent where none are recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lines: Option<BySide<PvCounts>>,
    /// Absent where no fleet has played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fleet: Option<FleetSummary>,
    pub base: PlayerSummary,
    pub test: PlayerSummary,
    pub plan: Value,
    pub details: Details,
}

impl Summary {
    pub fn new(name: &str, run: &RunFile, tally: &Tally, judged: SummaryStatistics) -> Summary {
        let counts = &tally.counts;
        let games = counts.games();
        let share = |part: f64| (games > 0).then(|| part / games as f64);
        let active_s = tally.active().as_secs_f64();
        let [black_twice, .., white_twice] = counts.white_ptnml;
        let late = counts.terminations.get(Termination::TimeLoss.as_str());
        Summary {
            pairs: counts.pairs,
            games,
            wdl: counts.wdl,
            ptnml: counts.ptnml,
            judged,
            twins: counts.twins,
            faults: tally.faults.clone(),
            same_players: run.same_players(),
            oversubscribed: tally.oversubscribed(),
            audit: run.plan.get("audit").map(|_| {
                let points = counts.wdl.win as f64 + counts.wdl.draw as f64 / 2.0;
                counts.audits.summary(games, share(points).unwrap_or(0.5))
            }),
            lines: Some(&tally.lines).filter(|lines| lines.any_announced()).cloned(),
            fleet: None,
            base: player(run, tally, Side::Base),
            test: player(run, tally, Side::Test),
            plan: run.plan.clone(),
            details: Details {
                name: name.to_owned(),
                created: run.created.clone(),
                conditions: run.conditions(),
                rule: run.plan.get("rule").and_then(Value::as_str).unwrap_or_default().to_owned(),
                beyond: Beyond { pairs: tally.pairs_beyond(), games: tally.games_beyond() },
                effective_ptnml: counts.effective_ptnml,
                terminations: counts.terminations.clone(),
                white_score: share(counts.white.win as f64 + counts.white.draw as f64 / 2.0),
                white_ptnml: counts.white_ptnml,
                decided_by_opening: share(2.0 * (black_twice + white_twice) as f64),
                time_loss_share: share(late.copied().unwrap_or_default() as f64),
                draw_share: share(counts.wdl.draw as f64),
                average_plies: share(counts.plies as f64),
                openings: counts.openings,
                passed_over: counts.passed_over,
                nodes: counts.nodes[0].saturating_add(counts.nodes[1]),
                active_s,
                games_per_s: (active_s > 0.0).then(|| tally.recorded_games() as f64 / active_s),
            },
        }
    }

    /// Writes `summary.json`, and `summary.md` rendered from it.
    pub fn write(&self, dir: &Path) -> Result<(), RecordError> {
        write_json(&dir.join(SUMMARY_FILE), self)?;
        Summary::render_markdown(dir)
    }

    /// The summary of a match that has a verdict, VOID included.
    pub fn read_decided(dir: &Path) -> Option<Summary> {
        Summary::read(dir).ok().filter(|summary| summary.judged.verdict.is_some())
    }

    /// Pairs by the test engine's score, without repeated ones. Summaries of the oldest versions do
    /// not tell these apart.
    pub fn counted_pairs(&self) -> Pentanomial {
        match self.details.effective_ptnml {
            [0, 0, 0, 0, 0] => self.ptnml.into(),
            effective => effective.into(),
        }
    }

    pub fn read(dir: &Path) -> Result<Summary, RecordError> {
        let summary: Summary = read_json(&dir.join(SUMMARY_FILE), "a summary")?;
        let judged = summary.judged.of_any_age();
        Ok(Summary { judged, ..summary })
    }

    /// Renders `summary.md` from `summary.json`, with the way to the faults kept in the folder.
    pub fn render_markdown(dir: &Path) -> Result<(), RecordError> {
        let kept = faults_line(dir);
        let text = markdown::render(&Summary::read(dir)?, kept.as_deref());
        atomic::replace_by(&dir.join(SUMMARY_MD_FILE), text)
    }
}

fn player(run: &RunFile, tally: &Tally, side: Side) -> PlayerSummary {
    let seconds = tally.thinking[side as usize].as_secs_f64();
    let nodes = tally.nodes[side as usize];
    let moves = tally.moves[side as usize];
    PlayerSummary {
        label: run.label(side),
        identity: run.identity(side).clone(),
        nodes_per_second: (seconds > 0.0).then(|| nodes as f64 / seconds),
        nodes_per_move: (moves > 0).then(|| nodes as f64 / moves as f64),
    }
}
