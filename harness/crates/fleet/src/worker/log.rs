//! What a worker says: printed, and its last lines kept for `verdict status --log`.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::sync::Mutex;

use jiff::Timestamp;
use process::lock;
use process::terminal::escape::shown;
use wire::token;

/// Lines that are kept.
pub const KEPT_LINES: u32 = 200;
/// Longest line that is kept, in characters.
const LONGEST: usize = 300;

pub struct Log {
    /// The secret key, which is never kept.
    seed: String,
    print: Box<dyn Fn(&str) + Send + Sync>,
    lines: Mutex<VecDeque<String>>,
}

impl Log {
    /// `seed`: the worker's secret key.
    pub fn new(seed: &str, print: impl Fn(&str) + Send + Sync + 'static) -> Log {
        Log { seed: seed.to_owned(), print: Box::new(print), lines: Mutex::default() }
    }

    /// Prints a text, and keeps its lines with the time of day (UTC).
    pub fn say(&self, text: &str) {
        let now = Timestamp::now().strftime("%Y-%m-%d %H:%M:%S");
        {
            let mut kept = lock(&self.lines);
            kept.extend(text.lines().map(|line| format!("{now} {}", self.without_secrets(line))));
            let beyond = kept.len().saturating_sub(KEPT_LINES as usize);
            kept.drain(..beyond);
        }
        (self.print)(text);
    }

    /// The last lines, oldest first.
    pub(super) fn last(&self, lines: u32) -> Vec<String> {
        let kept = lock(&self.lines);
        kept.iter().skip(kept.len().saturating_sub(lines as usize)).cloned().collect()
    }

    fn without_secrets(&self, line: &str) -> String {
        let words = line.split(' ').map(|word| {
            let has_key = !self.seed.is_empty() && word.contains(&self.seed);
            if has_key { Cow::Borrowed("(key)") } else { token::redacted(word) }
        });
        let line = words.collect::<Vec<_>>().join(" ");
        shown(&line).chars().take(LONGEST).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_lines_are_kept_without_secrets() {
        let log = Log::new("SUSECRET", |_| ());
        log.say("two\nlines");
        assert_eq!(log.last(9).len(), 2);
        for number in 0..1000 {
            log.say(&format!("line {number}"));
        }
        let kept = log.last(u32::MAX);
        assert_eq!(kept.len(), KEPT_LINES as usize);
        assert!(kept[0].ends_with(" line 800") && kept[199].ends_with(" line 999"), "{kept:?}");
        assert_eq!(log.last(1), kept[199..]);
        // The time of day, then the line.
        assert_eq!(kept[0].find(" line"), Some("2026-11-29 20:31:35".len()));
        log.say("vw1_alice@pc:4222_AAAA_SUOTHER and 'SUSECRET' \u{1b}[2J");
        let last = log.last(1).concat();
        assert!(last.ends_with(" vw1_alice@pc:4222_AAAA_SU… and (key) <U+001B>[2J"), "{last}");
        log.say(&"x".repeat(10_000));
        assert!(log.last(1)[0].len() < 400);
    }
}
