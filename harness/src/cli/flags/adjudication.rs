//! Flags that end games early.

use std::path::PathBuf;

use clap::Args;

use crate::cli::choices::one_of;
use arena::game::{Adjudication, DrawRule, ResignRule, TablebaseResults};
use arena::plan::parse::{self, OrOff};

/// Flags that end games early.
#[allow(rustdoc::broken_intra_doc_links)]
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Adjudication")]
pub(super) struct AdjudicationFlags {
    /// Draw when both scores stay within SCORE centipawns of 0 for MOVECOUNT moves in a row, from full move
    /// MOVENUMBER on; or off [default: movenumber=40,movecount=8,score=10].
    #[arg(long, value_name = "RULE", value_parser = parse::draw_rule)]
    draw: Option<OrOff<DrawRule>>,

    /// Loss when a player's score is -SCORE centipawns or worse for MOVECOUNT moves in a row; or off. With
    /// twosided the opponent's scores must agree [default: movecount=3,score=500,twosided].
    #[arg(long, value_name = "RULE", value_parser = parse::resign_rule)]
    resign: Option<OrOff<ResignRule>>,

    /// Draw after this full move, or off. Moves are numbered as in the PGN: opening moves count, and a
    /// start position begins at its own move number (an EPD without `fmvn` at move 1).
    #[arg(long, value_name = "N", default_value = "400", value_parser = parse::max_moves)]
    max_moves: OrOff<u32>,

    /// Folder of Syzygy tablebases (WDL and DTZ) that adjudicate games. May be repeated.
    #[arg(long, value_name = "DIR")]
    pub(super) syzygy: Vec<PathBuf>,

    /// Which tablebase results end a game.
    #[arg(long, value_name = "RESULTS", value_parser = one_of::<TablebaseResults>(),
          default_value_t, requires = "syzygy")]
    pub(super) syzygy_results: TablebaseResults,

    /// Play this share of the adjudicated games to their end, to measure how often adjudication is wrong.
    /// Results stay as adjudicated.
    #[arg(long, value_name = "PERCENT", value_parser = parse::percentage)]
    pub(super) audit: Option<OrOff<f64>>,
}

impl AdjudicationFlags {
    pub(super) fn rules(&self) -> Adjudication {
        let default = Adjudication::default();
        Adjudication {
            draw: self.draw.map_or(default.draw, OrOff::into_option),
            resign: self.resign.map_or(default.resign, OrOff::into_option),
            max_moves: self.max_moves.into_option(),
        }
    }
}
