//! Won positions played out: in how many the engine mates itself soon enough.

use std::path::Path;
use std::sync::Arc;

use engine::{Engine, HashSize, Limits, Params, Position};
use serde::{Deserialize, Serialize};

use super::file::wrong;
use super::measurement_file::MeasurementFile;
use super::{Finding, HASH};
use arena::record::Versions;
use pgn::{Book, BookError, Opening};
use process::Error;
use stats::{Z95, wilson};

/// Positions in this program, to be measured from anywhere; a file of that name is not read.
const SHIPPED: (&str, &[u8]) = ("harness/claims/kbnk.epd", include_bytes!("../../claims/kbnk.epd"));

/// A measurement: positions played out by one player against itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mates {
    pub versions: Versions,
    pub player: String,
    /// Plies of each search.
    pub depth: u32,
    /// Of each position the plies to mate; nothing where it was drawn.
    pub plies: Vec<Option<u32>>,
}

impl Mates {
    /// The share of positions with mate within so many moves, 0 to 1; `None` without positions.
    pub fn within(&self, moves: u32) -> Option<Finding> {
        let soon = self.plies.iter().flatten().filter(|&&plies| plies.div_ceil(2) <= moves);
        let all = self.plies.len();
        let value = soon.count() as f64 / all as f64;
        let (low, high) = wilson(value, all as u64, Z95)?;
        Some(Finding { value, interval: [low, high] })
    }

    /// In how many of the positions it is mate at all.
    pub fn mates(&self) -> usize {
        self.plies.iter().flatten().count()
    }
}

impl MeasurementFile for Mates {
    const FILE: &str = "mates.json";
    const WHAT: &str = "positions that were played out";
}

/// The book of a claim's positions.
pub(super) fn book(path: &Path) -> Result<Book, BookError> {
    let (name, bytes) = SHIPPED;
    if path == Path::new(name) { Book::from_bytes(name, bytes) } else { Book::read(path) }
}

/// The positions of a book, each after the moves of its line.
pub(super) fn positions(path: &Path) -> Result<Vec<Position>, Error> {
    let book = book(path)?;
    let read = |(number, opening): (usize, Result<Opening, BookError>)| {
        Position::from_fen(&opening?.end_fen())
            .map_err(|error| wrong(path, &format!("opening {number}"), error))
    };
    (1..).zip(book.openings()).map(read).collect()
}

/// The nodes of a search of each position, which stand for the engine as it plays these.
pub(super) fn nodes(params: Params, depth: u32, path: &Path) -> Result<u64, Error> {
    let mut engine = Engine::new(&Arc::new(params), HashSize::from_bytes(HASH));
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let nodes = positions(path)?.into_iter().map(|position| {
        engine.new_game();
        engine.search(&position, &limits, &()).nodes
    });
    Ok(nodes.sum())
}

/// Plays all positions of a book out. `None` when `stop` says so meanwhile.
pub(super) fn measure(
    (player, params): (String, Params),
    depth: u32,
    path: &Path,
    stop: &dyn Fn() -> bool,
) -> Result<Option<Mates>, Error> {
    let mut engine = Engine::new(&Arc::new(params), HashSize::from_bytes(HASH));
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let mut plies = Vec::new();
    for position in positions(path)? {
        if stop() {
            return Ok(None);
        }
        plies.push(plies_to_mate(&mut engine, position, &limits));
    }
    Ok(Some(Mates { versions: Versions::here(), player, depth, plies }))
}

/// Plies until somebody is mated; `None` when the game is drawn.
fn plies_to_mate(engine: &mut Engine, mut position: Position, limits: &Limits) -> Option<u32> {
    engine.new_game();
    for ply in 0.. {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        if moves.is_empty() {
            return position.in_check().then_some(ply);
        }
        let drawn = position.is_insufficient_material() || position.repetitions() >= 2;
        if drawn || position.is_fifty_moves() {
            return None;
        }
        position.play(engine.search(&position, limits, &()).best?);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Mate in one, in two, a draw that is one already, and three men who mate nobody.
    #[test]
    fn played_to_the_end() {
        let params = Arc::new(Params::default());
        let mut engine = Engine::new(&params, HashSize::MIN);
        let limits = Limits { depth: Some(5), ..Limits::default() };
        for (fen, expected) in [
            ("k7/8/1K6/8/8/8/7Q/8 w - - 0 1", Some(1)),
            ("1k6/8/1K6/8/8/8/8/7R w - - 0 1", Some(1)),
            ("k7/7R/1K6/8/8/8/8/8 b - - 0 1", Some(2)),
            ("k7/8/1Q6/8/8/8/8/K7 b - - 0 1", None),
            ("8/8/4k3/8/8/3K4/3B4/8 w - - 0 1", None),
        ] {
            let position = Position::from_fen(fen).unwrap();
            assert_eq!(plies_to_mate(&mut engine, position, &limits), expected, "{fen}");
        }
    }

    /// Games begin where a line of the book ends.
    #[test]
    fn lines_are_played_first() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("lines.pgn");
        std::fs::write(&path, "[Event \"fool\"]\n\n1. f3 e5 2. g4 *\n").unwrap();
        let positions = positions(&path).unwrap();
        let fens: Vec<String> = positions.iter().map(Position::fen).collect();
        assert_eq!(fens, ["rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2"]);
    }

    #[test]
    fn the_share_within_so_many_moves() {
        let plies = vec![Some(51), Some(52), Some(53), None];
        let mates = Mates { versions: Versions::here(), player: String::new(), depth: 1, plies };
        let found = mates.within(26).unwrap();
        assert!((found.value - 0.5).abs() < 1e-12 && mates.mates() == 3);
        // Brown, Cai and DasGupta's form of Wilson's interval, by hand.
        assert!(
            (found.interval[0] - 0.150).abs() < 1e-3 && (found.interval[1] - 0.850).abs() < 1e-3
        );
        let none = Mates { plies: vec![], ..mates };
        assert_eq!(none.within(26), None);
    }
}
