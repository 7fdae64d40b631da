//! Games that are played to be labelled: random moves first, then a player against itself, both
//! sides at a strength of their own.
//!
//! A game depends on its number and the seed only. Games are kept beside the file of labels until
//! that is finished, since to play them again takes longer than to label them.

use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{BufRead as _, BufReader, Seek as _, SeekFrom, Write as _};
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use arena::game::{Adjudication, Game, GameRules, Limit, PlayerLimits, TablebaseResults};
use arena::plan::EMBEDDED_HASH;
use arena::player::program::{ProgramHost, ProgramSettings, ProgramSpec};
use arena::player::spec::{PlayerSpec, embedded_params};
use arena::player::{Fault, Halt};
use arena::pool::{PlayerPool, SharedBoard};
use arena::record::{BySide, Side};
use arena::runner::Stops;
use arena::schedule::ScheduledGame;
use engine::HashSize;
use pgn::{Book, Opening, RandomWords};
use process::{Context as _, Error, parallel};
use serde::{Deserialize, Serialize};
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{Chess, EnPassantMode, Position as _};
use tokio::runtime::Handle;

use crate::tune::texel::GameLine;

/// Games that are played together.
const BATCH: u64 = 128;
/// Of the stream of random numbers.
const PURPOSE: &[u8; 16] = b"games of a label";
/// Random moves that end the game are drawn again, so often.
const MOST_TRIES: u32 = 1000;

/// Which games are played.
#[derive(Debug, Clone, PartialEq)]
pub struct SelfPlay {
    pub games: u64,
    /// Random plies at the start.
    pub plies: u32,
    /// Nodes for each move of a player in one game: drawn for each player and game, as likely to
    /// double as to be halved anywhere in the range.
    pub nodes: RangeInclusive<u64>,
    /// Of both sides.
    pub player: PlayerSpec,
    /// Where the random moves begin; `None`: the start position.
    pub openings: Option<PathBuf>,
}

/// A game as it is kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct PlayedGame {
    fen: String,
    moves: String,
    /// Of the opening and by chance.
    book_plies: usize,
    /// White's: 0, ½ or 1.
    result: f32,
}

impl fmt::Display for SelfPlay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SelfPlay { games, plies, nodes, player, openings } = self;
        write!(f, "{games} games of {player} at {nodes:?} nodes after {plies} random plies")?;
        openings.iter().try_for_each(|book| write!(f, " from {}", book.display()))
    }
}

pub(super) struct SelfPlaying<'a> {
    players: Players<'a>,
    kept: KeptGames,
    /// Games so far.
    next: u64,
}

/// Who plays, and from where.
struct Players<'a> {
    plan: &'a SelfPlay,
    seed: u64,
    stops: Stops,
    pool: PlayerPool,
    book: Option<Book>,
}

impl<'a> SelfPlaying<'a> {
    /// Games are kept in the file `kept`. To be called inside of a multi-threaded runtime.
    ///
    /// # Errors
    /// No such player, an unreadable book or file.
    pub(super) fn new(
        (plan, seed): (&'a SelfPlay, u64),
        settings: &ProgramSettings,
        stops: &Stops,
        kept: PathBuf,
    ) -> Result<SelfPlaying<'a>, Error> {
        let pool = match &plan.player {
            PlayerSpec::Embedded { personality, parameters } => {
                let params = embedded_params(personality, parameters)?;
                let hash = usize::try_from(EMBEDDED_HASH.0).unwrap_or(usize::MAX);
                PlayerPool::embedded(params, HashSize::from_bytes(hash))
            }
            PlayerSpec::Program { .. } => {
                let spec = ProgramSpec::parse(&plan.player.to_string())?;
                let host =
                    ProgramHost::new(settings.clone(), Handle::current(), stops.now_token())?;
                PlayerPool::programs(spec, host, false, None)
            }
        };
        let book = plan.openings.as_ref().map(Book::read).transpose();
        let book = book.map_err(|error| Error::input_output(error.to_string()))?;
        let kept = KeptGames::open(kept)?;
        let players = Players { plan, seed, stops: stops.clone(), pool, book };
        Ok(SelfPlaying { players, kept, next: 0 })
    }

    /// The next games, with their results; none after the last.
    ///
    /// # Errors
    /// A player fails, the file of games is broken, or an interruption.
    pub(super) fn batch(&mut self, threads: NonZeroUsize) -> Result<Vec<GameLine>, Error> {
        let SelfPlaying { players, kept, next } = self;
        let first = *next;
        *next = players.plan.games.min(first + BATCH);
        let mut games = Vec::new();
        while first + (games.len() as u64) < *next
            && let Some(game) = kept.next()?
        {
            games.push(game);
        }
        let missing: Vec<u64> = (first + games.len() as u64..*next).collect();
        let play = |(): &mut (), &number: &u64| players.play(number);
        parallel::stream(
            &missing,
            threads,
            || (),
            play,
            |played| {
                let game = played?;
                kept.append(&game)?;
                games.push(game);
                Ok::<(), Error>(())
            },
        )?;
        Ok((first..).zip(games).map(|(number, game)| game.line(number)).collect())
    }

    /// Ends its programs in order.
    pub(super) fn close(&self) {
        self.players.pool.close();
    }
}

impl Players<'_> {
    fn play(&self, number: u64) -> Result<PlayedGame, Error> {
        let mut chance = RandomWords::new(PURPOSE, self.seed, number);
        let opening = self.opening(&mut chance)?;
        let [base, test] = [(); 2].map(|()| Limit::Nodes(drawn(&self.plan.nodes, &mut chance)));
        let scheduled = ScheduledGame { game: number, opening: 0, white: Side::Base };
        let mut game = Game::new(scheduled, &opening, &rules(BySide { base, test }));
        let wrong = |why: &dyn fmt::Display| {
            Error::fault(format!("--self-play: game {number}, {}: {why}", self.plan.player))
        };
        let take = || self.pool.take(&game).map_err(|(fault, _)| wrong(&fault));
        let mut players = BySide { base: take()?, test: take()? };
        let (mut board, never) = (SharedBoard::default(), AtomicBool::new(false));
        while game.end().is_none() {
            let side = game.to_move();
            let player = side.choose(&mut players.base, &mut players.test);
            let thought = player.think(&game, &mut board, Halt { run: &never, overdue: None });
            if self.stops.now() {
                return Err(super::interrupted());
            }
            match thought {
                Ok(thought) => _ = game.apply(&thought),
                Err(Fault::Lack(lack)) => return Err(Error::input_output(lack)),
                Err(fault) => _ = game.fault(side, &fault),
            }
        }
        let record = game.into_record(0, 0).ok_or_else(|| wrong(&"does not end"))?;
        if record.termination.is_fault() {
            return Err(wrong(&record.detail.unwrap_or_default()));
        }
        self.pool.give_back(players.base);
        self.pool.give_back(players.test);
        Ok(PlayedGame {
            result: f32::from(record.result.half_points(true)) / 2.0,
            fen: record.fen,
            moves: record.moves,
            book_plies: record.book_plies as usize,
        })
    }

    /// The opening, and random moves behind it that do not end the game.
    fn opening(&self, chance: &mut RandomWords) -> Result<Opening, Error> {
        let first = match &self.book {
            Some(book) => {
                let index = chance.below(u32::try_from(book.len()).unwrap_or(u32::MAX)) as usize;
                let opening = book.opening_from(index);
                opening.map_err(|error| Error::input_output(error.to_string()))?.0
            }
            None => {
                let start = Chess::default();
                let fen = Fen::from_position(&start, EnPassantMode::Legal).to_string();
                Opening { index: 0, start, fen, moves: Vec::new() }
            }
        };
        let mut begin = first.start.clone();
        for uci in &first.moves {
            let Ok(played) = uci.to_move(&begin) else { break };
            begin.play_unchecked(played);
        }
        for _ in 0..MOST_TRIES {
            if let Some(moves) = by_chance(begin.clone(), self.plan.plies, chance) {
                return Ok(Opening { moves: [first.moves, moves].concat(), ..first });
            }
        }
        Err(Error::usage(format!(
            "--plies {}: the game is over before, from {}; expected fewer",
            self.plan.plies, first.fen
        )))
    }
}

/// So many random moves, unless the game is over before.
fn by_chance(mut board: Chess, plies: u32, chance: &mut RandomWords) -> Option<Vec<UciMove>> {
    let mut moves = Vec::new();
    for _ in 0..plies {
        let legal = board.legal_moves();
        let played = *legal.get(chance.below(u32::try_from(legal.len()).ok()?) as usize)?;
        moves.push(played.to_uci(board.castles().mode()));
        board.play_unchecked(played);
    }
    (!board.is_game_over()).then_some(moves)
}

fn drawn(range: &RangeInclusive<u64>, chance: &mut RandomWords) -> u64 {
    const PARTS: u32 = 1 << 24;
    let share = f64::from(chance.below(PARTS)) / f64::from(PARTS - 1);
    let (low, high) = (*range.start() as f64, *range.end() as f64);
    (low * (high / low).powf(share)).round() as u64
}

/// Those of a match, for players that are limited by nodes.
fn rules(limits: PlayerLimits) -> GameRules {
    GameRules {
        limits,
        adjudication: Adjudication::default(),
        tablebases: None,
        tablebase_results: TablebaseResults::default(),
        audit: None,
        details: false,
        time_margins: [Duration::ZERO; 2],
        hang: ProgramSettings::default().hang,
        oversubscribed: None,
    }
}

impl PlayedGame {
    fn line(self, number: u64) -> GameLine {
        let PlayedGame { fen, moves, book_plies, result } = self;
        GameLine::played(number, (fen, moves), book_plies, result)
    }
}

/// The file of games, a line for each: first read, then added to.
struct KeptGames {
    path: PathBuf,
    file: File,
    /// Of the games that an earlier call has played.
    earlier: Option<BufReader<File>>,
    /// Lines read, and their bytes.
    read: (u64, u64),
}

impl KeptGames {
    fn open(path: PathBuf) -> Result<KeptGames, Error> {
        let mut options = OpenOptions::new();
        let file = options.write(true).create(true).truncate(false).open(&path);
        let file = file.context(format!("{}: cannot create", path.display()))?;
        let earlier = File::open(&path).context(path.display())?;
        Ok(KeptGames { path, file, earlier: Some(BufReader::new(earlier)), read: (0, 0) })
    }

    /// The next game that an earlier call has played.
    fn next(&mut self) -> Result<Option<PlayedGame>, Error> {
        let Some(earlier) = &mut self.earlier else { return Ok(None) };
        let mut line = String::new();
        earlier.read_line(&mut line).context(self.path.display())?;
        if !line.ends_with('\n') {
            // A kill has left it so.
            self.file.set_len(self.read.1).context(self.path.display())?;
            self.file.seek(SeekFrom::End(0)).context(self.path.display())?;
            self.earlier = None;
            return Ok(None);
        }
        self.read = (self.read.0 + 1, self.read.1 + line.len() as u64);
        let game = serde_json::from_str(&line).map_err(|error| {
            let (path, number) = (self.path.display(), self.read.0);
            Error::input_output(format!(
                "{path}:{number}: expected a game as it was kept, {error}; remove it to play the games again"
            ))
        })?;
        Ok(Some(game))
    }

    fn append(&mut self, game: &PlayedGame) -> Result<(), Error> {
        let line = serde_json::to_string(game).unwrap_or_default() + "\n";
        self.file
            .write_all(line.as_bytes())
            .context(format!("{}: cannot write", self.path.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_and_strength_are_drawn() {
        let chance = |number| RandomWords::new(PURPOSE, 1, number);
        let opening = |number| by_chance(Chess::default(), 8, &mut chance(number));
        let moves = opening(0).expect("a game that goes on");
        assert_eq!(moves.len(), 8);
        assert!(opening(0) == Some(moves.clone()) && opening(1) != Some(moves));
        let mut words = chance(3);
        let nodes: Vec<u64> = (0..1000).map(|_| drawn(&(500..=8000), &mut words)).collect();
        assert!(nodes.iter().all(|nodes| (500..=8000).contains(nodes)));
        // Half of them below the geometric mean.
        let low = nodes.iter().filter(|nodes| **nodes < 2000).count();
        assert!((400..600).contains(&low), "{low}");
        assert_eq!(drawn(&(7..=7), &mut words), 7);
    }

    #[test]
    fn games_are_kept() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("games");
        let game = |book_plies| PlayedGame {
            fen: "fen".to_owned(),
            moves: "e2e4".to_owned(),
            book_plies,
            result: 0.5,
        };
        let mut kept = KeptGames::open(path.clone()).expect("a file");
        assert_eq!(kept.next().expect("no games yet"), None);
        kept.append(&game(1)).expect("a line");
        kept.append(&game(2)).expect("a line");
        // Killed within the second line.
        let text = std::fs::read_to_string(&path).expect("two games");
        std::fs::write(&path, &text[..text.len() - 3]).expect("a file");
        let mut kept = KeptGames::open(path.clone()).expect("a file");
        assert_eq!(kept.next().expect("a game"), Some(game(1)));
        assert_eq!(kept.next().expect("no more"), None);
        kept.append(&game(2)).expect("a line");
        assert_eq!(std::fs::read_to_string(&path).expect("two games"), text);
        std::fs::write(&path, format!("{text}nonsense\n")).expect("a file");
        let mut kept = KeptGames::open(path).expect("a file");
        let [_, _, third] = [(); 3].map(|()| kept.next());
        let error = third.expect_err("nonsense").to_string();
        assert!(error.contains("games:3: expected a game"), "{error}");
    }
}
