//! Commas in the text of a player: one ends a part, unless a backslash stands before it.
//!
//! `\,` is a comma inside a part. Of the backslashes directly before a comma, or at the end, two
//! stand for one; any other backslash stands for itself.

/// The parts of a text, without their escapes.
pub fn split(text: &str) -> Vec<String> {
    let mut parts = Vec::new();
    let mut part = String::new();
    let mut backslashes = 0;
    let flush = |part: &mut String, count: usize| part.extend(std::iter::repeat_n('\\', count));
    for c in text.chars() {
        match c {
            '\\' => backslashes += 1,
            ',' => {
                flush(&mut part, backslashes / 2);
                if backslashes % 2 == 1 {
                    part.push(',');
                } else {
                    parts.push(std::mem::take(&mut part));
                }
                backslashes = 0;
            }
            other => {
                flush(&mut part, backslashes);
                backslashes = 0;
                part.push(other);
            }
        }
    }
    flush(&mut part, backslashes / 2 + backslashes % 2);
    parts.push(part);
    parts
}

/// The first part as it is written, and the rest with the comma before it.
pub fn head(text: &str) -> (&str, &str) {
    let ends = |at: &usize| trailing(&text[..*at]).is_multiple_of(2);
    let end = text.match_indices(',').map(|(at, _)| at).find(ends);
    text.split_at(end.unwrap_or(text.len()))
}

/// A part written so that it reads back, whatever follows.
pub fn escape(part: &str) -> String {
    let mut written = String::with_capacity(part.len());
    for c in part.chars() {
        if c == ',' {
            written.push_str(&"\\".repeat(trailing(&written) + 1));
        }
        written.push(c);
    }
    written.push_str(&"\\".repeat(trailing(&written)));
    written
}

/// Appends parts, written as they are read, with a comma before them.
pub fn append(text: &mut String, parts: &str) {
    if trailing(text) % 2 == 1 {
        text.push('\\');
    }
    text.push(',');
    text.push_str(parts);
}

/// How many backslashes a text ends with.
fn trailing(text: &str) -> usize {
    text.len() - text.trim_end_matches('\\').len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts() {
        for (text, expected) in [
            ("", &[""][..]),
            ("a,b", &["a", "b"]),
            (r"a\,b,c", &["a,b", "c"]),
            (r"C:\new\book,b", &[r"C:\new\book", "b"]),
            (r"C:\\,b", &[r"C:\", "b"]),
            (r"C:\", &[r"C:\"]),
            (r"a\\\,b", &[r"a\,b"]),
        ] {
            assert_eq!(split(text), expected, "{text}");
        }
        assert_eq!(head(r"uci:a\,b,Hash=1,c"), (r"uci:a\,b", ",Hash=1,c"));
        assert_eq!(head(r"a\\,b"), (r"a\\", ",b"));
        assert_eq!(head("a"), ("a", ""));
    }

    #[test]
    fn whatever_is_written_reads_back() {
        let alphabet = ['a', ',', '\\'];
        for number in 0..3_usize.pow(5) {
            let of = |place: u32| alphabet[number / 3_usize.pow(place) % 3];
            let value: String = (0..5).map(of).collect();
            let mut text = escape(&value);
            assert_eq!(split(&text), [value.as_str()], "{text}");
            append(&mut text, "b");
            assert_eq!(split(&text), [value.as_str(), "b"], "{text}");
            // What somebody types need not end well.
            let mut typed = value.clone();
            let mut parts = split(&typed);
            parts.push("b".to_owned());
            append(&mut typed, "b");
            assert_eq!(split(&typed), parts, "{typed}");
        }
    }
}
