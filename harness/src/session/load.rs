//! How many threads search at once, and whether there are processors for them.

use std::thread::available_parallelism;

use crate::{
    plan::Plan,
    record::{Identity, Load},
    runner::Pin,
};

/// What a match's players ask of the processors.
pub(super) fn of(plan: &Plan, players: [&Identity; 2]) -> Load {
    let games = |count: usize| (count as u64).min(plan.pairs.saturating_mul(2));
    let (slots, in_flight) = (games(plan.slots.get()), games(plan.concurrency.get()));
    let thinking = slots.min(in_flight);
    let [base, test] = players.map(Identity::threads);
    let threads = match plan.ponder {
        false => thinking.saturating_mul(base.max(test)),
        // Both think in a game that has its slot, one in a game that waits for it.
        true => thinking
            .saturating_mul(base.saturating_add(test))
            .saturating_add((in_flight - thinking).saturating_mul(base.max(test))),
    };
    let here = available_parallelism().map_or(1, |count| count.get() as u64);
    let processors = match plan.pin {
        Pin::Off => here,
        Pin::All | Pin::These(_) => slots.min(here),
    };
    Load { threads, processors }
}

/// A load that is too much, in words: what comes of it, and what to type.
pub(super) fn warning(load: Load, plan: &Plan) -> Option<String> {
    let Load { threads, processors } = load;
    let each = (threads / (plan.slots.get() as u64).min(threads).max(1)).max(1);
    let way_out = match processors / each {
        0 => "fewer Threads".to_owned(),
        slots => format!("at most --slots {slots}"),
    };
    let outcome = if plan.repeats_itself() {
        "games stay as they are and only take longer"
    } else {
        "players are short of time that their clocks count, and lose on time by it"
    };
    load.is_too_much().then(|| {
        format!(
            "{threads} threads are to search at once ({} slots) on {processors} processors: {outcome}; \
             expected {way_out}",
            plan.slots
        )
    })
}
