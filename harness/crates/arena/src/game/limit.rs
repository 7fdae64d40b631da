//! How long players may think: the limits of a match, short or long (TST-03), and the clocks of one
//! game.

use std::fmt;
use std::num::NonZeroU64;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use shakmaty::{ByColor, Color};

use crate::player::{Clock, GoLimit, node_time};
use crate::record::BySide;

/// What a player may spend on its moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Limit {
    /// Nodes for each move.
    Nodes(u64),
    /// Depth in plies for each move.
    Depth(u32),
    /// Milliseconds for each move.
    MovetimeMs(u64),
    #[serde(rename = "tc")]
    Clock(TimeControl),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeControl {
    /// So many moves for each base time; `None`: one base time for the game.
    pub moves: Option<u32>,
    pub base_ms: u64,
    pub increment_ms: u64,
    /// The clock counts nodes instead of time, so many for a millisecond: then games on it can be
    /// repeated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes_per_ms: Option<NonZeroU64>,
}

/// The limits of both players; different ones are odds.
pub type PlayerLimits = BySide<Limit>;

impl Limit {
    /// What a player under it is told before a game's first move.
    pub fn first_go(self) -> GoLimit {
        let both = ByColor { white: self, black: self };
        Clocks::new(both, no_margins()).go(Color::White)
    }

    pub fn control(self) -> Option<TimeControl> {
        match self {
            Limit::Clock(control) => Some(control),
            Limit::Nodes(_) | Limit::Depth(_) | Limit::MovetimeMs(_) => None,
        }
    }

    /// As PGN's tags have it: a time control without the word before it.
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
    /// PGN's form in seconds: `40/60+0.5`; of a clock that counts nodes `1+0.01@1000nodes/ms`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", Duration::from_millis(self.base_ms).as_secs_f64())?;
        if self.increment_ms > 0 {
            write!(f, "+{}", Duration::from_millis(self.increment_ms).as_secs_f64())?;
        }
        match self.nodes_per_ms {
            Some(nodes) => write!(f, "@{nodes}nodes/ms"),
            None => Ok(()),
        }
    }
}

/// Which part of a clock's overrun made the difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Overrun {
    Player(Duration),
    /// The player was in time, we noticed its answer too late.
    Harness(Duration),
}

#[derive(Debug, Clone)]
pub(super) struct Clocks {
    limits: ByColor<Limit>,
    margins: ByColor<Duration>,
    left: ByColor<Duration>,
    /// What earlier moves that were late by more than the margin were charged for, though it may
    /// have been our lateness. Who has more than that left can be held to it.
    stalled: ByColor<Duration>,
    /// Moves until the next control, where the base time is for a number of moves.
    to_go: ByColor<u32>,
}

impl Clocks {
    /// Clocks at the start of a game; `margins` are forgiven at every move.
    pub(super) fn new(limits: ByColor<Limit>, margins: ByColor<Duration>) -> Clocks {
        let left = limits.map(|limit| match limit {
            Limit::Clock(tc) => Duration::from_millis(tc.base_ms),
            Limit::MovetimeMs(ms) => Duration::from_millis(ms),
            Limit::Nodes(_) | Limit::Depth(_) => Duration::MAX,
        });
        let to_go = limits.map(|limit| limit.control().and_then(|tc| tc.moves).unwrap_or(0));
        Clocks { limits, margins, left, stalled: no_margins(), to_go }
    }

    /// What the player of `mover` is told. An opponent without a clock is shown with its own.
    pub(super) fn go(&self, mover: Color) -> GoLimit {
        let control = match *self.limits.get(mover) {
            Limit::Nodes(nodes) => return GoLimit::Nodes(nodes),
            Limit::Depth(plies) => return GoLimit::Depth(plies),
            Limit::MovetimeMs(ms) => return GoLimit::MoveTime(Duration::from_millis(ms)),
            Limit::Clock(control) => control,
        };
        let shown = |color: Color| match self.limits.get(color).control() {
            Some(control) => (*self.left.get(color), control.increment_ms),
            None => (*self.left.get(mover), control.increment_ms),
        };
        let ((white, white_ms), (black, black_ms)) = (shown(Color::White), shown(Color::Black));
        GoLimit::Clock(Clock {
            white,
            black,
            white_increment: Duration::from_millis(white_ms),
            black_increment: Duration::from_millis(black_ms),
            moves_to_go: control.moves.map(|_| *self.to_go.get(mover)),
            next_control: control
                .moves
                .map(|moves| (moves, Duration::from_millis(control.base_ms))),
            nodes_per_ms: control.nodes_per_ms,
        })
    }

    /// What is left on a player's clock; `None` without one.
    pub(super) fn left(&self, player: Color) -> Option<Duration> {
        self.limits.get(player).control().map(|_| *self.left.get(player))
    }

    /// Charges the clock of `mover` with a move of `time`, of which `late` was ours, or of `nodes`
    /// if that is what it counts. An error when that is more than it had and the margin.
    pub(super) fn charge(
        &mut self,
        mover: Color,
        (time, late): (Duration, Duration),
        nodes: u64,
    ) -> Result<(), Overrun> {
        let control = self.limits.get(mover).control();
        let (time, late) = match control.and_then(|control| control.nodes_per_ms) {
            Some(rate) => (node_time(nodes, rate), Duration::ZERO),
            None => (time, late),
        };
        let left = self.left.get_mut(mover);
        let margin = *self.margins.get(mover);
        let allowed = left.saturating_add(margin);
        if time > allowed {
            let over = time - allowed;
            let stalled = *self.stalled.get(mover);
            let ours = if stalled > *left { late + stalled } else { late };
            return Err(if over > ours { Overrun::Player(over) } else { Overrun::Harness(over) });
        }
        let Some(control) = control else { return Ok(()) };
        if late > margin {
            *self.stalled.get_mut(mover) += late;
        }
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

fn no_margins() -> ByColor<Duration> {
    ByColor { white: Duration::ZERO, black: Duration::ZERO }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    fn control(moves: Option<u32>, base_ms: u64, increment_ms: u64) -> TimeControl {
        TimeControl { moves, base_ms, increment_ms, nodes_per_ms: None }
    }

    fn even(limit: Limit, margin: Duration) -> Clocks {
        Clocks::new(
            ByColor { white: limit, black: limit },
            ByColor { white: margin, black: margin },
        )
    }

    fn clocks(moves: Option<u32>, base_ms: u64, increment_ms: u64) -> Clocks {
        even(Limit::Clock(control(moves, base_ms, increment_ms)), ms(50))
    }

    fn clock_sent(clocks: &Clocks, mover: Color) -> Clock {
        match clocks.go(mover) {
            GoLimit::Clock(clock) => clock,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn increments_and_the_other_clock() {
        let mut clocks = clocks(None, 1000, 10);
        clocks.charge(Color::White, (ms(300), ms(0)), 0).unwrap();
        let clock = clock_sent(&clocks, Color::Black);
        assert_eq!((clock.white, clock.black), (ms(710), ms(1000)));
        assert_eq!(clock.moves_to_go, None);
    }

    #[test]
    fn a_new_control_adds_its_time() {
        let mut clocks = clocks(Some(2), 1000, 0);
        assert_eq!(clock_sent(&clocks, Color::White).moves_to_go, Some(2));
        clocks.charge(Color::White, (ms(400), ms(0)), 0).unwrap();
        assert_eq!(clock_sent(&clocks, Color::White).moves_to_go, Some(1));
        assert_eq!(clock_sent(&clocks, Color::Black).moves_to_go, Some(2));
        clocks.charge(Color::White, (ms(400), ms(0)), 0).unwrap();
        assert_eq!(clock_sent(&clocks, Color::White).moves_to_go, Some(2));
        assert_eq!(clock_sent(&clocks, Color::White).white, ms(1200));
    }

    /// An engine that thinks in the opponent's time is told what its clock will be.
    #[test]
    fn a_forecast_of_the_clock_is_what_the_clock_then_says() {
        let nodes = TimeControl { nodes_per_ms: NonZeroU64::new(100), ..control(Some(2), 1000, 5) };
        for control in [control(None, 1000, 10), control(Some(3), 1000, 0), nodes] {
            let mut clocks = even(Limit::Clock(control), ms(50));
            for (time, nodes) in [(ms(300), 9_000), (ms(0), 0), (ms(690), 99_000), (ms(10), 1)] {
                let forecast = clock_sent(&clocks, Color::Black).after(Color::Black, time, nodes);
                clocks.charge(Color::Black, (time, ms(0)), nodes).unwrap();
                assert_eq!(forecast, clock_sent(&clocks, Color::Black), "{control}");
            }
        }
    }

    #[test]
    fn the_margin_is_forgiven_and_lateness_told_apart() {
        let mut game = clocks(None, 1000, 10);
        game.charge(Color::White, (ms(1050), ms(0)), 0).unwrap();
        assert_eq!(clock_sent(&game, Color::White).white, ms(10));
        let overrun = clocks(None, 1000, 0).charge(Color::White, (ms(1060), ms(9)), 0);
        assert_eq!(overrun, Err(Overrun::Player(ms(10))));
        let overrun = clocks(None, 1000, 0).charge(Color::White, (ms(1060), ms(10)), 0);
        assert_eq!(overrun, Err(Overrun::Harness(ms(10))));
    }

    #[test]
    fn what_a_stall_took_of_a_clock_is_not_the_players_doing_later() {
        let mut game = clocks(None, 1000, 0);
        game.charge(Color::White, (ms(620), ms(600)), 0).unwrap();
        game.charge(Color::Black, (ms(620), ms(50)), 0).unwrap();
        assert_eq!(
            game.clone().charge(Color::White, (ms(440), ms(0)), 0),
            Err(Overrun::Harness(ms(10)))
        );
        assert_eq!(game.charge(Color::White, (ms(1031), ms(0)), 0), Err(Overrun::Player(ms(601))));
        let mut rich = clocks(None, 10_000, 0);
        rich.charge(Color::White, (ms(620), ms(600)), 0).unwrap();
        assert_eq!(rich.charge(Color::White, (ms(9_440), ms(0)), 0), Err(Overrun::Player(ms(10))));
        // What the margin is for takes nothing.
        assert_eq!(game.charge(Color::Black, (ms(440), ms(0)), 0), Err(Overrun::Player(ms(10))));
        let mut anew = even(Limit::MovetimeMs(100), ms(20));
        anew.charge(Color::White, (ms(110), ms(90)), 0).unwrap();
        assert_eq!(anew.charge(Color::White, (ms(130), ms(0)), 0), Err(Overrun::Player(ms(10))));
    }

    #[test]
    fn margins_are_each_players_own() {
        let limit = Limit::MovetimeMs(100);
        let both = ByColor { white: limit, black: limit };
        let mut clocks = Clocks::new(both, ByColor { white: ms(20), black: ms(0) });
        clocks.charge(Color::White, (ms(120), ms(0)), 0).unwrap();
        assert!(clocks.charge(Color::Black, (ms(101), ms(0)), 0).is_err());
    }

    #[test]
    fn movetime_is_charged_anew_each_move_and_nodes_never() {
        let mut clocks = even(Limit::MovetimeMs(100), ms(20));
        for _ in 0..3 {
            clocks.charge(Color::Black, (ms(120), ms(0)), 0).unwrap();
        }
        assert!(clocks.charge(Color::Black, (ms(121), ms(0)), 0).is_err());
        let mut clocks = even(Limit::Nodes(1), ms(0));
        clocks.charge(Color::White, (Duration::from_secs(1 << 40), ms(0)), 0).unwrap();
    }

    #[test]
    fn words() {
        assert_eq!(Limit::Clock(control(Some(40), 60_000, 500)).to_string(), "tc=40/60+0.5");
        let tc = control(None, 1000, 10);
        assert_eq!(tc.to_string(), "1+0.01");
        let tc = TimeControl { nodes_per_ms: NonZeroU64::new(1000), ..tc };
        assert_eq!(tc.to_string(), "1+0.01@1000nodes/ms");
        assert_eq!(Limit::MovetimeMs(100).to_string(), "movetime=100ms");
    }

    #[test]
    fn odds() {
        let own = Limit::Clock(control(None, 1000, 10));
        let mut clocks = Clocks::new(
            ByColor { white: own, black: Limit::Clock(control(None, 9000, 0)) },
            no_margins(),
        );
        clocks.charge(Color::White, (ms(110), ms(0)), 0).unwrap();
        let clock = clock_sent(&clocks, Color::Black);
        assert_eq!((clock.white, clock.black), (ms(900), ms(9000)));
        assert_eq!((clock.white_increment, clock.black_increment), (ms(10), ms(0)));
        let clocks = Clocks::new(ByColor { white: own, black: Limit::Nodes(7) }, no_margins());
        assert_eq!(clocks.go(Color::Black), GoLimit::Nodes(7));
        assert_eq!(clock_sent(&clocks, Color::White).black, ms(1000));
    }

    #[test]
    fn a_clock_of_nodes_does_not_know_the_time() {
        let rate = NonZeroU64::new(100);
        let tc = TimeControl { nodes_per_ms: rate, ..control(None, 1000, 0) };
        let mut clocks = even(Limit::Clock(tc), ms(50));
        clocks.charge(Color::White, (ms(60_000), ms(0)), 25_000).unwrap();
        let clock = clock_sent(&clocks, Color::White);
        assert_eq!((clock.white, clock.nodes_per_ms), (ms(750), rate));
        let overrun = clocks.charge(Color::White, (ms(1), ms(1)), 80_001);
        assert_eq!(overrun, Err(Overrun::Player(Duration::from_micros(10))));
    }
}
