//! Who played whom, and how it ended.

use std::collections::{BTreeMap, HashMap};

use crate::{Pentanomial, Wdl};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlayerId(pub(super) usize);

/// Results between pairs of players, as counts: memory grows with the pairs of players who met, not
/// with the games.
#[derive(Debug, Clone, Default)]
pub struct Results {
    names: Vec<String>,
    by_name: HashMap<String, usize>,
    /// The lower player number first.
    meetings: BTreeMap<(usize, usize), Meeting>,
}

/// All games of two players, in half points of the first.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Meeting {
    /// Games in no pair: with White and with Black, by half points.
    pub(super) single: [[u64; 3]; 2],
    /// Pairs, by half points with White and with Black.
    pub(super) paired: [[u64; 3]; 3],
    /// Pairs that repeat others: played, but not counted as results.
    repeated: [[u64; 3]; 3],
    /// The same for games in no pair, by colour as `single`.
    repeated_single: [[u64; 3]; 2],
}

impl Meeting {
    /// From the first player's viewpoint.
    pub(super) fn wdl(&self) -> Wdl {
        let mut by_points = [0_u64; 3];
        let mut add = |points: usize, games: u64| {
            by_points[points] = by_points[points].saturating_add(games);
        };
        for counts in self.single {
            for (points, games) in counts.into_iter().enumerate() {
                add(points, games);
            }
        }
        for (with_white, counts) in self.paired.into_iter().enumerate() {
            for (with_black, pairs) in counts.into_iter().enumerate() {
                add(with_white, pairs);
                add(with_black, pairs);
            }
        }
        let [loss, draw, win] = by_points;
        Wdl { win, draw, loss }
    }

    /// The first player's games by colour, White's first, and by half points.
    pub(super) fn by_colour(&self) -> [[u64; 3]; 2] {
        let mut games = self.single;
        for (with_white, counts) in self.paired.into_iter().enumerate() {
            for (with_black, pairs) in counts.into_iter().enumerate() {
                games[0][with_white] = games[0][with_white].saturating_add(pairs);
                games[1][with_black] = games[1][with_black].saturating_add(pairs);
            }
        }
        games
    }

    fn swapped(&self) -> Meeting {
        let mut swapped = Meeting::default();
        for colour in 0..2 {
            for points in 0..3 {
                let at = [1 - colour, 2 - points];
                swapped.single[at[0]][at[1]] = self.single[colour][points];
                swapped.repeated_single[at[0]][at[1]] = self.repeated_single[colour][points];
            }
        }
        for with_white in 0..3 {
            for with_black in 0..3 {
                let at = [2 - with_black, 2 - with_white];
                swapped.paired[at[0]][at[1]] = self.paired[with_white][with_black];
                swapped.repeated[at[0]][at[1]] = self.repeated[with_white][with_black];
            }
        }
        swapped
    }

    fn merge(&mut self, other: &Meeting) {
        let by_pair = [(&mut self.paired, &other.paired), (&mut self.repeated, &other.repeated)];
        for (counts, more) in by_pair {
            add_all(counts.as_flattened_mut(), more.as_flattened());
        }
        let by_game = [
            (&mut self.single, &other.single),
            (&mut self.repeated_single, &other.repeated_single),
        ];
        for (counts, more) in by_game {
            add_all(counts.as_flattened_mut(), more.as_flattened());
        }
    }
}

impl Results {
    pub fn new() -> Results {
        Results::default()
    }

    /// Adds the player if the name is new.
    pub fn player(&mut self, name: &str) -> PlayerId {
        if let Some(&player) = self.by_name.get(name) {
            return PlayerId(player);
        }
        let player = self.names.len();
        self.names.push(name.to_owned());
        self.by_name.insert(name.to_owned(), player);
        PlayerId(player)
    }

    /// Adds a game by White's half points; above 1 is a win. A game of a player against itself is
    /// ignored.
    pub fn add_game(&mut self, white: PlayerId, black: PlayerId, white_half_points: u8) {
        self.add_single(white, black, white_half_points, |meeting| &mut meeting.single);
    }

    /// Adds a repeated game in no pair: only [`Results::repeated_games_between`] counts it.
    pub fn add_repeated_game(&mut self, white: PlayerId, black: PlayerId, white_half_points: u8) {
        self.add_single(white, black, white_half_points, |meeting| &mut meeting.repeated_single);
    }

    fn add_single(
        &mut self,
        white: PlayerId,
        black: PlayerId,
        white_half_points: u8,
        of: impl FnOnce(&mut Meeting) -> &mut [[u64; 3]; 2],
    ) {
        let points = half_points(white_half_points);
        if white < black {
            self.add(white, black, 1, |meeting| &mut of(meeting)[0][points]);
        } else {
            self.add(black, white, 1, |meeting| &mut of(meeting)[1][2 - points]);
        }
    }

    /// Adds two games from one opening by the first player's half points with White and with Black.
    pub fn add_pair(&mut self, first: PlayerId, second: PlayerId, with_white: u8, with_black: u8) {
        self.add_pairs(first, second, [with_white, with_black], 1);
    }

    /// `points` are the first player's half points with White and with Black.
    pub fn add_pairs(&mut self, first: PlayerId, second: PlayerId, points: [u8; 2], pairs: u64) {
        let [with_white, with_black] = points.map(half_points);
        if first < second {
            self.add(first, second, pairs, |meeting| &mut meeting.paired[with_white][with_black]);
        } else {
            self.add(second, first, pairs, |meeting| {
                &mut meeting.paired[2 - with_black][2 - with_white]
            });
        }
    }

    /// Adds a repeated pair of games: only [`Results::repeated_between`] counts it. `points` are
    /// the first player's half points with White and with Black.
    pub fn add_repeated_pair(&mut self, first: PlayerId, second: PlayerId, points: [u8; 2]) {
        let [with_white, with_black] = points.map(half_points);
        if first < second {
            self.add(first, second, 1, |meeting| &mut meeting.repeated[with_white][with_black]);
        } else {
            self.add(second, first, 1, |meeting| {
                &mut meeting.repeated[2 - with_black][2 - with_white]
            });
        }
    }

    fn add(
        &mut self,
        low: PlayerId,
        high: PlayerId,
        more: u64,
        count: impl FnOnce(&mut Meeting) -> &mut u64,
    ) {
        if low == high || more == 0 {
            return;
        }
        let count = count(self.meetings.entry((low.0, high.0)).or_default());
        *count = count.saturating_add(more);
    }

    /// Players of equal names are one player.
    pub fn merge(&mut self, other: &Results) {
        let ids: Vec<PlayerId> = other.names.iter().map(|name| self.player(name)).collect();
        for (&(low, high), meeting) in &other.meetings {
            self.merge_meeting(ids[low].0, ids[high].0, meeting);
        }
    }

    fn merge_meeting(&mut self, first: usize, second: usize, meeting: &Meeting) {
        if first < second {
            self.meetings.entry((first, second)).or_default().merge(meeting);
        } else {
            self.meetings.entry((second, first)).or_default().merge(&meeting.swapped());
        }
    }

    pub fn find(&self, name: &str) -> Option<PlayerId> {
        self.by_name.get(name).map(|&player| PlayerId(player))
    }

    /// Everyone the player has games with.
    pub fn opponents(&self, player: PlayerId) -> impl Iterator<Item = PlayerId> {
        self.meetings.keys().filter_map(move |&(low, high)| match player.0 {
            this if this == low => Some(PlayerId(high)),
            this if this == high => Some(PlayerId(low)),
            _ => None,
        })
    }

    pub fn name(&self, player: PlayerId) -> &str {
        &self.names[player.0]
    }

    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// From the first player's viewpoint.
    pub fn between(&self, first: PlayerId, second: PlayerId) -> Wdl {
        self.wdl_between(first, second, |meeting| *meeting)
    }

    /// The same of repeated games in no pair, which [`Results::between`] leaves out.
    pub fn repeated_games_between(&self, first: PlayerId, second: PlayerId) -> Wdl {
        self.wdl_between(first, second, |meeting| Meeting {
            single: meeting.repeated_single,
            ..Meeting::default()
        })
    }

    fn wdl_between(
        &self,
        first: PlayerId,
        second: PlayerId,
        of: impl Fn(&Meeting) -> Meeting,
    ) -> Wdl {
        let meeting = self.meetings.get(&(first.0.min(second.0), first.0.max(second.0)));
        let wdl = meeting.map(|meeting| of(meeting).wdl()).unwrap_or_default();
        if first < second { wdl } else { wdl.mirrored() }
    }

    /// Pairs by the first player's score, and their games.
    pub fn pairs_between(&self, first: PlayerId, second: PlayerId) -> (Pentanomial, Wdl) {
        self.counts_between(first, second, |meeting| meeting.paired)
    }

    /// The same of repeated pairs, which [`Results::pairs_between`] leaves out.
    pub fn repeated_between(&self, first: PlayerId, second: PlayerId) -> (Pentanomial, Wdl) {
        self.counts_between(first, second, |meeting| meeting.repeated)
    }

    fn counts_between(
        &self,
        first: PlayerId,
        second: PlayerId,
        of: impl Fn(&Meeting) -> [[u64; 3]; 3],
    ) -> (Pentanomial, Wdl) {
        let meeting = self.meetings.get(&(first.0.min(second.0), first.0.max(second.0)));
        let paired = Meeting { paired: meeting.map(of).unwrap_or_default(), ..Meeting::default() };
        let mut by_points = [0_u64; 5];
        for (with_white, counts) in paired.paired.iter().enumerate() {
            for (with_black, pairs) in counts.iter().enumerate() {
                let points = &mut by_points[with_white + with_black];
                *points = points.saturating_add(*pairs);
            }
        }
        let (pairs, games) = (Pentanomial::from(by_points), paired.wdl());
        if first < second { (pairs, games) } else { (pairs.mirrored(), games.mirrored()) }
    }

    /// All games, and those in pairs.
    pub fn games(&self) -> [u64; 2] {
        self.meetings.values().fold([0, 0], |[all, paired], meeting| {
            let pairs = meeting.paired.iter().flatten().fold(0, |n: u64, &m| n.saturating_add(m));
            let games = meeting.wdl().games();
            [all.saturating_add(games), paired.saturating_add(pairs.saturating_mul(2))]
        })
    }

    /// Results of each player against all others.
    pub fn totals(&self) -> Vec<Wdl> {
        let mut totals = vec![Wdl::default(); self.names.len()];
        for (&(low, high), meeting) in &self.meetings {
            let wdl = meeting.wdl();
            totals[low] += wdl;
            totals[high] += wdl.mirrored();
        }
        totals
    }

    /// The results among players who each have at least so many games against the others that are
    /// left.
    pub fn with_at_least(&self, games: u64) -> Results {
        let mut results = self.clone();
        loop {
            let totals = results.totals();
            let stays: Vec<bool> = totals.iter().map(|wdl| wdl.games() >= games).collect();
            if stays.iter().all(|&stays| stays) {
                return results;
            }
            results = results.only(|player| stays[player]);
        }
    }

    /// Players sorted by name: makes ratings independent of the order of games.
    pub(super) fn sorted(&self) -> Results {
        let mut sorted = Results::new();
        let mut names: Vec<&String> = self.names.iter().collect();
        names.sort_unstable();
        for name in names {
            sorted.player(name);
        }
        sorted.merge(self);
        sorted
    }

    fn only(&self, stays: impl Fn(usize) -> bool) -> Results {
        let mut results = Results::new();
        for (player, name) in self.names.iter().enumerate() {
            if stays(player) {
                results.player(name);
            }
        }
        for (&(low, high), meeting) in &self.meetings {
            if stays(low) && stays(high) {
                let [low, high] = [low, high].map(|player| results.player(&self.names[player]).0);
                results.merge_meeting(low, high, meeting);
            }
        }
        results
    }

    /// By the two players' numbers.
    pub(super) fn meetings(&self) -> impl Iterator<Item = (usize, usize, &Meeting)> {
        self.meetings.iter().map(|(&(low, high), meeting)| (low, high, meeting))
    }
}

fn add_all(counts: &mut [u64], more: &[u64]) {
    for (count, more) in counts.iter_mut().zip(more) {
        *count = count.saturating_add(*more);
    }
}

fn half_points(half_points: u8) -> usize {
    usize::from(half_points.min(2))
}
