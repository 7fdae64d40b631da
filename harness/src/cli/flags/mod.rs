//! The flags that make a plan, as typed.

mod adjudication;
mod fleet;
mod plan;
mod players;

pub use fleet::{BuildsFlag, FleetFlags};
pub use players::{PlayerFlag, ReadyPlayer};

use std::num::{NonZeroU32, NonZeroU64, NonZeroUsize};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;

use adjudication::AdjudicationFlags;
use arena::build::{Cache, Hold, Wanted};
use arena::game::{Limit, TimeControl};
use arena::plan::parse::{self, OrOff, Size};
use arena::plan::{BookUse, SideOverrides, WidthOverrides, millis};
use arena::record::Side;
use arena::runner::Pin;
use players::BuildFlags;
use process::Error;

/// Flags of a match between two players.
// clap shows these comments as they are, brackets for optional parts included.
#[allow(rustdoc::broken_intra_doc_links)]
#[derive(Debug, Clone, Args)]
pub struct PlanFlags {
    /// The reference engine: embedded[:personality][,param=value…], uci:PATH[,Option=value…],
    /// xboard:PATH[,Option=value…], git:REV[,Option=value…] or workdir[,Option=value…]. A path or name
    /// alone is a UCI program [default: embedded:default; for the demonstration
    /// embedded:default,search.hash_cutoffs=false].
    ///
    /// A program also takes arg=WORD, an argument of its command line (may be repeated), and dir=FOLDER,
    /// its working directory. Write a comma in a value as \, and put it in quotes: 'arg=a\,b'.
    #[arg(long, value_name = "SPEC", help_heading = "Players")]
    pub base: Option<PlayerFlag>,

    /// The engine under test, named as for --base. All results are test minus base [default: workdir if
    /// base is git:REV, else embedded:default].
    #[arg(long, value_name = "SPEC", help_heading = "Players")]
    pub test: Option<PlayerFlag>,

    #[command(flatten)]
    pub(super) base_own: BaseFlags,

    #[command(flatten)]
    pub(super) test_own: TestFlags,

    #[command(flatten)]
    pub(super) match_flags: MatchFlags,
}

/// Flags for one side only.
macro_rules! side_flags {
    ($flags:ident, $side:literal, $odds:literal) => {
        #[derive(Debug, Clone, Args)]
        pub(super) struct $flags {
            #[arg(id = concat!($side, "_limit"), long = concat!($side, "-limit"),
                  value_name = "LIMIT", value_parser = parse::limit, help_heading = "Limits",
                  help = concat!("Limit for ", $side, " only, instead of the limit of both", $odds))]
            limit: Option<Limit>,

            #[arg(id = concat!($side, "_hash"), long = concat!($side, "-hash"),
                  value_name = "SIZE", help_heading = "Players",
                  help = concat!("Hash size for ", $side, " only; overrides --hash"))]
            hash: Option<Size>,

            #[arg(id = concat!($side, "_name"), long = concat!($side, "-name"),
                  value_name = "NAME", help_heading = "Players",
                  help = concat!("Name of ", $side, " in tables and PGN [default: its own name]"))]
            name: Option<String>,

            #[arg(id = concat!($side, "_margin"), long = concat!($side, "-margin"),
                  value_name = "TIME", value_parser = parse::duration_with_unit,
                  help_heading = "Limits",
                  help = concat!("Time margin for ", $side, " only; overrides --time-margin"))]
            margin: Option<Duration>,

            #[arg(id = concat!($side, "_restart"), long = concat!($side, "-restart"),
                  help_heading = "Players",
                  help = concat!("Restart ", $side, " before every game (--restart: both engines)"))]
            restart: bool,
        }

        impl From<$flags> for SideOverrides {
            fn from($flags { limit, hash, name, margin, restart }: $flags) -> SideOverrides {
                SideOverrides { limit, hash, name, time_margin_ms: margin.map(millis), restart }
            }
        }
    };
}

side_flags!(BaseFlags, "base", ": nodes=N, depth=N, movetime=100ms or tc=1+0.01");
side_flags!(TestFlags, "test", "; time odds: --test-limit tc=2+0.02");

/// Flags that all commands with matches share.
#[allow(rustdoc::broken_intra_doc_links)]
#[derive(Debug, Clone, Args)]
pub struct MatchFlags {
    /// Engine option for both players, as if written in their specs. May be repeated.
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = parse::option,
          help_heading = "Players")]
    pub(super) options: Vec<(String, String)>,

    #[command(flatten)]
    builds: BuildFlags,

    /// Hash size of each player, like 256KiB or 16MB [default: 1MiB for embedded players; a program keeps
    /// its own default].
    #[arg(long, value_name = "SIZE", help_heading = "Players")]
    pub hash: Option<Size>,

    /// Restart the engines before every game.
    #[arg(long, help_heading = "Players")]
    pub restart: bool,

    /// Ponder: programs think in the opponent's time. Each game then uses two processors.
    #[arg(long, help_heading = "Players")]
    pub ponder: bool,

    #[command(flatten)]
    limit: LimitFlags,

    /// Clocks count nodes instead of time: NODES nodes are one millisecond. Games on a clock become
    /// reproducible. Programs need the option nodestime (xboard: the feature nps=1).
    #[arg(long, value_name = "NODES", value_parser = parse::nodes_per_ms, help_heading = "Limits")]
    pub nodes_clock: Option<NonZeroU64>,

    /// Scale times to a reference machine, so that fast and slow machines search alike. NPS is the nodes
    /// per second of `mutineer bench 6` there, per search thread, with all search threads busy. This
    /// machine is measured before the first game. Time margins are not scaled.
    #[arg(long, value_name = "NPS", help_heading = "Limits")]
    pub scale_to: Option<NonZeroU64>,

    /// Time margin: overrun of the clock per move that does not lose on time, like 100ms.
    #[arg(long, value_name = "TIME", default_value = "50ms",
          value_parser = parse::duration_with_unit,
          help_heading = "Limits")]
    pub time_margin: Duration,

    /// Opening book: .epd, .fen, .pgn or Polyglot .bin, also compressed (.gz, .bz2, .zst, .xz, .zip)
    /// [default: the included book].
    ///
    /// PGN games are played to their last move, Polyglot lines to their end (at the first repetition, at
    /// most 512 plies; each final position once). Uncompressed files of 16 MiB or more are checked while
    /// they are played: a bad entry is skipped.
    #[arg(long, value_name = "FILE", help_heading = "Schedule")]
    pub book: Option<PathBuf>,

    #[command(flatten)]
    pub(super) openings: OpeningFlags,

    /// Random seed: the order of openings, the choice of audited games.
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Schedule")]
    pub seed: u64,

    /// Largest number of pairs; a pair is one opening played with both colours [default: the rule's
    /// pairs=N, else 20000 with sprt or anytime, else 200].
    #[arg(long, visible_alias = "rounds", value_name = "N", value_parser = parse::pairs,
          help_heading = "Schedule")]
    pub pairs: Option<NonZeroU64>,

    /// Stopping rule: los=95[,pairs=N], sprt=ELO0,ELO1[,alpha=P,beta=P,model=M], anytime=5% or
    /// anytime=ledger[:DIR][,fdr=5%,tests=100] [default: los=95].
    ///
    /// los decides once, after all pairs. sprt stops at its LLR bounds; alpha and beta are 0.05, the model
    /// is normalized (as in fastchess), logistic (as in cutechess-cli) or bayeselo (by single games).
    /// anytime is a sequential test by e-values: it accepts an equal engine in at most 5 % of matches,
    /// however early it stops. It bets on effects of 1 to 20 Elo (,bets=effects, the default) or, as in older
    /// runs, by fixed shares of its capital (,bets=shares). anytime=ledger takes its percentage from the runs
    /// in results/ or DIR: what the false-discovery rate of `verdict ledger` leaves to the next test. fdr and
    /// tests are its --fdr and --tests.
    #[arg(long, value_name = "RULE", allow_hyphen_values = true, value_parser = super::ledger::rule,
          help_heading = "Schedule")]
    pub(in crate::cli) rule: Option<super::ledger::AskedRule>,

    #[command(flatten)]
    adjudication: AdjudicationFlags,

    /// Stop the run when more than this share of its games end by a fault; or off.
    ///
    /// Checked from 20 games on, counted from the start or the resume of the run. A finished run above the
    /// limit is VOID, however short. 5 games in a row that cannot start also stop the run. Games that
    /// verdict itself delayed are played again and are not faults.
    #[arg(long, value_name = "PERCENT", default_value = "10%", value_parser = parse::percentage,
          help_heading = "Schedule")]
    pub max_faults: OrOff<f64>,

    /// Longest time for an answer when no clock limits it, like 90s or 1m30s.
    #[arg(long, value_name = "TIME", default_value = "60s",
          value_parser = parse::duration_with_unit,
          help_heading = "Limits")]
    pub hang: Duration,

    /// Longest time for an engine to start and to answer `isready` or `ping`, like 1m30s [default: 20s to
    /// start, 30s to get ready, but not longer than --hang].
    #[arg(long, value_name = "TIME", value_parser = parse::duration_with_unit,
          help_heading = "Limits")]
    pub startup: Option<Duration>,

    /// Record the clock, selective depth, hash fullness, tablebase hits and PV of every move, also in the
    /// PGN, and check the PVs. The journal grows about threefold (at 2,000 nodes a move).
    #[arg(long, help_heading = "Output")]
    pub details: bool,

    /// Event tag of the PGN [default: the run's name].
    #[arg(long, value_name = "TEXT", help_heading = "Output")]
    pub event: Option<String>,

    /// Site tag of the PGN.
    #[arg(long, value_name = "TEXT", help_heading = "Output")]
    pub site: Option<String>,

    #[command(flatten)]
    pub(super) width: WidthFlags,
}

/// Flags that choose openings from the book.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Schedule")]
pub(super) struct OpeningFlags {
    /// Play Chess960 from its 960 start positions. A --book of Chess960 positions needs no flag.
    #[arg(long, conflicts_with = "book")]
    chess960: bool,

    /// Order of the openings.
    #[arg(long, value_name = "ORDER", default_value = "random", value_enum)]
    order: OrderFlag,

    /// Skip the first N openings of that order. At its end the book starts again.
    #[arg(long, value_name = "N", default_value_t = 0)]
    opening_offset: u64,

    /// Play the first N plies of each PGN game or Polyglot line [default: all].
    #[arg(long, value_name = "N")]
    opening_plies: Option<NonZeroU32>,
}

/// An order of openings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum OrderFlag {
    /// Shuffled by --seed; each opening once before any is repeated.
    Random,
    /// In the order of the book.
    Sequential,
}

impl From<OpeningFlags> for BookUse {
    fn from(flags: OpeningFlags) -> BookUse {
        BookUse {
            chess960: flags.chess960,
            sequential: flags.order == OrderFlag::Sequential,
            offset: flags.opening_offset,
            plies: flags.opening_plies.map(u32::from),
        }
    }
}

/// Flags that spread the work over processors; they do not change which games are played.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Processors")]
pub struct WidthFlags {
    /// Games at once, at most 4096 [default: one per search thread; two per search thread if both
    /// players are embedded].
    #[arg(long, value_name = "N")]
    pub concurrency: Option<NonZeroUsize>,

    /// Search threads: games in which an engine thinks at the same time, at most 1024 [default: the physical
    /// cores; half of them with --ponder]. 0 with --fleet: only other machines play.
    #[arg(long, value_name = "N")]
    pub slots: Option<usize>,

    /// Advance all open games evenly. Without it the oldest game has priority.
    #[arg(long)]
    pub fair: bool,

    /// Pin each search thread and its engines to a processor of its own: all, off, or a list like 2,3 or
    /// 0-3. A list also sets --slots, unless that is given.
    #[arg(long, value_name = "PROCESSORS", num_args = 0..=1, default_missing_value = "all")]
    pub pin: Option<Pin>,

    /// Write all engine input and output into this folder, one file per process. The traffic of a
    /// fault is saved without this flag, too.
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub traffic: Option<PathBuf>,

    #[command(flatten)]
    pub fleet: FleetFlags,
}

impl WidthFlags {
    /// Whether this machine plays, beside others.
    pub fn plays_here(&self) -> bool {
        self.slots != Some(0)
    }

    /// How it is said after another command that the same machines play; empty: this one.
    pub fn who_plays(&self) -> String {
        let fleet = self.fleet.shown();
        if self.plays_here() || fleet.is_empty() { fleet } else { format!("{fleet} --slots 0") }
    }
}

impl From<&WidthFlags> for WidthOverrides {
    fn from(flags: &WidthFlags) -> WidthOverrides {
        let WidthFlags { concurrency, slots, fair, pin, traffic, fleet: _ } = flags.clone();
        let slots = slots.and_then(NonZeroUsize::new);
        WidthOverrides { concurrency, slots, fair, pin, traffic }
    }
}

/// The limit per move: one of these flags, or 3,000 nodes.
#[derive(Debug, Clone, Args)]
#[group(multiple = false)]
struct LimitFlags {
    /// Nodes per move [default: 3000].
    #[arg(long, value_name = "N", help_heading = "Limits")]
    nodes: Option<NonZeroU64>,

    /// Search depth per move, in plies.
    #[arg(long, value_name = "N", help_heading = "Limits")]
    depth: Option<NonZeroU32>,

    /// Time per move, like 100ms.
    #[arg(long, value_name = "TIME", value_parser = parse::movetime, help_heading = "Limits")]
    movetime: Option<Limit>,

    /// Time control in seconds: base+increment like 8+0.08, or moves/time like 40/60.
    #[arg(long, value_name = "TC", value_parser = parse::time_control, help_heading = "Limits")]
    tc: Option<Limit>,
}

/// Both players of a match, ready to play; `None` where none was named.
#[derive(Debug, Clone, Default)]
pub struct ReadyPlayers {
    pub base: Option<ReadyPlayer>,
    pub test: Option<ReadyPlayer>,
}

impl ReadyPlayers {
    /// Holds that keep the players' builds from being pruned.
    pub fn holds(&self) -> Vec<Arc<Hold>> {
        let players = [&self.base, &self.test].into_iter().flatten();
        players.filter_map(|player| player.hold.clone()).collect()
    }
}

impl PlanFlags {
    /// Builds the players that have to be built.
    pub fn players(&self, cache: &Cache, say: &dyn Fn(&str)) -> Result<ReadyPlayers, Error> {
        let ready = |player: &Option<PlayerFlag>| {
            player.clone().map(|player| self.match_flags.ready(player, cache, say)).transpose()
        };
        Ok(ReadyPlayers { base: ready(&self.base)?, test: ready(&self.judged())? })
    }

    /// Test as typed; without `--test` it is the working tree if base is a commit.
    fn judged(&self) -> Option<PlayerFlag> {
        let against_commit =
            matches!(self.base, Some(PlayerFlag::Build { wanted: Wanted::Revision(_), .. }));
        let work_tree = || PlayerFlag::Build { wanted: Wanted::WorkTree, rest: String::new() };
        self.test.clone().or_else(|| against_commit.then(work_tree))
    }

    /// The players without building any, and the sides that need no building.
    pub fn stand_ins(&self) -> Result<(ReadyPlayers, Vec<Side>), Error> {
        let of = |player: Option<PlayerFlag>| {
            player.map(|player| self.match_flags.stand_in(player)).transpose()
        };
        let (base, test) = (of(self.base.clone())?, of(self.judged())?);
        let is_there =
            |player: &Option<ReadyPlayer>| !player.as_ref().is_some_and(|it| it.is_stand_in);
        let sides = [(Side::Base, is_there(&base)), (Side::Test, is_there(&test))];
        let sides = sides.into_iter().filter_map(|(side, there)| there.then_some(side)).collect();
        Ok((ReadyPlayers { base, test }, sides))
    }
}

impl MatchFlags {
    pub(super) fn limit(&self) -> Result<Limit, Error> {
        let LimitFlags { nodes, depth, movetime, tc } = &self.limit;
        let limit = nodes
            .map(|nodes| Limit::Nodes(nodes.get()))
            .or_else(|| depth.map(|depth| Limit::Depth(depth.get())))
            .or(*movetime)
            .or(*tc)
            .unwrap_or(Limit::Nodes(3000));
        match (limit, self.nodes_clock) {
            (Limit::Nodes(_) | Limit::Depth(_) | Limit::MovetimeMs(_), Some(nodes)) => {
                Err(Error::usage(format!(
                    "--nodes-clock {nodes} nodes/ms: expected a clock, like --tc 1+0.01"
                )))
            }
            (limit, _) => Ok(self.counting(limit)),
        }
    }

    /// A side's overrides; its clock counts nodes if `--nodes-clock` is given.
    pub(super) fn own(&self, own: SideOverrides) -> SideOverrides {
        SideOverrides { limit: own.limit.map(|limit| self.counting(limit)), ..own }
    }

    fn counting(&self, limit: Limit) -> Limit {
        match limit {
            Limit::Clock(control) => {
                Limit::Clock(TimeControl { nodes_per_ms: self.nodes_clock, ..control })
            }
            other => other,
        }
    }
}
