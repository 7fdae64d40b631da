//! Limits in the protocol's words.

use std::time::Duration;

use shakmaty::Color;

use crate::player::GoLimit;

/// A day, for engines that must have a time: what their search really ends by is a depth.
const NO_TIME: Duration = Duration::from_secs(86_400);

/// The commands that set the limit of the player of `turn`, once a game.
///
/// Nodes are a second at so many nodes a second (`nps`), which the protocol defines to be that
/// number at most. Some engines know `depth` in place of `sd` (`old_depth`), as GNU Chess 4 did.
/// Times of less than a second are written as decimals, since there is no other way; an engine that
/// reads whole numbers only takes them for 0.
pub(super) fn setup(limit: &GoLimit, turn: Color, old_depth: bool) -> String {
    match limit {
        GoLimit::Nodes(nodes) => format!("st 1\nnps {nodes}\n"),
        GoLimit::Depth(depth) => {
            format!("st {}\n{} {depth}\n", NO_TIME.as_secs(), word(limit, old_depth))
        }
        GoLimit::MoveTime(time) => format!("st {}\n", time.as_secs_f64()),
        GoLimit::Clock(clock) => {
            // The clock is still full.
            let seconds = clock.left(turn).as_millis().div_ceil(1000).max(1);
            let base = match (seconds / 60, seconds % 60) {
                (minutes, 0) => minutes.to_string(),
                (minutes, seconds) => format!("{minutes}:{seconds:02}"),
            };
            let moves = clock.moves_to_go.unwrap_or(0);
            let increment = clock.increment(turn).as_secs_f64();
            let level = format!("level {moves} {base} {increment}\n");
            match clock.nodes_per_ms {
                Some(nodes) => format!("{level}nps {}\n", nodes.get().saturating_mul(1_000)),
                None => level,
            }
        }
    }
}

/// The command that an engine must know to obey the limit.
pub(super) fn word(limit: &GoLimit, old_depth: bool) -> &'static str {
    match limit {
        GoLimit::Nodes(_) => "nps",
        GoLimit::Depth(_) if old_depth => "depth",
        GoLimit::Depth(_) => "sd",
        GoLimit::MoveTime(_) => "st",
        GoLimit::Clock(_) => "level",
    }
}

/// `time` and `otim` for the player of `turn`, before each of its moves.
pub(super) fn clocks(limit: &GoLimit, turn: Color) -> String {
    let (own, other) = match limit {
        GoLimit::Nodes(_) => return String::new(),
        GoLimit::Depth(_) => (NO_TIME, NO_TIME),
        GoLimit::MoveTime(time) => (*time, *time),
        GoLimit::Clock(clock) => (clock.left(turn), clock.left(!turn)),
    };
    let centiseconds = |time: Duration| (time.as_millis() / 10).max(1);
    format!("time {}\notim {}\n", centiseconds(own), centiseconds(other))
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU64;

    use super::*;
    use crate::player::Clock;

    #[test]
    fn limits_as_xboard_writes_them() {
        let clock = |white, increment, moves_to_go| {
            GoLimit::Clock(Clock {
                white: Duration::from_millis(white),
                black: Duration::from_millis(999),
                white_increment: Duration::from_millis(increment),
                black_increment: Duration::from_millis(increment),
                moves_to_go,
                next_control: None,
                nodes_per_ms: None,
            })
        };
        let day = "time 8640000\notim 8640000\n";
        let cases = [
            (GoLimit::Nodes(3000), "st 1\nnps 3000\n", ""),
            (GoLimit::Depth(8), "st 86400\nsd 8\n", day),
            (GoLimit::MoveTime(Duration::from_secs(2)), "st 2\n", "time 200\notim 200\n"),
            (GoLimit::MoveTime(Duration::from_millis(100)), "st 0.1\n", "time 10\notim 10\n"),
            (clock(300_000, 0, Some(40)), "level 40 5 0\n", "time 30000\notim 99\n"),
            (clock(1_000, 10, None), "level 0 0:01 0.01\n", "time 100\notim 99\n"),
            (clock(65_001, 2_000, None), "level 0 1:06 2\n", "time 6500\notim 99\n"),
            (clock(3, 0, None), "level 0 0:01 0\n", "time 1\notim 99\n"),
        ];
        for (limit, expected, times) in cases {
            assert_eq!(setup(&limit, Color::White, false), expected);
            assert!(expected.contains(word(&limit, false)));
            assert_eq!(clocks(&limit, Color::White), times);
        }
        assert_eq!(setup(&cases[1].0, Color::White, true), "st 86400\ndepth 8\n");
        assert_eq!(clocks(&cases[4].0, Color::Black), "time 99\notim 30000\n");
        let GoLimit::Clock(clock) = cases[5].0 else { panic!("a clock") };
        let counting = GoLimit::Clock(Clock { nodes_per_ms: NonZeroU64::new(200), ..clock });
        let expected = "level 0 0:01 0.01\nnps 200000\n";
        assert_eq!(setup(&counting, Color::White, false), expected);
    }
}
