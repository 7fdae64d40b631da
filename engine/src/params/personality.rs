//! Personalities: named sets of overrides, built in or in a file.

use serde_json::{Map, Value as Json};

use super::personality_file::changed;
use super::{Params, PersonalityFile, SPECS};

/// Name and JSON text of each personality, `default` first.
pub const PERSONALITIES: &[(&str, &str)] = &[
    ("default", include_str!("../../personalities/default.json")),
    ("rebel", include_str!("../../personalities/rebel.json")),
    ("printed", include_str!("../../personalities/printed.json")),
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

/// Whether this names a file, not a personality: it has a dot, or a folder's separator.
#[must_use]
pub fn is_file(name: &str) -> bool {
    name.contains(['.', '/', '\\'])
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

    /// The parameters of a personality by name, or of a file ([`is_file`]) in either [`FileForm`].
    ///
    /// [`FileForm`]: super::FileForm
    ///
    /// # Errors
    /// When there is none of that name, or the file is not such a one.
    pub fn load(name: &str) -> Result<Params, PersonalityError> {
        match is_file(name) {
            true => PersonalityFile::read(name)?.params(),
            false => Ok(Params::personality(name)?),
        }
    }

    /// Sets what a file of parameters says, and leaves the rest as it is: how tables made from games
    /// get into a personality.
    ///
    /// # Errors
    /// When it is no such file; nothing is changed then.
    pub fn apply_file(&mut self, path: &str) -> Result<(), PersonalityError> {
        PersonalityFile::read(path)?.apply(self)
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

/// The defaults with the overrides of a JSON object: `{"search.pvs": false, …}`.
fn overridden(text: &str) -> Result<Params, String> {
    changed(Params::default(), text)
}

#[cfg(test)]
mod tests {
    use std::fs;

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
        assert!(error("personality").starts_with("unknown personality"), "no file");
        assert!(error("./personality").starts_with("./personality: "));
    }

    /// Alone, lines stand on `rebel`, whose names they have; on top they change what they name.
    #[test]
    fn files_in_lines() {
        let path = std::env::temp_dir().join(format!("mutineer-{}-lines.eng", std::process::id()));
        let name = path.to_string_lossy();
        let text = b"* fran\xe7ais\r\n[ChessKnowledge = 200]\r\n[search.pvs = on]\r\n";
        fs::write(&path, text).expect("written");
        let mut rebel = Params::personality("rebel").expect("known");
        (rebel.lazy.margin, rebel.search.pvs) = (256, true);
        assert_eq!(Params::load(&name), Ok(rebel));
        let mut winglet = Params::personality("winglet").expect("known");
        winglet.apply_file(&name).expect("parameters");
        assert_eq!((winglet.lazy.on, winglet.lazy.margin), (true, 256));
        assert!(!winglet.selective.static_part, "as winglet has it");
        // What is left in the temporary folder does no harm.
        let _ = fs::remove_file(path);
    }
}
