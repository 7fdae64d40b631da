//! The same games played by the embedded engine and by the same engine as a UCI program: the moves
//! have to be the same, or one of the two ways to play does not measure the engine.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use engine::HashSize;
use tokio::runtime::Handle;
use tokio::sync::mpsc;

use arena::game::{Adjudication, GameRules, Limit, PlayerLimits, TablebaseResults};
use arena::player::external::External;
use arena::player::program::{ProgramHost, ProgramSettings, ProgramSpec, StartErrorKind};
use arena::player::spec::embedded_params;
use arena::pool::PlayerPool;
use arena::record::GameRecord;
use arena::runner::{Contest, Finished, Pin, QueuedGame, Runner, Stops, Width};
use arena::schedule::Schedule;
use arena::slots::Order;
use pgn::{Book, OrderKind};
use process::Error;

/// Hash of every engine: the least that UCI can name.
const HASH_MIB: u64 = 1;
/// Finished games on their way.
const CHANNEL: usize = 64;

#[derive(Debug, Clone)]
pub struct SelfCheck {
    pub personality: String,
    /// The same engine as a UCI program.
    pub program: ProgramSpec,
    /// Nodes for each move.
    pub nodes: u64,
    /// Games, each from another opening of the schedule.
    pub games: u64,
    /// Seed of the order of openings.
    pub seed: u64,
    /// Processors.
    pub slots: NonZeroUsize,
}

/// The first place where the two ways part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parting {
    /// The game's number in the schedule.
    pub game: u64,
    /// The ply, from 0.
    pub ply: usize,
    /// The embedded engine's move, or how its game ended there.
    pub embedded: String,
    /// The program's move, or how its game ended there.
    pub program: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SelfcheckOutcome {
    pub games: u64,
    /// Plies of the embedded engine's games after the book.
    pub plies: u64,
    pub different: u64,
    /// The first difference, by game number; none when all games are the same.
    pub first: Option<Parting>,
}

impl SelfCheck {
    /// Plays all games both ways, from the openings that a match of this seed begins with, and
    /// compares them. Each of the schedule's pairs gives one game: with equal players its second
    /// would be the first again. To be called inside of a multi-threaded runtime. A program that
    /// misbehaves in its games is a difference, no error.
    pub async fn run(&self, book: Book) -> Result<SelfcheckOutcome, Error> {
        let book = Arc::new(book);
        let params = embedded_params(&self.personality, &[])?;
        let hash = HashSize::from_bytes((HASH_MIB << 20) as usize);
        let embedded = || Arc::new(PlayerPool::embedded(params.clone(), hash));
        let embedded = self.play(&book, [embedded(), embedded()], Stops::default()).await?;

        let stops = Stops::default();
        let settings =
            ProgramSettings { hash_mib: Some(HASH_MIB), threads: Some(1), ..Default::default() };
        let host = ProgramHost::new(settings, Handle::current(), stops.now_token())?;
        self.try_program(&host)?;
        let program = || {
            let (spec, host) = (self.program.clone(), Arc::clone(&host));
            Arc::new(PlayerPool::programs(spec, host, false, None))
        };
        let program = self.play(&book, [program(), program()], stops).await?;
        Ok(compare(&embedded, &program))
    }

    /// Starts the program once: one that does not even start plays no other moves, but none.
    fn try_program(&self, host: &Arc<ProgramHost>) -> Result<(), Error> {
        match tokio::task::block_in_place(|| External::start(&self.program, host)) {
            Ok(program) => {
                tokio::task::block_in_place(|| program.quit());
                Ok(())
            }
            Err(error) if error.kind == StartErrorKind::Options => Err(Error::usage(error)),
            Err(error) => Err(Error::fault(error)),
        }
    }

    /// The games, in the order of their numbers.
    async fn play(
        &self,
        book: &Arc<Book>,
        [base, test]: [Arc<PlayerPool>; 2],
        stops: Stops,
    ) -> Result<Vec<GameRecord>, Error> {
        let contest = Arc::new(Contest {
            book: Arc::clone(book),
            rules: GameRules {
                limits: PlayerLimits::even(Limit::Nodes(self.nodes)),
                adjudication: Adjudication::default(),
                tablebases: None,
                tablebase_results: TablebaseResults::All,
                audit: None,
                details: false,
                time_margins: [Duration::ZERO; 2],
                hang: ProgramSettings::default().hang,
                oversubscribed: None,
            },
            base,
            test,
            stops: stops.clone(),
            live: None,
        });
        let (concurrency, slots) = (self.slots, self.slots);
        let runner = Runner {
            width: Width { concurrency, slots, order: Order::LowestFirst, pin: Pin::Off },
            stops,
            pools: vec![Arc::clone(&contest.base), Arc::clone(&contest.test)],
            meter: None,
        };
        let order = OrderKind::Random { seed: self.seed };
        let schedule = Schedule::new(book, order, 0, self.games).step_by(2);
        let (sender, mut finished) = mpsc::channel::<Finished>(CHANNEL);
        let collecting = tokio::spawn(async move {
            let mut games = Vec::new();
            while let Some(game) = finished.recv().await {
                games.push(game.record);
            }
            games
        });
        runner.run(QueuedGame::all(contest, schedule, sender)).await?;
        let games = collecting.await;
        let mut games = games.unwrap_or_else(|panic| std::panic::resume_unwind(panic.into_panic()));
        games.sort_by_key(|game| game.game);
        Ok(games)
    }
}

/// Compares the games of the same numbers.
fn compare(embedded: &[GameRecord], program: &[GameRecord]) -> SelfcheckOutcome {
    let plies = embedded.iter().map(|game| u64::from(game.plies - game.book_plies)).sum();
    let mut outcome =
        SelfcheckOutcome { games: embedded.len() as u64, plies, different: 0, first: None };
    for (embedded, program) in embedded.iter().zip(program) {
        if let Some(parting) = parting(embedded, program) {
            outcome.different += 1;
            outcome.first.get_or_insert(parting);
        }
    }
    outcome
}

fn parting(embedded: &GameRecord, program: &GameRecord) -> Option<Parting> {
    let moves = |game: &GameRecord| -> Vec<String> {
        game.moves.split_ascii_whitespace().map(str::to_owned).collect()
    };
    let [ours, theirs] = [embedded, program].map(moves);
    if ours == theirs && embedded.termination == program.termination {
        return None;
    }
    let ply = ours.iter().zip(&theirs).take_while(|(ours, theirs)| ours == theirs).count();
    let at = |moves: &[String], game: &GameRecord| {
        let end = || match &game.detail {
            Some(detail) => format!("the end by {detail}"),
            None => format!("the end by {}", game.termination.as_str()),
        };
        moves.get(ply).cloned().unwrap_or_else(end)
    };
    Some(Parting {
        game: embedded.game,
        ply,
        embedded: at(&ours, embedded),
        program: at(&theirs, program),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena::record::{Side, Termination, TimeRecord};
    use pgn::Outcome as Result_;

    fn game(number: u64, moves: &str, termination: Termination) -> GameRecord {
        GameRecord {
            game: number,
            pair: number / 2,
            opening: 0,
            passed_over: 0,
            white: Side::Test,
            black: Side::Base,
            result: Result_::Draw,
            termination,
            detail: None,
            plies: moves.split_whitespace().count() as u32,
            book_plies: 1,
            fen: String::new(),
            moves: moves.to_owned(),
            notes: Vec::new(),
            details: Vec::new(),
            nodes: [0, 0],
            hash: String::new(),
            audit: None,
            time: TimeRecord::default(),
        }
    }

    #[test]
    fn the_first_difference_is_named() {
        use Termination::{Checkmate, Repetition};
        let ours = [game(0, "e2e4 e7e5", Repetition), game(2, "e2e4 e7e5 g1f3", Repetition)];
        assert_eq!(compare(&ours, &ours).first, None);
        assert_eq!(compare(&ours, &ours).plies, 3);
        for (theirs, ply, embedded, program) in [
            (game(2, "e2e4 c7c5 g1f3", Repetition), 1, "e7e5", "c7c5"),
            (game(2, "e2e4 e7e5", Checkmate), 2, "g1f3", "the end by checkmate"),
            (game(2, "e2e4 e7e5 g1f3 b8c6", Repetition), 3, "the end by repetition", "b8c6"),
            (
                game(2, "e2e4 e7e5 g1f3", Checkmate),
                3,
                "the end by repetition",
                "the end by checkmate",
            ),
        ] {
            let outcome = compare(&ours, &[ours[0].clone(), theirs]);
            let (embedded, program) = (embedded.to_owned(), program.to_owned());
            assert_eq!(outcome.first, Some(Parting { game: 2, ply, embedded, program }));
            assert_eq!((outcome.games, outcome.different), (2, 1));
        }
    }
}
