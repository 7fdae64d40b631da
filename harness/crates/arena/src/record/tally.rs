//! Counts over a journal: what counts for the verdict, and what is merely there.

use std::collections::{BTreeMap, HashSet};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::activity::Activity;
use super::audits::{AuditBrief, AuditCounts};
use super::{
    BySide, Charged, CountedPair, DuplicatePair, GameRecord, MatchState, Oversubscribed,
    PairStatus, PvCounts, Side, Termination,
};
use crate::is_default;
use stats::{Rule, Wdl};

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
    fn add(&mut self, charged: Charged, termination: Termination, games: u64) {
        if games == 0 {
            return;
        }
        let kinds = match charged {
            Charged::Player(Side::Base) => &mut self.base,
            Charged::Player(Side::Test) => &mut self.test,
            Charged::Harness => &mut self.harness,
        };
        *kinds.entry(termination.as_str().to_owned()).or_default() += games;
        self.total += games;
    }
}

/// Sums over the gap-free prefix of pairs up to the deciding one.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PrefixCounts {
    pub pairs: u64,
    /// Test's results.
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

impl PrefixCounts {
    pub fn games(&self) -> u64 {
        2 * self.pairs
    }
}

/// What a tally keeps of a game until its pair counts.
#[derive(Debug)]
pub struct Brief {
    pub opening: usize,
    /// FEN and the book's moves.
    pub start: String,
    pub plies: u32,
    pub white_half_points: u8,
    passed_over: u32,
    /// Of base and of test.
    nodes: [u64; 2],
    termination: Termination,
    audit: AuditBrief,
}

impl Brief {
    fn of(game: &GameRecord) -> Brief {
        let book = game.moves.split_ascii_whitespace().take(game.book_plies as usize);
        let [white, black] = game.nodes;
        Brief {
            opening: game.opening,
            start: book.fold(game.fen.clone(), |start, word| start + " " + word),
            plies: game.plies,
            white_half_points: game.result.half_points(true),
            passed_over: game.passed_over,
            nodes: if game.white == Side::Test { [black, white] } else { [white, black] },
            termination: game.termination,
            audit: AuditBrief::of(game),
        }
    }
}

/// Counts games in whatever order they are given: the result depends on their numbers only. Memory:
/// some 40 bytes a game, most of it to find equal games.
#[derive(Debug, Default)]
pub struct Tally {
    /// Which pairs count, and what they decide.
    pub state: MatchState<Brief>,
    pub counts: PrefixCounts,
    /// Of all recorded games, as all that follows.
    pub faults: Faults,
    /// Of base and of test.
    pub thinking: [Duration; 2],
    /// Of base and of test after the book.
    pub moves: [u64; 2],
    /// Of base and of test.
    pub nodes: [u64; 2],
    pub lines: BySide<PvCounts>,
    activity: Activity,
    oversubscribed: Oversubscribed,
    games_seen: HashSet<u64>,
    openings: HashSet<usize>,
}

impl Tally {
    /// Pairs count up to the one at which the rule decides; by default all pairs of the gap-free
    /// prefix do.
    pub fn new(rule: Rule, total_pairs: u64) -> Tally {
        Tally { state: MatchState::new(rule, total_pairs), ..Tally::default() }
    }

    /// Adds a game, each once; returns the pairs that count from now on, in schedule order.
    pub fn add(
        &mut self,
        game: &GameRecord,
    ) -> Result<Vec<(CountedPair, [Brief; 2])>, DuplicatePair> {
        let brief = Brief::of(game);
        add_nodes(&mut self.nodes, brief.nodes);
        let counted = self.state.add_with(game, brief)?;
        let replays = u64::from(game.time.replays);
        self.faults.replayed += replays;
        self.faults.add(Charged::Harness, Termination::LateHarness, replays);
        if let Some(charged) = game.charged() {
            self.faults.add(charged, game.termination, 1);
        }
        self.activity.add(game.time.started_ms, game.time.end_ms());
        self.add_thinking(game);
        self.lines.add(game);
        self.oversubscribed.add(game);
        counted.iter().for_each(|(pair, games)| self.count(pair, games));
        Ok(counted)
    }

    pub fn recorded_games(&self) -> u64 {
        self.state.finished_games()
    }

    /// Complete pairs that do not count: beyond the deciding pair or beyond a gap.
    pub fn pairs_beyond(&self) -> u64 {
        self.state.complete_pairs() - self.state.pairs()
    }

    /// Their games, and games whose partner is missing.
    pub fn games_beyond(&self) -> u64 {
        self.recorded_games() - 2 * self.state.pairs()
    }

    /// How long at least one game was under way.
    pub fn active(&self) -> Duration {
        self.activity.total()
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

    fn count(&mut self, pair: &CountedPair, games: &[Brief; 2]) {
        if pair.pair_status == PairStatus::Void {
            self.faults.void_pairs += 1;
            return;
        }
        let counts = &mut self.counts;
        counts.pairs += 1;
        for (game, key) in games.iter().zip(pair.keys) {
            counts.white.add_game(game.white_half_points);
            *counts.terminations.entry(game.termination.as_str().to_owned()).or_default() += 1;
            counts.plies += u64::from(game.plies);
            add_nodes(&mut counts.nodes, game.nodes);
            counts.audits.add(game.audit);
            self.openings.insert(game.opening);
            let is_twin = key.sound && !self.games_seen.insert(key.hash);
            counts.twins.games += u64::from(is_twin);
        }
        let [first, second] = pair.keys;
        let are_alike = first.sound && second.sound && first.hash == second.hash;
        counts.twins.within_pairs += u64::from(are_alike);
        counts.openings = self.openings.len() as u64;
        counts.passed_over += u64::from(games[0].passed_over);
        let white = usize::from(games[0].white_half_points + games[1].white_half_points);
        counts.white_ptnml[white] += 1;
        pair.half_points.iter().for_each(|&points| counts.wdl.add_game(points));
        let score = usize::from(pair.half_points[0] + pair.half_points[1]);
        counts.ptnml[score] += 1;
        if pair.pair_status == PairStatus::New {
            counts.twins.effective_pairs += 1;
            counts.effective_ptnml[score] += 1;
        } else {
            counts.twins.repeated_pairs += 1;
        }
    }
}

fn add_nodes(totals: &mut [u64; 2], nodes: [u64; 2]) {
    for (total, nodes) in totals.iter_mut().zip(nodes) {
        *total = total.saturating_add(nodes);
    }
}
