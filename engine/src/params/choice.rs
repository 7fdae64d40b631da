//! Rows that name one of several things: the tables within the program.

use super::field::{Field, Shape};

/// An enum of names, a value of the parameter table; `none` is added, and the default.
macro_rules! choice {
    ($(#[doc = $doc:literal])+ $Name:ident {
        $($(#[doc = $variant_doc:literal])+ $Variant:ident = $text:literal,)+
    }) => {
        $(#[doc = $doc])+
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
        pub enum $Name {
            /// No table.
            #[default]
            None,
            $($(#[doc = $variant_doc])+ $Variant,)+
        }

        impl $Name {
            /// All of them.
            pub const ALL: &[$Name] = &[$Name::None, $($Name::$Variant),+];
            /// Their names, in the same order.
            pub const NAMES: &[&str] = &["none", $($text),+];

            /// Its name.
            #[must_use]
            pub fn name(self) -> &'static str {
                $Name::NAMES.get(self as usize).copied().unwrap_or_default()
            }

            /// The one of a name; capitals do not matter.
            #[must_use]
            pub fn of(name: &str) -> Option<$Name> {
                $Name::ALL.iter().copied().find(|it| it.name().eq_ignore_ascii_case(name))
            }
        }

        impl Field for $Name {
            const SHAPE: Shape = Shape::Choice($Name::NAMES);

            fn cell(&self, _index: usize) -> i32 {
                *self as i32
            }

            fn set_cell(&mut self, _index: usize, value: i32) {
                let place = usize::try_from(value).unwrap_or_default();
                *self = $Name::ALL.get(place).copied().unwrap_or_default();
            }
        }
    };
}

choice! {
    /// The material imbalance tables within the program (PRO-06, PRO-25), by the least rating of both
    /// players; [`ImbalanceTable::built_in`](crate::eval::ImbalanceTable::built_in) has them.
    MaterialTable {
        /// All games: of people, and of engines with and without a rating.
        All = "all",
        /// Games of engines, from 2800 on.
        From2800 = "2800",
        /// Games of engines, from 2900 on.
        From2900 = "2900",
        /// Games of engines, from 3000 on.
        From3000 = "3000",
        /// Games of engines, from 3100 on.
        From3100 = "3100",
    }
}

choice! {
    /// The tables of openings within the program (PRO-19);
    /// [`OpeningTable::built_in`](crate::search::OpeningTable::built_in) has them.
    OpeningKeys {
        /// Games of people rated 2600 and above.
        From2600 = "2600",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_places() {
        assert_eq!(MaterialTable::default(), MaterialTable::None);
        for (place, (&table, &name)) in
            MaterialTable::ALL.iter().zip(MaterialTable::NAMES).enumerate()
        {
            let mut set = MaterialTable::None;
            set.set_cell(0, place as i32);
            assert_eq!((set, set.cell(0), set.name()), (table, place as i32, name));
            assert_eq!(MaterialTable::of(&name.to_ascii_uppercase()), Some(table));
        }
        assert_eq!(MaterialTable::of("3200"), None);
    }
}
