//! What is said on standard error.

use std::borrow::Cow;
use std::fmt;
use std::io::Write as _;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use crate::terminal::escape;

/// A line of more characters is cut in its middle: what others wrote, and an error quotes, may have no end.
const LONGEST: usize = 2_000;
/// So many of its characters are kept at the end, where the way out stands.
const END: usize = 500;

/// Says lines. That nobody listens any more, as when a session was lost, is no reason to end a night's
/// work.
pub fn tell(words: fmt::Arguments<'_>) {
    let _ = writeln!(std::io::stderr(), "{}", bounded(&words.to_string()));
}

/// Says lines, and returns at the latest after `limit`: where standard error is a pipe that is full, whoever
/// is about to end must not wait for its reader.
pub fn tell_within(words: String, limit: Duration) {
    let (told, is_told) = mpsc::channel();
    let speaker = thread::Builder::new().spawn(move || {
        tell(format_args!("{words}"));
        told.send(())
    });
    if speaker.is_ok() {
        let _ = is_told.recv_timeout(limit);
    }
}

/// The text without what is too much of its lines, nothing in it hidden.
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
        let told = bounded(&long);
        assert!(told.starts_with("error: found 'éé") && told.ends_with("; give another\nnext"));
        assert!(told.chars().count() < LONGEST + 50);
    }
}
