//! What can play: external processes, and how the embedded engine is named.
//!
//! [`protocol::Program`] is what UCI and xboard programs share. A player is asked to [`Thought`] about
//! a position under a [`GoLimit`]; what can go wrong is a [`Fault`], charged to the player it belongs
//! to; what we lacked ourselves ([`Lack`]) to nobody.

pub mod external;
pub mod program;
pub mod protocol;
mod recorded_game;
pub mod replay;
pub mod spec;
mod uci;
mod xboard;

use std::num::NonZeroU64;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use process::lack::Lack;
use shakmaty::Color;
use shakmaty::uci::UciMove;

use crate::record::{MoveDetails, Score, Termination};

/// A time as UCI tells it: whole milliseconds, at least one, since engines take 0 for "not given".
pub(crate) fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX).max(1)
}

/// How long a player may think about one move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GoLimit {
    Nodes(u64),
    /// A depth in plies.
    Depth(u32),
    MoveTime(Duration),
    Clock(Clock),
}

impl GoLimit {
    /// How long the player of `turn` may take; `None` where no clock runs that counts time.
    pub fn time(&self, turn: Color) -> Option<Duration> {
        match self {
            GoLimit::Nodes(_) | GoLimit::Depth(_) => None,
            GoLimit::Clock(clock) if clock.nodes_per_ms.is_some() => None,
            GoLimit::MoveTime(time) => Some(*time),
            GoLimit::Clock(clock) => Some(clock.left(turn)),
        }
    }
}

/// Both players' clocks before a move, as `go wtime …` tells them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clock {
    pub white: Duration,
    pub black: Duration,
    pub white_increment: Duration,
    pub black_increment: Duration,
    /// Moves until the next time control, if there is one.
    pub moves_to_go: Option<u32>,
    /// What that one gives the player to move: so many moves, and the time for them.
    pub next_control: Option<(u32, Duration)>,
    /// The clocks count nodes, so many for a millisecond; `None`: they count time.
    pub nodes_per_ms: Option<NonZeroU64>,
}

impl Clock {
    /// As much time for both.
    pub fn even(time: Duration, increment: Duration) -> Clock {
        Clock {
            white: time,
            black: time,
            white_increment: increment,
            black_increment: increment,
            moves_to_go: None,
            next_control: None,
            nodes_per_ms: None,
        }
    }

    pub fn left(&self, color: Color) -> Duration {
        color.fold_wb(self.white, self.black)
    }

    pub fn increment(&self, color: Color) -> Duration {
        color.fold_wb(self.white_increment, self.black_increment)
    }

    /// The clocks at the next move of the player of `turn`, which has thought for `time` and
    /// `nodes`. The opponent's stands still.
    pub fn after(self, turn: Color, time: Duration, nodes: u64) -> Clock {
        let time = self.nodes_per_ms.map_or(time, |rate| node_time(nodes, rate));
        let mut left = self.left(turn).saturating_sub(time) + self.increment(turn);
        let mut moves_to_go = self.moves_to_go.map(|moves| moves.saturating_sub(1));
        if let (Some(0), Some((moves, base))) = (moves_to_go, self.next_control) {
            moves_to_go = Some(moves);
            left += base;
        }
        let (white, black) = turn.fold_wb((left, self.black), (self.white, left));
        Clock { white, black, moves_to_go, ..self }
    }
}

/// What so many nodes cost on a clock that counts them, rounded down to a nanosecond.
pub fn node_time(nodes: u64, per_ms: NonZeroU64) -> Duration {
    let nanos = u128::from(nodes) * 1_000_000 / u128::from(per_ms.get());
    Duration::from_nanos(u64::try_from(nanos).unwrap_or(u64::MAX))
}

/// When a search is to end though its limit is not reached.
#[derive(Debug, Clone, Copy)]
pub struct Halt<'a> {
    /// All that is under way is to end, its answers are worth nothing.
    pub run: &'a AtomicBool,
    /// This search takes far too long.
    pub overdue: Option<&'a AtomicBool>,
}

impl Halt<'_> {
    pub fn is_set(&self) -> bool {
        let is_set = |flag: &AtomicBool| flag.load(Ordering::Relaxed);
        is_set(self.run) || self.overdue.is_some_and(is_set)
    }
}

/// What came of a player's thinking: the move and what it said of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Thought {
    /// The move, not yet checked for legality.
    pub best: UciMove,
    /// The last exact score it gave, else the last bound; from the side to move. It is what matches
    /// record and adjudicate by, as other match runners do.
    pub score: Option<Score>,
    /// The last bound it gave after that exact score.
    pub bound: Option<ScoreBound>,
    /// The last depth it gave, in plies.
    pub depth: u32,
    pub seldepth: u32,
    pub nodes: u64,
    /// The time that its clock is charged with.
    pub time: Duration,
    pub details: Option<Box<MoveDetails>>,
    /// At most so much of `time` passed between the answer's arrival and our noticing; zero where
    /// it cannot be known.
    pub late: Duration,
}

impl Thought {
    /// The score, or the bound that was given after it where the two contradict each other.
    pub fn newest_score(&self) -> Option<Score> {
        let score = self.score?;
        Some(match self.bound {
            Some(ScoreBound::AtMost(bound)) if bound.rank() < score.rank() => bound,
            Some(ScoreBound::AtLeast(bound)) if bound.rank() > score.rank() => bound,
            _ => score,
        })
    }
}

/// What a search says of a score that it has not found yet, from the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScoreBound {
    AtMost(Score),
    AtLeast(Score),
}

/// What a player did instead of moving. The text in each is for people; the kind decides the
/// termination. All but [`Fault::Resigns`] and [`Fault::Lack`] are wrong.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// Also when it never finished the handshake or did not get ready for the game.
    #[error("did not start: {0}")]
    NotStarted(String),
    #[error("crashed: {0}")]
    Crash(String),
    #[error("hangs: {0}")]
    Hang(String),
    /// An answer that is not in its protocol.
    #[error("garbage: {0}")]
    Garbage(String),
    #[error("broken pipe: {0}")]
    BrokenPipe(String),
    /// It says that the game has ended, and not by its own loss, when it has not.
    #[error("false claim: {0}")]
    FalseClaim(String),
    #[error("answered twice: {0}")]
    AnsweredTwice(String),
    #[error("resigns: {0}")]
    Resigns(String),
    /// It could not be started or heard for want of something that is not its to have: no fault of
    /// its own.
    #[error(transparent)]
    Lack(#[from] Lack),
}

#[cfg(any(test, fuzzing, feature = "testing"))]
pub mod fuzzing {
    pub use super::uci::fuzzing::output as uci;
    pub use super::xboard::fuzzing::output as xboard;
}

impl Fault {
    /// The fault, where it kept a game from beginning.
    pub fn before_the_game(self) -> Fault {
        match self {
            Fault::NotStarted(_) | Fault::Lack(_) => self,
            fault => Fault::NotStarted(fault.to_string()),
        }
    }

    /// How it ends a game; `None`: not at all, the game is spoilt.
    pub fn termination(&self) -> Option<Termination> {
        Some(match self {
            Fault::NotStarted(_) => Termination::NotStarted,
            Fault::Crash(_) => Termination::Crash,
            Fault::Hang(_) => Termination::Hang,
            Fault::Garbage(_) => Termination::Garbage,
            Fault::BrokenPipe(_) => Termination::BrokenPipe,
            Fault::FalseClaim(_) => Termination::FalseClaim,
            Fault::AnsweredTwice(_) => Termination::AnsweredTwice,
            Fault::Resigns(_) => Termination::Resignation,
            Fault::Lack(_) => return None,
        })
    }
}

/// Adds a move to moves as UCI writes them, parted by single spaces.
pub(crate) fn append_move(text: &mut String, uci: UciMove) {
    if !text.is_empty() {
        text.push(' ');
    }
    uci.append_to_string(text);
}
