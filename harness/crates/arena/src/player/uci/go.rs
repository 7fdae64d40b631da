//! The `go` command.

use crate::player::{GoLimit, millis};

/// Adds `command`, `go` or `go ponder`, with the limit and its line end.
pub(super) fn push(out: &mut String, command: &str, limit: &GoLimit) {
    let limit = match limit {
        GoLimit::Nodes(nodes) => format!("nodes {nodes}"),
        GoLimit::Depth(depth) => format!("depth {depth}"),
        GoLimit::MoveTime(time) => format!("movetime {}", millis(*time)),
        GoLimit::Clock(clock) => {
            let [white, black] = [clock.white, clock.black].map(millis);
            let increments = [clock.white_increment, clock.black_increment];
            let [winc, binc] = increments.map(|increment| increment.as_millis());
            let moves = clock.moves_to_go.map(|moves| format!(" movestogo {moves}"));
            let moves = moves.unwrap_or_default();
            format!("wtime {white} btime {black} winc {winc} binc {binc}{moves}")
        }
    };
    *out += &format!("{command} {limit}\n");
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::player::Clock;

    #[test]
    fn limits_as_uci_writes_them() {
        let clock = |moves_to_go| {
            GoLimit::Clock(Clock {
                white: Duration::from_micros(1_999),
                black: Duration::from_micros(10),
                white_increment: Duration::from_millis(10),
                black_increment: Duration::ZERO,
                moves_to_go,
                next_control: None,
                nodes_per_ms: None,
            })
        };
        let cases = [
            (GoLimit::Nodes(3000), "go nodes 3000\n"),
            (GoLimit::Depth(8), "go depth 8\n"),
            (GoLimit::MoveTime(Duration::from_millis(50)), "go movetime 50\n"),
            (clock(None), "go wtime 1 btime 1 winc 10 binc 0\n"),
            (clock(Some(40)), "go wtime 1 btime 1 winc 10 binc 0 movestogo 40\n"),
        ];
        for (limit, expected) in cases {
            let mut text = String::new();
            push(&mut text, "go", &limit);
            assert_eq!(text, expected);
        }
    }
}
