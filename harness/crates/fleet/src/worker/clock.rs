//! Runs with clocks: whether times on this machine are worth what they are worth on the others.
//!
//! With `--scale-to` a machine multiplies the times by how slow it is, which it measures with all
//! slots at work, again and again. Without it only machines with the coordinator's processor play.

use std::collections::BTreeMap;
use std::num::NonZeroU64;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use arena::pace;
use arena::plan::Plan;
use process::{Error, lock, machine};
use wire::message::RunCard;
use wire::names::RunId;

/// How long a measured speed is taken for this machine's.
const MEASURE_EVERY: Duration = Duration::from_secs(10 * 60);
/// Latency and full hash tables do not get faster with the machine: factors beyond are declined.
const LEAST_FACTOR: f64 = 0.25;
const MOST_FACTOR: f64 = 4.0;
/// By how much a machine's speed may change, as a share of what it was first.
const DRIFT: f64 = 0.1;
/// Share of the games that the harness may wake too late for, and how many there may be in any case.
const LATE: f64 = 0.01;
const LATE_GAMES: u64 = 3;

/// What this machine measured of itself, in nodes a second on each slot.
#[derive(Debug, Default)]
pub(super) struct Speed(Mutex<Option<Measured>>);

#[derive(Debug, Clone, Copy)]
struct Measured {
    first: NonZeroU64,
    last: NonZeroU64,
    at: Instant,
}

/// What the times of a plan are worth here.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Times {
    /// By what they are multiplied.
    pub(super) factor: f64,
    /// When the machine is to be measured again.
    pub(super) until: Option<Instant>,
}

impl Times {
    const AS_SENT: Times = Times { factor: 1.0, until: None };
}

impl Speed {
    /// Measures it, if it is not known of the last ten minutes. That takes seconds. An error if it is no
    /// longer what it was.
    fn now(&self, measure: impl FnOnce() -> NonZeroU64) -> Result<Measured, Error> {
        let known = *lock(&self.0);
        let fresh = known.filter(|known| known.at.elapsed() < MEASURE_EVERY);
        let measured = fresh.unwrap_or_else(|| {
            let last = measure();
            Measured { first: known.map_or(last, |it| it.first), last, at: Instant::now() }
        });
        *lock(&self.0) = Some(measured);
        let Measured { first, last, .. } = measured;
        let drift = last.get() as f64 / first.get() as f64 - 1.0;
        if drift.abs() > DRIFT {
            return Err(Error::usage(format!(
                "the speed of this machine has changed from {first} to {last} nodes/s ({:+.0} %), so its \
                 times are no longer those of its first games; expected nothing else to run here. Start the \
                 worker again when it is at rest",
                100.0 * drift
            )));
        }
        Ok(measured)
    }

    /// The last measured one.
    pub(super) fn known(&self) -> Option<NonZeroU64> {
        lock(&self.0).map(|known| known.last)
    }

    /// Gives a plan with a clock the times of this machine. It waits while the machine is measured.
    pub(super) fn suit(
        &self,
        plan: &mut Plan,
        card: &RunCard,
        slots: usize,
    ) -> Result<Times, Error> {
        if !card.needs.clock {
            return Ok(Times::AS_SENT);
        }
        let Some(scale) = plan.scale.as_mut() else {
            same_processor(card.needs.processor.as_deref(), machine::cpu().as_deref())?;
            return Ok(Times::AS_SENT);
        };
        let Measured { last, at, .. } = self.now(|| pace::nodes_per_second(slots))?;
        scale.here = Some(last);
        let factor = scale.factor();
        if !(LEAST_FACTOR..=MOST_FACTOR).contains(&factor) {
            return Err(Error::usage(format!(
                "{scale}; expected a factor from {LEAST_FACTOR} to {MOST_FACTOR}: this machine is too unlike \
                 the one that times are meant for"
            )));
        }
        Ok(Times { factor, until: Some(at + MEASURE_EVERY) })
    }
}

/// Times that nobody scales are the same only on the same processor. Two whose models the system does
/// not tell may be any.
fn same_processor(theirs: Option<&str>, here: Option<&str>) -> Result<(), Error> {
    if theirs.is_some() && here == theirs {
        return Ok(());
    }
    let unknown = "an unknown one";
    Err(Error::usage(format!(
        "it has a clock and no --scale-to, so only machines with its coordinator's processor ({}) play it; \
         this one has {}. Expected --scale-to in the command of the match",
        theirs.unwrap_or(unknown),
        here.unwrap_or(unknown)
    )))
}

/// Counts the games of each run that the harness woke too late for a clock of. A run is prepared anew
/// whenever the speed is measured; that begins no new count.
#[derive(Debug, Default)]
pub(super) struct Lateness(Mutex<BTreeMap<RunId, Late>>);

#[derive(Debug, Default)]
struct Late {
    games: u64,
    late: u64,
}

impl Lateness {
    /// Counts a game; why no more are to be played here, if that is so. It does not look at results.
    pub(super) fn add(&self, run: RunId, is_late: bool) -> Option<String> {
        let mut runs = lock(&self.0);
        let Late { games, late } = runs.entry(run).or_default();
        *games += 1;
        *late += u64::from(is_late);
        let is_bad = *late > LATE_GAMES && *late as f64 > LATE * *games as f64;
        (is_late && is_bad).then(|| {
            format!(
                "{late} of {games} games with a clock were disturbed, since this machine woke verdict too late; \
                 expected nothing else to run here, or fewer --slots"
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nps(nodes: u64) -> NonZeroU64 {
        NonZeroU64::new(nodes).unwrap()
    }

    /// As if it had been measured that long ago.
    fn measured(first: u64, ago: Duration) -> Speed {
        let (first, at) = (nps(first), Instant::now().checked_sub(ago).unwrap());
        Speed(Mutex::new(Some(Measured { first, last: first, at })))
    }

    #[test]
    fn a_machine_is_measured_every_ten_minutes_and_may_not_change() {
        assert_eq!(Speed::default().now(|| nps(1000)).unwrap().last, nps(1000));
        let fresh = measured(1000, Duration::from_secs(60));
        assert_eq!(fresh.now(|| nps(500)).unwrap().last, nps(1000));
        for (found, is_fine) in
            [(1000, true), (910, true), (1090, true), (890, false), (1110, false)]
        {
            let old = measured(1000, MEASURE_EVERY);
            assert_eq!(old.now(|| nps(found)).is_ok(), is_fine, "{found}");
            assert_eq!(old.known(), Some(nps(found)));
            // Another run is not played by a speed for which the last one was left.
            assert_eq!(old.now(|| nps(1000)).is_ok(), is_fine, "{found}");
        }
        // Little by little is a change, too.
        let slow = measured(1000, MEASURE_EVERY);
        slow.now(|| nps(950)).unwrap();
        slow.0.lock().unwrap().as_mut().unwrap().at -= MEASURE_EVERY;
        let said = slow.now(|| nps(880)).unwrap_err().to_string();
        assert!(said.contains("from 1000 to 880 nodes/s (-12 %)"), "{said}");
    }

    #[test]
    fn times_that_nobody_scales_need_the_same_processor() {
        assert!(same_processor(Some("A"), Some("A")).is_ok());
        for (theirs, here) in
            [(Some("A"), Some("B")), (Some("A"), None), (None, Some("A")), (None, None)]
        {
            let said = same_processor(theirs, here).unwrap_err().to_string();
            assert!(said.contains("--scale-to"), "{said}");
        }
    }

    #[test]
    fn a_few_late_games_are_none() {
        let late = Lateness::default();
        let [one, other] = ['1', '2'].map(|digit| digit.to_string().repeat(16).parse().unwrap());
        let said: Vec<String> =
            (0..1000).filter_map(|game| late.add(one, game % 100 == 99)).collect();
        assert!(said.is_empty(), "{said:?}");
        // Those of another run do not count.
        let told: Vec<bool> = (0..5).map(|_| late.add(other, true).is_some()).collect();
        assert_eq!(told, [false, false, false, true, true]);
        assert!(late.add(other, false).is_none());
    }
}
