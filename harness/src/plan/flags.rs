//! The flags that make a plan, as typed.

use std::{
    num::{NonZeroU32, NonZeroU64, NonZeroUsize},
    path::PathBuf,
    time::Duration,
};

use clap::Args;

use super::parse::{self, OrOff, Size};
use super::players::{BuildFlags, PlayerFlag, ReadyPlayer};
use crate::{
    build::{BuildError, Cache},
    game::{DrawRule, Limit, ResignRule},
    stats::Rule,
};

/// Flags of everything that plays a match.
// clap shows these comments as they are, brackets for optional parts included.
#[allow(rustdoc::broken_intra_doc_links)]
#[derive(Debug, Clone, Args)]
pub struct PlanFlags {
    /// The reference build: embedded[:personality][,param=value…], uci:PATH[,Option=value…],
    /// xboard:PATH[,Option=value…], git:REV[,Option=value…] or workdir[,Option=value…]
    /// [default: embedded:default; without --test the demonstration's].
    #[arg(long, value_name = "SPEC", help_heading = "Players")]
    pub base: Option<PlayerFlag>,

    /// The change being judged; all results are test minus base [default: embedded:default].
    #[arg(long, value_name = "SPEC", help_heading = "Players")]
    pub test: Option<PlayerFlag>,

    #[command(flatten)]
    builds: BuildFlags,

    /// Hash table of each player, like 256KiB or 16MB [default: 1MiB for embedded players, its own
    /// for a program].
    #[arg(long, value_name = "SIZE", help_heading = "Players")]
    pub hash: Option<Size>,

    #[command(flatten)]
    limit: LimitFlags,

    /// Forgiven at every move before it is a loss on time.
    #[arg(long, value_name = "TIME", default_value = "50ms", value_parser = parse::duration,
          help_heading = "Limits")]
    pub time_margin: Duration,

    /// Openings: .epd, .fen or .pgn (games to their last move), plain or as .gz, .zst, .zip
    /// [default: the book in this program].
    #[arg(long, value_name = "FILE", help_heading = "Schedule")]
    pub book: Option<PathBuf>,

    /// Seed of the order of openings.
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Schedule")]
    pub seed: u64,

    /// Pairs of games at most: one opening, both colours [default: the rule's number, else 200;
    /// 20000 with an SPRT].
    #[arg(long, visible_alias = "rounds", value_name = "N", help_heading = "Schedule")]
    pub pairs: Option<NonZeroU64>,

    /// What decides the match: los=95[,pairs=N], sprt=ELO0,ELO1[,alpha=,beta=,model=]
    /// or anytime=5%.
    #[arg(
        long,
        value_name = "RULE",
        default_value = "los=95",
        allow_hyphen_values = true,
        help_heading = "Schedule"
    )]
    pub rule: Rule,

    /// Draw when both players see nothing for long: movenumber=40,movecount=8,score=10 or off
    /// [default: those numbers].
    #[arg(long, value_name = "RULE", value_parser = parse::draw_rule, help_heading = "Adjudication")]
    pub draw: Option<OrOff<DrawRule>>,

    /// Loss when a player sees itself lost for long: movecount=3,score=500[,twosided] or off
    /// [default: movecount=3,score=500,twosided].
    #[arg(long, value_name = "RULE", value_parser = parse::resign_rule,
          help_heading = "Adjudication")]
    pub resign: Option<OrOff<ResignRule>>,

    /// Draw at this full move of a game, or off.
    #[arg(long, value_name = "N", default_value = "400", value_parser = parse::max_moves,
          help_heading = "Adjudication")]
    pub max_moves: OrOff<u32>,

    /// Stop the run when more games than this end by a fault, after 20 games, or off.
    #[arg(long, value_name = "PERCENT", default_value = "10%", value_parser = parse::percentage,
          help_heading = "Schedule")]
    pub max_faults: OrOff<f64>,

    /// How long a program may say nothing, where no clock says it.
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = parse::duration,
          help_heading = "Limits")]
    pub hang: Duration,

    #[command(flatten)]
    pub(super) width: WidthFlags,
}

/// Flags that say how the work is spread; they do not change which games are played.
#[derive(Debug, Clone, Default, Args)]
pub struct WidthFlags {
    /// Games in flight [default: twice the slots; the slots when a program plays].
    #[arg(long, value_name = "N", help_heading = "Processors")]
    pub concurrency: Option<NonZeroUsize>,

    /// Processors to think on [default: the physical cores].
    #[arg(long, value_name = "N", help_heading = "Processors")]
    pub slots: Option<NonZeroUsize>,

    /// Let all games in flight advance together, instead of the earliest first.
    #[arg(long, help_heading = "Processors")]
    pub fair: bool,
}

/// How long players think; one of them, or 3,000 nodes.
#[derive(Debug, Clone, Args)]
#[group(multiple = false)]
struct LimitFlags {
    /// Nodes for each move [default: 3000].
    #[arg(long, value_name = "N", help_heading = "Limits")]
    nodes: Option<NonZeroU64>,

    /// Depth in plies for each move.
    #[arg(long, value_name = "N", help_heading = "Limits")]
    depth: Option<NonZeroU32>,

    /// Time for each move, like 100ms.
    #[arg(long, value_name = "TIME", value_parser = parse::movetime, help_heading = "Limits")]
    movetime: Option<Limit>,

    /// Time for the game in seconds, like 1+0.01, or for a number of moves, like 40/60.
    #[arg(long, value_name = "TC", value_parser = parse::time_control, help_heading = "Limits")]
    tc: Option<Limit>,
}

/// Both players of a match, ready to play; `None` where none was named.
#[derive(Debug, Clone, Default)]
pub struct ReadyPlayers {
    /// The reference build.
    pub base: Option<ReadyPlayer>,
    /// The change being judged.
    pub test: Option<ReadyPlayer>,
}

impl PlanFlags {
    /// Builds the players that have to be built.
    ///
    /// # Errors
    /// When one cannot be built.
    pub fn players(&self, cache: &Cache, say: &dyn Fn(&str)) -> Result<ReadyPlayers, BuildError> {
        let ready = |player: &Option<PlayerFlag>| {
            player.clone().map(|player| self.builds.ready(player, cache, say)).transpose()
        };
        Ok(ReadyPlayers { base: ready(&self.base)?, test: ready(&self.test)? })
    }

    /// The limit asked for, or the default.
    #[must_use]
    pub(super) fn limit(&self) -> Limit {
        let LimitFlags { nodes, depth, movetime, tc } = &self.limit;
        nodes
            .map(|nodes| Limit::Nodes(nodes.get()))
            .or_else(|| depth.map(|depth| Limit::Depth(depth.get())))
            .or(*movetime)
            .or(*tc)
            .unwrap_or(Limit::Nodes(3000))
    }
}
