//! The table in one small file: only cells with games, a few bytes each. The program carries one.

use std::sync::{Arc, OnceLock};

use super::table::{CELLS, ImbalanceCell, ImbalanceTable};

/// The table that is part of the program; `data/README.md` says of which games.
static BUILT_IN: &[u8] = include_bytes!("../../../data/material.mit");

/// The first line of a packed table.
const MAGIC: &[u8] = b"mutineer material 1\n";

impl ImbalanceTable {
    /// The table within the program, unpacked once. Empty should it be damaged, which a test rules
    /// out.
    #[must_use]
    pub fn built_in() -> Arc<ImbalanceTable> {
        static TABLE: OnceLock<Arc<ImbalanceTable>> = OnceLock::new();
        let unpacked = || Arc::new(ImbalanceTable::unpack(BUILT_IN).unwrap_or_default());
        Arc::clone(TABLE.get_or_init(unpacked))
    }

    /// The packed form: a line that names it, then for each cell with games, in the order of
    /// [`MaterialCounts`](super::MaterialCounts), its distance from the one before (the first: from
    /// cell −1), games and White's score in per cent as LEB128 numbers.
    #[must_use]
    pub fn pack(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        let mut next = 0;
        for (index, cell) in self.cells().iter().enumerate().filter(|(_, cell)| cell.games > 0) {
            push(&mut bytes, index - next);
            push(&mut bytes, usize::from(cell.games));
            push(&mut bytes, usize::from(cell.percent));
            next = index + 1;
        }
        bytes
    }

    /// The table of [`pack`](ImbalanceTable::pack); `None` if the bytes are not such.
    #[must_use]
    pub fn unpack(bytes: &[u8]) -> Option<ImbalanceTable> {
        let mut rest = bytes.strip_prefix(MAGIC)?;
        let mut cells = vec![ImbalanceCell::default(); CELLS].into_boxed_slice();
        let mut next = 0_usize;
        while !rest.is_empty() {
            let index = next.checked_add(number(&mut rest)?)?;
            let games = u16::try_from(number(&mut rest)?).ok().filter(|&games| games > 0)?;
            let percent = number(&mut rest)?;
            let percent = u8::try_from(percent).ok().filter(|&percent| percent <= 100)?;
            *cells.get_mut(index)? = ImbalanceCell { games, percent };
            next = index + 1;
        }
        Some(ImbalanceTable::of(cells))
    }
}

/// An empty table.
impl Default for ImbalanceTable {
    fn default() -> ImbalanceTable {
        ImbalanceTable::of(vec![ImbalanceCell::default(); CELLS].into_boxed_slice())
    }
}

/// Appends a number, seven bits a byte, the low ones first.
fn push(bytes: &mut Vec<u8>, mut number: usize) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Takes a number off the front; `None` at the end, or if it is too large for any here.
fn number(rest: &mut &[u8]) -> Option<usize> {
    let mut number = 0;
    for shift in [0, 7, 14, 21] {
        let (first, others) = rest.split_first()?;
        *rest = others;
        number |= usize::from(first & 0x7F) << shift;
        if first & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_built_in_table_is_whole() {
        let table = ImbalanceTable::built_in();
        assert!(table.statistics().cells > 10_000, "{}", table.statistics());
        assert_eq!(table.pack(), BUILT_IN);
    }

    #[test]
    fn what_is_no_table() {
        let whole = ImbalanceTable::built_in().pack();
        assert!(ImbalanceTable::unpack(b"").is_none());
        assert!(ImbalanceTable::unpack(&whole[1..]).is_none());
        let with = |numbers: &[u8]| ImbalanceTable::unpack(&[MAGIC, numbers].concat());
        assert!(with(&[]).is_some() && with(&[3, 1, 100]).is_some());
        assert!(with(&[3, 0, 50]).is_none(), "no games");
        assert!(with(&[3, 1, 101]).is_none(), "more than all");
        assert!(with(&[3, 1]).is_none(), "broken off");
        assert!(with(&[0xFF, 0xFF, 0x7F, 1, 1]).is_none(), "beyond the last cell");
    }

    proptest! {
        #[test]
        fn packs_and_unpacks(cells in prop::collection::vec((0..CELLS, 1..=u16::MAX, 0..=100_u8), 0..40)) {
            let mut table = vec![ImbalanceCell::default(); CELLS].into_boxed_slice();
            for (index, games, percent) in cells {
                table[index] = ImbalanceCell { games, percent };
            }
            let table = ImbalanceTable::of(table);
            let back = ImbalanceTable::unpack(&table.pack()).expect("packed");
            prop_assert_eq!(back.cells(), table.cells());
        }

        #[test]
        fn any_bytes_will_do(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = ImbalanceTable::unpack(&bytes);
            let _ = ImbalanceTable::unpack(&[MAGIC, &bytes].concat());
        }
    }
}
