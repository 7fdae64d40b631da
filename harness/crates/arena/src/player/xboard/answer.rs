//! What an engine says in place of, before or after a move.
//!
//! What the game makes of it, as cutechess does:
//! - Resigning in any form (`resign`, a result that is its loss, `White resigns`) ends the game.
//! - Any other result ends it by the referee's word only. Right after a move that ended the game
//!   nobody asks for it. While the game goes on it is a false claim, and loses: the protocol takes
//!   it for an unconditional refusal to play on. A move in the same breath counts, not the claim.
//! - `offer draw` is passed over: draws are adjudicated by both players' scores, or not at all.
//! - Refusing a move that the referee has accepted is a fault.

use std::str;

use shakmaty::Color;

use pgn::Outcome;

/// A line of an engine that is on the move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Answer<'a> {
    Move(&'a str),
    Resigns,
    /// It says that the game has ended otherwise.
    Claims(Outcome),
    Refuses,
    Other,
}

pub(super) fn parse(line: &[u8], color: Color) -> Answer<'_> {
    let Ok(text) = str::from_utf8(line) else { return Answer::Other };
    let text = text.trim();
    let mut words = text.split_whitespace();
    let (Some(first), second) = (words.next(), words.next()) else { return Answer::Other };
    let gives_up = |loser: Color| if loser == color { Answer::Resigns } else { Answer::Other };
    let claims = |outcome: Outcome| match outcome {
        Outcome::Draw => Answer::Claims(outcome),
        _ if outcome == Outcome::win(color) => Answer::Claims(outcome),
        _ => Answer::Resigns,
    };
    match (first, second) {
        ("move", Some(text)) => Answer::Move(text),
        (number, Some("...")) if is_number(number) => {
            words.next().map_or(Answer::Other, Answer::Move)
        }
        ("resign", _) | ("computer", Some("resigns")) => Answer::Resigns,
        ("White", Some("resigns")) => gives_up(Color::White),
        ("Black", Some("resigns")) => gives_up(Color::Black),
        ("1-0", _) => claims(Outcome::White),
        ("0-1", _) => claims(Outcome::Black),
        ("1/2-1/2", _) => claims(Outcome::Draw),
        ("Illegal" | "illegal", Some(word)) if word.starts_with("move") => Answer::Refuses,
        ("Error" | "tellusererror", _) => Answer::Refuses,
        _ => Answer::Other,
    }
}

/// Whether a line refuses one of these commands or moves. Engines need not know all we say: what
/// else they refuse is no matter.
pub(super) fn refuses(line: &[u8], matters: &[String]) -> bool {
    // The colour is of no consequence to refusals.
    if parse(line, Color::White) != Answer::Refuses {
        return false;
    }
    let Ok(text) = str::from_utf8(line) else { return false };
    let mut words = text.split(|c: char| c.is_whitespace() || "(){}[]:,;'\"".contains(c));
    words.any(|word| matters.iter().any(|text| text == word))
}

/// Decimal digits, perhaps with a full stop.
fn is_number(word: &str) -> bool {
    let digits = word.strip_suffix('.').unwrap_or(word);
    !digits.is_empty() && digits.bytes().all(|c| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines() {
        let white = Color::White;
        for (line, expected) in [
            ("move e2e4", Answer::Move("e2e4")),
            ("  move   O-O  (book)", Answer::Move("O-O")),
            ("move", Answer::Other),
            ("12. ... Nf6", Answer::Move("Nf6")),
            ("12 ... Nf6", Answer::Move("Nf6")),
            ("12. e4", Answer::Other),
            ("resign", Answer::Resigns),
            ("0-1 {White resigns}", Answer::Resigns),
            ("0-1", Answer::Resigns),
            ("White resigns", Answer::Resigns),
            ("Black resigns", Answer::Other),
            ("computer resigns", Answer::Resigns),
            ("1-0 {White mates}", Answer::Claims(Outcome::White)),
            ("1/2-1/2 {Draw by repetition}", Answer::Claims(Outcome::Draw)),
            ("*", Answer::Other),
            ("offer draw", Answer::Other),
            ("Illegal move: e2e4", Answer::Refuses),
            ("Illegal move (in check): e2e4", Answer::Refuses),
            ("illegal move", Answer::Refuses),
            ("Error (unknown command): easy", Answer::Refuses),
            ("tellusererror Illegal position", Answer::Refuses),
            ("tellics say hello", Answer::Other),
            ("# move e2e4", Answer::Other),
            ("  9 156 1084 48000 Nf3 Nc6 Nc3 Nf6", Answer::Other),
            ("", Answer::Other),
        ] {
            assert_eq!(parse(line.as_bytes(), white), expected, "{line}");
        }
        assert_eq!(parse(b"1-0 {White mates}", Color::Black), Answer::Resigns);
        assert_eq!(parse(b"move \xff", white), Answer::Other);
    }

    #[test]
    fn refusals_that_matter() {
        let matters = ["e2e4", "O-O", "sd", "setboard"].map(str::to_owned);
        for line in [
            "Illegal move: e2e4",
            "illegal move (no matching move)e2e4",
            "Error (unknown command): sd 4",
            "Illegal move: setboard 8/8/8/8/8/8/8/8 w - - 0 1",
            "Illegal move (in check): 'O-O'",
        ] {
            assert!(refuses(line.as_bytes(), &matters), "{line}");
        }
        for line in ["Illegal move: easy", "e2e4", "Error (unknown command): sdx", "# Error sd"] {
            assert!(!refuses(line.as_bytes(), &matters), "{line}");
        }
        assert!(!refuses(b"Illegal move: e2e4", &[]));
    }
}
