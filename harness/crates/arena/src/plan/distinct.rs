//! JSON objects in which no key may occur twice.

use std::fmt;

use serde::de::{Deserializer, Error as _, MapAccess, Visitor};
use serde_json::{Map, Value};

/// Refuses a key that occurs twice: nobody knows which is meant.
pub fn distinct<'de, D: Deserializer<'de>>(text: D) -> Result<Map<String, Value>, D::Error> {
    text.deserialize_map(Distinct)
}

struct Distinct;

impl<'de> Visitor<'de> for Distinct {
    type Value = Map<String, Value>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Self::Value, A::Error> {
        let mut map = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            if map.contains_key(&key) {
                return Err(A::Error::custom(format!(
                    "expected each key once, found '{key}' again"
                )));
            }
            let value = entries.next_value()?;
            map.insert(key, value);
        }
        Ok(map)
    }
}
