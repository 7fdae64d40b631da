//! Status lines on standard error.

use std::borrow::Cow;
use std::io::Write as _;
use std::sync::mpsc;
use std::time::Duration;
use std::{fmt, thread};

use crate::terminal::escape;

/// Longest line in characters; the middle of a longer one is cut out. Errors quote foreign text,
/// which may be of any length.
const LONGEST: usize = 2_000;
/// Characters kept at the end of a cut line, which says what to do.
const END: usize = 500;

/// Prints lines to standard error. A closed standard error is ignored.
pub fn print_status(words: fmt::Arguments<'_>) {
    let _ = writeln!(std::io::stderr(), "{}", bounded(&words.to_string()));
}

/// Prints lines, and returns after `limit` at the latest. A process that is about to end must not
/// wait for the reader of a full pipe.
pub fn print_status_within(words: String, limit: Duration) {
    let (done, is_done) = mpsc::channel();
    let speaker = thread::Builder::new().spawn(move || {
        print_status(format_args!("{words}"));
        done.send(())
    });
    if speaker.is_ok() {
        let _ = is_done.recv_timeout(limit);
    }
}

/// The text with long lines cut and hidden characters escaped.
pub fn bounded(text: &str) -> String {
    let lines: Vec<_> = text.split('\n').map(line).collect();
    escape::lines(&lines.join("\n")).into_owned()
}

fn line(text: &str) -> Cow<'_, str> {
    if text.len() <= LONGEST {
        return text.into();
    }
    let characters = text.chars().count();
    if characters <= LONGEST {
        return text.into();
    }
    let place = |of: usize| text.char_indices().nth(of).map_or(text.len(), |(at, _)| at);
    let (head, tail) = (&text[..place(LONGEST - END)], &text[place(characters - END)..]);
    format!("{head} … {} characters … {tail}", characters - LONGEST).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_a_beginning_and_an_end() {
        let usual = "é".repeat(LONGEST);
        assert_eq!(bounded(&usual), usual);
        let long = format!("error: found '{}'; give another\nnext", "é".repeat(700_000));
        let short = bounded(&long);
        assert!(short.starts_with("error: found 'éé") && short.ends_with("; give another\nnext"));
        assert!(short.chars().count() < LONGEST + 50);
    }
}
