//! What an engine says of its search: `info` and `bestmove` lines.

use std::str::{self, FromStr};

use shakmaty::uci::UciMove;

use crate::player::program::ProgramReport;
use crate::record::{MoveDetails, Score};

/// One `info` line of the first variation; `None` for other lines and further variations.
pub(super) fn info(line: &[u8]) -> Option<ProgramReport> {
    let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).peekable();
    if words.next() != Some(b"info") {
        return None;
    }
    let mut report = ProgramReport { exact: true, ..ProgramReport::default() };
    while let Some(word) = words.next() {
        match word {
            b"string" => break,
            // Mostly the end of the line; on to it only if something is still missing.
            b"pv" if report.score.is_some() && report.depth.is_some() && report.nodes.is_some() => {
                break;
            }
            b"depth" => report.depth = words.peek().and_then(|word| number(word)),
            b"seldepth" => report.seldepth = words.peek().and_then(|word| number(word)),
            b"nodes" => report.nodes = words.peek().and_then(|word| number(word)),
            b"multipv" if words.peek().is_some_and(|word| **word != *b"1") => return None,
            b"lowerbound" | b"upperbound" => report.exact = false,
            b"score" => {
                let kind = words.next();
                let value = words.peek().and_then(|word| integer(word));
                report.score = match kind {
                    Some(b"cp") => value.map(Score::Cp),
                    Some(b"mate") => value.map(Score::Mate),
                    _ => None,
                };
            }
            _ => {}
        }
    }
    report.exact &= report.score.is_some();
    Some(report)
}

/// What an `info` line of the first variation says beside the figures; `None` for other lines, and
/// for those of a bound.
pub(super) fn details_of(line: &[u8]) -> Option<MoveDetails> {
    let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).peekable();
    if words.next() != Some(b"info") {
        return None;
    }
    let mut details = MoveDetails::default();
    while let Some(word) = words.next() {
        match word {
            b"string" | b"lowerbound" | b"upperbound" => return None,
            b"multipv" if words.peek().is_some_and(|word| **word != *b"1") => return None,
            b"seldepth" => details.seldepth = words.peek().and_then(|word| number(word))?,
            b"hashfull" => details.hashfull = words.peek().and_then(|word| number(word)),
            b"tbhits" => details.tbhits = words.peek().and_then(|word| number(word)),
            b"pv" => {
                details.take_pv(words);
                return Some(details);
            }
            _ => {}
        }
    }
    None
}

/// The move of a `bestmove` line: `None` if the line is none, the text if it is no move.
/// No move at all (`0000`, `(none)`) is the null move, which the referee refuses.
pub(super) fn best_move(line: &[u8]) -> Option<Result<UciMove, &[u8]>> {
    let rest = line.trim_ascii_start().strip_prefix(b"bestmove")?;
    if rest.first().is_some_and(|c| !c.is_ascii_whitespace()) {
        return None;
    }
    let rest = rest.trim_ascii();
    let text = rest.split(u8::is_ascii_whitespace).next().unwrap_or_default();
    Some(match text {
        b"(none)" | b"none" | b"NULL" | b"null" => Ok(UciMove::Null),
        _ => UciMove::from_ascii(text).map_err(|_| text),
    })
}

pub(super) fn expected_reply(line: &[u8]) -> Option<UciMove> {
    let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    words.find(|word| *word == b"ponder")?;
    UciMove::from_ascii(words.next()?).ok().filter(|reply| *reply != UciMove::Null)
}

/// Leading digits, so that `12/30` is 12.
fn number<T: FromStr>(word: &[u8]) -> Option<T> {
    let digits = word.iter().take_while(|c| c.is_ascii_digit()).count();
    str::from_utf8(&word[..digits]).ok()?.parse().ok()
}

/// A signed integer, held inside `i32`.
fn integer(word: &[u8]) -> Option<i32> {
    let value: i64 = str::from_utf8(word).ok()?.parse().ok()?;
    Some(value.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figures(text: &str) -> (Option<Score>, u32, u32, u64) {
        let ProgramReport { score, depth, seldepth, nodes, .. } =
            ProgramReport::default().then(text.as_bytes(), info);
        (score, depth.unwrap_or(0), seldepth.unwrap_or(0), nodes.unwrap_or(0))
    }

    #[test]
    fn info_lines() {
        let cp = |cp| Some(Score::Cp(cp));
        let cases = [
            ("", (None, 0, 0, 0)),
            ("info depth 5 seldepth 7 score cp 31 nodes 100 pv e2e4\n", (cp(31), 5, 7, 100)),
            ("info score mate -3 depth 9 nodes 8\n", (Some(Score::Mate(-3)), 9, 0, 8)),
            ("info depth 2 score mate 0\r\n", (Some(Score::Mate(0)), 2, 0, 0)),
            // The last exact score counts, not a bound after it; nodes are the last given.
            (
                "info depth 4 score cp 10 nodes 50\n\
                 info depth 5 score cp 90 lowerbound nodes 70\n\
                 info depth 5 currmove e2e4 currmovenumber 1 nodes 90\n",
                (cp(10), 4, 0, 90),
            ),
            ("info depth 5 score cp 90 upperbound nodes 70\n", (cp(90), 5, 0, 70)),
            (
                "info depth 5 score cp 90 upperbound nodes 70\ninfo depth 6 nodes 71\n",
                (cp(90), 5, 0, 71),
            ),
            // Only the first variation.
            (
                "info depth 3 multipv 1 score cp 5 nodes 6\ninfo depth 3 multipv 2 score cp -5\n",
                (cp(5), 3, 0, 6),
            ),
            // Free text is not read; fields after the variation are.
            ("info string depth 9 score cp 77\n", (None, 0, 0, 0)),
            ("info depth 3 score cp 1 string nodes 4\n", (cp(1), 3, 0, 0)),
            ("info pv e2e4 e7e5 depth 3 score cp 1 nodes 4\n", (cp(1), 3, 0, 4)),
            ("info depth 12/30 score cp 1 nodes 4\n", (cp(1), 12, 0, 4)),
            // Nonsense leaves no figure rather than a wrong one.
            ("info\ninfo \ninfo depth\ninfo score\ninfo score cp\n", (None, 0, 0, 0)),
            ("info depth x seldepth -1 score cp abc nodes 1e9\n", (None, 0, 0, 1)),
            ("info score cp 99999999999999 nodes 99999999999999999999\n", (cp(i32::MAX), 0, 0, 0)),
            ("information depth 3 score cp 1\n", (None, 0, 0, 0)),
        ];
        for (text, expected) in cases {
            assert_eq!(figures(text), expected, "{text:?}");
        }
    }

    #[test]
    fn details() {
        let of = |line: &str| details_of(line.as_bytes()).map(|details| details.comment());
        let line = "info depth 9 seldepth 14 score cp 3 nodes 8 hashfull 7 tbhits 2 pv e2e4 e7e5\n";
        assert_eq!(of(line).as_deref(), Some("sd=14 hashfull=7 tbhits=2 pv=\"e2e4 e7e5\""));
        assert_eq!(of("info depth 9 pv e2e4").as_deref(), Some("pv=\"e2e4\""));
        for other in [
            "info depth 9 seldepth 14 nodes 8",
            "info depth 9 multipv 2 pv e2e4",
            "info depth 9 score cp 3 lowerbound pv e2e4",
            "info string pv e2e4",
            "bestmove e2e4",
        ] {
            assert_eq!(of(other), None, "{other}");
        }
    }

    #[test]
    fn best_moves() {
        let uci = |text: &str| Some(Ok(text.parse::<UciMove>().unwrap()));
        assert_eq!(best_move(b"bestmove e2e4 ponder e7e5"), uci("e2e4"));
        assert_eq!(best_move(b"  bestmove   a7a8q  "), uci("a7a8q"));
        assert_eq!(best_move(b"bestmove 0000"), Some(Ok(UciMove::Null)));
        assert_eq!(best_move(b"bestmove (none)"), Some(Ok(UciMove::Null)));
        assert_eq!(best_move(b"bestmove"), Some(Err(b"".as_slice())));
        assert_eq!(best_move(b"bestmove \xff\xfe"), Some(Err(b"\xff\xfe".as_slice())));
        assert_eq!(best_move(b"bestmove e9e4"), Some(Err(b"e9e4".as_slice())));
        assert_eq!(best_move(b"bestmoves e2e4"), None);
        assert_eq!(best_move(b"info bestmove e2e4"), None);
    }

    /// From malformed lines only values that are really there are taken.
    #[test]
    fn nonsense_is_no_report() {
        use rand_chacha::ChaCha8Rng;
        use rand_chacha::rand_core::{RngCore as _, SeedableRng as _};

        let words = "info depth score cp mate -1 nodes 18446744073709551616 multipv 1 2 pv e2e4 \
                     string lowerbound seldepth \n \r\n bestmove a7a8q \x00 \u{FFFD} 1/2 +3";
        let words: Vec<_> = words.split(' ').collect();
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut next = |below: usize| rng.next_u32() as usize % below;
        for _ in 0..20_000 {
            let mut text = Vec::new();
            for _ in 0..next(12) {
                text.extend_from_slice(words[next(words.len())].as_bytes());
                text.push(b' ');
            }
            for _ in 0..next(4) {
                let at = next(text.len() + 1);
                text.insert(at, next(256) as u8);
            }
            let said: Vec<_> =
                text.split(u8::is_ascii_whitespace).filter(|it| !it.is_empty()).collect();
            let report = info(&text);
            assert!(report.is_none() || said.first() == Some(&b"info".as_slice()), "{text:?}");
            if let Some(nodes) = report.and_then(|report| report.nodes) {
                let is_it = |word: &&[u8]| number::<u64>(word) == Some(nodes);
                assert!(said.iter().any(is_it), "{nodes} nodes of {text:?}");
            }
            if let Some(Ok(best)) = best_move(&text) {
                assert_eq!(said.first(), Some(&b"bestmove".as_slice()), "{text:?}");
                let is_it = |word: &&[u8]| UciMove::from_ascii(word).ok() == Some(best);
                assert!(best == UciMove::Null || said[1..].iter().any(is_it), "{best} of {text:?}");
            }
        }
    }

    #[test]
    fn expected_replies() {
        for (line, reply) in [
            ("bestmove e2e4 ponder e7e5\r\n", Some("e7e5")),
            ("bestmove e2e4  ponder  a7a8q x", Some("a7a8q")),
            ("bestmove e2e4", None),
            ("bestmove e2e4 ponder", None),
            ("bestmove e2e4 ponder (none)", None),
            ("bestmove e2e4 ponder 0000", None),
        ] {
            let found = expected_reply(line.as_bytes()).map(|reply| reply.to_string());
            assert_eq!(found.as_deref(), reply, "{line}");
        }
    }
}
