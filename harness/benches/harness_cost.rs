//! What the harness costs in embedded mode: processor time a ply outside the engine, and the
//! share of all processors that goes into searching.
//!
//! ```text
//! cargo bench -p harness --bench harness_cost            # 400 games at 3,000 nodes a move
//! cargo bench -p harness --bench harness_cost -- 100 500 # 100 games at 500 nodes a move
//! ```
//!
//! The match is a real one, from the book to the journal and the PGN, without the screen. Processor time in
//! the engine is read from each search thread's own clock around every search; two more system
//! calls a ply, which count against the harness.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use arena::collector::{Collector, MatchObserver, Recorded, StrikeSender};
use arena::game::{Adjudication, GameRules, Limit, PlayerLimits, TablebaseResults};
use arena::pool::PlayerPool;
use arena::record::pgn::GrowingPgn;
use arena::record::{GameRecord, Identity, Journal, MatchState, RunFile};
use arena::runner::{Contest, Meter, Pin, QueuedGame, Runner, Stops, Width};
use arena::schedule::Schedule;
use arena::slots::Order;
use pgn::{Book, OrderKind};
use stats::{LosRule, Rule};

struct Blind;

impl MatchObserver for Blind {
    fn game(&mut self, _: &GameRecord, _: &MatchState) {}
    fn warning(&mut self, what: &str) {
        eprintln!("{what}");
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let numbers: Vec<u64> = std::env::args().filter_map(|word| word.parse().ok()).collect();
    let games = numbers.first().copied().unwrap_or(400);
    let nodes = numbers.get(1).copied().unwrap_or(3000);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).build()?;
    let slots = std::thread::available_parallelism()?;
    let meter = Arc::new(Meter::default());
    let folder = tempfile::tempdir()?;

    let book = Book::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../openings/balanced_8ply.epd"))?;
    let rule = Rule::Los(LosRule { percent: 95.0, pairs: None });
    let pairs = games.div_ceil(2);
    let schedule = Schedule::new(&book, OrderKind::Random { seed: 1 }, 0, pairs);
    let source = || {
        let size = engine::HashSize::from_bytes(1 << 20);
        Arc::new(PlayerPool::embedded(engine::Params::standard(), size))
    };
    let stops = Stops::default();
    let contest = Arc::new(Contest {
        book: Arc::new(book),
        rules: GameRules {
            limits: PlayerLimits::even(Limit::Nodes(nodes)),
            tablebases: None,
            tablebase_results: TablebaseResults::All,
            audit: None,
            details: false,
            adjudication: Adjudication::default(),
            time_margins: [Duration::ZERO; 2],
            hang: Duration::from_secs(60),
            oversubscribed: None,
        },
        base: source(),
        test: source(),
        stops: stops.clone(),
        live: None,
    });
    let runner = Runner {
        width: Width {
            concurrency: slots.saturating_mul(NonZeroUsize::MIN.saturating_add(1)),
            slots,
            order: Order::LowestFirst,
            pin: Pin::Off,
        },
        stops: stops.clone(),
        pools: vec![Arc::clone(&contest.base), Arc::clone(&contest.test)],
        meter: Some(Arc::clone(&meter)),
    };
    let journal = Journal::create(folder.path())?;
    let recorded = Recorded::new(MatchState::new(rule, pairs));
    let side = |name: &str| Identity { name: name.to_owned(), ..Identity::default() };
    let run = RunFile::new(serde_json::Value::Null, 1, side("base"), side("test"), None);
    let (_, strikes) = StrikeSender::new(None);
    let collector = Collector::new(journal, folder.path(), recorded, None, (stops, strikes), Blind)
        .with_pgn(GrowingPgn::open(folder.path(), &run));

    let (began, cpu_before) = (Instant::now(), process_cpu());
    runtime.block_on(async {
        let (sender, receiver) = tokio::sync::mpsc::channel(256);
        let collecting = tokio::spawn(collector.run(receiver));
        runner.run(QueuedGame::all(contest, schedule, sender)).await?;
        collecting.await??;
        Ok::<(), Box<dyn std::error::Error>>(())
    })?;
    let (wall, cpu) = (began.elapsed(), process_cpu() - cpu_before);

    let plies = meter.plies.load(Ordering::Relaxed);
    let engine = Duration::from_nanos(meter.player_ns.load(Ordering::Relaxed));
    let outside = cpu.saturating_sub(engine).as_secs_f64() * 1e6 / plies as f64;
    let share = engine.as_secs_f64() / (wall.as_secs_f64() * slots.get() as f64);
    let busy = cpu.as_secs_f64() / (wall.as_secs_f64() * slots.get() as f64);
    println!("{} games, {plies} plies, {nodes} nodes a move, {slots} processors", pairs * 2);
    println!(
        "wall {:.2} s, {:.1} games/s",
        wall.as_secs_f64(),
        pairs as f64 * 2.0 / wall.as_secs_f64()
    );
    println!("outside the engine: {outside:.2} µs of processor time a ply");
    println!("in the engine: {:.2} % of all processors", 100.0 * share);
    println!("this process had {:.2} % of all processors", 100.0 * busy);
    Ok(())
}

/// Processor time of this process, all its threads.
fn process_cpu() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer is to a live timespec; the call writes nothing else.
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or(0))
}
