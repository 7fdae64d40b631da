//! A tag of a game.

/// Splits `[Name "value"] rest`. The value ends at a quote before `]`, so that quotes inside
/// need not be escaped; one that is may stand before a bracket, too.
pub(super) fn split_tag(text: &[u8]) -> Option<(&[u8], &[u8], &[u8])> {
    let inner = text.get(1..)?.trim_ascii_start();
    let len = inner.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
    let (name, value) = inner.split_at(len);
    let body = value.trim_ascii_start().strip_prefix(b"\"")?;
    if name.is_empty() {
        return None;
    }
    let split = |close: usize| {
        let rest = body[close + 1..].trim_ascii_start().strip_prefix(b"]")?;
        Some((name, &body[..close], rest.trim_ascii_start()))
    };
    let mut ends = memchr::memchr_iter(b'"', body).filter_map(split);
    let first = ends.next()?;
    if !is_escaped(first.1) {
        return Some(first);
    }
    // Where none is better, a value ends in a backslash that stands for itself.
    Some(ends.find(|(_, value, _)| !is_escaped(value)).unwrap_or(first))
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
            let told = split_tag(text.as_bytes()).expect(text);
            let told = [told.0, told.1, told.2].map(|part| std::str::from_utf8(part).unwrap());
            assert_eq!(told, ["Name", value, rest], "{text}");
        }
        for text in ["[Name]", "[\"a\"]", "[Name \"a", "[Name \"a\"", "["] {
            assert_eq!(split_tag(text.as_bytes()), None, "{text}");
        }
    }
}
