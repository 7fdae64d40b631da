//! Files of others made matches, each match once, though a JSON file and a PGN have it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::fishtest;
use super::games::{self, FoundGames, Sessions};
use super::imported_match::{GameIdentity, ImportedMatch, Origin};
use super::node::Node;
use super::{fastchess, openbench};
use crate::crosstable::meeting::{listed, only_opponent, player};
use crate::crosstable::{CrosstableInput, Meeting};
use pgn::compression::peek;
use process::plain_file::{self, DOCUMENT};
use process::{Context as _, Error};
use stats::ratings::PlayerId;

/// Bytes that tell JSON.
const HEAD: u64 = 4096;
/// Sessions of a PGN file that are tried, from its end.
const SESSIONS: usize = 16;

/// Whether a file is read here: JSON, or an archive of PGN.
pub fn is_imported(path: &Path) -> Result<bool, Error> {
    Ok(is_json(path)? || has_end(path, ".tar") || path.to_string_lossy().contains(".tar."))
}

fn has_end(path: &Path, end: &str) -> bool {
    path.to_string_lossy().to_ascii_lowercase().ends_with(end)
}

/// By what the file begins with; games may begin with a comment, which no JSON does.
fn is_json(path: &Path) -> Result<bool, Error> {
    let failed = |error| Error::io(path, "read")(error);
    let (head, _) = peek(plain_file::open_given(path).map_err(failed)?, HEAD).map_err(failed)?;
    let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&head).trim_ascii();
    let begins = |text: &[u8], with: &[u8]| text.first().is_none_or(|byte| with.contains(byte));
    Ok(match text.split_first() {
        Some((b'{', rest)) => begins(rest.trim_ascii_start(), b"\"}"),
        // Tags of PGN begin with a letter.
        Some((b'[', rest)) => begins(rest.trim_ascii_start(), b"[{\"]-0123456789"),
        _ => [&b"null"[..], b"true", b"false"].contains(&text),
    })
}

/// The matches of these files. Test is the player of `tests` that a match has: the sides of a JSON
/// file's match are turned where it is base there. `bases` are their opponents, where there are several.
pub fn read(
    paths: &[PathBuf],
    tests: &[String],
    bases: &[String],
) -> Result<Vec<ImportedMatch>, Error> {
    let mut matches: Vec<ImportedMatch> = Vec::new();
    let mut games = Vec::new();
    for path in paths {
        if !is_json(path)? {
            games.push(path);
            continue;
        }
        let bytes =
            plain_file::open_given(path).and_then(|file| plain_file::read_at_most(file, DOCUMENT));
        let bytes = bytes.map_err(|error| Error::io(path, "read")(error))?;
        for mut one in matches_of_json(&bytes).context(path.display())? {
            one.path.clone_from(path);
            let one = one.of(tests, bases);
            match matches.iter_mut().find(|known| known.is_same(&one)) {
                Some(known) => known.notes.push(format!("{} has it, too", path.display())),
                None => matches.push(one),
            }
        }
    }
    for path in games {
        let mut is_known = false;
        for one in &mut matches {
            is_known |= one.take_games(path)?;
        }
        if !is_known {
            let is_without = !matches.is_empty();
            let one = of_games(path, tests, bases).map_err(|error| match is_without {
                true => error.context("no game of the matches in the other files"),
                false => error,
            })?;
            matches.push(one);
        }
    }
    for (flag, names) in [("--test", tests), ("--base", bases)] {
        let is_known = |name: &String| {
            matches.iter().any(|one| [0, 1].iter().any(|side| one.is_player(*side, name)))
        };
        if let Some(name) = names.iter().find(|name| !is_known(name)) {
            let players = matches.iter().flat_map(|one| &one.players).map(String::as_str);
            let players = listed(players.collect::<BTreeSet<&str>>().into_iter());
            return Err(Error::usage(format!(
                "{flag} '{name}': expected the name of a player, which are {players}"
            )));
        }
    }
    Ok(matches)
}

/// The matches of a JSON file of fastchess, OpenBench or fishtest.
pub fn matches_of_json(bytes: &[u8]) -> Result<Vec<ImportedMatch>, Error> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let value: Value = serde_json::from_slice(bytes).map_err(|error| {
        Error::input_output(format!("line {}: expected JSON: {error}", error.line()))
    })?;
    const EXPECTED: &str = "expected results of fastchess (keys engines and stats), OpenBench (info, or \
                            results) or fishtest (args and results)";
    let found = match &value {
        Value::Object(keys) if keys.is_empty() => Some("an object without keys"),
        Value::Object(_) => None,
        Value::Array(_) => Some("a list"),
        Value::Null => Some("null"),
        _ => Some("a single value"),
    };
    if let Some(found) = found {
        return Err(Error::input_output(format!("{EXPECTED}, found {found}")));
    }
    let root = Node::root(&value);
    if let Some(error) = root.find("error").and_then(|error| error.value.as_str()) {
        return Err(Error::input_output(format!(
            "expected results, found the server's error: {error}"
        )));
    }
    if root.has(&["engines", "stats"]) {
        return fastchess::matches(&root);
    }
    if let Some(info) = root.find("info").filter(|info| info.value.is_object()) {
        return openbench::workload(&info).map(|one| vec![one]);
    }
    if root.has(&["dev", "base"]) {
        return openbench::workload(&root).map(|one| vec![one]);
    }
    if fishtest::is_run(&root) {
        let one = fishtest::run(&root, "")?;
        return one.map(|one| vec![one]).ok_or_else(|| {
            Error::input_output(
                "key args.spsa: expected a test of two versions, found a tuning run",
            )
        });
    }
    if let Some(list) = root.find("results").filter(|list| list.value.is_array()) {
        return openbench::results(&list).map(|one| vec![one]);
    }
    let runs = root.entries()?;
    if !runs.is_empty() && runs.iter().all(|(_, run)| fishtest::is_run(run)) {
        let runs = runs.iter().map(|(id, run)| fishtest::run(run, id));
        let runs = runs.collect::<Result<Vec<Option<ImportedMatch>>, Error>>()?;
        return Ok(runs.into_iter().flatten().collect());
    }
    let keys = listed(runs.iter().map(|(key, _)| *key));
    Err(Error::input_output(format!("{EXPECTED}, found the keys {keys}")))
}

impl ImportedMatch {
    /// The match with the sides that these names ask for.
    fn of(self, tests: &[String], bases: &[String]) -> ImportedMatch {
        let has = |names: &[String], side| names.iter().any(|name| self.is_player(side, name));
        let is_turned = match [has(tests, 0), has(tests, 1)] {
            [false, true] => true,
            [true, true] => has(bases, 0) && !has(bases, 1),
            [_, false] => false,
        };
        if is_turned { self.turned() } else { self }
    }

    /// Whether both are of one match.
    fn is_same(&self, other: &ImportedMatch) -> bool {
        let is_numbered = self.origin != Origin::Fastchess && self.id != "results";
        self.origin == other.origin
            && self.id == other.id
            && self.players == other.players
            && (is_numbered || self.wdl() == other.wdl() && self.pairs == other.pairs)
    }

    /// Takes what a PGN file or archive has of this match: nothing more is counted by it but pairs that
    /// were not known. Whether it has games of it.
    fn take_games(&mut self, path: &Path) -> Result<bool, Error> {
        let Some(identity) = self.games.clone() else { return Ok(false) };
        let all = identity.games_in(path, 0)?;
        if all.meeting.games().games() == 0 {
            return Ok(false);
        }
        let (shown, of_others) = (path.display(), all.of_others);
        if of_others > 0 {
            self.notes.push(format!("{shown}: {of_others} games of other matches, not counted"));
        }
        let found = self.agreeing(path, &identity, all)?;
        let Some((meeting, passed)) = found else {
            self.notes.push(format!(
                "{shown} does not hold just the games that {} counts, so it is not used",
                self.path.display()
            ));
            return Ok(true);
        };
        if passed > 0 {
            self.notes
                .push(format!("{shown}: its earlier games of these players are of other matches"));
        }
        let single = meeting.all_single().games();
        if self.pairs.is_none() && meeting.all_pairs().pairs() > 0 {
            let games = meeting.games().games();
            self.take(&meeting);
            let pairs = meeting.all_pairs().pairs();
            self.notes
                .push(format!("{shown} has its {games} games, and they are in {pairs} pairs"));
        } else {
            let pairs = meeting.all_pairs().pairs();
            let rest =
                if single > 0 { format!(", and {single} games in no pair") } else { String::new() };
            self.notes.push(format!("{shown} has the same {pairs} pairs{rest}"));
            if meeting.repeated.pairs() > 0 {
                let repeated = meeting.repeated.pairs();
                self.notes.push(format!(
                    "{repeated} of its pairs repeat earlier ones move by move; its counts have them all"
                ));
            }
        }
        Ok(true)
    }

    /// The games of the file that are as many as are counted, and how many sessions were passed over.
    fn agreeing(
        &self,
        path: &Path,
        identity: &GameIdentity,
        all: FoundGames,
    ) -> Result<Option<(Meeting, usize)>, Error> {
        let agrees = |meeting: &Meeting| match &self.pairs {
            Some(_) => self.all_pairs() == Some(meeting.all_pairs()),
            None => self.wdl() == Some(meeting.games()),
        };
        let sessions = all.sessions;
        if agrees(&all.meeting) {
            return Ok(Some((all.meeting, 0)));
        }
        for passed in (1..sessions).rev().take(SESSIONS) {
            let part = identity.games_in(path, passed)?;
            if agrees(&part.meeting) {
                return Ok(Some((part.meeting, passed)));
            }
        }
        Ok(None)
    }

    /// Takes all counts from games.
    fn take(&mut self, meeting: &Meeting) {
        let Meeting { pairs, paired, single, repeated, repeated_paired, repeated_single } =
            *meeting;
        let has_pairs = meeting.all_pairs().pairs() > 0;
        self.pairs = has_pairs.then_some(pairs);
        self.paired = Some(paired);
        self.single = single;
        let all = repeated_paired + repeated_single;
        self.repeated = (all.games() > 0).then_some((repeated, all));
        self.notes.retain(|note| !note.starts_with("its pairs"));
        if all.games() > 0 {
            self.notes.push(format!(
                "{} of its games repeat earlier ones move by move; score, Elo and LOS use the others",
                all.games()
            ));
        }
    }
}

/// A match that only its games tell of.
fn of_games(path: &Path, tests: &[String], bases: &[String]) -> Result<ImportedMatch, Error> {
    let wrong = |why: String| Error::usage(format!("{}: {why}", path.display()));
    let file = path.file_name().map_or(path.to_string_lossy(), |name| name.to_string_lossy());
    // As OpenBench names it: the files of other tests are not this one's.
    let number: Option<u64> = file.split('.').next().and_then(|number| number.parse().ok());
    let (mut of_tests, mut sessions) = (BTreeSet::new(), Sessions::default());
    let tally = games::read(path, &mut |test, game| {
        of_tests.extend(test);
        // In an archive each file begins with the first round.
        if test.is_none() {
            sessions.number_of(game);
        }
        number.zip(test).is_none_or(|(own, other)| own == other)
    })?;
    if number.is_none() && of_tests.len() > 1 {
        let tests: Vec<String> = of_tests.iter().map(u64::to_string).collect();
        let tests = tests.join(", ");
        return Err(wrong(format!(
            "expected the games of one test, found those of {tests}: name the archive by one, like \
             {}.pgn.tar, or give its JSON as well",
            tests.split(',').next().unwrap_or_default()
        )));
    }
    let (test, base) = sides(&tally, tests, bases).map_err(wrong)?;
    let results = &tally.results;
    let meeting = Meeting::of(results, test, base);
    let names = [results.name(test), results.name(base)];
    if meeting.games().games() == 0 {
        return Err(wrong(format!("no finished game of {} against {}", names[0], names[1])));
    }
    let mut one = ImportedMatch::new(Origin::Pgn, &file, names);
    path.clone_into(&mut one.path);
    one.take(&meeting);
    let single = meeting.all_single().games();
    if single > 0 {
        one.notes.push(format!("{single} of its games are in no pair and count one by one"));
    }
    if sessions.ended > 0 {
        one.notes.push(format!(
            "rounds begin anew {} times in it: it may hold several matches, and all are counted",
            sessions.ended
        ));
    }
    let counted = &tally.counted;
    for (count, what) in [
        (counted.of_others, "games of other tests in it are not counted"),
        (counted.unfinished, "games have no result and are not counted"),
        (counted.unusable, "games cannot be used and are not counted"),
        (counted.against_itself, "games of a player against itself are not counted"),
    ] {
        if count > 0 {
            one.notes.push(format!("{count} {what}"));
        }
    }
    Ok(one)
}

/// Test and base of a file: by the names that were given, or as fishtest and OpenBench call them.
fn sides(
    tally: &CrosstableInput,
    tests: &[String],
    bases: &[String],
) -> Result<(PlayerId, PlayerId), String> {
    let results = &tally.results;
    let names = || results.names().iter().map(String::as_str);
    let given = tests.iter().find_map(|test| results.find(test));
    let is_test = |name: &&str| name.starts_with("New-") || name.ends_with("-dev");
    let by_name: Vec<&str> = names().filter(is_test).collect();
    let test = match (given, by_name.as_slice(), tests.first()) {
        (Some(test), ..) => test,
        (None, [only], None) if results.names().len() == 2 => player(results, only)?,
        (None, _, Some(test)) => player(results, test)?,
        (None, _, None) => {
            let players = listed(names());
            return Err(format!(
                "--test must say whose Elo is asked for; its players are {players}"
            ));
        }
    };
    let opponents = bases.iter().filter_map(|base| results.find(base));
    let base = opponents.into_iter().find(|base| *base != test);
    Ok((test, base.map_or_else(|| only_opponent(results, test), Ok)?))
}
