//! `verdict stats FILE.pgn`: the numbers of two players' games in a PGN file.

use std::collections::HashMap;
use std::path::Path;

use serde_json::{Value, json};

use super::judged;
use crate::crosstable::meeting::{listed, only_opponent, player};
use crate::crosstable::{GameTags, InputCounts, Meeting};
use crate::imported::{self, Sessions};
use pgn::quote;
use process::Error;
use stats::{Sprt, Statistics};

/// What two players' games have shown.
pub(super) struct PgnResults {
    /// Counts are of all games; Elo and the like leave out pairs and single games that repeat
    /// others, which say nothing new.
    pub(super) statistics: Statistics,
    /// Pairs that repeat others, and all pairs.
    pairs: [u64; 2],
    /// The same of games in no pair.
    single: [u64; 2],
    /// How often the rounds of the two begin anew.
    rounds_anew: usize,
    /// Of the whole file.
    counted: InputCounts,
}

impl PgnResults {
    /// What follows the numbers, in words.
    pub(super) fn words(&self) -> String {
        let kinds = [(self.pairs, "pairs"), (self.single, "single games")];
        let repeats = kinds.into_iter().filter(|([repeated, _], _)| *repeated > 0);
        let lines = repeats.map(|([repeated, all], what)| {
            format!(
                "repeats  {repeated} of {all} {what} repeat earlier {what}; score, Elo and LOS use the \
                 other {}\n",
                all - repeated
            )
        });
        lines.collect()
    }

    /// Adds to the keys of `summary.json` what was read.
    pub(super) fn add_to(&self, json: &mut Value) {
        let [repeated, pairs] = self.pairs;
        json["twins"] = json!({"repeated_pairs": repeated, "effective_pairs": pairs - repeated});
        json["counted"] = self.counted.json();
        if self.rounds_anew > 0 {
            json["counted"]["rounds_anew"] = json!(self.rounds_anew);
        }
    }
}

/// The statistics of the games of `test` against `base`; those in no pair are taken as independent.
/// How they were counted is said on standard error.
pub(super) fn statistics(
    path: &Path,
    test: Option<&str>,
    base: Option<&str>,
    sprt: Option<&Sprt>,
) -> Result<PgnResults, Error> {
    let wrong = |why: String| Error::usage(format!("{}: {why}", path.display()));
    if path.is_dir() {
        return Err(wrong("--test and --base are for PGN; a run's players are known".to_owned()));
    }
    let mut sessions: HashMap<String, Sessions> = HashMap::new();
    let mut follow = |game: &GameTags<'_>| {
        let opponent = match test {
            Some(test) if test == game.white => game.black,
            Some(test) if test == game.black => game.white,
            _ => return,
        };
        sessions.entry(opponent.to_owned()).or_default().number_of(game);
    };
    let tally = imported::read_games(path, &mut |_, game| {
        follow(game);
        true
    })?;
    let results = &tally.results;
    let Some(test) = test else {
        let players = listed(results.names().iter().map(String::as_str));
        return Err(wrong(format!(
            "--test must say whose Elo is asked for; its players are {players}"
        )));
    };
    let test = player(results, test).map_err(wrong)?;
    let base = match base {
        Some(name) => player(results, name),
        None => only_opponent(results, test),
    };
    let base = base.map_err(wrong)?;
    let [test_name, base_name] = [test, base].map(|player| quote(results.name(player).as_bytes()));
    let meeting = Meeting::of(results, test, base);
    let games = meeting.games().games();
    if games == 0 {
        return Err(wrong(format!("no finished game of {test_name} against {base_name}")));
    }
    let statistics = judged(meeting.statistics(sprt), sprt);
    status!("test is {test_name}, base is {base_name}");
    let in_none = meeting.all_single().games();
    let in_pairs = match (games - in_none, in_none) {
        (in_pairs, 0) => format!("all {in_pairs} of their games are in pairs"),
        (in_pairs, _) => format!(
            "{in_pairs} of their {games} games are in pairs, the rest count as single games"
        ),
    };
    status!("{in_pairs}");
    print_counts(&tally.counted);
    let rounds_anew = sessions.get(results.name(base)).map_or(0, |sessions| sessions.ended);
    if rounds_anew > 0 {
        status!(
            "rounds begin anew {rounds_anew} times: the file may hold several matches of these two, and all \
             are counted"
        );
    }
    Ok(PgnResults {
        statistics,
        pairs: [meeting.repeated.pairs(), meeting.all_pairs().pairs()],
        single: [meeting.repeated_single.games(), in_none],
        rounds_anew,
        counted: tally.counted,
    })
}

/// How the file's games were counted.
fn print_counts(counted: &InputCounts) {
    let by_opening = counted.pairs_found - counted.pairs_by_round;
    for (count, how) in [
        (counted.pairs_by_round, "event, round and start position".to_owned()),
        (
            by_opening,
            format!(
                "start position and book moves, or the first {} plies if no book moves are marked",
                crate::crosstable::OPENING_PLIES
            ),
        ),
    ] {
        if count > 0 {
            status!("pairs of the file found by swapped colours and equal {how}: {count}");
        }
    }
    for (count, which) in [
        (counted.repeated_pairs, "pairs of the file that repeat earlier ones move by move"),
        (counted.repeated_games, "single games of the file that repeat earlier ones move by move"),
        (counted.unfinished, "games of the file without a result, not counted"),
        (counted.lost_by_both, "games of the file lost by both players (0-0), not counted"),
        (counted.against_itself, "games of the file of a player against itself, not counted"),
        (counted.unusable, "games of the file that cannot be used, not counted"),
    ] {
        if count > 0 {
            status!("{which}: {count}");
        }
    }
    if let Some(first) = &counted.first_unusable {
        status!("the first that cannot be used: {first}");
    }
}
