//! Counts over a journal: what counts for the verdict, and what is merely there.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::activity::Activity;
use super::audits::{AuditBrief, AuditCounts};
use super::twins::{GameKey, PairStatus, Repeats};
use super::{
    BothLines, Charged, GameRecord, Games, Oversubscribed, PairJoiner, Prefix, RecordError, Side,
    Termination,
};
use crate::is_default;
use pgn::Outcome;

/// Test's results.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wdl {
    pub win: u64,
    pub draw: u64,
    pub loss: u64,
}

/// Equal games among those that count. At node or depth limits equal builds repeat themselves.
///
/// Two games are equal when start position and moves are (by hash); games that a fault ended are
/// left out. A pair repeats an earlier one when test's white game and test's black game both equal
/// those of that pair: it says nothing new. A pair whose two games equal each other is one honest
/// result (its score is 1), so it stays effective, but many of them mean that the change hardly
/// alters any move.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Twins {
    /// Equal to an earlier game.
    pub games: u64,
    /// Whose two games are equal.
    pub within_pairs: u64,
    pub repeated_pairs: u64,
    /// The number of independent results, for intervals.
    pub effective_pairs: u64,
}

/// By whom they are charged to and by kind, in `games.jsonl`'s words.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Faults {
    pub total: u64,
    pub base: BTreeMap<String, u64>,
    pub test: BTreeMap<String, u64>,
    /// Games that the harness spoilt by waking late, those that were played again included.
    pub harness: BTreeMap<String, u64>,
    /// Games played again for that.
    #[serde(default, skip_serializing_if = "is_default")]
    pub replayed: u64,
    /// Left out: one of the games did not begin, or was spoilt each time.
    #[serde(default, skip_serializing_if = "is_default")]
    pub void_pairs: u64,
    /// Games that did not begin, and none after them, before the run was stopped. They are not
    /// recorded, not in `total`, and are played when the run is resumed.
    #[serde(default, skip_serializing_if = "is_default")]
    pub not_begun: u64,
}

impl Faults {
    /// Adds a game's spoilt attempts.
    fn add_replays(&mut self, replays: u32) {
        if replays > 0 {
            let kind = Termination::LateHarness.as_str().to_owned();
            *self.harness.entry(kind).or_default() += u64::from(replays);
            self.replayed += u64::from(replays);
            self.total += u64::from(replays);
        }
    }

    fn add(&mut self, charged: Charged, termination: Termination) {
        let kinds = match charged {
            Charged::Player(Side::Base) => &mut self.base,
            Charged::Player(Side::Test) => &mut self.test,
            Charged::Harness => &mut self.harness,
        };
        *kinds.entry(termination.as_str().to_owned()).or_default() += 1;
        self.total += 1;
    }
}

/// Sums over the gap-free prefix of pairs up to the deciding one.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Counts {
    pub pairs: u64,
    pub wdl: Wdl,
    /// Pairs by the test player's score 0, ½, 1, 1½, 2.
    pub ptnml: [u64; 5],
    /// Without pairs that repeat an earlier one; sums to [`Twins::effective_pairs`].
    pub effective_ptnml: [u64; 5],
    pub twins: Twins,
    /// By the reason they ended, in `games.jsonl`'s words.
    pub terminations: BTreeMap<String, u64>,
    pub white: Wdl,
    /// Pairs by White's score 0, ½, 1, 1½, 2: at the ends the opening decided, not the players.
    pub white_ptnml: [u64; 5],
    /// Book plies included.
    pub plies: u64,
    /// Of base and of test.
    pub nodes: [u64; 2],
    /// Different openings.
    pub openings: u64,
    /// Bad entries of the book.
    pub passed_over: u64,
    pub audits: AuditCounts,
}

impl Counts {
    pub fn games(&self) -> u64 {
        2 * self.pairs
    }
}

/// What a tally keeps of a game until its pair counts.
#[derive(Debug, Clone, Copy)]
struct Brief {
    likeness: GameKey,
    nodes: [u64; 2],
    opening: usize,
    passed_over: u32,
    plies: u32,
    result: Outcome,
    termination: Termination,
    test_half_points: u8,
    audit: AuditBrief,
}

impl Brief {
    fn of(game: &GameRecord) -> Brief {
        let [white, black] = game.nodes;
        let likeness = GameKey::of(game);
        Brief {
            likeness,
            nodes: if likeness.test_is_white { [black, white] } else { [white, black] },
            opening: game.opening,
            passed_over: game.passed_over,
            plies: game.plies,
            result: game.result,
            termination: game.termination,
            test_half_points: game.test_half_points(),
            audit: AuditBrief::of(game),
        }
    }
}

/// Counts games in whatever order they are given: the result depends on their numbers only. Memory:
/// some 40 bytes a game, most of it to find equal games.
#[derive(Debug, Default)]
pub struct Tally {
    limit: Option<u64>,
    halves: PairJoiner<Brief>,
    prefix: Prefix<[Brief; 2]>,
    counts: Counts,
    games_seen: HashSet<u64>,
    repeats: Repeats,
    openings: HashSet<usize>,
    recorded: u64,
    complete_pairs: u64,
    faults: Faults,
    activity: Activity,
    thinking: [Duration; 2],
    moves: [u64; 2],
    nodes: [u64; 2],
    lines: BothLines,
    oversubscribed: Oversubscribed,
}

impl Tally {
    /// The first `limit` pairs count: those up to the one that decided the run. Without a limit all
    /// pairs of the gap-free prefix do.
    pub fn new(limit: Option<u64>) -> Tally {
        Tally { limit, ..Tally::default() }
    }

    /// For a reader who learns of the deciding pair on the way: only the first `limit` pairs count,
    /// those that count already among them.
    pub fn limit_to(&mut self, limit: u64) {
        self.limit = Some(limit);
    }

    pub fn read(dir: &Path, limit: Option<u64>) -> Result<Tally, RecordError> {
        let mut tally = Tally::new(limit);
        for game in Games::open(dir)? {
            tally.add(&game?);
        }
        Ok(tally)
    }

    /// Each game may be given once; [`Games`] sees to it.
    pub fn add(&mut self, game: &GameRecord) {
        self.recorded += 1;
        self.faults.add_replays(game.time.replays);
        if let Some(charged) = game.charged() {
            self.faults.add(charged, game.termination);
        }
        self.activity.add(game.time.started_ms, game.time.end_ms());
        self.add_thinking(game);
        self.lines.add(game);
        self.oversubscribed.add(game);
        let brief = Brief::of(game);
        add_nodes(&mut self.nodes, brief.nodes);
        let Some(pair) = self.halves.add(game.game, brief) else { return };
        self.complete_pairs += 1;
        // A pair that comes a second time breaks the condition above, and must not count twice.
        for (number, pair) in self.prefix.add(game.pair, pair).unwrap_or_default() {
            if self.limit.is_none_or(|limit| number < limit) {
                self.count(&pair);
            }
        }
    }

    pub fn counts(&self) -> &Counts {
        &self.counts
    }

    pub fn recorded_games(&self) -> u64 {
        self.recorded
    }

    /// Complete pairs that do not count: beyond the deciding pair or beyond a gap.
    pub fn pairs_beyond(&self) -> u64 {
        self.complete_pairs - self.counts.pairs - self.faults.void_pairs
    }

    /// Of all recorded games.
    pub fn faults(&self) -> &Faults {
        &self.faults
    }

    /// How long at least one game was under way.
    pub fn active(&self) -> Duration {
        self.activity.total()
    }

    /// Of base and of test in all recorded games.
    pub fn thinking(&self) -> [Duration; 2] {
        self.thinking
    }

    /// Of base and of test after the book, in all recorded games.
    pub fn moves(&self) -> [u64; 2] {
        self.moves
    }

    /// Of base and of test in all recorded games.
    pub fn nodes(&self) -> [u64; 2] {
        self.nodes
    }

    /// Of all recorded games.
    pub fn lines(&self) -> &BothLines {
        &self.lines
    }

    pub fn oversubscribed(&self) -> Option<Oversubscribed> {
        (self.oversubscribed.games > 0).then_some(self.oversubscribed)
    }

    fn add_thinking(&mut self, game: &GameRecord) {
        let mut color = game.turn();
        // Backwards from the last move, since the notes begin after the book.
        for &us in game.time.moves_us.iter().rev() {
            color = color.other();
            let side = game.player(color) as usize;
            self.moves[side] += 1;
            let total = &mut self.thinking[side];
            *total = total.saturating_add(Duration::from_micros(us));
        }
    }

    fn count(&mut self, pair: &[Brief; 2]) {
        let novelty = self.novelty(pair);
        if novelty == PairStatus::Void {
            self.faults.void_pairs += 1;
            return;
        }
        let counts = &mut self.counts;
        counts.pairs += 1;
        let mut white_half_points = 0;
        for game in pair {
            match game.test_half_points {
                0 => counts.wdl.loss += 1,
                1 => counts.wdl.draw += 1,
                _ => counts.wdl.win += 1,
            }
            white_half_points += match game.result {
                Outcome::White => {
                    counts.white.win += 1;
                    2
                }
                Outcome::Draw => {
                    counts.white.draw += 1;
                    1
                }
                Outcome::Black => {
                    counts.white.loss += 1;
                    0
                }
            };
            *counts.terminations.entry(game.termination.as_str().to_owned()).or_default() += 1;
            counts.plies += u64::from(game.plies);
            add_nodes(&mut counts.nodes, game.nodes);
            counts.audits.add(game.audit);
            self.openings.insert(game.opening);
        }
        counts.white_ptnml[white_half_points] += 1;
        counts.passed_over += u64::from(pair[0].passed_over);
        counts.openings = self.openings.len() as u64;
        let score = usize::from(pair[0].test_half_points + pair[1].test_half_points);
        counts.ptnml[score] += 1;
        if novelty == PairStatus::New {
            self.counts.twins.effective_pairs += 1;
            self.counts.effective_ptnml[score] += 1;
        } else {
            self.counts.twins.repeated_pairs += 1;
        }
    }

    /// Counts the equal games of a pair that is not void.
    fn novelty(&mut self, pair: &[Brief; 2]) -> PairStatus {
        let twins = &mut self.counts.twins;
        let pair = pair.map(|game| game.likeness);
        let novelty = self.repeats.note(pair);
        if novelty == PairStatus::Void {
            return novelty;
        }
        for game in pair.iter().filter(|game| game.sound) {
            twins.games += u64::from(!self.games_seen.insert(game.hash));
        }
        let [first, second] = pair;
        let alike = first.sound && second.sound && first.hash == second.hash;
        twins.within_pairs += u64::from(alike);
        novelty
    }
}

fn add_nodes(totals: &mut [u64; 2], nodes: [u64; 2]) {
    for (total, nodes) in totals.iter_mut().zip(nodes) {
        *total = total.saturating_add(nodes);
    }
}
