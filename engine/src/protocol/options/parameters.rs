//! The parameters to play by: a personality, and what was set on top of it.

use std::sync::{Arc, LazyLock};

use crate::params::{PERSONALITIES, PaperName, Params, PersonalityError, PersonalityFile};
use crate::protocol::Listing;

/// What parameters are listed as, whatever is played by.
pub(super) static LISTED: LazyLock<Params> = LazyLock::new(Params::standard);

/// The value of an option of REBEL's name that leaves its rows as the personality has them.
pub(super) const OWN: &str = "-1";
/// The same among names.
pub(super) const OWN_TABLE: &str = "own";

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
    File(PersonalityFile),
    /// One parameter, one cell of a table or one of REBEL's names: name and value.
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
        Some(file.path())
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
        let file = Set::File(PersonalityFile::read(path).map_err(of_file)?);
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
    /// back have not asked for it. Of the papers' names, which have rows in common with others,
    /// [`OWN`] or [`OWN_TABLE`] does.
    pub(super) fn set(&mut self, name: &str, value: &str) -> Result<bool, String> {
        let paper = PaperName::of(name);
        let name = paper.map_or(name, |paper| paper.name());
        let own = paper.map(|paper| if paper.names().is_some() { OWN_TABLE } else { OWN });
        if own.is_some_and(|own| value.trim().eq_ignore_ascii_case(own)) {
            return self.take_back(name);
        }
        let one = Set::One(name.to_owned(), value.to_owned());
        let mut params = Params::clone(&self.params);
        one.apply(&mut params)?;
        let is_row = paper.is_none() && !name.contains('[');
        if self.is_listed && is_row && LISTED.get(name) == params.get(name) {
            return self.take_back(name);
        }
        let mut next = self.clone();
        next.on_top.retain(|set| !set.is_of(name));
        next.on_top.push(one);
        if paper.is_some() {
            // The last value may have set rows that this one does not.
            return self.become_if_possible(next);
        }
        *self = next;
        Ok(self.play_by(params))
    }

    /// Forgets that this was set; true if that changed anything.
    fn take_back(&mut self, name: &str) -> Result<bool, String> {
        if !self.on_top.iter().any(|set| set.is_of(name)) {
            return Ok(false);
        }
        let mut next = self.clone();
        next.on_top.retain(|set| !set.is_of(name));
        self.become_if_possible(next)
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

    /// Of REBEL's names and the rows that they stand for, what was set last counts.
    #[test]
    fn names_of_rebel_and_their_rows() {
        let told = |rest: &str| format!("rebel, values set otherwise: {rest}");
        let mut parameters = Parameters::new(Listing::Usual);
        assert_eq!(parameters.set("chessknowledge", OWN), Ok(false), "as the personality");
        parameters.choose("rebel").expect("known");
        for (name, value, described) in [
            ("lazy.margin", "300", told("1 (lazy.margin=300)")),
            ("chessknowledge", "200", told("1 (lazy.margin=256)")),
            ("lazy.margin", "301", told("1 (lazy.margin=301)")),
            ("chess knowledge", "100", "rebel".to_owned()),
            // It says nothing of the margin: what was set before it counts again.
            ("chessknowledge", "500", told("2 (lazy.on=false, lazy.margin=301)")),
            ("lazy.margin", "128", told("1 (lazy.on=false)")),
            ("selective search", "0", told("2 (selective.full_null=true, lazy.on=false)")),
            ("lazy.on", "1", told("1 (selective.full_null=true)")),
            ("selective search", "1", "rebel".to_owned()),
        ] {
            parameters.set(name, value).expect(name);
            assert_eq!(parameters.describe(), described, "{name} {value}");
        }
        // A listed row that is sent back is no wish.
        let mut parameters = Parameters::new(Listing::All);
        parameters.set("chessknowledge", "200").expect("a number");
        let listed = Params::standard().get("lazy.margin").expect("a row");
        assert_eq!(parameters.set("lazy.margin", &listed), Ok(false));
        assert_eq!(parameters.describe(), "default, values set otherwise: 1 (lazy.margin=256)");
        let mut parameters = Parameters::new(Listing::Usual);
        parameters.set("lazy.margin", "300").expect("a number");
        parameters.set("chessknowledge", "500").expect("a number");
        assert_eq!(parameters.choose("prodeo"), Ok(true), "and both stay on top");
        let described = parameters.describe();
        assert_eq!(described, "prodeo, values set otherwise: 2 (lazy.on=false, lazy.margin=300)");
        assert_eq!(parameters.set("ChessKnowledge", OWN), Ok(true));
        assert_eq!(parameters.describe(), "prodeo, values set otherwise: 1 (lazy.margin=300)");
        assert!(parameters.set("chessknowledge", "501").is_err());
    }

    /// PRO-25: a table within the program by its name.
    #[test]
    fn a_table_is_the_personalitys_own_until_it_is_named() {
        let mut parameters = Parameters::new(Listing::Usual);
        assert_eq!(parameters.set("MIT", "own"), Ok(false));
        parameters.choose("prodeo").expect("known");
        assert_eq!(parameters.set("mit", "3100"), Ok(true));
        let told = |rest: &str| format!("prodeo, values set otherwise: {rest}");
        assert_eq!(parameters.describe(), told("1 (imbalance.table=3100)"));
        assert_eq!(parameters.set("MIT", "None"), Ok(true));
        assert_eq!(parameters.describe(), told("1 (imbalance.table=none)"));
        let error = parameters.set("mit", "allll").expect_err("no such table");
        assert!(error.contains("did you mean 'all'?"), "{error}");
        assert_eq!(parameters.set("mit", "OWN"), Ok(true));
        assert_eq!(parameters.describe(), "prodeo");
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
