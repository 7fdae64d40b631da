//! Personalities: named sets of overrides, built in or in a file.

use std::fs;

use serde_json::{Map, Value as Json};

use super::{Params, SPECS};

/// Name and JSON text of each personality, `default` first.
pub const PERSONALITIES: &[(&str, &str)] = &[
    ("default", include_str!("../../personalities/default.json")),
    ("rebel", include_str!("../../personalities/rebel.json")),
    ("prodeo", include_str!("../../personalities/prodeo.json")),
    ("mediocre", include_str!("../../personalities/mediocre.json")),
    ("winglet", include_str!("../../personalities/winglet.json")),
];

/// There is no personality of that name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown personality '{name}' (there are: {known})")]
pub struct UnknownPersonality {
    /// As given.
    pub name: String,
    /// The names there are.
    pub known: String,
}

/// Why a personality cannot be had.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PersonalityError {
    /// Not one of the names.
    #[error(transparent)]
    Unknown(#[from] UnknownPersonality),
    /// A file that cannot be read, or holds something else.
    #[error("{path}: {why}")]
    File {
        /// The file.
        path: String,
        /// What is wrong, and what was expected.
        why: String,
    },
}

impl Params {
    /// What the engine plays by unless told otherwise: personality `default`. The table's own
    /// defaults, [`Params::default`], are what personalities differ from.
    #[must_use]
    pub fn standard() -> Params {
        Params::personality(PERSONALITIES[0].0).unwrap_or_default()
    }

    /// The parameters of a personality: the table's defaults with its overrides.
    ///
    /// # Errors
    /// When there is none of that name.
    pub fn personality(name: &str) -> Result<Params, UnknownPersonality> {
        let text = PERSONALITIES.iter().find(|(known, _)| *known == name).map(|(_, text)| *text);
        text.and_then(|text| overridden(text).ok()).ok_or_else(|| UnknownPersonality {
            name: name.to_owned(),
            known: PERSONALITIES.iter().map(|(known, _)| *known).collect::<Vec<_>>().join(", "),
        })
    }

    /// The parameters of a personality by name, or of a file that ends in `.json` and holds one in
    /// the form of [`Params::overrides`].
    ///
    /// # Errors
    /// When there is none of that name, or the file is not such a one.
    pub fn load(name: &str) -> Result<Params, PersonalityError> {
        if !name.ends_with(".json") {
            return Ok(Params::personality(name)?);
        }
        let text = fs::read_to_string(name).map_err(|error| error.to_string());
        text.and_then(|text| overridden(&text))
            .map_err(|why| PersonalityError::File { path: name.to_owned(), why })
    }

    /// What differs from the table's defaults, as a personality's file has it: one JSON object of
    /// names and values, tables as lists.
    #[must_use]
    pub fn overrides(&self) -> Json {
        let plain = Params::default();
        let mut object = Map::new();
        for spec in SPECS.iter() {
            let value = spec.json(self);
            if value != spec.json(&plain) {
                object.insert(spec.name.to_owned(), value);
            }
        }
        Json::Object(object)
    }
}

/// The defaults with the overrides of a JSON object: `{"search.pvs": false, …}`.
fn overridden(text: &str) -> Result<Params, String> {
    let json: Json = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let mut params = Params::default();
    let object = json.as_object().ok_or("expected an object of parameters and values")?;
    for (name, value) in object {
        let value = match value {
            Json::Array(cells) => {
                cells.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
            }
            other => other.to_string(),
        };
        params.set(name, &value).map_err(|error| error.to_string())?;
    }
    Ok(params)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_can_be_read() {
        for (name, text) in PERSONALITIES {
            assert_eq!(overridden(text), Ok(Params::personality(name).expect(name)));
        }
        assert_eq!(Params::personality("default"), Ok(Params::standard()));
        assert!(Params::personality("fritz").is_err());
    }

    #[test]
    fn overrides_read_back() {
        let mut params = Params::personality("rebel").expect("known");
        params.set("pst.knight_mg[e4]", "77").expect("a cell");
        params.set("pawns.doubled_penalty", "-5").expect("a number");
        assert_eq!(overridden(&params.overrides().to_string()), Ok(params));
        assert_eq!(Params::default().overrides(), serde_json::json!({}));
    }

    #[test]
    fn files() {
        let error = |name: &str| Params::load(name).expect_err(name).to_string();
        assert!(error("no/such/file.json").starts_with("no/such/file.json: "));
        assert!(error("fritz").contains("unknown personality"));
        assert_eq!(Params::load("rebel"), Ok(Params::personality("rebel").expect("known")));
        let here = concat!(env!("CARGO_MANIFEST_DIR"), "/personalities/prodeo.json");
        assert_eq!(Params::load(here), Ok(Params::personality("prodeo").expect("known")));
        let other = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
        assert!(Params::load(other).is_err());
    }

    #[test]
    fn rebel_is_the_page() {
        let rebel = Params::personality("rebel").expect("known");
        assert!(!rebel.search.pvs && !rebel.phase.taper && !rebel.order.history);
        let material = &rebel.material;
        assert_eq!(
            [material.pawn, material.knight, material.bishop, material.rook, material.queen],
            [256, 768, 768, 1280, 2304]
        );
        let aspiration = &rebel.aspiration;
        assert_eq!([aspiration.half_window, aspiration.reopen], [128, 512]);
        assert_eq!([aspiration.narrow_small, aspiration.narrow_big], [26, 64]);
    }
}
