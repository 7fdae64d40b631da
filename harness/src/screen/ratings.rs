//! How the players of a tournament stand while it runs: joint ratings of all pairs so far.

use std::collections::BTreeMap;

use stats::Pentanomial;
use stats::ratings::{Level, Rated, RatingScale, Results, rate};

/// Players shown, the best first.
const SHOWN: usize = 8;

#[derive(Default)]
pub(super) struct RatingTable {
    matches: BTreeMap<String, Match>,
}

struct Match {
    base: String,
    test: String,
    pairs: Pentanomial,
}

impl RatingTable {
    /// A match between base and test that stands so.
    pub(super) fn add(&mut self, name: &str, [base, test]: [String; 2], pairs: Pentanomial) {
        self.matches.insert(name.to_owned(), Match { base, test, pairs });
    }

    /// The match now stands so; of one that was not added nothing is noted.
    pub(super) fn note(&mut self, name: &str, pairs: Pentanomial) {
        if let Some(of) = self.matches.get_mut(name) {
            of.pairs = pairs;
        }
    }

    /// `Elo: a +12.3 ± 20.4, b -12.3 ± 20.4`; `None` before the first pair.
    pub(super) fn line(&self) -> Option<String> {
        let mut results = Results::new();
        for Match { base, test, pairs } in self.matches.values() {
            let [base, test] = [base, test].map(|name| results.player(name));
            for (half_points, count) in (0_u8..).zip(pairs.to_array()) {
                // Who had White in which game makes no difference without White's advantage.
                let with_white = half_points.min(2);
                results.add_pairs(test, base, [with_white, half_points - with_white], count);
            }
        }
        if results.games() == [0, 0] {
            return None;
        }
        let rated = rate(&results, &RatingScale::default()).ok()?.players;
        let mut shown: Vec<String> = rated.iter().take(SHOWN).map(words).collect();
        if rated.len() > SHOWN {
            shown.push(format!("and {} more", rated.len() - SHOWN));
        }
        Some(format!("Elo: {}", shown.join(", ")))
    }
}

fn words(Rated { name, level, .. }: &Rated) -> String {
    match level {
        Level::Elo { elo, error95: Ok(error), .. } => format!("{name} {elo:+.1} ± {error:.1}"),
        Level::Elo { elo, .. } => format!("{name} {elo:+.1}"),
        Level::AtLeast(bound) => format!("{name} ≥ {bound:+.1}"),
        Level::AtMost(bound) => format!("{name} ≤ {bound:+.1}"),
        Level::None(_) => format!("{name} ?"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everyone_is_rated_by_all_matches() {
        let mut table = RatingTable::default();
        let names = |base: &str, test: &str| [base.to_owned(), test.to_owned()];
        table.add("1", names("a", "b"), Pentanomial::default());
        table.add("2", names("b", "c"), Pentanomial::default());
        assert_eq!(table.line(), None);
        table.note("1", Pentanomial::from([2, 5, 20, 8, 5]));
        table.note("2", Pentanomial::from([2, 5, 20, 8, 5]));
        table.note("3", Pentanomial::from([0, 0, 0, 0, 90]));
        let line = table.line().unwrap();
        let players: Vec<&str> = line.strip_prefix("Elo: ").unwrap().split(", ").collect();
        let starts = ["c +39.", "b +0.0 ± ", "a -39."];
        assert!(
            players.iter().zip(starts).all(|(found, start)| found.starts_with(start)),
            "{line}"
        );
        // The likeliest ratings of a chain are those of its links.
        let link = stats::elo_of_score(0.5 + 9.0 / 160.0).unwrap();
        assert!(line.starts_with(&format!("Elo: c {link:+.1} ± ")), "{line}, {link}");
    }

    #[test]
    fn of_many_the_best_are_shown() {
        let mut table = RatingTable::default();
        for number in 0..10 {
            let players = ["base".to_owned(), format!("p{number}")];
            table.add(&number.to_string(), players, Pentanomial::from([1, 2, 4, 2, 1 + number]));
        }
        let line = table.line().unwrap();
        assert!(line.starts_with("Elo: p9 ") && line.ends_with(", and 3 more"), "{line}");
        table = RatingTable::default();
        table.add("1", ["a".to_owned(), "b".to_owned()], Pentanomial::from([0, 0, 0, 0, 3]));
        assert!(table.line().unwrap().contains("b ≥ +"), "{:?}", table.line());
    }
}
