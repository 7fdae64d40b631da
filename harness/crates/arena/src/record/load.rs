//! More threads that search at once than processors: then a loss on time may be the machine's
//! doing.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{BySide, Charged, GameRecord, Termination};

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Load {
    /// Of all games that think at once.
    pub threads: u64,
    /// Those that this process may use.
    pub processors: u64,
}

impl Load {
    /// Whether threads have to wait for each other.
    pub fn is_too_much(self) -> bool {
        self.threads > self.processors
    }

    fn heavier(self, other: Load) -> Load {
        let weight = |load: Load| load.threads as f64 / load.processors.max(1) as f64;
        if weight(other) > weight(self) { other } else { self }
    }
}

impl fmt::Display for Load {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} threads on {} processors", self.threads, self.processors)
    }
}

/// Games on a clock played while more threads searched than there were processors.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Oversubscribed {
    /// The heaviest load.
    #[serde(flatten)]
    pub load: Load,
    pub games: u64,
    /// Losses on time among them, by whose clock it was. They count among that player's faults.
    pub time_losses: BySide<u64>,
}

impl Oversubscribed {
    pub(super) fn add(&mut self, game: &GameRecord) {
        let Some(load) = game.time.oversubscribed else { return };
        self.load = self.load.heavier(load);
        self.games += 1;
        if game.termination == Termination::TimeLoss
            && let Some(Charged::Player(side)) = game.charged()
        {
            *self.time_losses.of_mut(side) += 1;
        }
    }

    /// Losses on time of both.
    pub fn lost(&self) -> u64 {
        self.time_losses.base + self.time_losses.test
    }
}

impl fmt::Display for Oversubscribed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Oversubscribed { load, games, time_losses: BySide { base, test } } = self;
        write!(
            f,
            "{games} games were played while up to {} threads searched at once on {} processors; time \
             losses in them: base {base}, test {test}",
            load.threads, load.processors
        )?;
        match self.lost() {
            0 => write!(f, "."),
            _ => write!(
                f,
                ", possibly caused by the overload. With clocks use fewer --slots, or fewer Threads per \
                 engine."
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::sample;

    #[test]
    fn time_losses_under_load_are_told_apart() {
        let mut oversubscribed = Oversubscribed::default();
        let load = |threads| Some(Load { threads, processors: 2 });
        for (number, load, termination) in [
            (0, None, Termination::TimeLoss),
            (1, load(4), Termination::TimeLoss),
            (2, load(16), Termination::Checkmate),
            (3, load(4), Termination::TimeLoss),
        ] {
            // White, which is test, has won.
            let mut game = GameRecord { termination, ..sample(number) };
            game.time.oversubscribed = load;
            oversubscribed.add(&game);
        }
        assert_eq!(oversubscribed.load, Load { threads: 16, processors: 2 });
        assert_eq!((oversubscribed.games, oversubscribed.lost()), (3, 2));
        assert_eq!(oversubscribed.time_losses, BySide { base: 2, test: 0 });
    }
}
