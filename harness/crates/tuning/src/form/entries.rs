//! The entries of a JSON object in their order; a name that is there twice is an error, which
//! usual readers pass over.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, Visitor};
use serde_json::Value;

use process::Error;

pub(super) struct Entries(pub(super) Vec<(String, Value)>);

/// Reads an object.
pub(super) fn read(text: &str) -> Result<Vec<(String, Value)>, Error> {
    let entries: Result<Entries, _> = serde_json::from_str(text);
    entries
        .map(|entries| entries.0)
        .map_err(|error| Error::usage(format!("expected JSON, an object: {error}")))
}

impl<'de> Deserialize<'de> for Entries {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Entries, D::Error> {
        struct OfObject;

        impl<'de> Visitor<'de> for OfObject {
            type Value = Entries;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Entries, A::Error> {
                let mut entries: Vec<(String, Value)> = Vec::new();
                while let Some((name, value)) = map.next_entry::<String, Value>()? {
                    if entries.iter().any(|(own, _)| own.eq_ignore_ascii_case(&name)) {
                        return Err(A::Error::custom(format!("'{name}' is there twice")));
                    }
                    entries.push((name, value));
                }
                Ok(Entries(entries))
            }
        }

        deserializer.deserialize_map(OfObject)
    }
}
