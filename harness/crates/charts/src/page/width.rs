//! How many columns of a terminal a text takes.

/// Characters that take no column: marks on the letter before, and joiners.
const NARROW: [(u32, u32); 15] = [
    (0x0300, 0x036f),
    (0x0483, 0x0489),
    (0x0591, 0x05bd),
    (0x0610, 0x061a),
    (0x064b, 0x065f),
    (0x0e34, 0x0e3a),
    (0x0e47, 0x0e4e),
    (0x1ab0, 0x1aff),
    (0x1dc0, 0x1dff),
    (0x200b, 0x200f),
    (0x2060, 0x2064),
    (0x20d0, 0x20ff),
    (0xfe00, 0xfe0f),
    (0xfe20, 0xfe2f),
    (0xe0100, 0xe01ef),
];

/// Characters that take two: those of East Asia, and pictures.
const WIDE: [(u32, u32); 11] = [
    (0x1100, 0x115f),
    (0x2e80, 0x303e),
    (0x3041, 0xa4cf),
    (0xac00, 0xd7a3),
    (0xf900, 0xfaff),
    (0xfe30, 0xfe6f),
    (0xff00, 0xff60),
    (0xffe0, 0xffe6),
    (0x1f300, 0x1f64f),
    (0x1f680, 0x1f9ff),
    (0x20000, 0x3fffd),
];

/// The columns of a character.
fn of_char(c: char) -> usize {
    let within = |ranges: &[(u32, u32)]| {
        ranges.iter().any(|&(first, last)| (first..=last).contains(&u32::from(c)))
    };
    if c.is_ascii() {
        1
    } else if within(&NARROW) {
        0
    } else if within(&WIDE) {
        2
    } else {
        1
    }
}

/// The columns of a text.
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
