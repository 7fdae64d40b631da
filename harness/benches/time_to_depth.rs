//! How fast engines get to a depth, in one run on one machine, so that ratios mean something.
//!
//! ```text
//! cargo bench -p harness --bench time_to_depth -- [bench] DEPTH SPEC [SPEC ...]
//! cargo bench -p harness --bench time_to_depth -- 12 uci:target/release/mutineer uci:/usr/games/toga2
//! ```
//!
//! Fifty middle-game positions, or with `bench` those of the engine's own bench, each from a cleared
//! state; the engines take turns at each position.
//! Times are the engines' own searching as the runner's clock sees it, ratios are to the first one.
//! Depths of different engines are different things: the ratio says how dear a ply is, not how good.

use std::process::ExitCode;
use std::time::Duration;

use arena::player::GoLimit;
use arena::player::external::External;
use arena::player::program::{ProgramHost, ProgramSettings, ProgramSpec};
use shakmaty::Color;
use tokio_util::sync::CancellationToken;

const POSITIONS: &str = include_str!("../../engine/benches/data/middlegames.epd");
/// Every so many of them.
const STEP: usize = 20;

fn main() -> ExitCode {
    // Cargo runs this in the package's folder; its users are in the repository's.
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    let _ = std::env::set_current_dir(root);
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let (positions, args): (Vec<&str>, _) = match args.split_first() {
        Some((word, rest)) if word == "bench" => (bench_positions(), rest),
        _ => (POSITIONS.lines().step_by(STEP).collect(), &args[..]),
    };
    let Some((depth, specs)) = args.split_first().filter(|(_, specs)| !specs.is_empty()) else {
        println!("time_to_depth: skipped; try: -- 12 uci:/usr/games/toga2 uci:/usr/games/glaurung");
        return ExitCode::SUCCESS;
    };
    match measure(&positions, depth, specs) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("time_to_depth: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Those of the engine's bench that every engine knows: not Chess960's.
fn bench_positions() -> Vec<&'static str> {
    let is_usual = |fen: &str| {
        let rights = fen.split(' ').nth(2).unwrap_or_default();
        rights.chars().all(|right| "KQkq-".contains(right))
    };
    engine::bench::POSITIONS.iter().copied().filter(|fen| is_usual(fen)).collect()
}

/// What one engine needed.
#[derive(Debug, Clone, Copy, Default)]
struct Needed {
    nodes: u64,
    time: Duration,
    /// The sum of the logarithms of its times in seconds.
    logarithms: f64,
}

fn measure(
    positions: &[&str],
    depth: &str,
    specs: &[String],
) -> Result<(), Box<dyn std::error::Error>> {
    let limit = GoLimit::Depth(depth.parse().map_err(|_| format!("'{depth}' is no depth"))?);
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    let settings = ProgramSettings {
        hash_mib: Some(16),
        threads: Some(1),
        hang: Duration::from_secs(3600),
        ..ProgramSettings::default()
    };
    let host = ProgramHost::new(settings, runtime.handle().clone(), CancellationToken::new())?;
    let mut engines = Vec::new();
    for spec in specs {
        engines.push((External::start(&ProgramSpec::parse(spec)?, &host)?, Needed::default()));
    }
    for fen in positions {
        let turn = if fen.contains(" w ") { Color::White } else { Color::Black };
        for (engine, needed) in &mut engines {
            engine.new_game(fen, false)?;
            let thought = engine.think(turn, "", &limit)?;
            needed.nodes += thought.nodes;
            needed.time += thought.time;
            needed.logarithms += thought.time.as_secs_f64().max(1e-6).ln();
        }
    }
    let count = positions.len() as f64;
    let first = engines[0].1;
    println!("{count} positions to depth {depth}; time is the whole, ratios are of times");
    println!("engine                nodes      knps   time s   ratio  geometric");
    for (engine, needed) in engines {
        let seconds = needed.time.as_secs_f64();
        println!(
            "{:16} {:10} {:9.0} {seconds:8.2} {:7.2} {:10.2}",
            engine.identity().name,
            needed.nodes,
            needed.nodes as f64 / seconds / 1000.0,
            seconds / first.time.as_secs_f64(),
            ((needed.logarithms - first.logarithms) / count).exp(),
        );
        engine.quit();
    }
    Ok(())
}
