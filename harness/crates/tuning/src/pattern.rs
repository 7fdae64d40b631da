//! Names with `*` in them.

/// Whether a pattern, in which `*` stands for any letters, is the whole name.
pub(crate) fn matches(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((head, rest)) => name
            .strip_prefix(head)
            .is_some_and(|tail| (0..=tail.len()).any(|skipped| matches(rest, &tail[skipped..]))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars() {
        assert!(matches("pst.*", "pst.knight_mg") && matches("*", "x") && matches("a*b*", "axb"));
        assert!(!matches("pst", "pst.knight_mg") && !matches("*.on", "on"));
    }
}
