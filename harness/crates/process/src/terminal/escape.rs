//! Escapes hidden characters in foreign text: names, options, paths and messages of programs. Used
//! for the terminal, Markdown, PGN and HTML.

use std::borrow::Cow;
use std::fmt;

/// Whether a character is invisible or changes how its neighbours look: control characters, line
/// and paragraph separators, direction marks, characters without width.
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
                | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}'
                | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
                | '\u{e0000}'..='\u{e0fff}'
        )
}

/// A hidden character as its code point: `<U+202E>`.
#[derive(Debug, Clone, Copy)]
pub struct Number(pub char);

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<U+{:04X}>", u32::from(self.0))
    }
}

/// Escapes one line: every hidden character becomes its code point.
pub fn shown(text: &str) -> Cow<'_, str> {
    escaped(text, is_hidden)
}

/// Escapes several lines; newlines and tabs stay.
pub fn lines(text: &str) -> Cow<'_, str> {
    escaped(text, |c| is_hidden(c) && !matches!(c, '\n' | '\t'))
}

fn escaped(text: &str, is_hidden: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_hidden(c) {
            out.push_str(&Number(c).to_string());
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_seen_is_shown_by_its_number() {
        for c in [
            '\0',
            '\u{7}',
            '\u{1b}',
            '\r',
            '\u{7f}',
            '\u{85}',
            '\u{9b}',
            '\u{ad}',
            '\u{61c}',
            '\u{200b}',
            '\u{200d}',
            '\u{200e}',
            '\u{200f}',
            '\u{2028}',
            '\u{2029}',
            '\u{202a}',
            '\u{202e}',
            '\u{2060}',
            '\u{2066}',
            '\u{2069}',
            '\u{feff}',
            '\u{e0041}',
        ] {
            let text = format!("a{c}b");
            let expected = format!("a<U+{:04X}>b", u32::from(c));
            assert_eq!([shown(&text), lines(&text)], [&expected, &expected].map(String::as_str));
        }
        let plain = "Ansätze 1.0 — ♞ имя 名 e\u{301} \\ < \" '";
        assert_eq!(shown(plain), plain);
        assert_eq!(shown("a\tb\n"), "a<U+0009>b<U+000A>");
        assert_eq!(lines("a\tb\n"), "a\tb\n");
    }
}
