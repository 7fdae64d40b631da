//! A match that others played, as far as it is known.

use std::fmt;
use std::path::PathBuf;

use serde_json::{Value, json};

use stats::{Decision, Model, Pentanomial, Sprt, Statistics, Verdict, Wdl};

/// Whose results they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr)]
pub enum Origin {
    #[strum(serialize = "fastchess")]
    Fastchess,
    OpenBench,
    #[strum(serialize = "fishtest")]
    Fishtest,
    #[strum(serialize = "PGN")]
    Pgn,
}

impl Origin {
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// What the file says of its own test.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Given {
    pub llr: Option<f64>,
    pub bounds: Option<[f64; 2]>,
    /// `passed`, `accepted` and so on.
    pub state: Option<String>,
}

impl Given {
    fn in_words(&self) -> Option<String> {
        let Given { llr, bounds, state } = self;
        let parts = [
            llr.map(|llr| format!("LLR {llr:.2}")),
            bounds.map(|[lower, upper]| format!("bounds {lower:.2} and {upper:.2}")),
            state.clone(),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }
}

/// What tells the games of a match in PGN.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GameIdentity {
    /// What test and base are called there.
    pub names: [String; 2],
    /// The run's id, with which the tag `Site` ends if it names a run.
    pub run: Option<String>,
    /// The number of the test, with which the names of an archive's files begin.
    pub test: Option<u64>,
    /// The tag `Event`.
    pub event: Option<String>,
}

/// What holds for test and for base.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Conditions(Vec<[String; 2]>);

impl Conditions {
    /// Adds what is said of each, if anything is.
    pub(super) fn add(&mut self, test: &str, base: &str) {
        if !test.is_empty() || !base.is_empty() {
            self.0.push([test, base].map(str::to_owned));
        }
    }
}

impl fmt::Display for Conditions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = self.0.iter().map(|[test, base]| match test == base {
            true => test.clone(),
            false => format!("{test} against {base}"),
        });
        f.write_str(&parts.collect::<Vec<_>>().join(", "))
    }
}

/// All counts are of test against base; all Elo is test minus base.
#[derive(Debug, Clone, PartialEq)]
pub struct ImportedMatch {
    pub origin: Origin,
    /// The file that its counts are from.
    pub path: PathBuf,
    /// Its number or id there, or the name of its file.
    pub id: String,
    /// Test and base.
    pub players: [String; 2],
    pub conditions: Conditions,
    /// Pairs by their score, without those that repeat others; `None` where only games were counted.
    pub pairs: Option<Pentanomial>,
    /// All games that `pairs` has; of games alone all.
    pub paired: Option<Wdl>,
    /// Games in no pair.
    pub single: Wdl,
    /// What is counted of pairs and games that repeat others.
    pub repeated: Option<(Pentanomial, Wdl)>,
    pub sprt: Option<Sprt>,
    pub given: Given,
    pub games: Option<GameIdentity>,
    pub notes: Vec<String>,
}

impl ImportedMatch {
    pub fn new(origin: Origin, id: &str, players: [&str; 2]) -> ImportedMatch {
        ImportedMatch {
            origin,
            path: PathBuf::new(),
            id: id.to_owned(),
            players: players.map(str::to_owned),
            conditions: Conditions::default(),
            pairs: None,
            paired: None,
            single: Wdl::default(),
            repeated: None,
            sprt: None,
            given: Given::default(),
            games: None,
            notes: Vec::new(),
        }
    }

    /// Whether a side, 0 for test or 1 for base, is a player of that name, here or in PGN.
    pub fn is_player(&self, side: usize, name: &str) -> bool {
        let in_pgn = self.games.as_ref().and_then(|games| games.names.get(side));
        self.players.get(side).is_some_and(|player| player == name)
            || in_pgn.is_some_and(|player| player == name)
    }

    /// The match with its base as test.
    pub(super) fn turned(self) -> ImportedMatch {
        let [test, base] = self.players;
        let mut turned = ImportedMatch {
            conditions: Conditions(
                self.conditions.0.into_iter().map(|[one, two]| [two, one]).collect(),
            ),
            pairs: self.pairs.map(|pairs| pairs.mirrored()),
            paired: self.paired.map(|games| games.mirrored()),
            single: self.single.mirrored(),
            repeated: self.repeated.map(|(pairs, games)| (pairs.mirrored(), games.mirrored())),
            games: self.games.map(|games| {
                let [one, two] = games.names;
                GameIdentity { names: [two, one], ..games }
            }),
            players: [base, test],
            sprt: None,
            given: Given::default(),
            ..self
        };
        let given = self.given.in_words().map(|given| format!(" ({given})")).unwrap_or_default();
        if self.sprt.is_some() || !given.is_empty() {
            let [base, test] = &turned.players;
            turned.notes.push(format!(
                "its own test is of {test} minus {base}{given} and is not applied; --sprt tests {base}"
            ));
        }
        turned
    }

    /// What it is called in tables.
    pub fn name(&self) -> String {
        format!("{} {}", self.origin.name(), self.id)
    }

    /// Takes counts of pairs and of all games. Pairs that cannot be of these games are left out, which
    /// is noted.
    pub fn count(&mut self, pairs: Pentanomial, games: Wdl) {
        if pairs.pairs() == 0 && games.games() > 0 {
            self.notes.push(
                "its pairs are not known: the games count one by one (trinomial), which widens the \
                 intervals of paired games"
                    .to_owned(),
            );
            self.paired = Some(games);
        } else if pairs.games() == games.games() && points(&pairs) == half_points(&games) {
            (self.pairs, self.paired) = (Some(pairs), Some(games));
        } else {
            self.notes.push(format!(
                "its pairs ({} games) and its games ({}, {games}) do not agree: the games count one by one",
                pairs.games(),
                games.games()
            ));
            self.paired = Some(games);
        }
    }

    /// Takes an SPRT, which may be none that can be used.
    pub fn test(&mut self, [elo0, elo1, alpha, beta]: [f64; 4], model: Model) {
        match Sprt::new(elo0, elo1, alpha, beta, model) {
            Ok(sprt) => self.sprt = Some(sprt),
            Err(why) => self.notes.push(format!("its SPRT cannot be computed here: {why}")),
        }
    }

    /// Notes games that ended by faults.
    pub(super) fn note_faults(&mut self, crashes: u64, time_losses: u64) {
        if crashes > 0 || time_losses > 0 {
            self.notes
                .push(format!("{crashes} of its games ended by crashes, {time_losses} on time"));
        }
    }

    /// All games, as far as they are known one by one.
    pub fn wdl(&self) -> Option<Wdl> {
        let repeated = self.repeated.map_or(Wdl::default(), |(_, games)| games);
        self.paired.map(|paired| paired + self.single + repeated)
    }

    /// All pairs, repeats among them.
    pub fn all_pairs(&self) -> Option<Pentanomial> {
        let repeated = self.repeated.map_or(Pentanomial::default(), |(pairs, _)| pairs);
        self.pairs.map(|pairs| pairs + repeated)
    }

    /// Its numbers, with the verdict of `sprt`, or else of its own test.
    pub fn statistics(&self, sprt: Option<&Sprt>) -> Statistics {
        let sprt = sprt.or(self.sprt.as_ref());
        let of_new = match (&self.pairs, &self.paired) {
            (Some(pairs), Some(paired)) => {
                Statistics::of_pairs_and_games(pairs, paired, &self.single, sprt)
            }
            (Some(pairs), None) => Statistics::of_pairs(pairs, None, sprt),
            (None, games) => Statistics::of_games(&(games.unwrap_or_default() + self.single), sprt),
        };
        let statistics = match (self.repeated, self.wdl()) {
            (Some(_), Some(all)) => Statistics {
                pairs: of_new.pairs.map(|_| self.all_pairs().unwrap_or_default().pairs()),
                ptnml: of_new.ptnml.map(|_| self.all_pairs().unwrap_or_default()),
                games: all.games(),
                wdl: Ok(all),
                ..of_new
            },
            _ => of_new,
        };
        let verdict = sprt.map(|sprt| match statistics.llr.map(|llr| sprt.decide(llr)) {
            Ok(Decision::H1) => Verdict::Accept,
            Ok(Decision::H0) => Verdict::Reject,
            Ok(Decision::Continue) | Err(_) => Verdict::Undecided,
        });
        statistics.with_verdict(verdict)
    }

    /// What the file itself says of its test, in words.
    pub fn given_in_words(&self) -> Option<String> {
        self.given.in_words()
    }

    /// What is to be known beside the numbers, as JSON.
    pub fn json(&self) -> Value {
        json!({
            "origin": self.origin.name(),
            "id": self.id,
            "file": self.path,
            "test": self.players[0],
            "base": self.players[1],
            "conditions": self.conditions.to_string(),
            "sprt": self.sprt.map(|sprt| sprt.to_string()),
            "given": {
                "llr": self.given.llr,
                "llr_bounds": self.given.bounds,
                "state": self.given.state,
            },
            "notes": self.notes,
        })
    }
}

/// Half-points of test.
fn points(pairs: &Pentanomial) -> u64 {
    pairs.to_array().iter().zip(0..).map(|(count, points)| count * points).sum()
}

fn half_points(games: &Wdl) -> u64 {
    2 * games.win + games.draw
}
