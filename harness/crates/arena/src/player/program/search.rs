//! A search being waited for: what comes of it, and how long it took.

use std::time::{Duration, Instant};

use shakmaty::uci::UciMove;

use super::process::{Expected, Process};
use super::report::ProgramReport;
use crate::player::{Fault, Thought};
use crate::record::MoveDetails;
use process::sched;

/// The time charged runs from just before the command is written until the read that brings the
/// answer returns. Where a clock runs, `late` is an upper bound of what of it was our own lateness:
/// how long the waiting thread was ready to run and had to wait for a processor, by the kernel's
/// count (Linux), between its last two reads, because the answer may have come at any moment of
/// that; or, if that is longer, how long this whole program was stopped or starved, by its
/// heartbeat. It is zero where neither can be measured, and where no clock runs.
pub(crate) struct Search<'a> {
    pub(crate) expected: Expected<'a>,
    timed: bool,
    began: Instant,
    came: Instant,
    delayed: Option<u64>,
    late: Duration,
}

impl<'a> Search<'a> {
    /// Sends `text`, whose last line begins the search, as [`Process::send_after`]. `answer`: the
    /// word before the move; `time`: how long it may take, where a clock runs.
    pub(crate) fn begin(
        process: &mut Process,
        text: &'a str,
        answer: &'static str,
        time: Option<Duration>,
        unasked: impl FnMut(&[u8]),
    ) -> Result<Search<'a>, Fault> {
        let settings = &process.host.settings;
        let patience = time.map_or(settings.hang, |time| time + settings.margin);
        let command = text.lines().next_back().unwrap_or_default();
        let expected = Expected { command, answer, patience, search: true };
        let timed = time.is_some();
        sched::set_patience(!timed);
        let delayed = if timed { sched::run_delay() } else { None };
        let began = process.send_after(text, &expected, unasked)?;
        Ok(Search { expected, timed, began, came: began, delayed, late: Duration::ZERO })
    }

    pub(crate) fn read(
        &mut self,
        process: &mut Process,
        retire: impl FnOnce(&[u8]),
    ) -> Result<(), Fault> {
        self.came = process.read(&self.expected, retire)?;
        let now = if self.timed { sched::run_delay() } else { None };
        if let (Some(before), Some(now)) = (self.delayed, now) {
            self.late = Duration::from_nanos(now.saturating_sub(before));
            self.delayed = Some(now);
        }
        Ok(())
    }

    /// What came of it, now that the last read brought `best`, or a text that is no move. A move
    /// that came by force is a fault where no clock runs.
    pub(crate) fn thought(
        &self,
        process: &Process,
        best: Result<UciMove, Vec<u8>>,
        report: &ProgramReport,
        details: Option<MoveDetails>,
    ) -> Result<Thought, Fault> {
        let stopped = process.answered();
        let Expected { answer, patience, .. } = self.expected;
        let best = best
            .map_err(|text| process.garbage(&format!("expected a move after '{answer}'"), &text))?;
        if stopped && !self.timed {
            let forced = process.move_now();
            let text = format!("no '{answer}' in {patience:?}, until '{forced}' was sent");
            return Err(Fault::Hang(process.with_last_words(text)));
        }
        let (time, late) = self.charged(process);
        Ok(Thought {
            best,
            score: report.score,
            bound: report.bound,
            depth: report.depth.unwrap_or(0),
            seldepth: report.seldepth.unwrap_or(0),
            nodes: report.nodes.unwrap_or(0),
            details: details.map(Box::new),
            time,
            late,
        })
    }

    /// The time to charge when the last read brought the answer, and what of it was lateness.
    fn charged(&self, process: &Process) -> (Duration, Duration) {
        let time = self.came.duration_since(self.began);
        let stalled = if self.timed { process.host.stalled(self.began) } else { Duration::ZERO };
        (time, self.late.max(stalled).min(time))
    }
}
