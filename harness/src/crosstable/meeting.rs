//! The games of two players against each other.

use pgn::quote;
use stats::ratings::{PlayerId, Results};
use stats::{Pentanomial, Sprt, Statistics, Wdl};

/// What the games of `test` against `base` have shown.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Meeting {
    /// Pairs that repeat no earlier one, and their games.
    pub pairs: Pentanomial,
    pub paired: Wdl,
    /// Games in no pair that repeat no earlier one.
    pub single: Wdl,
    /// Pairs and single games that repeat others: they say nothing new.
    pub repeated: Pentanomial,
    pub repeated_paired: Wdl,
    pub repeated_single: Wdl,
}

impl Meeting {
    pub fn of(results: &Results, test: PlayerId, base: PlayerId) -> Meeting {
        let (pairs, paired) = results.pairs_between(test, base);
        let (repeated, repeated_paired) = results.repeated_between(test, base);
        let repeated_single = results.repeated_games_between(test, base);
        let single = less(results.between(test, base), paired);
        Meeting { pairs, paired, single, repeated, repeated_paired, repeated_single }
    }

    /// All games, repeats among them.
    pub fn games(&self) -> Wdl {
        self.paired + self.single + self.repeated_paired + self.repeated_single
    }

    /// All pairs, repeats among them.
    pub fn all_pairs(&self) -> Pentanomial {
        self.pairs + self.repeated
    }

    /// All games in no pair, repeats among them.
    pub fn all_single(&self) -> Wdl {
        self.single + self.repeated_single
    }

    /// Counts are of all games; Elo and the like leave out what repeats others.
    pub fn statistics(&self, sprt: Option<&Sprt>) -> Statistics {
        let of_new = Statistics::of_pairs_and_games(&self.pairs, &self.paired, &self.single, sprt);
        let pairs = self.all_pairs();
        Statistics {
            pairs: of_new.pairs.map(|_| pairs.pairs()),
            ptnml: of_new.ptnml.map(|_| pairs),
            games: self.games().games(),
            wdl: Ok(self.games()),
            ..of_new
        }
    }
}

fn less(all: Wdl, some: Wdl) -> Wdl {
    Wdl { win: all.win - some.win, draw: all.draw - some.draw, loss: all.loss - some.loss }
}

/// The player of that name; the error names those that there are.
pub(crate) fn player(results: &Results, name: &str) -> Result<PlayerId, String> {
    results.find(name).ok_or_else(|| {
        let players = listed(results.names().iter().map(String::as_str));
        let found = quote(name.as_bytes());
        format!("expected the name of a player, found {found}; its players are {players}")
    })
}

/// The player whom `test` met, if it met one only.
pub(crate) fn only_opponent(results: &Results, test: PlayerId) -> Result<PlayerId, String> {
    let mut opponents = results.opponents(test);
    let name = quote(results.name(test).as_bytes());
    match (opponents.next(), opponents.next()) {
        (Some(only), None) => Ok(only),
        (None, _) => Err(format!("{name} finished no game")),
        (Some(_), Some(_)) => {
            let opponents = listed(results.opponents(test).map(|player| results.name(player)));
            Err(format!(
                "expected --base, since {name} has several opponents: {opponents}; verdict ratings \
                 rates all together"
            ))
        }
    }
}

/// The first names, and how many more there are.
pub(crate) fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    const LISTED: usize = 12;
    let names: Vec<&str> = names.collect();
    let quoted: Vec<String> =
        names.iter().take(LISTED).map(|name| quote(name.as_bytes())).collect();
    match names.len() {
        0..=LISTED => quoted.join(", "),
        more => format!("{} and {} more", quoted.join(", "), more - LISTED),
    }
}
