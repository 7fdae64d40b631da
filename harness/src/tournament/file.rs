//! `tournament.json`: who plays whom, and in which folders.

use std::{
    collections::HashSet,
    fs,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use super::Kind;
use crate::plan::slug;

/// The file's name.
const FILE: &str = "tournament.json";
/// The version of the file.
const FORMAT: u32 = 1;

/// Why there is no tournament.
#[derive(Debug, thiserror::Error)]
pub enum TournamentError {
    /// Nobody to play.
    #[error("{kind}: expected more players (--player SPEC), found {found}")]
    Few {
        /// Who should play whom.
        kind: Kind,
        /// How many there are.
        found: usize,
    },
    /// Two players of one name.
    #[error("--player: expected different names, found '{0}' twice; name them as NAME=SPEC")]
    Namesakes(String),
    /// A player of no such name.
    #[error("--limit-of {name}: expected one of the players {names}")]
    NoSuch {
        /// The name given.
        name: String,
        /// The names there are.
        names: String,
    },
    /// A rule that ends pairings at different lengths.
    #[error("--rule {0}: expected los in a tournament, in which all pairings have equal length")]
    Rule(crate::stats::Rule),
    /// A folder that holds one already.
    #[error("{0}: there is a tournament already; continue it with: verdict resume {0}")]
    Exists(String),
    /// The file cannot be read or written.
    #[error("{path}: {source}", path = .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        source: std::io::Error,
    },
    /// The file is none.
    #[error("{path}:{line}: expected a tournament: {reason}", path = .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong there.
        reason: String,
    },
}

impl TournamentError {
    /// Whether the command line is what is wrong.
    #[must_use]
    pub fn is_usage(&self) -> bool {
        !matches!(self, TournamentError::Io { .. } | TournamentError::Damaged { .. })
    }
}

/// A player of a tournament.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entrant {
    /// Its name.
    pub name: String,
    /// As the command line gave it.
    pub spec: String,
}

/// A match of a tournament.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pairing {
    /// Its folder inside the tournament's.
    pub folder: String,
    /// Test's number among the players, from 0.
    pub test: usize,
    /// Base's.
    pub base: usize,
}

/// The content of `tournament.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TournamentFile {
    /// The version of the file.
    pub format: u32,
    /// Who plays whom.
    pub kind: Kind,
    /// The players.
    pub players: Vec<Entrant>,
    /// The matches.
    pub matches: Vec<Pairing>,
}

impl TournamentFile {
    /// A tournament between these players.
    ///
    /// # Errors
    /// When there are too few of them, or two have one name.
    pub fn new(kind: Kind, players: Vec<Entrant>) -> Result<TournamentFile, TournamentError> {
        let mut names = HashSet::new();
        if let Some(twice) = players.iter().find(|player| !names.insert(player.name.as_str())) {
            return Err(TournamentError::Namesakes(twice.name.clone()));
        }
        let pairings = kind.pairings(players.len());
        if pairings.is_empty() {
            return Err(TournamentError::Few { kind, found: players.len() });
        }
        let name = |player: usize| players.get(player).map_or("", |player| player.name.as_str());
        let matches = (1..).zip(pairings).map(|(number, (test, base))| Pairing {
            folder: format!("{number:02}-{}", slug(&format!("{}-v-{}", name(test), name(base)))),
            test,
            base,
        });
        let matches = matches.collect();
        Ok(TournamentFile { format: FORMAT, kind, players, matches })
    }

    /// Whether a folder holds a tournament.
    #[must_use]
    pub fn is_in(dir: &Path) -> bool {
        dir.join(FILE).is_file()
    }

    /// Reads the tournament of a folder.
    ///
    /// # Errors
    /// When there is none.
    pub fn read(dir: &Path) -> Result<TournamentFile, TournamentError> {
        let path = dir.join(FILE);
        let text = fs::read_to_string(&path)
            .map_err(|source| TournamentError::Io { path: path.clone(), source })?;
        let damaged = |line, reason| TournamentError::Damaged { path: path.clone(), line, reason };
        let file: TournamentFile = serde_json::from_str(&text)
            .map_err(|error| damaged(error.line(), error.to_string()))?;
        let players = file.players.len();
        if file.format != FORMAT {
            return Err(damaged(1, format!("format {FORMAT}, found {}", file.format)));
        }
        if file.matches.iter().any(|pairing| pairing.test.max(pairing.base) >= players) {
            return Err(damaged(1, format!("players below {players} in every match")));
        }
        Ok(file)
    }

    /// Writes it into a folder, which is made where it does not exist.
    ///
    /// # Errors
    /// When it cannot be written, or is there already.
    pub fn write(&self, dir: &Path) -> Result<(), TournamentError> {
        let path = dir.join(FILE);
        if path.exists() {
            return Err(TournamentError::Exists(dir.display().to_string()));
        }
        let text = serde_json::to_string_pretty(self).unwrap_or_default();
        fs::create_dir_all(dir)
            .and_then(|()| fs::write(&path, text + "\n"))
            .map_err(|source| TournamentError::Io { path, source })
    }
}
