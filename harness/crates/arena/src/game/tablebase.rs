//! Endgame tablebases (Syzygy), read by shakmaty-syzygy: results that need not be played out.

use std::path::{Path, PathBuf};

use shakmaty::{Chess, Color, Position as _};
use shakmaty_syzygy::{AmbiguousWdl, Tablebase};

use pgn::Outcome;

pub struct Tablebases {
    tables: Tablebase<Chess>,
}

/// Which of the results that tables know end a game.
#[derive(
    Debug,
    Clone,
    Copy,
    Default,
    PartialEq,
    Eq,
    serde::Serialize,
    serde::Deserialize,
    strum::Display,
    strum::EnumString,
    strum::EnumIter,
    strum::EnumMessage,
    strum::IntoStaticStr,
)]
#[strum(serialize_all = "kebab-case")]
#[serde(rename_all = "snake_case")]
pub enum TablebaseResults {
    /// Wins, losses and draws.
    #[default]
    All,
    /// Wins and losses; tablebase draws are played on.
    Wins,
    /// Draws; tablebase wins are played on.
    Draws,
}

impl TablebaseResults {
    pub fn takes(self, outcome: Outcome) -> bool {
        match self {
            TablebaseResults::All => true,
            TablebaseResults::Wins => outcome != Outcome::Draw,
            TablebaseResults::Draws => outcome == Outcome::Draw,
        }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum TablebaseError {
    #[error("--syzygy {path}: {source}", path = .path.display())]
    Folder { path: PathBuf, source: std::io::Error },
    #[error("--syzygy {path}: expected files like KRvK.rtbw, found none", path = .0.display())]
    Empty(PathBuf),
}

impl Tablebases {
    pub fn open<P: AsRef<Path>>(folders: &[P]) -> Result<Tablebases, TablebaseError> {
        let mut tables = Tablebase::new();
        for folder in folders {
            let path = folder.as_ref();
            match tables.add_directory(path) {
                Ok(0) => return Err(TablebaseError::Empty(path.to_owned())),
                Ok(_) => {}
                Err(source) => {
                    return Err(TablebaseError::Folder { path: path.to_owned(), source });
                }
            }
        }
        Ok(Tablebases { tables })
    }

    /// The most pieces of a position that they know, kings among them.
    pub fn pieces(&self) -> usize {
        self.tables.max_pieces()
    }

    /// The result with best play under the fifty-move rule, as the move counter stands; `None`
    /// where no table knows it for certain.
    pub fn outcome(&self, position: &Chess) -> Option<Outcome> {
        if position.board().occupied().count() > self.pieces() || position.castles().any() {
            return None;
        }
        let mover: Color = position.turn();
        match self.tables.probe_wdl(position).ok()? {
            AmbiguousWdl::Win => Some(Outcome::win(mover)),
            AmbiguousWdl::Loss => Some(Outcome::win(!mover)),
            AmbiguousWdl::Draw | AmbiguousWdl::CursedWin | AmbiguousWdl::BlessedLoss => {
                Some(Outcome::Draw)
            }
            AmbiguousWdl::MaybeWin | AmbiguousWdl::MaybeLoss => None,
        }
    }
}

impl std::fmt::Debug for Tablebases {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tablebases").field("pieces", &self.pieces()).finish_non_exhaustive()
    }
}
