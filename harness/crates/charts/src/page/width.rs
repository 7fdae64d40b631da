//! How many columns of a terminal a text takes.

use unicode_width::UnicodeWidthChar as _;

/// The columns of a character; none of what is not shown.
fn of_char(c: char) -> usize {
    c.width().unwrap_or(0)
}

pub(super) fn of(text: &str) -> usize {
    text.chars().map(of_char).sum()
}

/// The text, or as much of it as fits into so many columns with an ellipsis behind.
pub(super) fn clipped(text: &str, most: usize) -> String {
    if of(text) <= most {
        return text.to_owned();
    }
    let mut left = most.saturating_sub(1);
    let head = text.chars().take_while(|&c| {
        let fits = of_char(c) <= left;
        left = left.saturating_sub(of_char(c));
        fits
    });
    head.chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_not_characters() {
        let texts = ["Ethereal", "Mü\u{0308}ller", "国際象棋", "Ʃ♟", "🐟", ""];
        assert_eq!(texts.map(of), [8, 6, 8, 2, 2, 0]);
        assert_eq!(clipped("国際象棋", 6), "国際…");
        assert_eq!(clipped("国際象棋", 8), "国際象棋");
        assert_eq!(clipped("Ethereal", 4), "Eth…");
    }
}
