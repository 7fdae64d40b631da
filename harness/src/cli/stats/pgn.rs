//! `verdict stats FILE.pgn`: the numbers of two players' games in a PGN file.

use std::path::{Path, PathBuf};

use super::judged;
use crate::crosstable::{Counted, CrosstableError, Tally};
use crate::stats::ratings::{PlayerId, Results};
use crate::stats::{Sprt, Statistics};

/// Why there are no statistics.
pub(super) enum Failure {
    /// The arguments do not fit the file.
    Usage(String),
    /// The file cannot be read.
    Input(CrosstableError),
}

/// The statistics of the games of `test` against `base`: of the pairs where most games are in pairs,
/// of the games otherwise. How they were counted is said on standard error.
pub(super) fn statistics(
    path: &Path,
    test: Option<&str>,
    base: Option<&str>,
    sprt: Option<&Sprt>,
) -> Result<Statistics, Failure> {
    if path.is_dir() {
        let why = "--test and --base are for PGN; a run's players are known";
        return Err(Failure::Usage(format!("{}: {why}", path.display())));
    }
    let tally = Tally::read(&[PathBuf::from(path)], &[]).map_err(Failure::Input)?;
    let results = &tally.results;
    let Some(test) = test else {
        let players = listed(results.names().iter().map(String::as_str));
        return Err(Failure::Usage(format!(
            "{}: --test must say whose Elo is asked for; its players are {players}",
            path.display()
        )));
    };
    let test = player(results, path, test)?;
    let base = match base {
        Some(name) => player(results, path, name)?,
        None => only_opponent(results, path, test)?,
    };
    let all = results.between(test, base);
    if all.games() == 0 {
        let [test, base] = [test, base].map(|player| results.name(player));
        let why = format!("{}: no finished game of {test:?} against {base:?}", path.display());
        return Err(Failure::Usage(why));
    }
    let (pairs, paired) = results.pairs_between(test, base);
    let names = [test, base].map(|player| results.name(player));
    tell!("test is {:?}, base is {:?}", names[0], names[1]);
    say(&tally.counted);
    let single = all.games() - paired.games();
    let statistics = if paired.games() >= single {
        if single > 0 {
            tell!("{single} of their games are in no pair and are left out");
        }
        Statistics::of_pairs(&pairs, Some(&paired), sprt)
    } else {
        tell!(
            "only {} of their {} games are in pairs: the games are taken for independent",
            paired.games(),
            all.games()
        );
        Statistics::of_games(&all, sprt)
    };
    Ok(judged(statistics, sprt))
}

fn say(counted: &Counted) {
    if counted.pairs_found > 0 {
        tell!(
            "pairs are games of the two players with colours swapped and equal start position \
             and first {} plies",
            crate::crosstable::OPENING_PLIES
        );
    }
    if counted.repeated_pairs > 0 {
        tell!(
            "pairs of the file that repeat earlier ones move by move, not counted: {}",
            counted.repeated_pairs
        );
    }
    for (count, which) in [
        (counted.repeated_games, "in no pair that repeat earlier ones move by move"),
        (counted.unfinished, "without a result"),
        (counted.against_itself, "of a player against itself"),
        (counted.unusable, "that cannot be used"),
    ] {
        if count > 0 {
            tell!("games of the file {which}, not counted: {count}");
        }
    }
    if let Some(first) = &counted.first_unusable {
        tell!("the first that cannot be used: {first}");
    }
}

fn player(results: &Results, path: &Path, name: &str) -> Result<PlayerId, Failure> {
    results.find(name).ok_or_else(|| {
        let players = listed(results.names().iter().map(String::as_str));
        Failure::Usage(format!(
            "{}: expected the name of a player, found {name:?}; its players are {players}",
            path.display()
        ))
    })
}

fn only_opponent(results: &Results, path: &Path, test: PlayerId) -> Result<PlayerId, Failure> {
    let mut opponents = results.opponents(test);
    match (opponents.next(), opponents.next()) {
        (Some(only), None) => Ok(only),
        (None, _) => {
            let name = results.name(test);
            Err(Failure::Usage(format!("{}: {name:?} finished no game", path.display())))
        }
        (Some(_), Some(_)) => {
            let opponents = listed(results.opponents(test).map(|player| results.name(player)));
            Err(Failure::Usage(format!(
                "{}: expected --base, since {:?} has several opponents: {opponents}; verdict ratings \
                 rates all together",
                path.display(),
                results.name(test)
            )))
        }
    }
}

/// The first names, and how many more there are.
fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    const LISTED: usize = 12;
    let names: Vec<&str> = names.collect();
    let quoted: Vec<String> = names.iter().take(LISTED).map(|name| format!("{name:?}")).collect();
    match names.len() {
        0..=LISTED => quoted.join(", "),
        more => format!("{} and {} more", quoted.join(", "), more - LISTED),
    }
}
