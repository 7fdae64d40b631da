//! What an engine says of its search: `info` and `bestmove` lines.

use std::str::{self, FromStr};

use shakmaty::uci::UciMove;

use crate::player::ScoreBound;
use crate::player::program::ProgramReport;
use crate::record::{MoveDetails, Score};

/// One `info` line of the first variation; `None` for other lines and further variations.
pub(super) fn info(line: &[u8]) -> Option<ProgramReport> {
    let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).peekable();
    if words.next() != Some(b"info") {
        return None;
    }
    let mut report = ProgramReport::default();
    let mut bound: Option<fn(Score) -> ScoreBound> = None;
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
            b"lowerbound" => bound = Some(ScoreBound::AtLeast),
            b"upperbound" => bound = Some(ScoreBound::AtMost),
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
    report.exact = report.score.is_some() && bound.is_none();
    report.bound = bound.zip(report.score).map(|(bound, score)| bound(score));
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
mod tests;
