//! One line of a suite: a position and what its solution must fulfil, in EPD.

use crate::position::{FenError, Position};
use crate::types::{Move, Value};

use super::san::SanError;

/// A position of a suite. It is solved when all that is given holds.
#[derive(Debug, Clone)]
pub struct Case {
    /// `id`; the line's number where there is none.
    pub id: String,
    /// The position.
    pub position: Position,
    /// `bm`: one of these is to be played.
    pub best: Vec<Move>,
    /// `am`: none of these is to be played.
    pub avoid: Vec<Move>,
    /// `dm`: mate in so many moves, or fewer, is to be reported.
    pub mate: Option<u32>,
    /// `c0` to `c9`, as they come.
    pub comments: Vec<String>,
}

/// What is wrong with a line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CaseError {
    /// Fewer fields than a position has.
    #[error(
        "expected a position of four fields (pieces, side to move, castling, en passant), found '{0}'"
    )]
    Fields(String),
    /// A position that is none.
    #[error("expected a position: {0}")]
    Position(#[from] FenError),
    /// What should be an operation.
    #[error("expected an operation like bm Nf3; found '{0}'")]
    Operation(String),
    /// A text that does not end.
    #[error("expected a closing quotation mark after \"{0}")]
    Quote(String),
    /// A move that cannot be played.
    #[error("{operation}: expected a legal move: {error}")]
    Move {
        /// `bm` or `am`.
        operation: String,
        /// What is wrong with the move.
        error: Box<SanError>,
    },
    /// An operation with nothing to it.
    #[error("{0}: expected at least one move")]
    NoMove(String),
    /// A number that is none.
    #[error("{operation}: expected a whole number{at_least}, found '{found}'")]
    Number {
        /// `dm`, `hmvc` or `fmvn`.
        operation: String,
        /// The least number, in words.
        at_least: &'static str,
        /// As given.
        found: String,
    },
    /// Nothing to be solved.
    #[error("expected something to solve: bm (best move), am (avoid move) or dm (mate in)")]
    NoGoal,
}

impl Case {
    /// Reads a line: the four fields of a position, perhaps its two counters, then operations. The
    /// last semicolon may be missing; operations that no score needs are passed over.
    ///
    /// # Errors
    /// Anything else, with what was expected.
    pub fn parse(line: &str) -> Result<Case, CaseError> {
        let (mut fields, mut rest) = (Vec::new(), line.trim());
        while fields.len() < 4 {
            let (field, behind) = word(rest);
            if field.is_empty() || field.ends_with(';') {
                return Err(CaseError::Fields(line.trim().to_owned()));
            }
            fields.push(field);
            rest = behind;
        }
        let mut counters = ["0", "1"];
        let ((halfmoves, behind), is_number) =
            (word(rest), |text: &str| text.parse::<u32>().is_ok());
        let (fullmoves, operations) = word(behind);
        if is_number(halfmoves) && is_number(fullmoves) {
            (counters, rest) = ([halfmoves, fullmoves], operations);
        }
        let operations = split(rest)?;
        for operation in &operations {
            let counter = match operation.code {
                "hmvc" => &mut counters[0],
                "fmvn" => &mut counters[1],
                _ => continue,
            };
            operation.number("", 0)?;
            *counter = operation.operands[0];
        }
        let position = Position::from_fen(&[&fields[..], &counters[..]].concat().join(" "))?;
        let mut case = Case {
            id: String::new(),
            position,
            best: Vec::new(),
            avoid: Vec::new(),
            mate: None,
            comments: Vec::new(),
        };
        for operation in operations {
            case.take(&operation)?;
        }
        if case.best.is_empty() && case.avoid.is_empty() && case.mate.is_none() {
            return Err(CaseError::NoGoal);
        }
        Ok(case)
    }

    fn take(&mut self, operation: &Operation<'_>) -> Result<(), CaseError> {
        match operation.code {
            "bm" => self.best.extend(operation.moves(&self.position)?),
            "am" => self.avoid.extend(operation.moves(&self.position)?),
            "dm" => self.mate = Some(operation.number(" of at least 1", 1)?),
            "id" => self.id = operation.operands.join(" "),
            code if is_comment(code) => self.comments.push(operation.operands.join(" ")),
            _ => {}
        }
        Ok(())
    }

    /// Whether a search that plays `best` and reports `score` (side to move) has solved it.
    #[must_use]
    pub fn is_solved(&self, best: Option<Move>, score: Value) -> bool {
        let Some(best) = best else { return false };
        (self.best.is_empty() || self.best.contains(&best))
            && !self.avoid.contains(&best)
            && self.mate.is_none_or(|most| {
                score.mate().is_some_and(|moves| moves > 0 && moves.unsigned_abs() <= most)
            })
    }

    /// What is to be found, as operations: `bm Qg6 dm 3`.
    #[must_use]
    pub fn wanted(&self) -> String {
        let moves = |code: &str, moves: &[Move]| {
            let texts = moves.iter().map(|&mv| self.position.san(mv));
            let words = std::iter::once(code.to_owned()).chain(texts);
            (!moves.is_empty()).then(|| words.collect::<Vec<_>>().join(" "))
        };
        let mate = self.mate.map(|moves| format!("dm {moves}"));
        let parts = [moves("bm", &self.best), moves("am", &self.avoid), mate];
        parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
    }
}

/// `bm Qg6 Rf1`: a code and what it is given.
struct Operation<'a> {
    code: &'a str,
    operands: Vec<&'a str>,
}

impl Operation<'_> {
    fn moves(&self, position: &Position) -> Result<Vec<Move>, CaseError> {
        let texts = self.operands.iter().map(|text| text.trim_matches(','));
        let moves: Result<Vec<Move>, SanError> =
            texts.filter(|text| !text.is_empty()).map(|text| position.parse_san(text)).collect();
        match moves {
            Ok(moves) if moves.is_empty() => Err(CaseError::NoMove(self.code.to_owned())),
            Ok(moves) => Ok(moves),
            Err(error) => {
                Err(CaseError::Move { operation: self.code.to_owned(), error: error.into() })
            }
        }
    }

    /// The only operand, a number.
    fn number(&self, at_least: &'static str, least: u32) -> Result<u32, CaseError> {
        let number = match self.operands[..] {
            [text] => text.parse().ok().filter(|&number| number >= least),
            _ => None,
        };
        number.ok_or_else(|| CaseError::Number {
            operation: self.code.to_owned(),
            at_least,
            found: self.operands.join(" "),
        })
    }
}

/// The first word, and what is behind it.
fn word(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    text.split_at(text.find(char::is_whitespace).unwrap_or(text.len()))
}

/// `c0` to `c9`.
fn is_comment(code: &str) -> bool {
    matches!(code.as_bytes(), [b'c', digit] if digit.is_ascii_digit())
}

/// The operations of a line. Semicolons and blanks between quotation marks belong to the text.
fn split(text: &str) -> Result<Vec<Operation<'_>>, CaseError> {
    let mut operations = Vec::new();
    let mut words: Vec<&str> = Vec::new();
    let mut rest = text.trim_start();
    loop {
        let finished = rest.is_empty() || rest.starts_with(';');
        if finished && !words.is_empty() {
            let operands = words.split_off(1);
            let code = words.remove(0);
            if !code.starts_with(|first: char| first.is_ascii_alphabetic()) {
                return Err(CaseError::Operation(code.to_owned()));
            }
            operations.push(Operation { code, operands });
        }
        if rest.is_empty() {
            return Ok(operations);
        }
        if finished {
            rest = rest[1..].trim_start();
        } else if let Some(quoted) = rest.strip_prefix('"') {
            let end = quoted.find('"').ok_or_else(|| CaseError::Quote(quoted.to_owned()))?;
            words.push(&quoted[..end]);
            rest = quoted[end + 1..].trim_start();
        } else {
            let end = rest.find(|c: char| c.is_whitespace() || c == ';').unwrap_or(rest.len());
            words.push(&rest[..end]);
            rest = rest[end..].trim_start();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIELDS: &str = "6k1/5ppp/8/8/8/8/8/K2R4 w - -";

    fn case(operations: &str) -> Case {
        Case::parse(&format!("{FIELDS} {operations}")).expect(operations)
    }

    fn error(operations: &str) -> String {
        Case::parse(&format!("{FIELDS} {operations}")).expect_err(operations).to_string()
    }

    #[test]
    fn every_operation() {
        let text =
            "bm Rd8# Rd1-d8; am Kb1, Ka2; dm 1; id \"a; b \"; c0 \"so; and so\"; c7 \"x\"; ce 5";
        assert!(Case::parse(&format!("{FIELDS} {text}")).is_err(), "Rd1-d8 is no algebraic move");
        let case = case(&text.replace(" Rd1-d8", " Rd2"));
        assert_eq!(case.wanted(), "bm Rd8# Rd2 am Kb1 Ka2 dm 1");
        assert_eq!((case.id.as_str(), case.mate), ("a; b ", Some(1)));
        assert_eq!(case.comments, ["so; and so", "x"]);
    }

    #[test]
    fn counters_as_fields_or_operations() {
        assert!(case("37 81 bm Rd8").position.fen().ends_with(" 37 81"));
        assert!(case("hmvc 12; fmvn 9; bm Rd8;").position.fen().ends_with(" 12 9"));
        assert!(case("bm Rd8").position.fen().ends_with(" 0 1"));
        assert!(case(";; bm Rd8 ; ;").position.fen().ends_with(" 0 1"));
    }

    #[test]
    fn all_that_is_given_must_hold() {
        let board = Position::from_fen(&format!("{FIELDS} 0 1")).expect(FIELDS);
        let mv = |text: &str| Some(board.parse_san(text).expect(text));
        let (mate, long, even) = (Value::mate_in(1), Value::mate_in(5), Value::ZERO);
        assert!(case("bm Rd8 Rd2").is_solved(mv("Rd2"), even));
        assert!(!case("bm Rd8").is_solved(mv("Rd2"), mate));
        assert!(case("am Rd8").is_solved(mv("Rd2"), even));
        assert!(!case("am Rd8 Rd2").is_solved(mv("Rd2"), even));
        assert!(case("dm 3").is_solved(mv("Rd2"), mate));
        assert!(case("dm 3").is_solved(mv("Rd2"), long));
        assert!(!case("dm 2").is_solved(mv("Rd2"), long));
        assert!(!case("dm 2").is_solved(mv("Rd2"), Value::mated_in(2)));
        assert!(case("bm Rd8; dm 1").is_solved(mv("Rd8"), mate));
        assert!(!case("bm Rd8; dm 1").is_solved(mv("Rd8"), even));
        assert!(!case("bm Rd8; dm 1").is_solved(mv("Rd2"), mate));
        assert!(!case("am Rd8").is_solved(None, even));
    }

    #[test]
    fn mistakes_say_what_was_expected() {
        for (operations, words) in [
            ("", "something to solve"),
            ("id \"x\";", "something to solve"),
            ("bm;", "at least one move"),
            ("bm Nf3;", "'Nf3' is no legal move"),
            ("am Rd9;", "am: expected a legal move"),
            ("dm 0;", "whole number of at least 1, found '0'"),
            ("dm soon;", "found 'soon'"),
            ("dm;", "found ''"),
            ("hmvc -1; bm Rd8", "hmvc: expected a whole number"),
            ("id \"x; bm Rd8", "closing quotation mark"),
            ("7; bm Rd8;", "expected an operation"),
        ] {
            assert!(error(operations).contains(words), "{operations}: {}", error(operations));
        }
        let error = |line: &str| Case::parse(line).expect_err(line).to_string();
        assert!(error("8/8/8/8 w").contains("four fields"));
        assert!(error("6k1/8/8/8/8/8/8/K2R4 w -; bm Rd8;").contains("four fields"));
        assert!(error("6k1/8/8/8/8/8/8/3R4 w - - bm Rd8;").contains("a king is missing"));
        assert!(error("rubbish w - - bm Rd8;").contains("not a FEN"));
    }
}
