//! Books of balanced openings: positions after random moves, or with pieces placed at random, whose
//! score is near 0.
//!
//! Candidate *k* is a pure function of the seed and *k*: uniformly random legal moves from the
//! start position, or from a placement of [men](pgn::Material). The embedded engine scores it from a
//! cleared state, as the position in the book (no history, counters reset). Candidates are accepted
//! in the order of *k*, so the book does not depend on the number of threads.

use std::collections::HashSet;
use std::num::NonZeroUsize;
use std::sync::Arc;

use engine::{Engine, HashSize, Limits, Params, Setup};
use serde::Serialize;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{Chess, EnPassantMode, Move, Position};

use super::text;
use pgn::{Material, RandomWords};
use process::{Error, parallel};

/// Candidates per batch: scored in parallel, then accepted in order.
const BATCH: u64 = 64;
/// After this many candidates in a row without a new opening, give up.
const PATIENCE: u64 = 10_000;
/// Hash size of each search. Another size gives another book.
const HASH_BYTES: usize = 1 << 20;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MakeOptions {
    pub count: usize,
    /// The random moves of each.
    pub plies: u32,
    /// Material to place at random before these moves; one entry is drawn for each candidate.
    /// Empty: the start position.
    pub men: Vec<Material>,
    pub seed: u64,
    /// The greatest score allowed for either side, in centipawns.
    pub window_cp: u32,
    /// Nodes of the search that gives the score.
    pub nodes: u64,
    /// How many searches run at once; at least 1. Changes nothing in the book.
    pub threads: usize,
}

/// What became of the candidates so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct BookTally {
    pub candidates: u64,
    pub accepted: u64,
    /// Left out: men were placed so that a king could be taken.
    pub impossible: u64,
    /// Left out: the game was over before or at the last ply.
    pub ended: u64,
    /// Left out: the side to move is in check, so that the first move would be all but forced.
    pub in_check: u64,
    /// Left out: the score is outside the window, or a mate was seen.
    pub unbalanced: u64,
    /// Left out: an accepted opening has the position or passed through it.
    pub duplicates: u64,
}

#[derive(Debug, Clone, Default)]
pub struct MadeBook {
    /// The positions, in the order of their candidates.
    pub positions: Vec<Chess>,
    /// What became of all candidates up to the last accepted one.
    pub tally: BookTally,
    /// The random moves that led to each.
    lines: Vec<Vec<Move>>,
}

impl MadeBook {
    /// The book as games in PGN, for engines that cannot set up positions. Only for openings that begin
    /// at the start position.
    pub fn to_pgn(&self) -> String {
        (1..).zip(&self.lines).map(|(number, line)| text::game(number, line)).collect()
    }

    /// The book as EPD: the four fields that all programs read, a position a line.
    pub fn to_epd(&self) -> String {
        self.each(text::epd)
    }

    /// The book as FEN of six fields, with the true move counters, a position a line.
    pub fn to_fen(&self) -> String {
        self.each(text::fen)
    }

    fn each(&self, line: impl Fn(&Chess) -> String) -> String {
        self.positions.iter().map(|position| line(position) + "\n").collect()
    }
}

/// Makes a book. `progress` is called with the tally after each batch.
pub fn make(
    options: &MakeOptions,
    progress: &mut dyn FnMut(&BookTally),
) -> Result<MadeBook, Error> {
    let setup = Arc::new(Setup::new(&Arc::new(Params::standard())));
    let engine = || Engine::with_setup(&setup, HashSize::from_bytes(HASH_BYTES));
    let threads = NonZeroUsize::new(options.threads).unwrap_or(NonZeroUsize::MIN);
    let mut book = MadeBook::default();
    let mut passed = HashSet::new();
    let mut fruitless = 0;
    while book.positions.len() < options.count {
        let first = book.tally.candidates;
        let batch: Vec<u64> = (first..first + BATCH).collect();
        let judged = parallel::map(&batch, threads, engine, |engine, &k| judge(options, k, engine));
        for judged in judged.into_iter().collect::<Result<Vec<_>, _>>()? {
            if book.positions.len() == options.count {
                break;
            }
            let before = book.tally.accepted;
            book.take(judged, &mut passed);
            fruitless = if book.tally.accepted > before { 0 } else { fruitless + 1 };
        }
        progress(&book.tally);
        if fruitless >= PATIENCE {
            return Err(Error::usage(format!(
                "found only {} of {} openings in {} candidates; the last {PATIENCE} gave none (more \
                 plies or a wider window give more)",
                book.positions.len(),
                options.count,
                book.tally.candidates
            )));
        }
    }
    Ok(book)
}

/// The assessment of a candidate by itself, before the check for duplicates.
enum Assessment {
    Impossible,
    Ended,
    InCheck,
    Unbalanced,
    /// Balanced and playable. `way`: keys of the positions before it; `key`: its own.
    Fit {
        position: Chess,
        way: Vec<u64>,
        key: u64,
        line: Vec<Move>,
    },
}

impl MadeBook {
    /// Counts a candidate and keeps it if it is fit and new.
    fn take(&mut self, judged: Assessment, passed: &mut HashSet<u64>) {
        self.tally.candidates += 1;
        let counter = match judged {
            Assessment::Impossible => &mut self.tally.impossible,
            Assessment::Ended => &mut self.tally.ended,
            Assessment::InCheck => &mut self.tally.in_check,
            Assessment::Unbalanced => &mut self.tally.unbalanced,
            Assessment::Fit { way, key, .. } if passed.contains(&key) || way.contains(&key) => {
                &mut self.tally.duplicates
            }
            Assessment::Fit { position, way, key, line } => {
                passed.extend(way);
                passed.insert(key);
                self.positions.push(position);
                self.lines.push(line);
                &mut self.tally.accepted
            }
        };
        *counter += 1;
    }
}

fn judge(options: &MakeOptions, k: u64, engine: &mut Engine) -> Result<Assessment, Error> {
    let Some(start) = start(options, k) else { return Ok(Assessment::Impossible) };
    let Some((position, way, line)) = random_play(start, options.seed, k, options.plies) else {
        return Ok(Assessment::Ended);
    };
    if position.legal_moves().is_empty() || position.is_insufficient_material() {
        return Ok(Assessment::Ended);
    }
    if position.is_check() {
        return Ok(Assessment::InCheck);
    }
    // Without counters: as the book will have it.
    let fen = text::as_read(&position);
    let seen = engine::Position::from_fen(&fen)
        .map_err(|why| Error::fault(format!("the engine refuses the position {fen}: {why}")))?;
    engine.new_game();
    let limits = Limits { nodes: Some(options.nodes), ..Limits::default() };
    let score = engine.search(&seen, &limits, &()).score;
    if score.mate().is_some() || score.cp().unsigned_abs() > options.window_cp {
        return Ok(Assessment::Unbalanced);
    }
    Ok(Assessment::Fit { key: key(&position), position, way, line })
}

/// The position before the random moves of candidate `k`; `None` if the placement is illegal.
fn start(options: &MakeOptions, k: u64) -> Option<Chess> {
    let mut words = RandomWords::new(b"random signature", options.seed, k);
    let count = u32::try_from(options.men.len()).unwrap_or(u32::MAX);
    match options.men.get(words.below(count) as usize) {
        Some(men) => men.place(options.seed, k),
        None => Some(Chess::default()),
    }
}

/// Plays the random moves of candidate `k`: the position they lead to, the keys of those before it,
/// and the moves. `None` if the game ended on the way.
fn random_play(
    mut position: Chess,
    seed: u64,
    k: u64,
    plies: u32,
) -> Option<(Chess, Vec<u64>, Vec<Move>)> {
    let mut words = RandomWords::new(b"random openings1", seed, k);
    let (mut way, mut played) = (Vec::new(), Vec::new());
    for _ in 0..plies {
        way.push(key(&position));
        let mut moves = position.legal_moves();
        // An order of our own, so that no change in the generator changes a book.
        moves.sort_unstable_by_key(|mv| (mv.from(), mv.to(), mv.promotion()));
        let choice = words.below(u32::try_from(moves.len()).ok()?) as usize;
        let mv = *moves.get(choice)?;
        position.play_unchecked(mv);
        played.push(mv);
    }
    Some((position, way, played))
}

fn key(position: &Chess) -> u64 {
    position.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_met_before_are_duplicates() {
        let mut book = MadeBook::default();
        let mut passed = HashSet::new();
        let mut accepted = |way: &[u64], key| {
            let before = book.tally.accepted;
            let way = way.to_vec();
            let position = Chess::default();
            book.take(Assessment::Fit { position, way, key, line: Vec::new() }, &mut passed);
            book.tally.accepted > before
        };
        assert!(accepted(&[1, 2], 3));
        assert!(!accepted(&[1, 4], 3), "another way to the same position");
        assert!(!accepted(&[1, 4], 2), "passed by an opening");
        assert!(!accepted(&[1, 5], 5), "returned to");
        assert!(accepted(&[1, 2], 4), "what was left out has passed nothing");
        assert_eq!((book.tally.candidates, book.tally.duplicates), (5, 3));
    }

    #[test]
    fn candidates_never_change() {
        let epd = |k| {
            let (position, way, _) =
                random_play(Chess::default(), 1, k, 8).expect("no game ends so early");
            assert_eq!(way.len(), 8);
            text::epd(&position)
        };
        // From python-chess and an independent ChaCha8.
        let known = [
            "rnbqk1nr/p1ppp2p/1p4pb/5pN1/1P6/7P/P1PPPPP1/RNBQKB1R w KQkq -",
            "r1bqkbnr/p1pppp2/2n5/1B4pp/4PP2/6P1/PPPP3P/RNBQK1NR w KQkq -",
        ];
        assert_eq!([0, 1].map(epd), known);
    }
}
