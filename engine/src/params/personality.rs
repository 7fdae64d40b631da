//! Personalities: named sets of overrides, built in or in a file.

use std::fs;

use serde_json::{Map, Value as Json};

use super::{Params, SPECS};
use crate::text::BYTE_ORDER_MARK;

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

    /// The parameters of a personality: the table's defaults with its overrides. Capitals do not matter.
    ///
    /// # Errors
    /// When there is none of that name.
    pub fn personality(name: &str) -> Result<Params, UnknownPersonality> {
        Params::named(name).map(|(_, params)| params)
    }

    /// The same with the personality's name as it is written in [`PERSONALITIES`].
    pub(crate) fn named(name: &str) -> Result<(&'static str, Params), UnknownPersonality> {
        let known = PERSONALITIES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        let found = known.and_then(|(name, text)| Some((*name, overridden(text).ok()?)));
        found.ok_or_else(|| UnknownPersonality {
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
        let mut params = Params::default();
        params.apply_file(name)?;
        Ok(params)
    }

    /// Sets what a file of parameters says, in the form of [`Params::overrides`], and leaves the rest
    /// as it is: how tables made from games get into a personality.
    ///
    /// # Errors
    /// When it is no such file; nothing is changed then.
    pub fn apply_file(&mut self, path: &str) -> Result<(), PersonalityError> {
        Overrides::read(path)?.apply(self)
    }

    /// What differs from the table's defaults, as a personality's file has it: one JSON object of
    /// names and values, tables as lists.
    #[must_use]
    pub fn overrides(&self) -> Json {
        self.overrides_of(&[&Params::default()])
    }

    /// The same with what differs from `base`, too: on top of `base` it makes the same parameters as by itself.
    #[must_use]
    pub fn overrides_on(&self, base: &Params) -> Json {
        self.overrides_of(&[&Params::default(), base])
    }

    fn overrides_of(&self, others: &[&Params]) -> Json {
        let mut object = Map::new();
        for spec in SPECS.iter() {
            let value = spec.json(self);
            if others.iter().any(|other| value != spec.json(other)) {
                object.insert(spec.name.to_owned(), value);
            }
        }
        Json::Object(object)
    }
}

/// A file of parameters as it was when it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Overrides {
    pub(crate) path: String,
    text: String,
}

impl Overrides {
    /// Reads a file; whether it holds parameters shows when it is applied.
    pub(crate) fn read(path: &str) -> Result<Overrides, PersonalityError> {
        let path = path.to_owned();
        match fs::read_to_string(&path) {
            Ok(text) => Ok(Overrides { path, text }),
            Err(error) => Err(PersonalityError::File { path, why: error.to_string() }),
        }
    }

    /// Sets what the file says, or nothing if it is no file of parameters.
    pub(crate) fn apply(&self, params: &mut Params) -> Result<(), PersonalityError> {
        *params = changed(params.clone(), &self.text)
            .map_err(|why| PersonalityError::File { path: self.path.clone(), why })?;
        Ok(())
    }
}

/// The defaults with the overrides of a JSON object: `{"search.pvs": false, …}`.
fn overridden(text: &str) -> Result<Params, String> {
    changed(Params::default(), text)
}

/// Parameters with the overrides of a JSON object.
fn changed(mut params: Params, text: &str) -> Result<Params, String> {
    let text = text.trim_start_matches(BYTE_ORDER_MARK);
    let json: Json = serde_json::from_str(text).map_err(|error| error.to_string())?;
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
        assert_eq!(Params::named("REBEL").map(|(name, _)| name), Ok("rebel"));
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

    /// What is set back to the table's value stays so on top of a personality that has another.
    #[test]
    fn overrides_on_a_base() {
        let base = Params::personality("rebel").expect("known");
        let row = base.overrides().as_object().and_then(|rows| rows.keys().next().cloned());
        let row = row.expect("rebel is not the table");
        let mut params = base.clone();
        params.set(&row, &Params::default().get(&row).expect("a row")).expect("its own value");
        params.set("pawns.doubled_penalty", "-5").expect("a number");
        let text = params.overrides_on(&base).to_string();
        assert_eq!(overridden(&text), Ok(params.clone()));
        assert_eq!(changed(base.clone(), &text), Ok(params.clone()));
        assert_ne!(changed(base, &params.overrides().to_string()), Ok(params));
    }

    /// A file changes what it names and nothing else, or nothing at all.
    #[test]
    fn files_on_top() {
        let path = std::env::temp_dir().join(format!("mutineer-{}-top.json", std::process::id()));
        let name = path.to_string_lossy();
        let mut params = Params::personality("rebel").expect("known");
        let before = params.clone();
        fs::write(&path, r#"{"material.pawn": 300, "search.psv": true}"#).expect("written");
        let error = params.apply_file(&name).expect_err("no such parameter").to_string();
        assert!(error.contains("top.json") && error.contains("search.psv"), "{error}");
        assert_eq!(params, before);
        fs::write(&path, "\u{feff}{\"material.pawn\": 300}").expect("written");
        params.apply_file(&name).expect("a parameter");
        assert_eq!((params.material.pawn, params.material.rook), (300, before.material.rook));
        // What is left in the temporary folder does no harm.
        let _ = fs::remove_file(path);
    }

    #[test]
    fn files() {
        let error = |name: &str| Params::load(name).expect_err(name).to_string();
        assert!(error("no/such/file.json").starts_with("no/such/file.json: "));
        assert!(error("fritz").contains("unknown personality"));
        assert_eq!(Params::load("REBEL"), Ok(Params::personality("rebel").expect("known")));
        let here = concat!(env!("CARGO_MANIFEST_DIR"), "/personalities/prodeo.json");
        assert_eq!(Params::load(here), Ok(Params::personality("prodeo").expect("known")));
        let other = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
        assert!(Params::load(other).is_err());
    }
}
