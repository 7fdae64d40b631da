//! One direction of a TCP connection: what is sent arrives in order, late where packets are lost.

use std::time::Duration;

use crate::chance::Chance;

/// Bytes of a packet's content.
const SEGMENT: f64 = 1448.0;
/// Linux waits so much longer than a round trip before it sends again (`TCP_RTO_MIN`).
const RETRANSMIT_AFTER: Duration = Duration::from_millis(200);
/// Bytes/s of a line without loss: 100 Mbit/s.
const LINE: f64 = 12.5e6;
/// Of the formula of Mathis et al. (1997) for the bytes/s of a connection with loss:
/// 1.22 × segment / (round trip × √loss).
const MATHIS: f64 = 1.22;
/// Headers of IP, TCP and NATS, the subject and the subject of the reply.
pub(crate) const OVERHEAD: usize = 150;

#[derive(Debug, Clone)]
pub(crate) struct Line {
    rtt: Duration,
    loss: f64,
    bytes_per_s: f64,
    free_at: Duration,
    /// When the last message arrives.
    last: Duration,
    /// That were sent.
    pub(crate) bytes: u64,
}

impl Line {
    pub(crate) fn new(rtt: Duration, loss: f64) -> Line {
        let seconds = rtt.as_secs_f64();
        let bytes_per_s = match loss > 0.0 && seconds > 0.0 {
            true => LINE.min(MATHIS * SEGMENT / (seconds * loss.sqrt())),
            false => LINE,
        };
        Line { rtt, loss, bytes_per_s, free_at: Duration::ZERO, last: Duration::ZERO, bytes: 0 }
    }

    /// A new connection on the same way, which has sent nothing yet but what was counted.
    pub(crate) fn again(&self) -> Line {
        Line { bytes: self.bytes, ..Line::new(self.rtt, self.loss) }
    }

    /// When a message arrives that is sent now.
    pub(crate) fn arrives(&mut self, bytes: usize, now: Duration, chance: &mut Chance) -> Duration {
        let bytes = bytes + OVERHEAD;
        self.bytes += bytes as u64;
        let sending = Duration::from_secs_f64(bytes as f64 / self.bytes_per_s);
        self.free_at = self.free_at.max(now) + sending;
        let mut arrives = self.free_at + self.rtt / 2;
        let mut wait = self.rtt + RETRANSMIT_AFTER;
        let mut missing = (bytes as f64 / SEGMENT).ceil() as usize;
        loop {
            missing = (0..missing).filter(|_| chance.happens(self.loss)).count();
            if missing == 0 {
                break;
            }
            arrives += wait;
            wait *= 2;
        }
        self.last = self.last.max(arrives);
        self.last
    }
}
