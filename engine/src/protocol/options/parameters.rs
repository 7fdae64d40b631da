//! The parameters to play by: a personality, and what was set on top of it.

use std::sync::{Arc, LazyLock};

use crate::params::{Overrides, PERSONALITIES, Params, PersonalityError};
use crate::protocol::Listing;

/// What parameters are listed as, whatever is played by.
pub(super) static LISTED: LazyLock<Params> = LazyLock::new(Params::standard);

/// The parameters, and where they come from.
#[derive(Debug, Clone)]
pub(super) struct Parameters {
    personality: &'static str,
    /// The personality alone.
    plain: Arc<Params>,
    /// In the order it was set: what comes later counts.
    on_top: Vec<Set>,
    params: Arc<Params>,
    is_listed: bool,
}

/// Something set on top of the personality.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Set {
    /// All that a file names.
    File(Overrides),
    /// One parameter, or one cell of a table: name and value.
    One(String, String),
}

impl Set {
    fn apply(&self, params: &mut Params) -> Result<(), String> {
        match self {
            Set::File(file) => file.apply(params).map_err(of_file),
            Set::One(name, value) => params.set(name, value).map_err(|error| error.to_string()),
        }
    }

    /// The file's path, of a file.
    fn file(&self) -> Option<&str> {
        let Set::File(file) = self else { return None };
        Some(&file.path)
    }

    /// Whether this sets a parameter, or a cell of it.
    fn is_of(&self, parameter: &str) -> bool {
        let Set::One(name, _) = self else { return false };
        name.strip_prefix(parameter).is_some_and(|rest| rest.is_empty() || rest.starts_with('['))
    }
}

impl Parameters {
    /// Those of the first personality.
    pub(super) fn new(listing: Listing) -> Parameters {
        let params = Arc::new(Params::standard());
        Parameters {
            personality: PERSONALITIES[0].0,
            plain: Arc::clone(&params),
            on_top: Vec::new(),
            params,
            is_listed: listing == Listing::All,
        }
    }

    /// Those to play by.
    pub(super) fn params(&self) -> &Arc<Params> {
        &self.params
    }

    /// Whether they are listed as options.
    pub(super) fn is_listed(&self) -> bool {
        self.is_listed
    }

    /// From now on they are listed as options, or no more.
    pub(super) fn list(&mut self, on: bool) {
        self.is_listed = on;
    }

    /// Plays by another personality; what was set on top of the last stays there, because user interfaces
    /// send their options in any order. True if that changed anything.
    pub(super) fn choose(&mut self, name: &str) -> Result<bool, String> {
        let (personality, plain) = Params::named(name).map_err(|error| error.to_string())?;
        self.become_if_possible(Parameters { personality, plain: Arc::new(plain), ..self.clone() })
    }

    /// Puts a file on top, in place of the last one; the same file is read again, and stays where it is.
    /// True if that changed anything.
    pub(super) fn read_file(&mut self, path: &str) -> Result<bool, String> {
        let file = Set::File(Overrides::read(path).map_err(of_file)?);
        let mut next = self.clone();
        if let Some(same) = next.on_top.iter_mut().find(|set| set.file() == Some(path)) {
            *same = file;
        } else {
            next.on_top.retain(|set| set.file().is_none());
            next.on_top.push(file);
        }
        self.become_if_possible(next)
    }

    /// Takes the file away again; true if that changed anything.
    pub(super) fn drop_file(&mut self) -> Result<bool, String> {
        let mut next = self.clone();
        next.on_top.retain(|set| set.file().is_none());
        self.become_if_possible(next)
    }

    /// Sets one parameter, or one cell of a table; true if that changed anything. While parameters are
    /// listed, the value as listed stands for the personality's own: programs that send every option
    /// back have not asked for it.
    pub(super) fn set(&mut self, name: &str, value: &str) -> Result<bool, String> {
        let one = Set::One(name.to_owned(), value.to_owned());
        let mut params = Params::clone(&self.params);
        one.apply(&mut params)?;
        let is_echo = self.is_listed && !name.contains('[') && LISTED.get(name) == params.get(name);
        if is_echo {
            if !self.on_top.iter().any(|set| set.is_of(name)) {
                return Ok(false);
            }
            let mut next = self.clone();
            next.on_top.retain(|set| !set.is_of(name));
            return self.become_if_possible(next);
        }
        self.on_top.retain(|set| !set.is_of(name));
        self.on_top.push(one);
        Ok(self.play_by(params))
    }

    /// The personality, and what differs from it.
    pub(super) fn describe(&self) -> String {
        self.deviation().unwrap_or_else(|| self.personality.to_owned())
    }

    /// The same, where anything does: how much, and the first of it.
    pub(super) fn deviation(&self) -> Option<String> {
        const FIRST: usize = 5;
        let differences = self.params.differences(&self.plain);
        let mut first: Vec<String> =
            differences.iter().take(FIRST).map(|(name, value)| format!("{name}={value}")).collect();
        if differences.len() > FIRST {
            first.push("…".to_owned());
        }
        let (personality, count) = (self.personality, differences.len());
        (count > 0)
            .then(|| format!("{personality}, values set otherwise: {count} ({})", first.join(", ")))
    }

    /// Takes the place of `self` with what is on top applied anew; where that cannot be, nothing changes.
    fn become_if_possible(&mut self, next: Parameters) -> Result<bool, String> {
        let mut params = Params::clone(&next.plain);
        for set in &next.on_top {
            set.apply(&mut params)?;
        }
        *self = Parameters { params: Arc::clone(&self.params), ..next };
        Ok(self.play_by(params))
    }

    fn play_by(&mut self, params: Params) -> bool {
        if params == *self.params {
            return false;
        }
        self.params = Arc::new(params);
        true
    }
}

fn of_file(error: PersonalityError) -> String {
    format!("Parameter File: {error}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::SPECS;

    /// A file of the tests' own.
    fn file(name: &str, text: &str) -> String {
        let name = format!("mutineer-{}-{name}.json", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::write(&path, text).expect("written");
        path.display().to_string()
    }

    fn personality(name: &str) -> Params {
        Params::personality(name).expect(name)
    }

    /// The rows, each with its value as listed.
    fn rows() -> impl Iterator<Item = (&'static str, String)> {
        let standard = Params::standard();
        SPECS.iter().map(move |spec| (spec.name, spec.text(&standard)))
    }

    #[test]
    fn what_is_listed_changes_no_personality_when_it_is_sent_back() {
        for is_before in [true, false] {
            let mut parameters = Parameters::new(Listing::All);
            if is_before {
                assert_eq!(parameters.choose("rebel"), Ok(true));
            }
            for (name, listed) in rows() {
                assert_eq!(parameters.set(name, &listed), Ok(false), "{name}");
            }
            parameters.set("lmr.min_move", "9").expect("a number");
            parameters.choose("Rebel").expect("known");
            assert_eq!(parameters.describe(), "rebel, values set otherwise: 1 (lmr.min_move=9)");
            // Set back, it is the personality's own again.
            let listed = Params::standard().get("lmr.min_move").expect("a row");
            assert_eq!(parameters.set("lmr.min_move", &listed), Ok(true));
            assert_eq!(**parameters.params(), personality("rebel"));
        }
    }

    #[test]
    fn where_nothing_is_listed_every_value_is_asked_for() {
        for (is_listed_before, is_before) in [(false, true), (true, true), (false, false)] {
            let mut parameters = Parameters::new(Listing::Usual);
            if is_listed_before {
                parameters.list(true);
                parameters.list(false);
            }
            if is_before {
                parameters.choose("rebel").expect("known");
            }
            for (name, listed) in rows() {
                parameters.set(name, &listed).expect(name);
            }
            parameters.choose("rebel").expect("known");
            assert_eq!(**parameters.params(), Params::standard());
            assert!(parameters.describe().starts_with("rebel, values set otherwise: "));
        }
    }

    #[test]
    fn a_file_stays_on_top_until_it_is_taken_away() {
        let (one, other) = (
            file("one", r#"{"material.rook": 1100, "material.pawn": 200}"#),
            file("other", r#"{"material.queen": 2200}"#),
        );
        let described = |rest: &str| format!("rebel, values set otherwise: {rest}");
        let mut parameters = Parameters::new(Listing::Usual);
        assert_eq!(parameters.drop_file(), Ok(false));
        assert_eq!(parameters.set("material.pawn", "300"), Ok(true));
        assert_eq!(parameters.read_file(&one), Ok(true));
        assert_eq!(parameters.read_file(&one), Ok(false), "as it is");
        parameters.choose("rebel").expect("known");
        let both = described("2 (material.pawn=200, material.rook=1100)");
        assert_eq!(parameters.describe(), both, "what comes later counts");
        parameters.set("material.pawn", "301").expect("a number");
        assert!(parameters.read_file("/no/such/file.json").is_err());
        assert_eq!(parameters.read_file(&one), Ok(false), "as it is");
        assert_eq!(parameters.read_file(&other), Ok(true));
        let both = described("2 (material.pawn=301, material.queen=2200)");
        assert_eq!(parameters.describe(), both);
        assert_eq!(parameters.drop_file(), Ok(true));
        assert_eq!(parameters.describe(), described("1 (material.pawn=301)"));
        for file in [&one, &other] {
            std::fs::remove_file(file).expect("it was there");
        }
    }

    /// A file is read when it is named, and only then.
    #[test]
    fn a_file_that_has_gone_matters_only_when_it_is_named() {
        let path = file("gone", r#"{"material.rook": 1100}"#);
        let mut parameters = Parameters::new(Listing::All);
        parameters.read_file(&path).expect("it is there");
        std::fs::write(&path, r#"{"material.rook": 1200}"#).expect("written");
        assert_eq!(parameters.choose("default"), Ok(false), "not read again");
        assert_eq!(parameters.read_file(&path), Ok(true), "read again");
        std::fs::remove_file(&path).expect("it was there");
        parameters.set("lmr.min_move", "9").expect("a number");
        let listed = Params::standard().get("lmr.min_move").expect("a row");
        assert_eq!(parameters.set("lmr.min_move", &listed), Ok(true), "undone");
        assert_eq!(parameters.choose("rebel"), Ok(true));
        let before = parameters.describe();
        assert_eq!(before, "rebel, values set otherwise: 1 (material.rook=1200)");
        let error = parameters.read_file(&path).expect_err("it has gone");
        assert!(error.starts_with("Parameter File: ") && error.contains(&path), "{error}");
        assert_eq!(parameters.describe(), before);
    }

    #[test]
    fn a_table_replaces_its_cells() {
        let mut parameters = Parameters::new(Listing::All);
        parameters.set("pst.knight_mg[e4]", "-333").expect("a cell");
        parameters.set("pst.knight_mg[e5]", "-334").expect("a cell");
        parameters.choose("rebel").expect("known");
        assert!(parameters.describe().contains(": 2 ("), "{}", parameters.describe());
        let listed = Params::standard().get("pst.knight_mg").expect("a row");
        parameters.set("pst.knight_mg", &listed).expect("a row");
        assert_eq!(parameters.describe(), "rebel");
    }
}
