//! A tag of a game.

use super::ends::{BLOCK, below, name_length, places};
use crate::work::looked_at;

/// Bytes of the longest line that [`plain_line`] reads.
const LONGEST_PLAIN: usize = 1024;

/// What is known of the rest of a line, so that a line with many brackets is looked through once.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct TagEnds {
    /// No value ends there.
    none: bool,
    /// None ends there by a quote that is not escaped.
    none_plain: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Tag<'t> {
    pub(super) name: &'t [u8],
    pub(super) value: &'t [u8],
    pub(super) rest: &'t [u8],
}

/// Splits `[Name "value"] rest`. The value ends at a quote before `]`, so that quotes inside
/// need not be escaped; one that is may stand before a bracket, too. `ends` is of the same line.
pub(super) fn split_tag<'t>(text: &'t [u8], ends: &mut TagEnds) -> Option<Tag<'t>> {
    let inner = text.get(1..)?.trim_ascii_start();
    let len = inner.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
    let (name, value) = inner.split_at(len);
    let body = value.trim_ascii_start().strip_prefix(b"\"")?;
    if name.is_empty() || ends.none {
        return None;
    }
    // Nearly all tags end their line, with the only quote behind the first.
    if let [value @ .., b'"', b']'] = body
        && memchr::memchr(b'"', body) == Some(value.len())
        && value.last() != Some(&b'\\')
    {
        looked_at(body.len());
        return Some(Tag { name, value, rest: b"" });
    }
    let split = |close: usize| {
        let rest = body[close + 1..].trim_ascii_start().strip_prefix(b"]")?;
        Some(Tag { name, value: &body[..close], rest: rest.trim_ascii_start() })
    };
    let mut found = memchr::memchr_iter(b'"', body).inspect(|_| looked_at(1)).filter_map(split);
    let Some(first) = found.next() else {
        looked_at(body.len());
        ends.none = true;
        return None;
    };
    if !is_escaped(first.value) || ends.none_plain {
        return Some(first);
    }
    let plain = found.find(|tag| !is_escaped(tag.value));
    ends.none_plain = plain.is_none();
    // Where none is better, a value ends in a backslash that stands for itself.
    Some(plain.unwrap_or(first))
}

/// The tag of the line at the front of a text, and the line's length with its end, if it is of the
/// usual kind: not long, with nothing but the tag, and no quotes inside.
#[inline]
pub(super) fn plain_line(text: &[u8]) -> Option<(Tag<'_>, usize)> {
    let block = text.first_chunk::<BLOCK>()?;
    let name = name_length(block);
    let value = 1 + name + 2;
    if block[0] != b'[' || name == 0 || block[1 + name..value] != *b" \"" {
        return None;
    }
    let (end, quote) = match places(block, b'\n').trailing_zeros() as usize {
        BLOCK => far_ends(text, value)?,
        end => (end, (places(block, b'"') & !below(value)).trailing_zeros() as usize),
    };
    looked_at(end);
    let is_whole = matches!(text[quote.min(end)..end], [b'"', b']'] | [b'"', b']', b'\r']);
    if !is_whole || text[quote - 1] == b'\\' {
        return None;
    }
    Some((Tag { name: &text[1..=name], value: &text[value..quote], rest: b"" }, end + 1))
}

/// Where a line of more than a block ends, and its first quote from `from` on.
fn far_ends(text: &[u8], from: usize) -> Option<(usize, usize)> {
    let line = &text[..text.len().min(LONGEST_PLAIN)];
    let end = BLOCK + memchr::memchr(b'\n', &line[BLOCK..])?;
    Some((end, from + memchr::memchr(b'"', &line[from..end])?))
}

/// Whether what follows is: the backslashes before it are not each other's.
fn is_escaped(before: &[u8]) -> bool {
    before.iter().rev().take_while(|&&byte| byte == b'\\').count() % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_ends_at_the_quote_that_is_its_own() {
        for (text, value, rest) in [
            (r#"[Name "a"]"#, "a", ""),
            (r#"[Name  "a" ] [B "c"]"#, "a", r#"[B "c"]"#),
            (r#"[Name "the "best" one"]"#, r#"the "best" one"#, ""),
            (r#"[Name "O=[\"a\"]"]"#, r#"O=[\"a\"]"#, ""),
            (r#"[Name "\\"]"#, r"\\", ""),
            // Not by the book, and found all the same.
            (r#"[Name "C:\"] e4"#, r"C:\", "e4"),
        ] {
            let told = split_tag(text.as_bytes(), &mut TagEnds::default()).expect(text);
            let told =
                [told.name, told.value, told.rest].map(|part| std::str::from_utf8(part).unwrap());
            assert_eq!(told, ["Name", value, rest], "{text}");
        }
        for (line, is_plain) in [
            (r#"[Name "a"]"#, true),
            (r#"[Name ""]"#, true),
            (r#"[Name  "a"]"#, false),
            (r#"[Name "a" ]"#, false),
            (r#"[Name "a"b"]"#, false),
            (r#"[Name "a\"]"#, false),
            (r#"[Na-me "a"]"#, false),
            (r#"["a"]"#, false),
            (r#"[ "a"]"#, false),
            (r#"[Name "a]"#, false),
            (r#"[Name "a"] "#, false),
            (r#"[Name "a"]e4"#, false),
            (r#"[Name "a"#, false),
            (r#"[Name ""#, false),
            ("[Name ", false),
            ("[Name", false),
            ("[", false),
        ] {
            for end in ["\n", "\r\n"] {
                // With names and values of all lengths, within a block and beyond.
                for more in 0..3 * BLOCK {
                    for (old, new) in [
                        ("\"a", format!("\"{}", "a".repeat(more + 1))),
                        ("me", "m_9Z".repeat(more)),
                    ] {
                        let line = line.replace(old, &new);
                        let text = format!("{line}{end}{}", "\"]\n".repeat(BLOCK));
                        let found = plain_line(text.as_bytes());
                        let is_short = !line.contains(&"m_9Z".repeat(8));
                        assert_eq!(found.is_some(), is_plain && is_short, "{line}");
                        if let Some((tag, len)) = found {
                            assert_eq!(len, line.len() + end.len());
                            let split = split_tag(line.as_bytes(), &mut TagEnds::default());
                            assert_eq!(Some(tag), split);
                        }
                    }
                }
            }
        }
        for text in ["[Name]", "[\"a\"]", "[Name \"a", "[Name \"a\"", "["] {
            assert_eq!(split_tag(text.as_bytes(), &mut TagEnds::default()), None, "{text}");
        }
    }
}
