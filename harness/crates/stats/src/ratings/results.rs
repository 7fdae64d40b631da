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
    meetings: BTreeMap<(usize, usize), [Meeting; 2]>,
}

/// What counts as a result.
const COUNTED: usize = 0;
/// Repeats of other games: played, not counted.
const REPEATED: usize = 1;

/// Games of two players, in half points of the first.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Meeting {
    /// Games in no pair: with White and with Black, by half points.
    pub(super) single: [[u64; 3]; 2],
    /// Pairs, by half points with White and with Black.
    pub(super) paired: [[u64; 3]; 3],
}

impl Meeting {
    /// From the first player's viewpoint.
    pub(super) fn wdl(&self) -> Wdl {
        let [white, black] = self.by_colour();
        let [loss, draw, win] =
            std::array::from_fn(|points| white[points].saturating_add(black[points]));
        Wdl { win, draw, loss }
    }

    /// Pairs by the first player's score, and their games.
    fn pairs(&self) -> (Pentanomial, Wdl) {
        let mut by_points = [0_u64; 5];
        for (with_white, counts) in self.paired.iter().enumerate() {
            for (with_black, pairs) in counts.iter().enumerate() {
                let points = &mut by_points[with_white + with_black];
                *points = points.saturating_add(*pairs);
            }
        }
        let games = Meeting { paired: self.paired, ..Meeting::default() }.wdl();
        (Pentanomial::from(by_points), games)
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
        let at = |points: usize| 2 - points;
        Meeting {
            single: [1, 0].map(|colour| [0, 1, 2].map(|points| self.single[colour][at(points)])),
            paired: [0, 1, 2].map(|white| [0, 1, 2].map(|black| self.paired[at(black)][at(white)])),
        }
    }

    fn merge(&mut self, other: &Meeting) {
        add_all(self.single.as_flattened_mut(), other.single.as_flattened());
        add_all(self.paired.as_flattened_mut(), other.paired.as_flattened());
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
        self.add_single(COUNTED, white, black, white_half_points);
    }

    /// Adds a repeated game in no pair: only [`Results::repeated_games_between`] counts it.
    pub fn add_repeated_game(&mut self, white: PlayerId, black: PlayerId, white_half_points: u8) {
        self.add_single(REPEATED, white, black, white_half_points);
    }

    fn add_single(&mut self, kind: usize, white: PlayerId, black: PlayerId, half_points: u8) {
        let mut meeting = Meeting::default();
        meeting.single[0][usize::from(half_points.min(2))] = 1;
        self.add(kind, white, black, &meeting);
    }

    /// Adds two games from one opening by the first player's half points with White and with Black.
    pub fn add_pair(&mut self, first: PlayerId, second: PlayerId, with_white: u8, with_black: u8) {
        self.add_pairs(first, second, [with_white, with_black], 1);
    }

    /// `points` are the first player's half points with White and with Black.
    pub fn add_pairs(&mut self, first: PlayerId, second: PlayerId, points: [u8; 2], pairs: u64) {
        self.add_paired(COUNTED, first, second, points, pairs);
    }

    /// Adds a repeated pair of games: only [`Results::repeated_between`] counts it. `points` are
    /// the first player's half points with White and with Black.
    pub fn add_repeated_pair(&mut self, first: PlayerId, second: PlayerId, points: [u8; 2]) {
        self.add_paired(REPEATED, first, second, points, 1);
    }

    fn add_paired(
        &mut self,
        kind: usize,
        first: PlayerId,
        second: PlayerId,
        points: [u8; 2],
        pairs: u64,
    ) {
        if pairs > 0 {
            let [with_white, with_black] = points.map(|points| usize::from(points.min(2)));
            let mut meeting = Meeting::default();
            meeting.paired[with_white][with_black] = pairs;
            self.add(kind, first, second, &meeting);
        }
    }

    fn add(&mut self, kind: usize, first: PlayerId, second: PlayerId, meeting: &Meeting) {
        if first == second {
            return;
        }
        let known = self.meetings.entry(key(first, second)).or_default();
        known[kind].merge(&if first < second { *meeting } else { meeting.swapped() });
    }

    /// Players of equal names are one player.
    pub fn merge(&mut self, other: &Results) {
        let ids: Vec<PlayerId> = other.names.iter().map(|name| self.player(name)).collect();
        for (&(low, high), meeting) in &other.meetings {
            for kind in [COUNTED, REPEATED] {
                self.add(kind, ids[low], ids[high], &meeting[kind]);
            }
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
        self.meeting(COUNTED, first, second).wdl()
    }

    /// The same of repeated games in no pair, which [`Results::between`] leaves out.
    pub fn repeated_games_between(&self, first: PlayerId, second: PlayerId) -> Wdl {
        let single = self.meeting(REPEATED, first, second).single;
        Meeting { single, ..Meeting::default() }.wdl()
    }

    /// Pairs by the first player's score, and their games.
    pub fn pairs_between(&self, first: PlayerId, second: PlayerId) -> (Pentanomial, Wdl) {
        self.meeting(COUNTED, first, second).pairs()
    }

    /// The same of repeated pairs, which [`Results::pairs_between`] leaves out.
    pub fn repeated_between(&self, first: PlayerId, second: PlayerId) -> (Pentanomial, Wdl) {
        self.meeting(REPEATED, first, second).pairs()
    }

    fn meeting(&self, kind: usize, first: PlayerId, second: PlayerId) -> Meeting {
        let meeting =
            self.meetings.get(&key(first, second)).map_or(Meeting::default(), |it| it[kind]);
        if first < second { meeting } else { meeting.swapped() }
    }

    /// All games, and those in pairs.
    pub fn games(&self) -> [u64; 2] {
        self.meetings.values().fold([0, 0], |[all, paired], [meeting, _]| {
            let pairs = meeting.paired.iter().flatten().fold(0, |n: u64, &m| n.saturating_add(m));
            let games = meeting.wdl().games();
            [all.saturating_add(games), paired.saturating_add(pairs.saturating_mul(2))]
        })
    }

    /// Results of each player against all others.
    pub fn totals(&self) -> Vec<Wdl> {
        let mut totals = vec![Wdl::default(); self.names.len()];
        for (low, high, meeting) in self.meetings() {
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
                let [low, high] = [low, high].map(|player| results.player(&self.names[player]));
                for kind in [COUNTED, REPEATED] {
                    results.add(kind, low, high, &meeting[kind]);
                }
            }
        }
        results
    }

    /// By the two players' numbers.
    pub(super) fn meetings(&self) -> impl Iterator<Item = (usize, usize, &Meeting)> {
        self.meetings.iter().map(|(&(low, high), [meeting, _])| (low, high, meeting))
    }
}

fn add_all(counts: &mut [u64], more: &[u64]) {
    for (count, more) in counts.iter_mut().zip(more) {
        *count = count.saturating_add(*more);
    }
}

fn key(first: PlayerId, second: PlayerId) -> (usize, usize) {
    (first.0.min(second.0), first.0.max(second.0))
}
