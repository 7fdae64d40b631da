//! `tournament.json`: who plays whom, and in which folders.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::TournamentKind;
use arena::plan::slug;
use arena::record::{FolderKind, Manifest};
use process::Error;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entrant {
    pub name: String,
    /// As the command line gave it.
    pub spec: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pairing {
    /// Its folder inside the tournament's.
    pub folder: String,
    /// Test's number among the players, from 0.
    pub test: usize,
    /// Base's.
    pub base: usize,
    /// How it is played, the plan of its run; files of older programs do not say.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub plan: Value,
}

/// The content of `tournament.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TournamentFile {
    pub format: u32,
    pub kind: TournamentKind,
    pub players: Vec<Entrant>,
    pub matches: Vec<Pairing>,
}

impl TournamentFile {
    pub fn new(kind: TournamentKind, players: Vec<Entrant>) -> Result<TournamentFile, Error> {
        let mut names = HashSet::new();
        if let Some(twice) = players.iter().find(|player| !names.insert(player.name.as_str())) {
            return Err(Error::usage(format!(
                "--player: expected different names, found '{}' twice; name them as NAME=SPEC",
                twice.name
            )));
        }
        let pairings = kind.pairings(players.len());
        if pairings.is_empty() {
            let found = players.len();
            return Err(Error::usage(format!(
                "{kind}: expected more players (--player SPEC), found {found}"
            )));
        }
        let name = |player: usize| players.get(player).map_or("", |player| player.name.as_str());
        let matches = (1..).zip(pairings).map(|(number, (test, base))| Pairing {
            folder: format!("{number:02}-{}", slug(&format!("{}-v-{}", name(test), name(base)))),
            test,
            base,
            plan: Value::Null,
        });
        let matches = matches.collect();
        Ok(TournamentFile { format: TournamentFile::FORMAT, kind, players, matches })
    }

    /// The folders of its matches, itself in `dir`.
    pub fn runs(&self, dir: &Path) -> Vec<PathBuf> {
        self.matches.iter().map(|pairing| dir.join(&pairing.folder)).collect()
    }
}

impl Manifest for TournamentFile {
    const KIND: FolderKind = FolderKind::Tournament;
    const FORMAT: u32 = 1;

    fn format(&self) -> u32 {
        self.format
    }

    fn check(&self) -> Result<(), String> {
        let players = self.players.len();
        let mut all = self.matches.iter().flat_map(|pairing| [pairing.test, pairing.base]);
        match all.all(|player| player < players) {
            true => Ok(()),
            false => Err(format!("players below {players} in every match")),
        }
    }
}
