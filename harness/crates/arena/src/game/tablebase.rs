//! Endgame tablebases (Syzygy), read by shakmaty-syzygy: results that need not be played out.

use std::path::Path;

use serde::{Deserialize, Serialize};
use shakmaty::{Chess, Color, Position as _};
use shakmaty_syzygy::{AmbiguousWdl, Tablebase};
use strum::IntoStaticStr;

use pgn::Outcome;
use process::{Context as _, Error};

#[derive(Debug)]
pub struct Tablebases {
    tables: Tablebase<Chess>,
}

/// Which of the results that tables know end a game.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[derive(strum::Display, strum::EnumString, strum::EnumIter, strum::EnumMessage)]
#[strum(serialize_all = "kebab-case")]
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

impl Tablebases {
    pub fn open<P: AsRef<Path>>(folders: &[P]) -> Result<Tablebases, Error> {
        let mut tables = Tablebase::new();
        for folder in folders {
            let path = folder.as_ref();
            let flag = format!("--syzygy {}", path.display());
            if tables.add_directory(path).context(&flag)? == 0 {
                let why = "expected files like KRvK.rtbw, found none";
                return Err(Error::input_output(why).context(flag));
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
