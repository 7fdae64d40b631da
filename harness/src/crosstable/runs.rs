//! Results from the journals of runs.

use std::collections::HashMap;
use std::path::PathBuf;

use super::input::CrosstableInput;
use super::names::{NamesInPgn, Renaming, names};
use super::same::{self, KnownGames};
use arena::record::{
    CountedPair, GameKey, Games, MatchState, PairStatus, RecordError, Repeats, RunFile, Side,
};
use process::Error;
use stats::ratings::PlayerId;

/// Counts the games of runs. Players of different runs are one player when their runs tell no
/// difference.
pub(super) fn read(
    tally: &mut CrosstableInput,
    folders: &[PathBuf],
    renaming: &mut Renaming<'_>,
    known: &mut KnownGames,
) -> Result<NamesInPgn, Error> {
    let runs = folders.iter().map(|folder| RunFile::read(folder));
    let runs = runs.collect::<Result<Vec<RunFile>, _>>()?;
    let identities: Vec<_> = runs.iter().flat_map(|run| [&run.base, &run.test]).collect();
    let labels = runs.iter().flat_map(|run| [Side::Base, Side::Test].map(|side| run.label(side)));
    let mut in_pgn = NamesInPgn::new();
    let names: Vec<String> = names(&identities)
        .into_iter()
        .zip(identities.iter().zip(labels))
        .map(|(name, (identity, label))| {
            let new =
                [&name, &identity.spec, &label].into_iter().find_map(|name| renaming.get(name));
            let name = new.map_or(name, str::to_owned);
            let name_in_pgn = in_pgn.entry(label).or_insert_with(|| Some(name.clone()));
            if name_in_pgn.as_ref().is_some_and(|told| *told != name) {
                *name_in_pgn = None;
            }
            name
        })
        .collect();
    let mut repeats = HashMap::new();
    for ((folder, file), names) in folders.iter().zip(&runs).zip(names.chunks_exact(2)) {
        let [base, test] = [&names[0], &names[1]].map(|name| tally.results.player(name));
        let repeats = repeats.entry((base.min(test), base.max(test))).or_default();
        let mut run = RunCounter { base, test, repeats, tally };
        // Keeps of each game whether an earlier input has it.
        let mut state = MatchState::default();
        for game in Games::open(folder)? {
            let game = game?;
            let is_known = same::of_record(file, &game).is_some_and(|game| known.note(game));
            for (pair, are_known) in state.add_with(&game, is_known).map_err(RecordError::from)? {
                run.count(&pair, are_known);
            }
        }
        tally.counted.runs += 1;
        tally.counted.beyond_gap += state.finished_games() - 2 * state.pairs();
        known.finish_input();
    }
    Ok(in_pgn)
}

struct RunCounter<'a> {
    base: PlayerId,
    test: PlayerId,
    /// Of all runs of the two.
    repeats: &'a mut Repeats,
    tally: &'a mut CrosstableInput,
}

impl RunCounter<'_> {
    fn count(&mut self, pair: &CountedPair, are_known: [bool; 2]) {
        let CrosstableInput { results, counted } = &mut *self.tally;
        if self.base == self.test {
            counted.against_itself += 2;
            return;
        }
        if are_known == [true; 2] {
            counted.same_games += 2;
            return;
        }
        // Two runs may have the two players the other way round.
        let keys = pair.keys;
        let pair_status = self.repeats.note(match self.base < self.test {
            true => keys,
            false => keys.map(GameKey::from_the_other_side),
        });
        if pair_status == PairStatus::Void {
            counted.void_pairs += 1;
            return;
        }
        counted.pairs_tagged += 1;
        if pair_status == PairStatus::Repeated {
            counted.repeated_pairs += 1;
        } else {
            let [first, second] = pair.half_points;
            let [with_white, with_black] =
                if keys[0].test_is_white { [first, second] } else { [second, first] };
            results.add_pair(self.test, self.base, with_white, with_black);
        }
    }
}
