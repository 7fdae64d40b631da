//! The words of `go`.

use std::time::Duration;

use crate::position::Position;
use crate::search::{ClockLimit, Limits};
use crate::types::Color;

/// A parsed `go`.
#[derive(Debug, Clone, Default)]
pub(super) struct Go {
    pub(super) limits: Limits,
    pub(super) infinite: bool,
    /// `go perft N`.
    pub(super) perft: Option<u32>,
    /// Words that were not understood and are ignored.
    pub(super) ignored: Vec<String>,
}

/// The words that begin a limit.
const WORDS: [&str; 13] = [
    "searchmoves",
    "ponder",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "infinite",
    "perft",
];

/// Those that may be negative.
const CLOCKS: [&str; 4] = ["wtime", "btime", "winc", "binc"];

impl Go {
    /// Parses the words after `go` for the side to move. Nothing is refused: what cannot be
    /// understood is ignored and said so, for a game goes on best with a move. Where limits were asked
    /// for and none of them holds, one ply is searched: nobody would end the search.
    pub(super) fn parse(words: &[&str], position: &Position) -> Go {
        let mut go = Go::default();
        let us = position.turn();
        let (mut time, mut increment, mut moves_to_go) = (None, 0, None);
        let mut asked = false;
        let mut rest = words.iter().copied().peekable();
        while let Some(word) = rest.next() {
            match word {
                "infinite" => go.infinite = true,
                "ponder" => go.limits.ponder = true,
                "searchmoves" => {
                    while let Some(text) = rest.next_if(|word| !WORDS.contains(word)) {
                        match position.parse_uci(text) {
                            Ok(mv) => go.limits.searchmoves.push(mv),
                            Err(_) => go.ignored.push(text.to_owned()),
                        }
                    }
                }
                _ if WORDS.contains(&word) => {
                    asked = true;
                    let value = rest.next_if(|word| !WORDS.contains(word));
                    // Some programs send a negative clock when time has just run out.
                    let least = if CLOCKS.contains(&word) { i128::MIN } else { 0 };
                    let number = value.and_then(|text| text.parse::<i128>().ok());
                    let Some(number) = number.filter(|number| *number >= least) else {
                        go.ignored.push([word, value.unwrap_or("")].join(" ").trim().to_owned());
                        continue;
                    };
                    let number = u64::try_from(number.max(0)).unwrap_or(u64::MAX);
                    match word {
                        "wtime" if us == Color::White => time = Some(number),
                        "btime" if us == Color::Black => time = Some(number),
                        "winc" if us == Color::White => increment = number,
                        "binc" if us == Color::Black => increment = number,
                        "movestogo" => moves_to_go = Some(clamp(number)),
                        "depth" => go.limits.depth = Some(clamp(number).max(1)),
                        "nodes" => go.limits.nodes = Some(number.max(1)),
                        "mate" if number > 0 => go.limits.mate = Some(clamp(number)),
                        "movetime" => go.limits.movetime = Some(millis(number)),
                        "perft" => go.perft = Some(clamp(number)),
                        _ => {}
                    }
                }
                other => go.ignored.push(other.to_owned()),
            }
        }
        go.limits.clock = time.map(|remaining| ClockLimit {
            remaining: millis(remaining),
            increment: millis(increment),
            moves_to_go,
        });
        if asked && !go.infinite && go.perft.is_none() && go.limits.are_none() {
            go.ignored.push("all limits, none of which holds: one ply is searched".to_owned());
            go.limits.depth = Some(1);
        }
        go
    }
}

impl Limits {
    /// Whether nothing but a stop ends the search.
    fn are_none(&self) -> bool {
        self.clock.is_none()
            && self.movetime.is_none()
            && self.depth.is_none()
            && self.nodes.is_none()
            && self.mate.is_none()
    }
}

fn clamp(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// A time, at most a year: sums of absurd ones must not overflow.
fn millis(number: u64) -> Duration {
    Duration::from_millis(number.min(365 * 24 * 3_600_000))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn go(text: &str) -> Go {
        Go::parse(&text.split_whitespace().collect::<Vec<_>>(), &Position::startpos())
    }

    #[test]
    fn every_limit() {
        let parsed =
            go("searchmoves e2e4 d2d4 wtime 5000 btime 1 winc 20 binc 2 movestogo 7 depth 9 \
                         nodes 100 mate 3 movetime 50 ponder");
        let limits = &parsed.limits;
        assert_eq!(limits.searchmoves.len(), 2);
        let clock = limits.clock.expect("a clock");
        assert_eq!(clock.remaining, Duration::from_secs(5));
        assert_eq!(clock.increment, Duration::from_millis(20));
        assert_eq!(clock.moves_to_go, Some(7));
        assert_eq!((limits.depth, limits.nodes, limits.mate), (Some(9), Some(100), Some(3)));
        assert_eq!(limits.movetime, Some(Duration::from_millis(50)));
        assert!(limits.ponder && !parsed.infinite && parsed.ignored.is_empty());
    }

    #[test]
    fn mistakes_are_named_and_passed_over() {
        let parsed = go("depth x banana searchmoves e2e5 nodes wtime -30 infinite");
        assert_eq!(parsed.ignored, ["depth x", "banana", "e2e5", "nodes"]);
        assert_eq!(parsed.limits.clock.map(|clock| clock.remaining), Some(Duration::ZERO));
        assert!(parsed.infinite);
        let clock = go("wtime 99999999999999999999 winc 99999999999999999").limits.clock;
        assert!(clock.is_some());
        assert_eq!(go("nodes -5 movetime 9").ignored, ["nodes -5"]);
    }

    /// A broken limit must not make the search endless.
    #[test]
    fn where_no_limit_holds_one_ply_is_searched() {
        for text in
            ["depth abc", "nodes", "perft", "depth -1", "btime 10000", "movestogo 5", "mate 0"]
        {
            let parsed = go(text);
            assert_eq!(parsed.limits.depth, Some(1), "{text}");
            assert!(parsed.ignored.last().is_some_and(|why| why.contains("one ply")), "{text}");
        }
        for text in ["", "infinite", "ponder", "searchmoves e2e4", "infinite depth x", "perft 3"] {
            assert!(go(text).limits.are_none(), "{text}");
        }
    }
}
