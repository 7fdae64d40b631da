//! What a ply with UCI processes costs us: processor time of this process only, the engines'
//! excluded.
//!
//! ```text
//! cargo bench -p harness --bench uci_cost -- /usr/games/stockfish [PLIES]
//! ```
//!
//! Two games at a time, each between two processes of the engine, refereed by shakmaty. The
//! figures depend on what else the machine does: other load makes each wake-up dearer.
//!
//! Why a player blocks its thread (µs a ply of bare prototypes without referee or transcript;
//! 2 cores, two games of stockfish 15.1 at 1000 nodes; "patient" is `SCHED_BATCH`):
//!
//! | reading                                     | ordinary | patient |
//! |---------------------------------------------|----------|---------|
//! | blocking, on the game's own thread          | 20–24    | 13–15   |
//! | the same with `poll` before each `read`     | more: a pipe once polled wakes for every line |
//! | tokio, current thread                       | 87–89    | 26–27   |
//! | tokio, one worker                           | 90–91    | 29–33   |
//! | tokio, two workers                          | 94–105   | 33–34   |
//! | a blocking reader thread a process, + tokio | 80–87    | 45–60   |

use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use arena::player::external::External;
use arena::player::program::{ProgramHost, ProgramSettings, ProgramSpec};
use arena::player::{Fault, GoLimit};
use shakmaty::{Chess, Position as _};
use tokio_util::sync::CancellationToken;

const GAMES: usize = 2;
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn main() -> ExitCode {
    // Cargo runs this in the package's folder; its users are in the repository's.
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    let _ = std::env::set_current_dir(root);
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let Some(engine) = args.first() else {
        println!("uci_cost: skipped, no engine given; try: -- /usr/games/stockfish [PLIES]");
        return ExitCode::SUCCESS;
    };
    let plies = args.get(1).and_then(|plies| plies.parse().ok()).unwrap_or(4000);
    match measure(engine, plies) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("uci_cost: {error}");
            ExitCode::FAILURE
        }
    }
}

fn measure(engine: &str, plies: u64) -> Result<(), Box<dyn std::error::Error>> {
    let spec = ProgramSpec::parse(&format!("uci:{engine}"))?;
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    let settings = ProgramSettings { hash_mib: Some(4), ..ProgramSettings::default() };
    let host = ProgramHost::new(settings, runtime.handle().clone(), CancellationToken::new())?;
    println!("limit           µs/ply  switches/ply  plies/s");
    let limits = [
        ("nodes 1000", GoLimit::Nodes(1000), plies),
        ("nodes 5000", GoLimit::Nodes(5000), plies / 4),
        ("movetime 10 ms", GoLimit::MoveTime(Duration::from_millis(10)), plies / 4),
    ];
    for (name, limit, plies) in limits {
        let left = &AtomicU64::new(plies);
        let mut tables = Vec::new();
        for _ in 0..GAMES {
            tables.push([External::start(&spec, &host)?, External::start(&spec, &host)?]);
        }
        let (before, began) = (usage(), Instant::now());
        let played = std::thread::scope(|scope| {
            let games: Vec<_> = tables
                .iter_mut()
                .enumerate()
                .map(|(number, players)| scope.spawn(move || play(players, number, limit, left)))
                .collect();
            games.into_iter().try_fold(0, |sum, game| {
                game.join().map_or(Ok(sum), |p| Ok::<u64, Fault>(sum + p?))
            })
        })?;
        let (spent, wall) = (usage(), began.elapsed());
        let per_ply = |figure: f64| figure / played as f64;
        println!(
            "{name:14}  {:6.1}  {:12.2}  {:7.0}",
            per_ply(spent.0 - before.0),
            per_ply(spent.1 - before.1),
            played as f64 / wall.as_secs_f64()
        );
        tables.into_iter().flatten().for_each(|player| drop(player.quit()));
    }
    Ok(())
}

/// Plays games until no ply is left; how many plies it played.
fn play(
    players: &mut [External; 2],
    number: usize,
    limit: GoLimit,
    left: &AtomicU64,
) -> Result<u64, Fault> {
    let mut played = 0;
    for game in number.. {
        for player in players.iter_mut() {
            player.new_game(START, false)?;
        }
        let mut position = Chess::new();
        let mut moves = String::with_capacity(2048);
        // Openings differ, so that games at fixed nodes do.
        for index in [game % 20, game / 20 % 20] {
            push(&mut position, &mut moves, index, None);
        }
        while !position.is_game_over() && position.halfmoves() < 100 && moves.len() < 1500 {
            if left
                .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |l| l.checked_sub(1))
                .is_err()
            {
                return Ok(played);
            }
            let turn = position.turn();
            let thought = players[turn as usize].think(turn, &moves, &limit)?;
            push(&mut position, &mut moves, 0, Some(&thought.best));
            played += 1;
        }
    }
    Ok(played)
}

/// Plays `best`, if it is legal, or else the legal move of number `index`.
fn push(
    position: &mut Chess,
    moves: &mut String,
    index: usize,
    best: Option<&shakmaty::uci::UciMove>,
) {
    let legal = position.legal_moves();
    let chosen = best.and_then(|best| best.to_move(position).ok());
    if let Some(m) = chosen.or_else(|| legal.get(index % legal.len().max(1)).copied()) {
        if !moves.is_empty() {
            moves.push(' ');
        }
        moves.push_str(&m.to_uci(shakmaty::CastlingMode::Standard).to_string());
        position.play_unchecked(m);
    }
}

/// Processor time in microseconds and voluntary context switches of this process so far.
fn usage() -> (f64, f64) {
    // SAFETY: getrusage fills the zeroed structure.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_SELF, &mut usage);
        usage
    };
    let micros = |time: libc::timeval| time.tv_sec as f64 * 1e6 + time.tv_usec as f64;
    (micros(usage.ru_utime) + micros(usage.ru_stime), usage.ru_nvcsw as f64)
}
