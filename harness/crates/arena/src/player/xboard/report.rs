//! Thinking lines: `ply score time nodes pv`.

use std::str;

use crate::player::ScoreBound;
use crate::player::program::ProgramReport;
use crate::record::{MoveDetails, Score};

/// One thinking line; `None` for other lines, and for moves out of a book (ply 0), which were not
/// thought about.
pub(super) fn thinking(line: &[u8]) -> Option<ProgramReport> {
    let text = str::from_utf8(line).ok()?;
    let mut words = text.split_whitespace();
    let ply = words.next()?;
    // GNU Chess puts a mark behind the number.
    let digits = ply.len() - usize::from(!ply.ends_with(|c: char| c.is_ascii_digit()));
    let depth: u32 = ply.get(..digits)?.parse().ok().filter(|&depth| depth > 0)?;
    let score: i64 = words.next()?.parse().ok()?;
    let _time: u64 = words.next()?.parse().ok()?;
    let nodes: u64 = words.next()?.parse().ok()?;
    // Between the nodes and the last tab: selective depth, speed, table hits, the last one last.
    let extras = text.rsplit_once('\t').map_or("", |(head, _)| head);
    let extras: Vec<&str> = extras.split_whitespace().skip(4).collect();
    let seldepth = match extras.as_slice() {
        [first, _, ..] => first.parse().ok(),
        _ => None,
    };
    let score = score_of(score);
    let bound = match text.trim_end().as_bytes().last() {
        Some(b'?') => Some(ScoreBound::AtMost(score)),
        Some(b'!') => Some(ScoreBound::AtLeast(score)),
        _ => None,
    };
    Some(ProgramReport {
        score: Some(score),
        exact: bound.is_none(),
        bound,
        depth: Some(depth),
        seldepth,
        nodes: Some(nodes),
    })
}

/// What a thinking line says beside the figures: selective depth and table hits where a tab parts
/// them from the variation; `None` for other lines, for those of a bound, and without a variation.
pub(super) fn details_of(line: &[u8]) -> Option<MoveDetails> {
    let report = thinking(line).filter(|report| report.exact)?;
    let text = str::from_utf8(line).ok()?;
    let (tbhits, pv): (_, Vec<&str>) = match text.rsplit_once('\t') {
        Some((head, pv)) => {
            let extras: Vec<&str> = head.split_whitespace().skip(4).collect();
            let hits = extras.last().filter(|_| extras.len() >= 3);
            (hits.and_then(|hits| hits.parse().ok()), pv.split_whitespace().collect())
        }
        None => (None, text.split_whitespace().skip(4).collect()),
    };
    let seldepth = report.seldepth.unwrap_or(0);
    let mut details = MoveDetails { seldepth, tbhits, ..MoveDetails::default() };
    details.take_pv(pv.into_iter().map(str::as_bytes));
    (!details.pv.is_empty()).then_some(details)
}

/// The first move of a thinking line's variation, in the engine's words. Some number their moves.
pub(super) fn first_move(line: &[u8]) -> Option<&str> {
    let text = str::from_utf8(line).ok()?;
    let (figures, rest) = text.rsplit_once('\t').map_or((4, text), |(_, pv)| (0, pv));
    let is_number = |word: &str| word.bytes().all(|c| c.is_ascii_digit() || c == b'.');
    rest.split_whitespace().skip(figures).find(|word| !is_number(word))
}

/// Centipawns, or `±(100000 + N)` for a mate in N moves.
fn score_of(score: i64) -> Score {
    const MATE: i64 = 100_000;
    const MOST_MOVES: i64 = 1_000;
    match score.abs() - MATE {
        moves @ 0..=MOST_MOVES => Score::Mate((moves * score.signum()) as i32),
        _ => Score::Cp(score.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figures(text: &str) -> (Option<Score>, u32, u32, u64) {
        let ProgramReport { score, depth, seldepth, nodes, .. } =
            ProgramReport::default().then(text.as_bytes(), thinking);
        (score, depth.unwrap_or(0), seldepth.unwrap_or(0), nodes.unwrap_or(0))
    }

    #[test]
    fn details() {
        let of = |line: &str| details_of(line.as_bytes()).map(|details| details.comment());
        for (line, expected) in [
            ("7 10 20 3000 12 150000 4\te4 e5\n", Some("sd=12 tbhits=4 pv=\"e4 e5\"")),
            ("  9 156 1084 48000 Nf3 Nc6\n", Some("pv=\"Nf3 Nc6\"")),
            ("9 156 1084 48000\n", None),
            ("5 90 1 70 d4!\n", None),
            ("move e2e4\n", None),
        ] {
            assert_eq!(of(line).as_deref(), expected, "{line}");
        }
    }

    #[test]
    fn first_moves() {
        for (line, expected) in [
            ("  9 156 1084 48000 Nf3 Nc6", Some("Nf3")),
            ("7 10 20 3000 12 150000 4\te4 e5", Some("e4")),
            ("7\t10\t20\t3000\t12. ... 0-0 e4", Some("0-0")),
            ("9 156 1084 48000", None),
        ] {
            assert_eq!(first_move(line.as_bytes()), expected, "{line}");
        }
    }

    #[test]
    fn thinking_lines() {
        let cp = |cp| Some(Score::Cp(cp));
        for (text, expected) in [
            ("", (None, 0, 0, 0)),
            ("  9 156 1084 48000 Nf3 Nc6 Nc3 Nf6\n", (cp(156), 9, 0, 48000)),
            (" 2.     14    0       38   d1d2  e8e7 \r\n", (cp(14), 2, 0, 38)),
            ("3& -78 0 65 d1d2\nmove d1d2\n", (cp(-78), 3, 0, 65)),
            ("5 100003 1 7 Qh5\n", (Some(Score::Mate(3)), 5, 0, 7)),
            ("5 -100002 1 7 Kh1\n", (Some(Score::Mate(-2)), 5, 0, 7)),
            ("5 -100000 1 7 Kh1\n", (Some(Score::Mate(0)), 5, 0, 7)),
            ("5 32700 1 7 Qh5\n", (cp(32700), 5, 0, 7)),
            // Selective depth, speed and table hits before a tab.
            ("7 10 20 3000 12 150000 0\te4 e5\n", (cp(10), 7, 12, 3000)),
            ("7 10 20 3000 5\te4 e5\n", (cp(10), 7, 0, 3000)),
            // The last exact score counts; the nodes are the last given.
            ("4 10 1 50 e4\n5 90 1 70 d4!\n5 95 2 80 d4!\n", (cp(10), 4, 0, 80)),
            ("5 90 1 70 d4!\n", (cp(90), 5, 0, 70)),
            // A move out of a book, free text, continuation lines, nonsense.
            ("  0      0     0        0  (e4 64%, d4 24%)\n", (None, 0, 0, 0)),
            ("    d4e4  f7f5  e4f4\n# 1 2 3 4\n1-0 {x} 3 4\n", (None, 0, 0, 0)),
            ("é 1 2 3\n5 x 1 2\n5 1 -1 2\n5 1 2\n12.5 1 2 3\n", (None, 0, 0, 0)),
            ("5 99999999999999 1 2\n", (cp(i32::MAX), 5, 0, 2)),
        ] {
            assert_eq!(figures(text), expected, "{text:?}");
        }
    }
}
