//! A file of a suite.

use std::path::Path;
use std::{fs, io};

use super::case::{Case, CaseError};
use crate::text::lines;

/// The positions of a file.
#[derive(Debug, Clone)]
pub struct SuiteFile {
    /// The file as it was named.
    pub name: String,
    /// Its positions in order.
    pub cases: Vec<Case>,
    /// Bad lines that were left out.
    pub skipped: usize,
}

/// Why a file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SuiteError {
    /// It cannot be read.
    #[error("{file}: {error}")]
    Read {
        /// The file.
        file: String,
        /// Why.
        error: io::Error,
    },
    /// A bad line.
    #[error("{file}:{line}: {error}")]
    Line {
        /// The file.
        file: String,
        /// The line's number from 1.
        line: usize,
        /// What was expected.
        error: CaseError,
    },
    /// It has no position.
    #[error("{file}: expected at least one position")]
    Empty {
        /// The file.
        file: String,
    },
}

impl SuiteFile {
    /// Reads a file; `skip_bad` counts bad lines instead of refusing them.
    ///
    /// # Errors
    /// A file that cannot be read or has no position, or its first bad line.
    pub fn read(name: &str, skip_bad: bool) -> Result<SuiteFile, SuiteError> {
        let bytes = fs::read(Path::new(name))
            .map_err(|error| SuiteError::Read { file: name.to_owned(), error })?;
        // Names of players and studies come in old encodings; what matters is ASCII.
        SuiteFile::parse(name, &String::from_utf8_lossy(&bytes), skip_bad)
    }

    /// The same of a text. Empty lines and those that begin with `#` are comments.
    ///
    /// # Errors
    /// A text without positions, or its first bad line.
    pub fn parse(name: &str, text: &str, skip_bad: bool) -> Result<SuiteFile, SuiteError> {
        let mut file = SuiteFile { name: name.to_owned(), cases: Vec::new(), skipped: 0 };
        for (number, line) in lines(text) {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            match Case::parse(line) {
                Ok(mut case) => {
                    if case.id.is_empty() {
                        case.id = format!("line {number}");
                    }
                    file.cases.push(case);
                }
                Err(_) if skip_bad => file.skipped += 1,
                Err(error) => {
                    return Err(SuiteError::Line { file: name.to_owned(), line: number, error });
                }
            }
        }
        if file.cases.is_empty() {
            return Err(SuiteError::Empty { file: name.to_owned() });
        }
        Ok(file)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\u{feff}# a comment\r\n\r\n\
        6k1/5ppp/8/8/8/8/8/K2R4 w - - bm Rd8;\r\n\
        6k1/5ppp/8/8/8/8/8/K2R4 w - - bm Re8;\r\n\
        6k1/5ppp/8/8/8/8/8/K2R4 w - - dm 1; id \"last\";";

    #[test]
    fn bad_lines_are_named_or_counted() {
        let error = SuiteFile::parse("x.epd", TEXT, false).expect_err("line 4").to_string();
        assert!(error.starts_with("x.epd:4: bm: expected a legal move: 'Re8'"), "{error}");
        let file = SuiteFile::parse("x.epd", TEXT, true).expect("the rest");
        assert_eq!((file.cases.len(), file.skipped), (2, 1));
        assert_eq!((file.cases[0].id.as_str(), file.cases[1].id.as_str()), ("line 3", "last"));
    }

    /// Files may be put together, the last line of one without an end.
    #[test]
    fn byte_order_marks_anywhere() {
        let mate = "6k1/5ppp/8/8/8/8/8/K2R4 w - - bm Rd8;";
        let text =
            format!("\u{feff}{mate}\n\u{feff}{mate}\u{feff}\u{feff}{mate}\u{feff}# end\n{mate}");
        let file = SuiteFile::parse("x.epd", &text, false).expect("positions");
        let ids: Vec<&str> = file.cases.iter().map(|case| case.id.as_str()).collect();
        assert_eq!(ids, ["line 1", "line 2", "line 2", "line 3"]);
    }

    #[test]
    fn nothing_is_an_error() {
        for text in ["", "# nothing\n"] {
            let error = SuiteFile::parse("x.epd", text, true).expect_err("empty").to_string();
            assert_eq!(error, "x.epd: expected at least one position");
        }
        let error = SuiteFile::read("/no/such/file.epd", true).expect_err("no file");
        assert!(matches!(error, SuiteError::Read { .. }), "{error}");
    }
}
