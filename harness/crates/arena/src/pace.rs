//! How fast this machine searches when all of its slots are at work.

use std::num::NonZeroU64;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use engine::{Params, bench};

/// In plies: a slow machine needs a second for the bench.
pub const DEPTH: u32 = 6;
const TIME: Duration = Duration::from_secs(3);

/// The embedded engine's nodes a second in its `bench` to [`DEPTH`], repeated by `slots` threads at
/// once: the mean of what each reached. It takes some seconds.
pub fn nodes_per_second(slots: usize) -> NonZeroU64 {
    let params = Arc::new(Params::standard());
    let nps = || {
        let begun = Instant::now();
        let (mut nodes, mut time) = (0, Duration::ZERO);
        while begun.elapsed() < TIME
            && let Ok(report) = bench::bench(&params, DEPTH, |_, _, _| ())
        {
            nodes += report.nodes;
            time += report.time;
        }
        nodes as f64 / time.as_secs_f64().max(f64::MIN_POSITIVE)
    };
    let sum = thread::scope(|scope| {
        let threads: Vec<_> = (0..slots.max(1)).map(|_| scope.spawn(nps)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap_or(0.0)).sum::<f64>()
    });
    NonZeroU64::new((sum / slots.max(1) as f64) as u64).unwrap_or(NonZeroU64::MIN)
}
