//! The time control, as `level`, `st`, `sd`, `nps` and `time` say it.

use std::time::Duration;

use crate::params;
use crate::search::{ClockLimit, Limits};

/// A year: sums of absurd times must not overflow.
const MOST_SECONDS: f64 = 365.0 * 24.0 * 3600.0;

/// What `level` says: a base time for so many moves or the game, and an increment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Level {
    /// Moves for each base time; `None`: one base time for the game.
    pub(super) moves: Option<u32>,
    pub(super) base: Duration,
    pub(super) increment: Duration,
}

impl Level {
    /// xboard's own default, forty moves in five minutes, until another is told.
    const DEFAULT: Level =
        Level { moves: Some(40), base: Duration::from_secs(300), increment: Duration::ZERO };

    /// Reads `MPS BASE INC`: moves (0: all), minutes or minutes and seconds, seconds. What follows
    /// a number is passed over, as the protocol asks.
    pub(super) fn parse(words: &[&str]) -> Result<Level, String> {
        let [moves, base, increment] = words else {
            return Err("expected: level MOVES MINUTES[:SECONDS] INCREMENT".to_owned());
        };
        let wrong = |what: &str, text: &str| format!("'{text}' is no {what}");
        let moves = moves.parse::<u32>().map_err(|_| wrong("number of moves", moves))?;
        let (minutes, rest) = number(base).ok_or_else(|| wrong("time in minutes", base))?;
        let seconds = match rest.strip_prefix(':') {
            Some(text) => number(text).ok_or_else(|| wrong("time in minutes and seconds", base))?.0,
            None => 0.0,
        };
        let (increment, _) =
            number(increment).ok_or_else(|| wrong("increment in seconds", increment))?;
        Ok(Level {
            moves: (moves > 0).then_some(moves),
            base: seconds_of(minutes * 60.0 + seconds),
            increment: seconds_of(increment),
        })
    }
}

/// How the time for a move is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Control {
    /// By a clock.
    Level(Level),
    /// So long for each move.
    EachMove(Duration),
}

/// The engine's clock, its control, and the other limits.
#[derive(Debug, Clone)]
pub(super) struct XboardClock {
    control: Control,
    /// Time left by our own count, until `time` says better.
    left: Duration,
    /// The ply of the game at which the control began.
    since: usize,
    depth: Option<u32>,
    /// Nodes that stand for a second.
    nps: Option<u64>,
}

impl XboardClock {
    pub(super) fn new() -> XboardClock {
        let control = Control::Level(Level::DEFAULT);
        XboardClock { control, left: Level::DEFAULT.base, since: 0, depth: None, nps: None }
    }

    /// A new game under the same control; depth and node rate are free again.
    pub(super) fn new_game(&mut self) {
        (self.since, self.depth, self.nps) = (0, None, None);
        if let Control::Level(level) = self.control {
            self.left = level.base;
        }
    }

    /// `level`, told at this ply.
    pub(super) fn set_level(&mut self, level: Level, ply: usize) {
        (self.control, self.left, self.since) = (Control::Level(level), level.base, ply);
    }

    /// The moves so far are no longer of this game.
    pub(super) fn restart_count(&mut self) {
        self.since = 0;
    }

    /// `st SECONDS`.
    pub(super) fn set_each_move(&mut self, text: &str) -> Result<(), String> {
        let (seconds, _) = number(text).ok_or_else(|| format!("'{text}' is no time in seconds"))?;
        self.control = Control::EachMove(seconds_of(seconds));
        Ok(())
    }

    /// `sd DEPTH`.
    pub(super) fn set_depth(&mut self, text: &str) -> Result<(), String> {
        let depth: u32 = text.parse().map_err(|_| format!("'{text}' is no depth in plies"))?;
        self.depth = Some(depth.max(1));
        Ok(())
    }

    /// `nps RATE`; a rate of 0 asks for processor time, which is what a clock shows as well.
    pub(super) fn set_nps(&mut self, text: &str) -> Result<(), String> {
        let rate: u64 = text.parse().map_err(|_| format!("'{text}' is no number of nodes"))?;
        self.nps = (rate > 0).then_some(rate);
        Ok(())
    }

    /// `time CENTISECONDS`; less than none is none.
    pub(super) fn set_left(&mut self, text: &str) -> Result<(), String> {
        let wrong = || format!("'{text}' is no time in hundredths of a second");
        let centiseconds: i64 = text.parse().map_err(|_| wrong())?;
        self.left = seconds_of(centiseconds.max(0) as f64 / 100.0);
        Ok(())
    }

    /// Time left.
    pub(super) fn left(&self) -> Duration {
        self.left
    }

    /// Whether nodes stand for time.
    pub(super) fn counts_nodes(&self) -> bool {
        self.nps.is_some()
    }

    /// The limits of a move at this ply.
    pub(super) fn limits(&self, ply: usize, overhead: Duration, params: &params::Time) -> Limits {
        let mut limits = Limits { depth: self.depth, overhead, ..Limits::default() };
        match (self.control, self.nps) {
            (Control::EachMove(time), None) => limits.movetime = Some(time),
            (Control::Level(level), None) => {
                limits.clock = Some(ClockLimit {
                    remaining: self.left,
                    increment: level.increment,
                    moves_to_go: self.moves_to_go(level, ply),
                });
            }
            (Control::EachMove(time), Some(rate)) => limits.nodes = Some(nodes(time, rate)),
            (Control::Level(level), Some(rate)) => {
                let share = match self.moves_to_go(level, ply) {
                    Some(moves) => self.left / moves,
                    None => self.left * params.permille.unsigned_abs() / 1000,
                };
                let share = share + level.increment * params.increment.unsigned_abs() / 100;
                limits.nodes = Some(nodes(share.min(self.left), rate));
            }
        }
        limits
    }

    /// Charges a move made at this ply.
    pub(super) fn charge(&mut self, ply: usize, spent: Duration) {
        let Control::Level(level) = self.control else { return };
        self.left = self.left.saturating_sub(spent) + level.increment;
        if self.moves_to_go(level, ply) == Some(1) {
            self.left += level.base;
        }
    }

    /// Moves to the next control, the one at this ply among them.
    fn moves_to_go(&self, level: Level, ply: usize) -> Option<u32> {
        let made = ply.saturating_sub(self.since) / 2;
        level.moves.map(|moves| moves - u32::try_from(made).unwrap_or(u32::MAX) % moves)
    }
}

/// The number that a text begins with, and the rest of the text.
fn number(text: &str) -> Option<(f64, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, rest) = text.split_at(end);
    number.parse().ok().map(|number| (number, rest))
}

fn seconds_of(seconds: f64) -> Duration {
    Duration::from_secs_f64(seconds.clamp(0.0, MOST_SECONDS))
}

fn nodes(time: Duration, rate: u64) -> u64 {
    let nodes = time.as_millis() * u128::from(rate) / 1000;
    u64::try_from(nodes).unwrap_or(u64::MAX).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::Params;

    const fn secs(secs: u64) -> Duration {
        Duration::from_secs(secs)
    }

    fn level(text: &str) -> Result<Level, String> {
        Level::parse(&text.split_whitespace().collect::<Vec<_>>())
    }

    fn limits(clock: &XboardClock, ply: usize) -> Limits {
        clock.limits(ply, Duration::ZERO, &Params::default().time)
    }

    #[test]
    fn levels() {
        let of = |moves, base, increment| Ok(Level { moves, base, increment });
        for (text, expected) in [
            ("40 5 0", of(Some(40), secs(300), secs(0))),
            ("40 0:30 0", of(Some(40), secs(30), secs(0))),
            ("0 2 12", of(None, secs(120), secs(12))),
            ("0 0:01 0.01", of(None, secs(1), Duration::from_millis(10))),
            ("0 1:05.5 0", of(None, Duration::from_millis(65_500), secs(0))),
            ("0 0.5 0", of(None, secs(30), secs(0))),
            // What may be added to the base one day.
            ("40 25+5 0", of(Some(40), secs(1500), secs(0))),
            ("0 0 12", of(None, secs(0), secs(12))),
            ("0 99999999999999999999 0", of(None, secs(365 * 24 * 3600), secs(0))),
        ] {
            assert_eq!(level(text), expected, "{text}");
        }
        for (text, expected) in [
            ("", "expected: level"),
            ("40 5", "expected: level"),
            ("1 2 3 4", "expected: level"),
            ("many 5 0", "'many' is no number of moves"),
            ("-1 5 0", "'-1' is no number of moves"),
            ("40 x 0", "'x' is no time in minutes"),
            ("40 5: 0", "'5:' is no time in minutes and seconds"),
            ("40 -5 0", "'-5' is no time in minutes"),
            ("40 5 -1", "'-1' is no increment in seconds"),
            ("40 1.2.3 0", "'1.2.3' is no time"),
        ] {
            let error = level(text).expect_err(text);
            assert!(error.contains(expected), "{text}: {error}");
        }
    }

    #[test]
    fn moves_to_go_count_from_the_control_on() {
        let mut clock = XboardClock::new();
        clock.set_level(level("3 1 0").expect("a level"), 0);
        let to_go =
            |clock: &XboardClock, ply| limits(clock, ply).clock.expect("a clock").moves_to_go;
        let both: Vec<_> = (0..8).map(|ply| to_go(&clock, ply)).collect();
        assert_eq!(both, [3, 3, 2, 2, 1, 1, 3, 3].map(Some));
        // Told before move 6 of White: Black's next move is the first of its own.
        clock.set_level(level("2 1 0").expect("a level"), 10);
        let both: Vec<_> = (10..15).map(|ply| to_go(&clock, ply)).collect();
        assert_eq!(both, [2, 2, 1, 1, 2].map(Some));
    }

    #[test]
    fn the_clock_goes_on_where_nobody_tells_it() {
        let mut clock = XboardClock::new();
        clock.set_level(level("2 1 1").expect("a level"), 0);
        clock.charge(0, secs(10));
        assert_eq!(clock.left(), secs(51));
        clock.charge(2, secs(10));
        assert_eq!(clock.left(), secs(102), "the second control");
        assert_eq!(clock.set_left("-5"), Ok(()));
        assert_eq!(clock.left(), secs(0));
        clock.new_game();
        assert_eq!(clock.left(), secs(60));
    }

    #[test]
    fn limits_hold_together() {
        let mut clock = XboardClock::new();
        assert_eq!(clock.set_depth("7"), Ok(()));
        assert_eq!(clock.set_each_move("0.25"), Ok(()));
        let told = limits(&clock, 0);
        assert_eq!((told.depth, told.movetime), (Some(7), Some(Duration::from_millis(250))));
        assert_eq!(clock.set_nps("10000"), Ok(()));
        let told = limits(&clock, 0);
        assert_eq!((told.nodes, told.movetime), (Some(2500), None));
        clock.set_level(level("0 1 2").expect("a level"), 0);
        // 2.5 % of a minute and half the increment.
        assert_eq!(limits(&clock, 0).nodes, Some(25_000));
        clock.new_game();
        let told = limits(&clock, 0);
        assert!(told.depth.is_none() && told.nodes.is_none() && told.clock.is_some());
        assert!(clock.set_depth("x").is_err() && clock.set_nps("-1").is_err());
        assert!(clock.set_left("soon").is_err() && clock.set_each_move("").is_err());
    }
}
