//! What the results of games are written as.

use crate::record::Outcome;

/// The result a text stands for, none for games without one; none at all for other texts.
pub(crate) fn outcome(text: &[u8]) -> Option<Option<Outcome>> {
    let text: String = match text {
        b"1-0" => return Some(Some(Outcome::White)),
        b"0-1" => return Some(Some(Outcome::Black)),
        b"1/2-1/2" => return Some(Some(Outcome::Draw)),
        other => String::from_utf8_lossy(other).replace(['–', '—', ':'], "-"),
    };
    match text.as_str() {
        "1-0" => Some(Some(Outcome::White)),
        "0-1" => Some(Some(Outcome::Black)),
        "1/2" | "½-½" | "0.5-0.5" | "1/2-1/2" => Some(Some(Outcome::Draw)),
        "*" | "?" | "" => Some(None),
        _ => None,
    }
}
