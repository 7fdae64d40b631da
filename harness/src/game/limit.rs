//! How long players may think: the limit of a match, and the clocks of one game.

use std::{fmt, time::Duration};

use serde::{Deserialize, Serialize};
use shakmaty::{ByColor, Color};

use crate::player::{Clock, GoLimit};

/// The limit both players play under.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Limit {
    /// Nodes for each move.
    Nodes(u64),
    /// Depth in plies for each move.
    Depth(u32),
    /// Milliseconds for each move.
    MovetimeMs(u64),
    /// A clock for each player.
    #[serde(rename = "tc")]
    Clock(TimeControl),
}

/// A time control: a base time, for all the game or for a number of moves, and an increment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeControl {
    /// So many moves for each base time; `None`: one base time for the game.
    pub moves: Option<u32>,
    /// Base time in milliseconds.
    pub base_ms: u64,
    /// Increment for each move in milliseconds.
    pub increment_ms: u64,
}

impl Limit {
    /// Whether games played under it depend on nothing but the plan.
    #[must_use]
    pub fn is_deterministic(self) -> bool {
        matches!(self, Limit::Nodes(_) | Limit::Depth(_))
    }

    /// As PGN's tags have it: a time control without the word before it.
    #[must_use]
    pub fn pgn(self) -> String {
        match self {
            Limit::Clock(control) => control.to_string(),
            other => other.to_string(),
        }
    }
}

impl fmt::Display for Limit {
    /// The words of the command line: `nodes=3000`, `movetime=100ms`, `tc=40/60+0.5`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Limit::Nodes(nodes) => write!(f, "nodes={nodes}"),
            Limit::Depth(plies) => write!(f, "depth={plies}"),
            Limit::MovetimeMs(ms) => write!(f, "movetime={ms}ms"),
            Limit::Clock(control) => write!(f, "tc={control}"),
        }
    }
}

impl fmt::Display for TimeControl {
    /// PGN's form in seconds: `40/60+0.5`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", Duration::from_millis(self.base_ms).as_secs_f64())?;
        if self.increment_ms > 0 {
            write!(f, "+{}", Duration::from_millis(self.increment_ms).as_secs_f64())?;
        }
        Ok(())
    }
}

/// Which part of a clock's overrun made the difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Overrun {
    /// The player thought too long.
    Player(Duration),
    /// The player was in time, we noticed its answer too late.
    Harness(Duration),
}

/// The clocks of one game.
#[derive(Debug, Clone)]
pub(super) struct Clocks {
    limit: Limit,
    margin: Duration,
    left: ByColor<Duration>,
    /// Moves until the next control, where the base time is for a number of moves.
    to_go: ByColor<u32>,
}

impl Clocks {
    /// Clocks at the start of a game; `margin` is forgiven at every move.
    #[must_use]
    pub(super) fn new(limit: Limit, margin: Duration) -> Clocks {
        let (base, moves) = match limit {
            Limit::Clock(tc) => (Duration::from_millis(tc.base_ms), tc.moves.unwrap_or(0)),
            Limit::MovetimeMs(ms) => (Duration::from_millis(ms), 0),
            Limit::Nodes(_) | Limit::Depth(_) => (Duration::MAX, 0),
        };
        Clocks {
            limit,
            margin,
            left: ByColor { white: base, black: base },
            to_go: ByColor { white: moves, black: moves },
        }
    }

    /// What the player of `mover` is told.
    #[must_use]
    pub(super) fn go(&self, mover: Color) -> GoLimit {
        match self.limit {
            Limit::Nodes(nodes) => GoLimit::Nodes(nodes),
            Limit::Depth(plies) => GoLimit::Depth(plies),
            Limit::MovetimeMs(ms) => GoLimit::MoveTime(Duration::from_millis(ms)),
            Limit::Clock(control) => {
                let increment = Duration::from_millis(control.increment_ms);
                GoLimit::Clock(Clock {
                    white: self.left.white,
                    black: self.left.black,
                    white_increment: increment,
                    black_increment: increment,
                    moves_to_go: control.moves.map(|_| *self.to_go.get(mover)),
                })
            }
        }
    }

    /// Charges the clock of `mover` with a move of `time`, of which `late` was ours.
    ///
    /// # Errors
    /// When that is more than it had and the margin.
    pub(super) fn charge(
        &mut self,
        mover: Color,
        time: Duration,
        late: Duration,
    ) -> Result<(), Overrun> {
        let left = self.left.get_mut(mover);
        let allowed = left.saturating_add(self.margin);
        if time > allowed {
            let over = time - allowed;
            return Err(if over > late { Overrun::Player(over) } else { Overrun::Harness(over) });
        }
        let Limit::Clock(control) = self.limit else { return Ok(()) };
        *left = left.saturating_sub(time) + Duration::from_millis(control.increment_ms);
        if let Some(moves) = control.moves {
            let to_go = self.to_go.get_mut(mover);
            *to_go = to_go.saturating_sub(1);
            if *to_go == 0 {
                *to_go = moves;
                *left += Duration::from_millis(control.base_ms);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    fn clocks(moves: Option<u32>, base_ms: u64, increment_ms: u64) -> Clocks {
        Clocks::new(Limit::Clock(TimeControl { moves, base_ms, increment_ms }), ms(50))
    }

    fn told(clocks: &Clocks, mover: Color) -> Clock {
        match clocks.go(mover) {
            GoLimit::Clock(clock) => clock,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn increments_and_the_other_clock() {
        let mut clocks = clocks(None, 1000, 10);
        clocks.charge(Color::White, ms(300), ms(0)).unwrap();
        let clock = told(&clocks, Color::Black);
        assert_eq!((clock.white, clock.black), (ms(710), ms(1000)));
        assert_eq!(clock.moves_to_go, None);
    }

    #[test]
    fn a_new_control_adds_its_time() {
        let mut clocks = clocks(Some(2), 1000, 0);
        assert_eq!(told(&clocks, Color::White).moves_to_go, Some(2));
        clocks.charge(Color::White, ms(400), ms(0)).unwrap();
        assert_eq!(told(&clocks, Color::White).moves_to_go, Some(1));
        assert_eq!(told(&clocks, Color::Black).moves_to_go, Some(2));
        clocks.charge(Color::White, ms(400), ms(0)).unwrap();
        assert_eq!(told(&clocks, Color::White).moves_to_go, Some(2));
        assert_eq!(told(&clocks, Color::White).white, ms(1200));
    }

    #[test]
    fn the_margin_is_forgiven_and_lateness_told_apart() {
        let mut game = clocks(None, 1000, 10);
        game.charge(Color::White, ms(1050), ms(0)).unwrap();
        assert_eq!(told(&game, Color::White).white, ms(10));
        let overrun = clocks(None, 1000, 0).charge(Color::White, ms(1060), ms(9));
        assert_eq!(overrun, Err(Overrun::Player(ms(10))));
        let overrun = clocks(None, 1000, 0).charge(Color::White, ms(1060), ms(10));
        assert_eq!(overrun, Err(Overrun::Harness(ms(10))));
    }

    #[test]
    fn movetime_is_charged_anew_each_move_and_nodes_never() {
        let mut clocks = Clocks::new(Limit::MovetimeMs(100), ms(20));
        for _ in 0..3 {
            clocks.charge(Color::Black, ms(120), ms(0)).unwrap();
        }
        assert!(clocks.charge(Color::Black, ms(121), ms(0)).is_err());
        let mut clocks = Clocks::new(Limit::Nodes(1), ms(0));
        clocks.charge(Color::White, Duration::from_secs(1 << 40), ms(0)).unwrap();
    }

    #[test]
    fn words() {
        let tc = TimeControl { moves: Some(40), base_ms: 60_000, increment_ms: 500 };
        assert_eq!(Limit::Clock(tc).to_string(), "tc=40/60+0.5");
        let tc = TimeControl { moves: None, base_ms: 1000, increment_ms: 10 };
        assert_eq!(tc.to_string(), "1+0.01");
        assert_eq!(Limit::MovetimeMs(100).to_string(), "movetime=100ms");
    }
}
