//! The kinds of limits that a search can have, and whether a program obeys one.

use std::time::Duration;

use shakmaty::Position as _;

use super::think;
use crate::player::external::External;
use crate::player::program::START_FEN;
use crate::player::{Clock, Fault, GoLimit};

/// Moves from the start position after which no opening book answers in the program's place.
const OUT_OF_BOOK: &str = "a2a3 a7a6 h2h3 h7h6 a3a4 a6a5 h3h4 h6h5";

/// What a short search is given at most.
const SHORT_NODES: u64 = 100;
const SHORT_DEPTH: u32 = 1;
const SHORT_MOVETIME: Duration = Duration::from_millis(50);
const SHORT_CLOCK: Duration = Duration::from_secs(1);
const SHORT_INCREMENT: Duration = Duration::from_millis(10);

#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::Display)]
#[strum(serialize_all = "lowercase")]
pub enum LimitKind {
    Depth,
    Nodes,
    #[strum(serialize = "time a move")]
    MoveTime,
    #[strum(serialize = "a clock")]
    Clock,
    /// A clock that counts nodes.
    #[strum(serialize = "a clock of nodes")]
    NodesClock,
}

impl LimitKind {
    /// Those that every program should obey, whatever its options.
    pub const COMMON: [LimitKind; 4] =
        [LimitKind::Depth, LimitKind::Nodes, LimitKind::MoveTime, LimitKind::Clock];

    pub fn of(limit: &GoLimit) -> LimitKind {
        match limit {
            GoLimit::Depth(_) => LimitKind::Depth,
            GoLimit::Nodes(_) => LimitKind::Nodes,
            GoLimit::MoveTime(_) => LimitKind::MoveTime,
            GoLimit::Clock(Clock { nodes_per_ms: None, .. }) => LimitKind::Clock,
            GoLimit::Clock(_) => LimitKind::NodesClock,
        }
    }

    /// An example of it, as the command line has it.
    pub fn flag(self) -> &'static str {
        match self {
            LimitKind::Depth => "--depth 8",
            LimitKind::Nodes => "--nodes 3000",
            LimitKind::MoveTime => "--movetime 100ms",
            LimitKind::Clock => "--tc 1+0.01",
            LimitKind::NodesClock => "--tc 1+0.01 --nodes-clock 500",
        }
    }

    /// A limit of this kind for a short search; a clock counts time.
    pub fn short(self) -> GoLimit {
        match self {
            LimitKind::Depth => GoLimit::Depth(SHORT_DEPTH),
            LimitKind::Nodes => GoLimit::Nodes(SHORT_NODES),
            LimitKind::MoveTime => GoLimit::MoveTime(SHORT_MOVETIME),
            LimitKind::Clock | LimitKind::NodesClock => {
                GoLimit::Clock(Clock::even(SHORT_CLOCK, SHORT_INCREMENT))
            }
        }
    }
}

pub fn shortened(limit: GoLimit) -> GoLimit {
    match limit {
        GoLimit::Nodes(nodes) => GoLimit::Nodes(nodes.min(SHORT_NODES)),
        GoLimit::Depth(depth) => GoLimit::Depth(depth.min(SHORT_DEPTH)),
        GoLimit::MoveTime(time) => GoLimit::MoveTime(time.min(SHORT_MOVETIME)),
        GoLimit::Clock(clock) => GoLimit::Clock(Clock {
            white: clock.white.min(SHORT_CLOCK),
            black: clock.black.min(SHORT_CLOCK),
            white_increment: clock.white_increment.min(SHORT_INCREMENT),
            black_increment: clock.black_increment.min(SHORT_INCREMENT),
            ..clock
        }),
    }
}

/// Has the player begin a game and search once under the limit. Where that is a time, it may take
/// so much more as `margin`, after which it is told to stop. [`Fault::NotStarted`] also where it
/// refuses to be told the limit.
pub fn search_once(player: &mut External, limit: &GoLimit, margin: Duration) -> Result<(), Fault> {
    let (thought, position) = think(player, START_FEN, OUT_OF_BOOK, limit)?;
    let allowed = limit.time(position.turn()).map(|time| time + margin);
    match allowed.filter(|allowed| thought.time.saturating_sub(thought.late) >= *allowed) {
        Some(allowed) => {
            Err(Fault::Hang(format!("no move within {allowed:?}, until it was told to stop")))
        }
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::uci::UciMove;
    use shakmaty::{Chess, Position as _};

    use super::*;

    #[test]
    fn the_game_out_of_book_can_be_played_and_goes_on() {
        let mut position = Chess::new();
        for text in OUT_OF_BOOK.split(' ') {
            let uci: UciMove = text.parse().unwrap();
            position.play_unchecked(uci.to_move(&position).expect(text));
        }
        assert!(position.legal_moves().len() > 10);
    }

    #[test]
    fn a_short_search_has_no_more_than_the_games() {
        for kind in LimitKind::COMMON {
            assert_eq!(LimitKind::of(&kind.short()), kind);
            assert_eq!(shortened(kind.short()), kind.short());
        }
        assert_eq!(shortened(GoLimit::Nodes(7)), GoLimit::Nodes(7));
        assert_eq!(shortened(GoLimit::Nodes(3000)), GoLimit::Nodes(100));
        assert_eq!(shortened(GoLimit::Depth(12)), GoLimit::Depth(1));
    }
}
