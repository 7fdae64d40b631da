//! How many threads search at once, and whether there are processors for them.

use std::thread::available_parallelism;

use crate::plan::Plan;
use crate::record::{Identity, Load};
use crate::runner::Pin;

pub(super) fn of(plan: &Plan, players: [&Identity; 2]) -> Load {
    in_slots(plan, players, plan.slots.get())
}

fn in_slots(plan: &Plan, players: [&Identity; 2], slots: usize) -> Load {
    let games = |count: usize| (count as u64).min(plan.pairs.saturating_mul(2));
    let (slots, concurrency) = (games(slots), games(plan.concurrency.get()));
    let thinking = slots.min(concurrency);
    let [base, test] = players.map(Identity::threads);
    let threads = match plan.ponder {
        false => thinking.saturating_mul(base.max(test)),
        // Both think in a game that has its slot, one in a game that waits for it.
        true => thinking
            .saturating_mul(base.saturating_add(test))
            .saturating_add((concurrency - thinking).saturating_mul(base.max(test))),
    };
    let here = available_parallelism().map_or(1, |count| count.get() as u64);
    let processors = match plan.pin {
        Pin::Off => here,
        Pin::All | Pin::These(_) => slots.min(here),
    };
    Load { threads, processors }
}

/// What comes of too much load, and what to type.
pub(super) fn warning(plan: &Plan, players: [&Identity; 2]) -> Option<String> {
    let load = of(plan, players);
    if !load.is_too_much() {
        return None;
    }
    let fits = |slots: &usize| !in_slots(plan, players, *slots).is_too_much();
    let way_out = match (1..plan.slots.get()).rev().find(fits) {
        None => "fewer Threads".to_owned(),
        Some(slots) => format!("at most --slots {slots}"),
    };
    let outcome = if plan.repeats_itself() {
        "the games are the same, they only take longer"
    } else {
        "engines get less processor time than their clocks count, and may lose on time"
    };
    let Load { threads, processors } = load;
    Some(format!(
        "{threads} threads will search at once ({} slots) on {processors} processors: {outcome}; \
         expected {way_out}",
        plan.slots
    ))
}
