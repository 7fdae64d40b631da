//! `run.json`: players, conditions and machine of a run, written once before the first game. Its
//! key `seal` is a digest of all other keys; a file whose seal differs is refused.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};

use super::json::parse_json;
use super::machine::{Machine, Versions};
use super::{RUN_FILE, RecordError, Side, utc, write_json};
use crate::{commas, is_default};
use process::plain_file::{self, DOCUMENT};
use process::terminal::escape::shown;

/// A folder of another format cannot be continued.
const FORMAT: u32 = 1;

/// Keys of the plan that do not change which games are played, so a resume may change them.
const FREE_PLAN_KEYS: [&str; 10] =
    ["concurrency", "slots", "fair", "pin", "traffic", "event", "site", "out", "quiet", "json"];

/// Who a player is, to the last option.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// As the command line gave it.
    pub spec: String,
    /// The name that the program reports; empty if it did not start.
    pub name: String,
    /// The name that the user gave it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alias: Option<String>,
    /// Limit per move, in PGN's words: `nodes=3000`, `depth=6`, `movetime=100ms`, `1+0.01`,
    /// `40/60`.
    pub limit: String,
    /// The limit on the reference machine and its speed, if times are scaled (`--scale-to`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit_meant: Option<String>,
    pub commit: Option<String>,
    /// The sha256 of the program's file.
    pub build: Option<String>,
    /// Whether that file is a script.
    #[serde(default, skip_serializing_if = "is_default")]
    pub is_script: bool,
    /// The node total of its `bench`: the signature of its behaviour.
    pub bench: Option<u64>,
    /// Options and parameters that differ from the program's defaults; for an embedded player, from
    /// its personality.
    pub options: Map<String, Value>,
    /// The sha256 of each file or folder that an option names: networks, books, tables.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub files: BTreeMap<String, String>,
}

impl Identity {
    /// Both limits in the command line's words.
    fn limit_in_words(&self) -> String {
        match &self.limit_meant {
            Some(meant) => format!("{} ({})", limit_named(&self.limit), limit_named(meant)),
            None => limit_named(&self.limit),
        }
    }

    /// The limit on the reference machine.
    pub fn limit_anywhere(&self) -> &str {
        self.limit_meant.as_deref().unwrap_or(&self.limit)
    }

    /// The name it reports, or its program's file without its folder if it could not be asked.
    pub fn own_name(&self) -> Cow<'_, str> {
        if !self.name.is_empty() {
            return Cow::from(&self.name);
        }
        let path = commas::split(&self.spec).into_iter().next().unwrap_or_default();
        path.rsplit(['/', ':']).next().unwrap_or_default().to_owned().into()
    }

    fn label(&self) -> String {
        const SHOWN: usize = 3;
        if let Some(alias) = &self.alias {
            return alias.clone();
        }
        let mut label = self.own_name().into_owned();
        if let Some(commit) = &self.commit {
            // A work tree is its commit with a hash of what has changed since.
            let (commit, changes) = commit.split_at(commit.find('+').unwrap_or(commit.len()));
            let (commit, changes) = (commit.chars().take(10), changes.chars().take(7));
            label += &format!(" ({})", commit.chain(changes).collect::<String>());
        }
        for (name, value) in self.options.iter().take(SHOWN) {
            label.push_str(&format!(" {name}={}", plain(value)));
        }
        if self.options.len() > SHOWN {
            label.push_str(&format!(" +{} options", self.options.len() - SHOWN));
        }
        label
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BookIdentity {
    /// As the command line gave it.
    pub path: String,
    pub sha256: String,
    pub openings: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunFile {
    pub format: u32,
    /// First start of the run, RFC 3339, UTC.
    pub created: String,
    pub seed: u64,
    pub base: Identity,
    pub test: Identity,
    /// Absent when all games begin at the start position.
    pub book: Option<BookIdentity>,
    pub plan: Value,
    /// If the games belong to a tuner: the name of its file, like `spsa.json`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub games_of: Option<String>,
    /// Whether the run has a `games.digest`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub digest: bool,
    pub machine: Machine,
    pub versions: Versions,
}

/// The first thing in which two runs differ.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{field} was {recorded} when the run started, and is {now} now")]
pub struct Difference {
    /// Where in `run.json`: `plan.pairs`, `test.build`.
    pub field: String,
    /// JSON, or `absent`.
    pub recorded: String,
    /// JSON, or `absent`.
    pub now: String,
}

impl Difference {
    /// Whether it is in a file that an option of a program names.
    pub fn is_of_files(&self) -> bool {
        let field = self.field.strip_prefix("base.").or(self.field.strip_prefix("test."));
        field.is_some_and(|field| field == "files" || field.starts_with("files."))
    }
}

const SEAL: &str = "seal";

fn seal(run: &Value) -> String {
    hex::encode(&Sha256::digest(run.to_string())[..16])
}

impl RunFile {
    /// A run that starts now, here.
    pub fn new(
        plan: Value,
        seed: u64,
        base: Identity,
        test: Identity,
        book: Option<BookIdentity>,
    ) -> RunFile {
        RunFile {
            format: FORMAT,
            created: utc::now(),
            seed,
            base,
            test,
            book,
            plan,
            games_of: None,
            digest: true,
            machine: Machine::here(),
            versions: Versions::here(),
        }
    }

    pub fn write(&self, dir: &Path) -> Result<(), RecordError> {
        let path = dir.join(RUN_FILE);
        let mut run = serde_json::to_value(self)
            .map_err(|error| RecordError::io(&path, "write")(error.into()))?;
        run[SEAL] = seal(&run).into();
        write_json(&path, &run)
    }

    /// [`RecordError::Damaged`] when it is not a run of this format or its seal differs.
    pub fn read(dir: &Path) -> Result<RunFile, RecordError> {
        let path = dir.join(RUN_FILE);
        let text = plain_file::read(&path, DOCUMENT).map_err(RecordError::io(&path, "read"))?;
        let run: RunFile = parse_json(&text, &path, "a run's description")?;
        let damaged = |reason: String| Err(RecordError::damaged(&path, 1, reason));
        if run.format != FORMAT {
            return damaged(format!("expected format {FORMAT}, found {}", run.format));
        }
        // Runs of older versions have no seal.
        let mut found: Value = serde_json::from_slice(&text).unwrap_or_default();
        let sealed = found.as_object_mut().and_then(|run| run.shift_remove(SEAL));
        if sealed.is_some_and(|sealed| sealed != seal(&found).as_str()) {
            let reason = "expected the content written when the run began, found a change (its seal differs); \
                          restore the file from a copy, or begin a new run";
            return damaged(reason.to_owned());
        }
        Ok(run)
    }

    /// Whether `now` plays the same games as this recorded run, so that it may continue it; else
    /// the first difference.
    ///
    /// Not compared: the time of creation, `games_of`, `digest`, the machine, program versions, the
    /// book's path (its hash is), whether a program is a script, and `FREE_PLAN_KEYS`. If a program
    /// did not start one of the two times, its name, options and files are not compared either.
    pub fn same_run(&self, now: &RunFile) -> Result<(), Difference> {
        let (mut recorded, mut now) = (self.essence(), now.essence());
        for side in ["base", "test"] {
            let unheard = |run: &Value| run[side]["name"] == "";
            if unheard(&recorded) || unheard(&now) {
                for player in [&mut recorded[side], &mut now[side]] {
                    ["name", "options", "files"].into_iter().for_each(|key| remove(player, key));
                }
            }
        }
        difference("", Some(&recorded), Some(&now)).map_or(Ok(()), Err)
    }

    /// Copies the hashes of option files from `recorded`, so that they are no difference. Returns
    /// the changed keys, like `test.files.Book`.
    pub fn overlook_files(&mut self, recorded: &RunFile) -> Vec<String> {
        let mut changed = Vec::new();
        let sides =
            [("base", &mut self.base, &recorded.base), ("test", &mut self.test, &recorded.test)];
        for (side, now, was) in sides {
            let names: BTreeSet<&String> = was.files.keys().chain(now.files.keys()).collect();
            let differs = |name: &&&String| was.files.get(**name) != now.files.get(**name);
            let names = names.iter().filter(differs);
            changed.extend(names.map(|name| format!("{side}.files.{name}")));
            now.files.clone_from(&was.files);
        }
        changed
    }

    /// As [`RunFile::overlook_files`]; says what has changed.
    pub fn overlook_changes(&mut self, recorded: &RunFile) {
        for file in self.overlook_files(recorded) {
            let counted = "games before and after the change are counted together";
            status!("warning: {file} has changed since the run began; {counted}");
        }
    }

    pub fn identity(&self, side: Side) -> &Identity {
        side.choose(&self.base, &self.test)
    }

    /// A player's short name, without hidden characters; never the same for both.
    pub fn label(&self, side: Side) -> String {
        let label = shown(&self.identity(side).label()).into_owned();
        if label == shown(&self.identity(side.other()).label()) {
            format!("{label} [{side}]")
        } else {
            label
        }
    }

    /// In one line: limits, hash, book, seed.
    pub fn conditions(&self) -> String {
        let mut parts = Vec::new();
        let (base, test) = (self.base.limit_in_words(), self.test.limit_in_words());
        parts.push(if base == test { base } else { format!("base {base}, test {test}") });
        if let Some(hash) = self.plan.get("hash").filter(|hash| !hash.is_null()) {
            parts.push(format!("hash {}", plain(hash)));
        }
        for side in ["base", "test"] {
            let own = |key: &str| self.plan.get(format!("{side}_own"))?.get(key);
            if let Some(hash) = own("hash") {
                parts.push(format!("{side} hash {}", plain(hash)));
            }
            if let Some(margin) = own("time_margin_ms") {
                parts.push(format!("{side} time margin {margin} ms"));
            }
            if own("restart").is_some() {
                parts.push(format!("{side} restarted before each game"));
            }
        }
        parts.push(match &self.book {
            Some(book) => {
                let name = Path::new(&book.path).file_name();
                format!("book {}", name.map_or(book.path.clone().into(), |n| n.to_string_lossy()))
            }
            None => "no book".to_owned(),
        });
        parts.push(format!("seed {}", self.seed));
        parts.join(", ")
    }

    /// The keys that decide the games.
    fn essence(&self) -> Value {
        let mut value = serde_json::to_value(self).unwrap_or_default();
        for key in ["created", "games_of", "digest", "machine", "versions"] {
            remove(&mut value, key);
        }
        for (part, key) in [("book", "path"), ("base", "is_script"), ("test", "is_script")] {
            remove(&mut value[part], key);
        }
        FREE_PLAN_KEYS.iter().for_each(|key| remove(&mut value["plan"], key));
        value
    }
}

fn remove(value: &mut Value, key: &str) {
    if let Value::Object(map) = value {
        map.shift_remove(key);
    }
}

/// The first difference between two values, depth first, in the recorded one's order of keys.
fn difference(field: &str, recorded: Option<&Value>, now: Option<&Value>) -> Option<Difference> {
    if recorded == now {
        return None;
    }
    let join = |key: &dyn fmt::Display, dot: &str| match field {
        "" => key.to_string(),
        _ => format!("{field}{dot}{key}"),
    };
    let inner = match (recorded, now) {
        (Some(Value::Object(a)), Some(Value::Object(b))) => {
            let keys = a.keys().chain(b.keys().filter(|key| !a.contains_key(*key)));
            keys.map(|key| (join(key, "."), a.get(key), b.get(key)))
                .find_map(|(name, a, b)| difference(&name, a, b))
        }
        (Some(Value::Array(a)), Some(Value::Array(b))) => (0..a.len().max(b.len()))
            .find_map(|i| difference(&format!("{field}[{i}]"), a.get(i), b.get(i))),
        _ => None,
    };
    let text = |value: Option<&Value>| value.map_or("absent".to_owned(), Value::to_string);
    inner.or_else(|| {
        Some(Difference { field: field.to_owned(), recorded: text(recorded), now: text(now) })
    })
}

/// A limit in PGN's words as the command line names it: `tc=10` and not `10` alone.
pub fn limit_named(pgn: &str) -> String {
    let is_control = pgn.starts_with(|c: char| c.is_ascii_digit());
    if is_control { format!("tc={pgn}") } else { pgn.to_owned() }
}

/// A value as people write it: text without quotes.
pub(super) fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
