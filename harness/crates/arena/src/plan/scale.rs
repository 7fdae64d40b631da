//! Scales times that are meant for a machine of a known speed.

use std::fmt;
use std::num::NonZeroU64;

use process::Error;
use serde::{Deserialize, Serialize};

use super::Plan;
use crate::game::{Limit, PlayerLimits};
use crate::record::{Side, limit_named};

/// Speeds are nodes a second of the embedded engine's `bench 6`, searched on all slots at once (see
/// [`crate::pace`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeScale {
    /// Of the machine that times are meant for.
    pub to: NonZeroU64,
    /// Of this machine; `None` until it is measured, then times are as typed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub here: Option<NonZeroU64>,
}

impl TimeScale {
    pub fn factor(self) -> f64 {
        self.here.map_or(1.0, |here| self.to.get() as f64 / here.get() as f64)
    }

    /// Multiplies times, to whole milliseconds and at least 1 ms. Nodes and depths stay, those that
    /// a clock counts among them.
    pub fn of(self, limit: Limit) -> Limit {
        let times = |ms: u64| ((ms as f64 * self.factor()).round() as u64).max(u64::from(ms > 0));
        match limit {
            Limit::MovetimeMs(ms) => Limit::MovetimeMs(times(ms)),
            Limit::Clock(mut control) if control.nodes_per_ms.is_none() => {
                control.base_ms = times(control.base_ms);
                control.increment_ms = times(control.increment_ms);
                Limit::Clock(control)
            }
            Limit::Clock(_) | Limit::Nodes(_) | Limit::Depth(_) => limit,
        }
    }
}

impl fmt::Display for TimeScale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.here {
            Some(here) => write!(
                f,
                "times are meant for {} nodes/s on each slot and multiplied by {:.3}, for {here} \
                 nodes/s here",
                self.to,
                self.factor()
            ),
            None => write!(f, "times are for {} nodes/s per search thread", self.to),
        }
    }
}

impl Plan {
    /// On this machine.
    pub fn limits(&self) -> PlayerLimits {
        let here = |limit| self.scale.map_or(limit, |scale| scale.of(limit));
        PlayerLimits { base: here(self.meant(Side::Base)), test: here(self.meant(Side::Test)) }
    }

    /// Base's limit, here and on the machine that times are meant for, in the command line's words.
    pub fn limit_in_words(&self) -> String {
        let here = self.limits().base.to_string();
        match self.limit_meant(Side::Base) {
            Some(meant) => format!("{here} ({})", limit_named(&meant)),
            None => here,
        }
    }

    /// As typed.
    fn meant(&self, side: Side) -> Limit {
        self.overrides(side).limit.unwrap_or(self.limit)
    }

    /// The limit on the machine that times are meant for, and its speed; `None` where times are not
    /// scaled.
    pub fn limit_meant(&self, side: Side) -> Option<String> {
        self.scale.map(|scale| format!("{} at {} nodes/s", self.meant(side).pgn(), scale.to))
    }

    /// Makes the times suit this machine. `measure` gives its speed with so many slots at work, if
    /// that matters and is not known.
    pub fn scale_by(&mut self, measure: impl FnOnce(usize) -> NonZeroU64) {
        let slots = self.slots.get();
        if let Some(scale) = &mut self.scale {
            scale.here.get_or_insert_with(|| measure(slots));
        }
    }

    pub fn check_scale(&self) -> Result<(), Error> {
        match self.scale {
            Some(scale) if self.repeats_itself() => Err(Error::usage(format!(
                "--scale-to {} nodes/s: expected times, like --tc 1+0.01 or --movetime 100ms",
                scale.to
            ))),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::TimeControl;

    #[test]
    fn a_machine_of_half_the_speed_has_twice_the_time() {
        let nodes = |n| NonZeroU64::new(n);
        let scale = TimeScale { to: NonZeroU64::MIN.saturating_add(999), here: nodes(500) };
        let clock = |base_ms, increment_ms, nodes_per_ms| {
            Limit::Clock(TimeControl { moves: Some(40), base_ms, increment_ms, nodes_per_ms })
        };
        for (limit, scaled) in [
            (Limit::MovetimeMs(100), Limit::MovetimeMs(200)),
            (clock(1000, 10, None), clock(2000, 20, None)),
            (clock(1000, 0, None), clock(2000, 0, None)),
            (clock(1000, 10, nodes(5)), clock(1000, 10, nodes(5))),
            (Limit::Nodes(7), Limit::Nodes(7)),
            (Limit::Depth(7), Limit::Depth(7)),
        ] {
            assert_eq!(scale.of(limit), scaled, "{limit}");
            assert_eq!(TimeScale { here: None, ..scale }.of(limit), limit, "{limit}");
        }
        let fast = TimeScale { here: nodes(1_000_000), ..scale };
        assert_eq!(fast.of(clock(1000, 10, None)), clock(1, 1, None));
        assert_eq!(fast.of(clock(1000, 0, None)), clock(1, 0, None));
    }
}
