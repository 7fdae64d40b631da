//! Text files, whatever wrote them.

/// What some editors begin a file with. Files that were put together have it in their midst.
pub(crate) const BYTE_ORDER_MARK: char = '\u{feff}';

/// The lines of a text, each with its number from 1. A byte-order mark ends a line, too: the last line of
/// the file before it need not have an end of its own.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    (1..)
        .zip(text.lines())
        .flat_map(|(number, line)| line.split(BYTE_ORDER_MARK).map(move |part| (number, part)))
}
