//! How long an answer took, and how much of that was our own lateness.

use std::time::{Duration, Instant};

use super::process::{Expected, Process};
use super::sched;
use crate::player::Fault;

/// One answer being waited for.
///
/// The time charged runs from just before the command is written until the read that brings the
/// answer returns. Where a clock runs, `late` is an upper bound of what of it was our own lateness:
/// how long the waiting thread was ready to run and had to wait for a processor, by the kernel's
/// count (Linux), between its last two reads, because the answer may have come at any moment of
/// that; or, if that is longer, how long this whole program was stopped or starved, by its
/// heartbeat. It is zero where neither can be measured, and where no clock runs.
pub(in crate::player) struct Timing {
    timed: bool,
    began: Instant,
    came: Instant,
    delayed: Option<u64>,
    late: Duration,
}

impl Timing {
    /// Sends the command, as [`Process::send_after`]; `timed`: a clock runs.
    pub(in crate::player) fn send(
        process: &mut Process,
        text: &str,
        expected: &Expected,
        timed: bool,
        unasked: impl FnMut(&[u8]),
    ) -> Result<Timing, Fault> {
        sched::set_patience(!timed);
        let delayed = if timed { sched::run_delay() } else { None };
        let began = process.send_after(text, expected, unasked)?;
        Ok(Timing { timed, began, came: began, delayed, late: Duration::ZERO })
    }

    /// As [`Process::read`].
    pub(in crate::player) fn read(
        &mut self,
        process: &mut Process,
        expected: &Expected,
        retire: impl FnOnce(&[u8]),
    ) -> Result<(), Fault> {
        self.came = process.read(expected, retire)?;
        let now = if self.timed { sched::run_delay() } else { None };
        if let (Some(before), Some(now)) = (self.delayed, now) {
            self.late = Duration::from_nanos(now.saturating_sub(before));
            self.delayed = Some(now);
        }
        Ok(())
    }

    /// The time to charge when the last read brought the answer, and what of it was lateness.
    pub(in crate::player) fn charged(&self, process: &Process) -> (Duration, Duration) {
        let time = self.came.duration_since(self.began);
        let stalled = if self.timed { process.host().stalled(self.began) } else { Duration::ZERO };
        (time, self.late.max(stalled).min(time))
    }
}
