//! The characters of a movetext, in UTF-8 or Latin-1: blanks, dashes, signs and figurines.

use std::borrow::Cow;

/// The first character of a text that is not empty, and its bytes: in UTF-8, else in Latin-1.
pub(super) fn character(text: &[u8]) -> (char, usize) {
    let head = &text[..text.len().min(4)];
    let valid = head.utf8_chunks().next().and_then(|chunk| chunk.valid().chars().next());
    match valid {
        Some(character) => (character, character.len_utf8()),
        // Windows has dashes where Latin-1 has nothing.
        None if matches!(head[0], 0x96 | 0x97) => ('–', 1),
        None => (char::from(head[0]), 1),
    }
}

pub(super) fn characters(text: &[u8]) -> impl Iterator<Item = char> {
    let mut rest = text;
    std::iter::from_fn(move || {
        (!rest.is_empty()).then(|| {
            let (character, len) = character(rest);
            rest = &rest[len..];
            character
        })
    })
}

/// Whether a character beyond ASCII parts words; byte-order marks do.
pub(super) fn is_blank(character: char) -> bool {
    character.is_whitespace()
        || matches!(character, '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}')
}

pub(super) fn is_dash(character: char) -> bool {
    matches!(character, '-' | '‐' | '‑' | '‒' | '–' | '—' | '−')
}

/// Whether a character beyond ASCII is a sign like `±`. Not `♘`, `×`, dashes (parts of moves),
/// replacement characters (a lost letter), `△ ∆ ⌓` (the move after them is a comment).
pub(super) fn is_foreign_sign(character: char) -> bool {
    let is_of_moves = is_dash(character) || matches!(character, '×' | '♔'..='♟');
    let is_lost = matches!(character, '\u{fffd}' | '\u{e000}'..='\u{f8ff}');
    let leads_on = matches!(character, '△' | '∆' | '⌓');
    !(character.is_ascii()
        || character.is_alphanumeric()
        || is_blank(character)
        || is_of_moves
        || is_lost
        || leads_on)
}

/// A word in ASCII, as far as moves and results go: dashes as hyphens, figurines as letters.
pub(super) fn plain(word: &[u8]) -> Cow<'_, [u8]> {
    if word.is_ascii() {
        return Cow::Borrowed(word);
    }
    let mut text = String::with_capacity(word.len());
    for character in characters(word) {
        match character {
            '♔' | '♚' => text.push('K'),
            '♕' | '♛' => text.push('Q'),
            '♖' | '♜' => text.push('R'),
            '♗' | '♝' => text.push('B'),
            '♘' | '♞' => text.push('N'),
            '♙' | '♟' => text.push('P'),
            '×' => text.push('x'),
            '½' => text.push_str("1/2"),
            dash if is_dash(dash) => text.push('-'),
            other => text.push(other),
        }
    }
    Cow::Owned(text.into_bytes())
}
