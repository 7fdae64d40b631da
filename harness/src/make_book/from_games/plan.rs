//! `book.json`: what a book is made of, in its working folder.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use arena::game::Limit;
use arena::player::spec::PlayerSpec;
use arena::record::{FolderKind, Manifest, RecordError, write_json};
use process::Error;
use tables::Filter;

/// From the first to the last, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Range {
    pub first: u32,
    pub last: u32,
}

impl Range {
    pub fn contains(self, number: u32) -> bool {
        (self.first..=self.last).contains(&number)
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameFile {
    pub path: PathBuf,
    pub bytes: u64,
}

/// Which positions are candidates.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GamesPlan {
    pub files: Vec<GameFile>,
    /// Plies after which positions are taken.
    pub plies: Range,
    /// Positions of each game, at most.
    pub per_game: u32,
    /// Candidates, at most.
    pub candidates: u64,
    pub seed: u64,
    pub filter: Filter,
}

/// How they are scored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScoringPlan {
    pub by: PlayerSpec,
    /// Nodes or depth.
    pub limit: Limit,
    /// The longest time for a score of a program.
    pub hang_ms: u64,
    /// SHA-256 of the engine's file; of verdict's own for an embedded engine.
    pub build: String,
}

/// Which of them are in the book. Other books may be made of the same scores.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChoicePlan {
    /// In centipawns, for whichever side.
    pub bias: Range,
    /// Openings, at most.
    pub count: u64,
    pub out: PathBuf,
    /// Score and source behind each position.
    #[serde(default)]
    pub annotate: bool,
    /// The working folder stays when the book is made.
    #[serde(default)]
    pub keep: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BookFile {
    pub format: u32,
    pub games: GamesPlan,
    pub scoring: ScoringPlan,
    pub book: ChoicePlan,
    /// The book is written; its folder was kept.
    #[serde(default, skip_serializing_if = "arena::is_default")]
    pub is_made: bool,
}

impl BookFile {
    /// What keeps the scores made by `self` from being used for `wanted`, with the flag that says so.
    pub fn difference(&self, wanted: &BookFile) -> Option<&'static str> {
        let (a, b) = (&self.games, &wanted.games);
        let (s, t) = (&self.scoring, &wanted.scoring);
        [
            ("--from: other files, or files of another size", a.files != b.files),
            ("--ply", a.plies != b.plies),
            ("--per-game", a.per_game != b.per_game),
            ("--candidates", a.candidates != b.candidates),
            ("--seed", a.seed != b.seed),
            ("--min-elo or --where", a.filter != b.filter),
            ("--by", s.by != t.by),
            ("--nodes or --depth", s.limit != t.limit),
            ("--by: another build of the engine", s.build != t.build),
        ]
        .into_iter()
        .find_map(|(flag, differs)| differs.then_some(flag))
    }

    /// Writes it over what is there.
    pub fn replace(&self, dir: &std::path::Path) -> Result<(), RecordError> {
        write_json(&dir.join(FolderKind::Book.file()), self)
    }

    /// Fails where a file of games has another size than when the book was begun.
    pub fn check_files(&self) -> Result<(), Error> {
        for GameFile { path, bytes } in &self.games.files {
            let now = std::fs::metadata(path).map_err(Error::io(path, "read"))?.len();
            if now != *bytes {
                let path = path.display();
                return Err(Error::usage(format!(
                    "{path}: expected the {bytes} bytes that the book was begun with, found {now}"
                )));
            }
        }
        Ok(())
    }
}

impl Manifest for BookFile {
    const KIND: FolderKind = FolderKind::Book;
    const FORMAT: u32 = 1;

    fn format(&self) -> u32 {
        self.format
    }

    fn check(&self) -> Result<(), String> {
        let is_range = |range: Range| range.first <= range.last;
        match (is_range(self.games.plies), is_range(self.book.bias), self.scoring.limit) {
            (false, ..) => Err("plies in order".to_owned()),
            (_, false, _) => Err("a window in order".to_owned()),
            (_, _, Limit::Nodes(1..) | Limit::Depth(1..)) => Ok(()),
            _ => Err("a limit of nodes or depth".to_owned()),
        }
    }
}
