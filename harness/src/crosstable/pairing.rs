//! Which games of a PGN file are pairs: two games of the same players from one opening, colours
//! swapped.
//!
//! fastchess, and cutechess-cli with two games an encounter, give both games of a pair one `Round`;
//! verdict calls them `k.1` and `k.2`. cutechess-cli with one game an encounter numbers the games,
//! so that only the opening tells. Games are written as they end, so that others may lie between.

use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, HashSet};
use std::hash::{Hash, Hasher as _};

use stats::ratings::PlayerId;

pub(super) struct PlayedGame {
    pub(super) white: PlayerId,
    pub(super) black: PlayerId,
    pub(super) white_half_points: u8,
    pub(super) origin: PairOrigin,
    /// What equal games have in common; `None` of a game that is like no other.
    pub(super) content_hash: Option<u64>,
}

/// What the two games of a pair have in common.
pub(super) enum PairOrigin {
    /// A run and the pair's number in it, as a hash.
    Tagged(u64),
    /// What other runners' games tell.
    Found {
        /// A hash of the tag `Event`.
        event: u64,
        /// As [`round`] has it.
        round: Option<u64>,
        opening: BookExit,
    },
}

/// Where a game left its book, as far as its text tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct BookExit {
    /// A hash of the start position.
    pub(super) start: u64,
    /// Whether the text tells where the engines' own moves begin.
    pub(super) is_known: bool,
    /// A hash of start position and book moves, of the first plies where those are not known.
    pub(super) line: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PairedBy {
    /// Tags of ours.
    Tagged,
    /// Round and start position.
    Round,
    Opening,
}

/// What counts as one.
pub(super) enum RatedUnit {
    /// Two games, in the order of the file.
    Pair([PlayedGame; 2], PairedBy),
    Single(PlayedGame),
}

/// Games that wait for a partner, at most; when so many do, what is known of them must be enough.
const MOST_WAITING: usize = 1 << 22;

/// Games of a file on their way into pairs.
#[derive(Default)]
pub(super) struct PairMatcher {
    waiting: UnpairedGames,
    /// Players and events of which the round names pairs.
    named_by_round: HashSet<u64>,
}

impl PairMatcher {
    /// Adds the next game of the file, and says which units are known by it.
    pub(super) fn add(&mut self, game: PlayedGame) -> Vec<RatedUnit> {
        let by = game.certain_by();
        match self.waiting.meet(Some(game.certain_keys()), game) {
            Some(pair) => {
                if by == PairedBy::Round {
                    self.named_by_round.extend(pair[0].players_and_event());
                }
                vec![RatedUnit::Pair(pair, by)]
            }
            None if self.waiting.games.len() < MOST_WAITING => Vec::new(),
            None => self.finish(),
        }
    }

    /// The units of all games that wait.
    ///
    /// Of games whose book is not known, round and start position decide. Where no round names a
    /// pair, rounds number the games, and equal openings decide.
    pub(super) fn finish(&mut self) -> Vec<RatedUnit> {
        let mut units = Vec::new();
        let mut games = std::mem::take(&mut self.waiting).into_games();
        for keys in [PlayedGame::keys_without_book, PlayedGame::keys_with_half_a_book] {
            let named = &mut self.named_by_round;
            games = matched(games, keys, |pair| {
                named.extend(pair[0].players_and_event());
                units.push(RatedUnit::Pair(pair, PairedBy::Round));
            });
        }
        let by_opening = |game: &PlayedGame| {
            let named = game.players_and_event()?;
            if self.named_by_round.contains(&named) { None } else { game.keys_of_opening() }
        };
        games =
            matched(games, by_opening, |pair| units.push(RatedUnit::Pair(pair, PairedBy::Opening)));
        units.extend(games.into_iter().map(RatedUnit::Single));
        units
    }
}

/// Pairs the games, given in the order of the file, whose keys meet; returns the others.
fn matched(
    games: Vec<PlayedGame>,
    keys: impl Fn(&PlayedGame) -> Option<PartnerKeys>,
    mut pair: impl FnMut([PlayedGame; 2]),
) -> Vec<PlayedGame> {
    let mut waiting = UnpairedGames::default();
    for game in games {
        if let Some(two) = waiting.meet(keys(&game), game) {
            pair(two);
        }
    }
    waiting.into_games()
}

/// What a game is known by, and what its partner is.
struct PartnerKeys {
    own: u64,
    partner: u64,
}

/// Games without a partner, by what they are known by, if by anything, and by their order.
#[derive(Default)]
struct UnpairedGames {
    games: BTreeMap<(Option<u64>, u64), PlayedGame>,
    next: u64,
}

impl UnpairedGames {
    /// The game with the first one that waits for it; otherwise it waits itself.
    fn meet(&mut self, keys: Option<PartnerKeys>, game: PlayedGame) -> Option<[PlayedGame; 2]> {
        let own = keys.as_ref().map(|keys| keys.own);
        if let Some(PartnerKeys { partner, .. }) = keys {
            let all = (Some(partner), 0)..=(Some(partner), u64::MAX);
            let first = self.games.range(all).next().map(|(place, _)| *place);
            if let Some(first) = first.and_then(|place| self.games.remove(&place)) {
                return Some([first, game]);
            }
        }
        self.games.insert((own, self.next), game);
        self.next += 1;
        None
    }

    fn into_games(self) -> Vec<PlayedGame> {
        let mut games: Vec<(u64, PlayedGame)> =
            self.games.into_iter().map(|((_, order), game)| (order, game)).collect();
        games.sort_unstable_by_key(|(order, _)| *order);
        games.into_iter().map(|(_, game)| game).collect()
    }
}

impl PlayedGame {
    /// How a pair is found whose certain keys meet.
    fn certain_by(&self) -> PairedBy {
        match self.origin {
            PairOrigin::Tagged(_) => PairedBy::Tagged,
            PairOrigin::Found { round: Some(_), .. } => PairedBy::Round,
            PairOrigin::Found { round: None, .. } => PairedBy::Opening,
        }
    }

    /// What certainly makes a pair: its number in a run, or opening and round.
    fn certain_keys(&self) -> PartnerKeys {
        match self.origin {
            PairOrigin::Tagged(pair) => self.keys([&pair; 2]),
            PairOrigin::Found { event, round: Some(round), opening } => {
                self.keys([&(event, round, opening); 2])
            }
            PairOrigin::Found { round: None, opening, .. } => self.keys([&opening; 2]),
        }
    }

    /// Round and start position, where the book is not known.
    fn keys_without_book(&self) -> Option<PartnerKeys> {
        match self.origin {
            PairOrigin::Found { event, round: Some(round), opening } if !opening.is_known => {
                Some(self.keys([&(event, round, opening.start); 2]))
            }
            _ => None,
        }
    }

    /// Round and start position, where the book of one game is known and that of the other is not.
    fn keys_with_half_a_book(&self) -> Option<PartnerKeys> {
        let PairOrigin::Found { event, round: Some(round), opening } = self.origin else {
            return None;
        };
        let of = |is_known: bool| (event, round, opening.start, is_known);
        Some(self.keys([&of(opening.is_known), &of(!opening.is_known)]))
    }

    fn keys_of_opening(&self) -> Option<PartnerKeys> {
        let PairOrigin::Found { opening, .. } = self.origin else { return None };
        Some(self.keys([&opening; 2]))
    }

    /// Keys of the game and of its partner, who have the colours the other way round.
    fn keys<T: Hash>(&self, [own, partner]: [&T; 2]) -> PartnerKeys {
        PartnerKeys {
            own: hash(&(self.white, self.black, own)),
            partner: hash(&(self.black, self.white, partner)),
        }
    }

    fn players_and_event(&self) -> Option<u64> {
        let PairOrigin::Found { event, .. } = self.origin else { return None };
        Some(hash(&(self.white.min(self.black), self.white.max(self.black), event)))
    }
}

/// The round that both games of a pair have, as a hash; `None` where the tag says nothing. `k.1`
/// and `k.2` are one, `k.3` and `k.4` the next.
pub(super) fn round(tag: &[u8]) -> Option<u64> {
    let tag = tag.trim_ascii();
    if matches!(tag, b"" | b"?" | b"-") {
        return None;
    }
    let dotted = tag.iter().rposition(|&byte| byte == b'.').and_then(|dot| {
        let game: u64 = std::str::from_utf8(&tag[dot + 1..]).ok()?.parse().ok()?;
        Some((&tag[..dot], game.div_ceil(2)))
    });
    Some(dotted.map_or_else(|| hash(&tag), |of_games| hash(&of_games)))
}

pub(super) fn hash(thing: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    thing.hash(&mut hasher);
    hasher.finish()
}
