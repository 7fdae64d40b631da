//! Games that one process has played before, for simulated workers.

use std::fs;
use std::path::Path;

use arena::record::{GameRecord, Games};
use process::Error;
use wire::message::WireGame;

/// Games of all pairs of a run, from pair 0.
#[derive(Default)]
pub(crate) struct Recorded {
    pairs: Vec<[GameRecord; 2]>,
}

impl Recorded {
    /// The gap-free prefix of a run's folder.
    pub(crate) fn of(dir: &Path) -> Result<Recorded, Error> {
        let games: Result<Vec<GameRecord>, _> = Games::open(dir)?.collect();
        let mut games = games?;
        games.sort_by_key(|game| game.game);
        let mut pairs: Vec<[GameRecord; 2]> = Vec::new();
        let mut games = games.into_iter();
        while let (Some(white), Some(black)) = (games.next(), games.next()) {
            if white.game != 2 * pairs.len() as u64 || black.game != white.game + 1 {
                break;
            }
            pairs.push([white, black]);
        }
        match pairs.is_empty() {
            true => Err(Error::fault(format!("{}: expected games", dir.display()))),
            false => Ok(Recorded { pairs }),
        }
    }

    /// The games of a pair of a run that plays the same book in order. At its end the book begins
    /// again, and so do the games.
    pub(crate) fn pair(&self, pair: u64) -> [WireGame; 2] {
        let template = &self.pairs[(pair % self.pairs.len() as u64) as usize];
        [0, 1].map(|second| {
            let record = template[second as usize].clone();
            let record = GameRecord { game: 2 * pair + second, pair, ..record };
            WireGame::new(record)
        })
    }

    pub(crate) fn pairs(&self) -> u64 {
        self.pairs.len() as u64
    }

    /// Mean plies of a game.
    pub(crate) fn plies(&self) -> f64 {
        let plies: u64 = self.pairs.iter().flatten().map(|game| u64::from(game.plies)).sum();
        plies as f64 / (2 * self.pairs()) as f64
    }
}

/// Writes a book of the first openings of another.
pub(crate) fn cut_book(from: &Path, to: &Path, openings: u64) -> Result<(), Error> {
    let book = fs::read_to_string(from).map_err(Error::io(from, "read"))?;
    let lines: Vec<&str> = book.lines().take(openings as usize).collect();
    fs::write(to, lines.join("\n") + "\n").map_err(Error::io(to, "write"))
}
