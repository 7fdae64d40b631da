//! The embedded engine's play.

use std::num::NonZeroUsize;
use std::sync::{Arc, OnceLock};

use engine::{Engine, HashSize, Limits, Params, Position, bench};

use super::{Change, Probe, ProbeLimit, TunableSpan};
use crate::tunable::Tunable;
use process::parallel;

/// Depths in plies, tried in turn until something differs: cheap ones first.
const DEPTHS: [u32; 3] = [3, 6, 8];
/// Hash of the searches, bytes.
const HASH: usize = 1 << 20;

/// Nodes, score, move.
type Signature = (u64, i32, Option<String>);

/// Search outcomes of the bench positions with some parameters, found when they are first asked for:
/// most parameters differ at the least depth.
#[derive(Debug)]
pub struct Plain {
    params: Params,
    by_depth: [OnceLock<Vec<Signature>>; DEPTHS.len()],
}

impl Plain {
    pub fn of(params: &Params) -> Plain {
        Plain { params: params.clone(), by_depth: Default::default() }
    }

    /// What other parameters change.
    pub fn change(&self, params: &Params) -> Change {
        let change = DEPTHS.iter().zip(&self.by_depth).find_map(|(&depth, plain)| {
            let plain = plain.get_or_init(|| signatures(&self.params, depth));
            let found = signatures(params, depth);
            let count = found.iter().zip(plain).filter(|(a, b)| a != b).count();
            (count > 0).then_some(Change::Differs(ProbeLimit::Depth(depth), count))
        });
        change.unwrap_or(Change::NoOp)
    }
}

/// Moves each parameter to its ends, the others at their starts, and searches the bench positions;
/// `found` hears of each at once, on any thread.
pub fn probe(
    turns: &[TunableSpan],
    base: &Params,
    threads: NonZeroUsize,
    found: impl Fn(&Probe) + Sync,
) -> Vec<Probe> {
    let start = Tunable::turned(base, turns.iter().map(|turn| (turn.tunable, turn.start)));
    let plain = Plain::of(&start);
    parallel::map(
        turns,
        threads,
        || (),
        |(), turn| {
            let moved = turn.ends.into_iter().map(|value| {
                let mut params = start.clone();
                turn.tunable.turn(base, value, &mut params);
                params
            });
            let moved = moved.filter(|params| *params != start);
            let change = Change::strongest(moved.map(|params| plain.change(&params)));
            let probe = Probe { name: turn.tunable.name().to_owned(), change };
            found(&probe);
            probe
        },
    )
}

fn signatures(params: &Params, depth: u32) -> Vec<Signature> {
    let mut engine = Engine::new(&Arc::new(params.clone()), HashSize::from_bytes(HASH));
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let positions = bench::POSITIONS.iter().filter_map(|fen| Position::from_fen(fen).ok());
    let search = |position: Position| {
        engine.new_game();
        let report = engine.search(&position, &limits, &());
        let best = report.best.map(|best| best.to_uci(position.is_chess960()).to_string());
        (report.nodes, report.score.cp(), best)
    };
    positions.map(search).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_switched_off_changes_nothing() {
        let base = Params::standard();
        let mut off = base.clone();
        off.set("lmr.on", "false").expect("a switch");
        let tunable = Tunable::of_table("lmr.min_move").expect("a parameter");
        let turns = [TunableSpan { tunable: &tunable, start: 4.0, ends: [3.0, 5.0] }];
        let threads = NonZeroUsize::MIN;
        assert_eq!(probe(&turns, &off, threads, |_| ())[0].change, Change::NoOp);
        let mut on = base;
        on.set("lmr.on", "true").expect("a switch");
        let change = probe(&turns, &on, threads, |_| ())[0].change;
        assert!(matches!(change, Change::Differs(..)), "{change:?}");
    }
}
