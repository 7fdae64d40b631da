//! Results from the journals of runs.

use std::path::PathBuf;

use super::tally::Renaming;
use super::{CrosstableError, Tally, names};
use crate::record::{GameRecord, Games, Halves, Likeness, Novelty, Prefix, Repeats, RunFile, Side};
use crate::stats::ratings::PlayerId;

/// Counts the games of runs. Players of different runs are one player when their runs tell no
/// difference.
pub(super) fn read(
    tally: &mut Tally,
    folders: &[PathBuf],
    renaming: &mut Renaming<'_>,
) -> Result<(), CrosstableError> {
    let runs = folders.iter().map(|folder| RunFile::read(folder));
    let runs = runs.collect::<Result<Vec<RunFile>, _>>()?;
    let identities: Vec<_> = runs.iter().flat_map(|run| [&run.base, &run.test]).collect();
    let names: Vec<String> = names::names(&identities)
        .into_iter()
        .zip(&identities)
        .map(|(name, identity)| {
            let new = renaming.get(&name).or_else(|| renaming.get(&identity.spec));
            new.map_or(name, str::to_owned)
        })
        .collect();
    for (folder, names) in folders.iter().zip(names.chunks_exact(2)) {
        let [base, test] = [&names[0], &names[1]].map(|name| tally.results.player(name));
        let mut run = Run { base, test, repeats: Repeats::default(), tally };
        let mut halves = Halves::default();
        let mut prefix = Prefix::default();
        let mut games = 0;
        for game in Games::open(folder)? {
            let game = game?;
            games += 1;
            let Some(pair) = halves.add(game.game, Half::of(&game)) else { continue };
            for (_, pair) in prefix.add(game.pair, pair).unwrap_or_default() {
                run.count(&pair);
            }
        }
        tally.counted.runs += 1;
        tally.counted.beyond_gap += games - 2 * prefix.len();
    }
    Ok(())
}

/// What is kept of a game until its pair counts.
struct Half {
    test_is_white: bool,
    test_half_points: u8,
    likeness: Likeness,
}

impl Half {
    fn of(game: &GameRecord) -> Half {
        Half {
            test_is_white: game.white == Side::Test,
            test_half_points: game.test_half_points(),
            likeness: Likeness::of(game),
        }
    }
}

struct Run<'a> {
    base: PlayerId,
    test: PlayerId,
    repeats: Repeats,
    tally: &'a mut Tally,
}

impl Run<'_> {
    fn count(&mut self, pair: &[Half; 2]) {
        let Tally { results, counted } = &mut *self.tally;
        let novelty = self.repeats.note([pair[0].likeness, pair[1].likeness]);
        if self.base == self.test {
            counted.against_itself += 2;
        } else if novelty == Novelty::Repeated {
            counted.repeated_pairs += 1;
        } else if novelty == Novelty::Void {
            counted.void_pairs += 1;
        } else {
            let [first, second] = pair;
            let (white, black) =
                if first.test_is_white { (first, second) } else { (second, first) };
            let [with_white, with_black] = [white, black].map(|half| half.test_half_points);
            results.add_pair(self.test, self.base, with_white, with_black);
            counted.pairs_told += 1;
        }
    }
}
