//! The table in one small file: only cells with games, a few bytes each. The program carries five.

use std::sync::{Arc, OnceLock};

use super::table::{CELLS, ImbalanceCell, ImbalanceTable};
use crate::packed::{self, PackedError, Provenance};
use crate::params::MaterialTable;

/// The tables that are part of the program, in the order of [`MaterialTable::NAMES`] after `none`;
/// `data/README.md` says how they were made.
static BUILT_IN: [&[u8]; 5] = [
    include_bytes!("../../../data/all.mit"),
    include_bytes!("../../../data/2800.mit"),
    include_bytes!("../../../data/2900.mit"),
    include_bytes!("../../../data/3000.mit"),
    include_bytes!("../../../data/3100.mit"),
];

/// The first line of a packed table.
const KIND: &str = "mutineer material 2";

impl ImbalanceTable {
    /// A table within the program, unpacked once; `None` of `none`. Empty should it be damaged, which
    /// a test rules out.
    #[must_use]
    pub fn built_in(table: MaterialTable) -> Option<Arc<ImbalanceTable>> {
        static TABLES: [OnceLock<Arc<ImbalanceTable>>; BUILT_IN.len()] =
            [const { OnceLock::new() }; BUILT_IN.len()];
        let place = (table as usize).checked_sub(1)?;
        let (cache, bytes) = (TABLES.get(place)?, BUILT_IN.get(place)?);
        let unpacked = || Arc::new(ImbalanceTable::unpack(bytes).unwrap_or_default());
        Some(Arc::clone(cache.get_or_init(unpacked)))
    }

    /// The packed form: the kind, where it comes from, and for each cell with games, in the order of
    /// [`MaterialCounts`](super::MaterialCounts), its distance from the one before (the first: from
    /// cell −1), games and White's score in per cent.
    #[must_use]
    pub fn pack(&self, provenance: &Provenance) -> Vec<u8> {
        let mut bytes = packed::head(KIND, provenance);
        let mut next = 0;
        for (index, cell) in self.cells().iter().enumerate().filter(|(_, cell)| cell.games > 0) {
            packed::push(&mut bytes, (index - next) as u64);
            packed::push(&mut bytes, cell.games.into());
            packed::push(&mut bytes, cell.percent.into());
            next = index + 1;
        }
        bytes
    }

    /// The table of [`pack`](ImbalanceTable::pack).
    ///
    /// # Errors
    /// The line or byte that is not as expected.
    pub fn unpack(bytes: &[u8]) -> Result<ImbalanceTable, PackedError> {
        let (provenance, mut numbers) = packed::open(KIND, bytes)?;
        let mut cells = vec![ImbalanceCell::default(); CELLS].into_boxed_slice();
        let mut left = cells.iter_mut();
        while !numbers.is_empty() {
            let Some(most) = left.len().checked_sub(1) else { return Err(numbers.too_many()) };
            let most = most as u64;
            let skipped = numbers.next("a distance to the next cell", 0, most)?;
            let games = numbers.next("a number of games", 1, u16::MAX.into())?;
            let percent = numbers.next("a score in per cent", 0, 100)?;
            if let Some(cell) = left.nth(skipped as usize) {
                *cell = ImbalanceCell { games: games as u16, percent: percent as u8 };
            }
        }
        Ok(ImbalanceTable::of(cells, provenance))
    }
}

/// An empty table.
impl Default for ImbalanceTable {
    fn default() -> ImbalanceTable {
        let cells = vec![ImbalanceCell::default(); CELLS].into_boxed_slice();
        ImbalanceTable::of(cells, Provenance::default())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The blog's five: more games the lower the least rating, and each says where it comes from.
    #[test]
    fn the_built_in_tables_are_whole() {
        assert_eq!(MaterialTable::NAMES.len(), BUILT_IN.len() + 1);
        assert!(ImbalanceTable::built_in(MaterialTable::None).is_none());
        let mut games = u64::MAX;
        for (&table, bytes) in MaterialTable::ALL[1..].iter().zip(BUILT_IN) {
            let name = table.name();
            let read = ImbalanceTable::unpack(bytes).expect(name);
            assert_eq!(ImbalanceTable::built_in(table).as_deref(), Some(&read), "{name}");
            let provenance = read.provenance();
            assert_eq!(read.pack(provenance), bytes, "{name}");
            assert!(bytes.len() < 300_000, "{name}: {} bytes", bytes.len());
            let told =
                |what: &str| provenance.get(what).unwrap_or_else(|| panic!("{name}: no {what}"));
            for what in ["source", "input", "filter", "command", "date", "program"] {
                assert!(!told(what).is_empty(), "{name}: {what}");
            }
            let cells = read.statistics().cells.to_string();
            assert!(told("cells").starts_with(&format!("{cells} ")), "{name}: {cells}");
            let counted: u64 = told("games").parse().expect(name);
            assert!((10_000..games).contains(&counted), "{name}: {counted} games");
            games = counted;
            let least = name.parse::<u32>().is_ok().then(|| format!("Elo from {name}"));
            assert!(least.is_none_or(|least| told("filter").contains(&least)), "{name}");
        }
    }

    #[test]
    fn what_is_no_table() {
        let head = packed::head(KIND, &Provenance::default());
        let with = |numbers: &[u8]| ImbalanceTable::unpack(&[&head, numbers].concat());
        let refused = |numbers: &[u8]| with(numbers).expect_err("no table").to_string();
        assert!(ImbalanceTable::unpack(b"games").is_err());
        assert!(with(&[]).is_ok() && with(&[3, 1, 100]).is_ok());
        let at = |byte: usize| format!("byte {}: expected ", head.len() + byte);
        assert!(refused(&[3, 0, 50]).starts_with(&(at(1) + "a number of games, 1 to 65535")));
        assert!(refused(&[3, 1, 101]).starts_with(&(at(2) + "a score in per cent, 0 to 100")));
        assert!(refused(&[3, 1]).ends_with("found the file's end"));
        assert!(refused(&[0xFF, 0xFF, 0x7F, 1, 1]).starts_with(&at(0)), "beyond the last cell");
        // The last cell, and one behind it.
        let last = [0xA3, 0xB5, 0x0E, 1, 1];
        assert!(with(&last).is_ok());
        assert!(refused(&[&last[..], &[0, 1, 1]].concat()).starts_with(&at(5)));
    }

    proptest! {
        #[test]
        fn packs_and_unpacks(cells in prop::collection::vec((0..CELLS, 1..=u16::MAX, 0..=100_u8), 0..40)) {
            let mut table = vec![ImbalanceCell::default(); CELLS].into_boxed_slice();
            for (index, games, percent) in cells {
                table[index] = ImbalanceCell { games, percent };
            }
            let provenance = Provenance::default().with("source", "chance");
            let table = ImbalanceTable::of(table, provenance.clone());
            prop_assert_eq!(ImbalanceTable::unpack(&table.pack(&provenance)), Ok(table));
        }

        #[test]
        fn any_bytes_will_do(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = ImbalanceTable::unpack(&bytes);
            let _ = ImbalanceTable::unpack(&[format!("{KIND}\n\n").as_bytes(), &bytes].concat());
        }
    }
}
