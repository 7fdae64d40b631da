//! Results from the journals of runs.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;

use super::same::{self, Known};
use super::tally::Renaming;
use super::{CrosstableError, Tally, names};
use arena::record::{
    GameKey, GameRecord, Games, PairJoiner, PairStatus, Prefix, Repeats, RunFile, Side,
};
use stats::ratings::PlayerId;

/// Names of players in PGN of these runs, with their names here; `None` for a name of several.
pub(super) type NamesInPgn = BTreeMap<String, Option<String>>;

/// Counts the games of runs. Players of different runs are one player when their runs tell no
/// difference.
pub(super) fn read(
    tally: &mut Tally,
    folders: &[PathBuf],
    renaming: &mut Renaming<'_>,
    known: &mut Known,
) -> Result<NamesInPgn, CrosstableError> {
    let runs = folders.iter().map(|folder| RunFile::read(folder));
    let runs = runs.collect::<Result<Vec<RunFile>, _>>()?;
    let identities: Vec<_> = runs.iter().flat_map(|run| [&run.base, &run.test]).collect();
    let labels = runs.iter().flat_map(|run| [Side::Base, Side::Test].map(|side| run.label(side)));
    let mut in_pgn = NamesInPgn::new();
    let names: Vec<String> = names::names(&identities)
        .into_iter()
        .zip(identities.iter().zip(labels))
        .map(|(name, (identity, label))| {
            let new =
                [&name, &identity.spec, &label].into_iter().find_map(|name| renaming.get(name));
            let name = new.map_or(name, str::to_owned);
            let told = in_pgn.entry(label).or_insert_with(|| Some(name.clone()));
            if told.as_ref().is_some_and(|told| *told != name) {
                *told = None;
            }
            name
        })
        .collect();
    let mut repeats = HashMap::new();
    for ((folder, file), names) in folders.iter().zip(&runs).zip(names.chunks_exact(2)) {
        let [base, test] = [&names[0], &names[1]].map(|name| tally.results.player(name));
        let repeats = repeats.entry((base.min(test), base.max(test))).or_default();
        let mut run = Run { base, test, repeats, tally };
        let mut halves = PairJoiner::default();
        let mut prefix = Prefix::default();
        let mut games = 0;
        for game in Games::open(folder)? {
            let game = game?;
            games += 1;
            let is_known = same::of_record(file, &game).is_some_and(|game| known.note(game));
            let half = Half::of(&game, is_known);
            let Some(pair) = halves.add(game.game, half) else { continue };
            for (_, pair) in prefix.add(game.pair, pair).unwrap_or_default() {
                run.count(&pair);
            }
        }
        tally.counted.runs += 1;
        tally.counted.beyond_gap += games - 2 * prefix.len();
        known.finish_input();
    }
    Ok(in_pgn)
}

/// What is kept of a game until its pair counts.
struct Half {
    test_is_white: bool,
    test_half_points: u8,
    likeness: GameKey,
    /// Whether an earlier input has it.
    is_known: bool,
}

impl Half {
    fn of(game: &GameRecord, is_known: bool) -> Half {
        Half {
            test_is_white: game.white == Side::Test,
            test_half_points: game.test_half_points(),
            likeness: GameKey::of(game),
            is_known,
        }
    }
}

struct Run<'a> {
    base: PlayerId,
    test: PlayerId,
    /// Of all runs of the two.
    repeats: &'a mut Repeats,
    tally: &'a mut Tally,
}

impl Run<'_> {
    fn count(&mut self, pair: &[Half; 2]) {
        let Tally { results, counted } = &mut *self.tally;
        if self.base == self.test {
            counted.against_itself += 2;
            return;
        }
        if pair.iter().all(|half| half.is_known) {
            counted.same_games += 2;
            return;
        }
        // Two runs may have the two players the other way round.
        let novelty = self.repeats.note([&pair[0], &pair[1]].map(|half| {
            if self.base < self.test { half.likeness } else { half.likeness.from_the_other_side() }
        }));
        if novelty == PairStatus::Void {
            counted.void_pairs += 1;
            return;
        }
        counted.pairs_told += 1;
        if novelty == PairStatus::Repeated {
            counted.repeated_pairs += 1;
        } else {
            let [first, second] = pair;
            let (white, black) =
                if first.test_is_white { (first, second) } else { (second, first) };
            let [with_white, with_black] = [white, black].map(|half| half.test_half_points);
            results.add_pair(self.test, self.base, with_white, with_black);
        }
    }
}
