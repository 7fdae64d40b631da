//! The flags that make a plan, as typed.

use std::{
    num::{NonZeroU32, NonZeroU64, NonZeroUsize},
    path::PathBuf,
    sync::Arc,
    time::Duration,
};

use clap::Args;

use super::parse::{self, OrOff, Size};
use super::players::{BuildFlags, PlayerFlag, ReadyPlayer, StandIn};
use super::{Openings, Own, PlanError, millis};
use crate::{
    build::{BuildError, Cache, Hold, Wanted},
    game::{Adjudication, DrawRule, Limit, ResignRule, TablebaseResults},
    record::Side,
    runner::Pin,
    stats::Rule,
};

/// Flags of a match between two players.
// clap shows these comments as they are, brackets for optional parts included.
#[allow(rustdoc::broken_intra_doc_links)]
#[derive(Debug, Clone, Args)]
pub struct PlanFlags {
    /// The reference build: embedded[:personality][,param=value…], uci:PATH[,Option=value…],
    /// xboard:PATH[,Option=value…], git:REV[,Option=value…] or workdir[,Option=value…]; a path or name
    /// alone is a UCI program. Of programs also arg=WORD, again for each word of its command line, and
    /// dir=FOLDER to run in. A comma in a value is written \, (in a shell between quotes: 'arg=a\,b')
    /// [default: embedded:default; without --test the demonstration's].
    #[arg(long, value_name = "SPEC", help_heading = "Players")]
    pub base: Option<PlayerFlag>,

    /// The change being judged; all results are test minus base [default: workdir against a git:REV,
    /// else embedded:default].
    #[arg(long, value_name = "SPEC", help_heading = "Players")]
    pub test: Option<PlayerFlag>,

    #[command(flatten)]
    pub(super) base_own: BaseFlags,

    #[command(flatten)]
    pub(super) test_own: TestFlags,

    #[command(flatten)]
    pub(super) match_flags: MatchFlags,
}

/// What is base's own.
#[derive(Debug, Clone, Args)]
pub(super) struct BaseFlags {
    /// Base's limit where it is not that of both: nodes=N, depth=N, movetime=100ms or tc=1+0.01.
    #[arg(long, value_name = "LIMIT", value_parser = parse::limit, help_heading = "Limits")]
    base_limit: Option<Limit>,

    /// Base's hash table where it is not that of both.
    #[arg(long, value_name = "SIZE", help_heading = "Players")]
    base_hash: Option<Size>,

    /// What base is called in tables and PGN [default: its own name].
    #[arg(long, value_name = "NAME", help_heading = "Players")]
    base_name: Option<String>,

    /// Forgiven at every move of base where it is not what is forgiven both.
    #[arg(long, value_name = "TIME", value_parser = parse::duration_with_unit,
          help_heading = "Limits")]
    base_margin: Option<Duration>,

    /// Start base anew for every game, and the other only if --restart says so.
    #[arg(long, help_heading = "Players")]
    base_restart: bool,
}

/// What is test's own.
#[derive(Debug, Clone, Args)]
pub(super) struct TestFlags {
    /// Test's limit where it is not that of both: time odds are --test-limit tc=2+0.02.
    #[arg(long, value_name = "LIMIT", value_parser = parse::limit, help_heading = "Limits")]
    test_limit: Option<Limit>,

    /// Test's hash table where it is not that of both.
    #[arg(long, value_name = "SIZE", help_heading = "Players")]
    test_hash: Option<Size>,

    /// What test is called in tables and PGN [default: its own name].
    #[arg(long, value_name = "NAME", help_heading = "Players")]
    test_name: Option<String>,

    /// Forgiven at every move of test where it is not what is forgiven both.
    #[arg(long, value_name = "TIME", value_parser = parse::duration_with_unit,
          help_heading = "Limits")]
    test_margin: Option<Duration>,

    /// Start test anew for every game, and the other only if --restart says so.
    #[arg(long, help_heading = "Players")]
    test_restart: bool,
}

impl From<BaseFlags> for Own {
    fn from(flags: BaseFlags) -> Own {
        Own {
            limit: flags.base_limit,
            hash: flags.base_hash,
            name: flags.base_name,
            time_margin_ms: flags.base_margin.map(millis),
            restart: flags.base_restart,
        }
    }
}

impl From<TestFlags> for Own {
    fn from(flags: TestFlags) -> Own {
        Own {
            limit: flags.test_limit,
            hash: flags.test_hash,
            name: flags.test_name,
            time_margin_ms: flags.test_margin.map(millis),
            restart: flags.test_restart,
        }
    }
}

/// Flags of everything that plays matches, whoever plays.
#[allow(rustdoc::broken_intra_doc_links)]
#[derive(Debug, Clone, Args)]
pub struct MatchFlags {
    /// An option of both players, as if it stood in their specs; may be given again.
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = parse::option,
          help_heading = "Players")]
    pub(super) options: Vec<(String, String)>,

    #[command(flatten)]
    builds: BuildFlags,

    /// Hash table of each player, like 256KiB or 16MB [default: 1MiB for embedded players, what they have
    /// by themselves for programs].
    #[arg(long, value_name = "SIZE", help_heading = "Players")]
    pub hash: Option<Size>,

    /// Start every program anew for every game.
    #[arg(long, help_heading = "Players")]
    pub restart: bool,

    /// Let programs think in the opponent's time; a game then keeps two processors busy.
    #[arg(long, help_heading = "Players")]
    pub ponder: bool,

    #[command(flatten)]
    limit: LimitFlags,

    /// Clocks count nodes instead of time, so many for a millisecond: games on a clock that can be
    /// repeated. Programs need an option nodestime (xboard: nps=1).
    #[arg(long, value_name = "NODES", value_parser = parse::nodes_per_ms, help_heading = "Limits")]
    pub nodes_clock: Option<NonZeroU64>,

    /// Times are meant for a machine on whose every slot `mutineer bench 6` reaches so many nodes a second
    /// with all slots at work: that is measured here first, and times are multiplied, so that fast and
    /// slow machines search alike. Margins stay as they are.
    #[arg(long, value_name = "NPS", help_heading = "Limits")]
    pub scale_to: Option<NonZeroU64>,

    /// Forgiven at every move before it is a loss on time, like 100ms.
    #[arg(long, value_name = "TIME", default_value = "50ms",
          value_parser = parse::duration_with_unit,
          help_heading = "Limits")]
    pub time_margin: Duration,

    /// Openings: .epd, .fen, .pgn (games to their last move) or Polyglot's .bin (every line to its end,
    /// to a position that it has had, or to 512 plies; each position once), plain or as .gz, .zst, .zip;
    /// plain files from 16 MiB on are checked only as they are played, bad entries passed over
    /// [default: the book in this program].
    #[arg(long, value_name = "FILE", help_heading = "Schedule")]
    pub book: Option<PathBuf>,

    #[command(flatten)]
    pub(super) openings: OpeningFlags,

    /// Seed of everything random: the order of openings, the games that are audited.
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Schedule")]
    pub seed: u64,

    /// Pairs of games at most: one opening, both colours [default: the rule's number, else 200;
    /// 20000 with an SPRT].
    #[arg(long, visible_alias = "rounds", value_name = "N", value_parser = parse::pairs,
          help_heading = "Schedule")]
    pub pairs: Option<NonZeroU64>,

    /// What decides the match: los=95[,pairs=N], sprt=ELO0,ELO1[,alpha=,beta=,model=] (normalized,
    /// logistic, or bayeselo, of single games) or anytime=5% [default: los=95].
    #[arg(long, value_name = "RULE", allow_hyphen_values = true, help_heading = "Schedule")]
    pub rule: Option<Rule>,

    #[command(flatten)]
    pub(super) adjudication: AdjudicationFlags,

    /// Stop the run when more games than this end by a fault, from the 20th of a sitting on, or when 5
    /// in a row do not begin; a run that comes to its end is judged by it, however short; or off. Games
    /// that the harness spoils by its own lateness and plays again are no faults.
    #[arg(long, value_name = "PERCENT", default_value = "10%", value_parser = parse::percentage,
          help_heading = "Schedule")]
    pub max_faults: OrOff<f64>,

    /// How long a player may say nothing, where no clock says it, like 90s or 1m30s.
    #[arg(long, value_name = "TIME", default_value = "60s",
          value_parser = parse::duration_with_unit,
          help_heading = "Limits")]
    pub hang: Duration,

    /// How long a program may take to start, and to get ready for a game [default: 20s, and 30s to
    /// get ready, but not longer than --hang], like 1m30s.
    #[arg(long, value_name = "TIME", value_parser = parse::duration_with_unit,
          help_heading = "Limits")]
    pub startup: Option<Duration>,

    /// Record what is left on the clock, selective depth, hash fullness, table-base hits and variation
    /// of every move, for the PGN, and look into the variations; at 2,000 nodes a move the journal is
    /// three times as long.
    #[arg(long, help_heading = "Output")]
    pub details: bool,

    /// The event in the PGN [default: the run's name].
    #[arg(long, value_name = "TEXT", help_heading = "Output")]
    pub event: Option<String>,

    /// The site in the PGN.
    #[arg(long, value_name = "TEXT", help_heading = "Output")]
    pub site: Option<String>,

    #[command(flatten)]
    pub(super) width: WidthFlags,
}

/// Flags that choose openings from the book.
#[derive(Debug, Clone, Args)]
pub(super) struct OpeningFlags {
    /// Play Chess960 from its 960 start positions; a book of such positions does it, too.
    #[arg(long, conflicts_with = "book", help_heading = "Schedule")]
    chess960: bool,

    /// Openings in the book's order or shuffled by the seed.
    #[arg(
        long,
        value_name = "ORDER",
        default_value = "random",
        value_enum,
        help_heading = "Schedule"
    )]
    order: OrderFlag,

    /// Pass over so many openings of that order; the book is gone through again at its end.
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Schedule")]
    opening_offset: u64,

    /// Take so many plies of each game of a PGN book, of each line of a Polyglot book [default: all].
    #[arg(long, value_name = "N", help_heading = "Schedule")]
    opening_plies: Option<NonZeroU32>,
}

/// An order of openings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum OrderFlag {
    /// Shuffled by the seed, each once before any comes again.
    Random,
    /// As the book has them.
    Sequential,
}

impl From<OpeningFlags> for Openings {
    fn from(flags: OpeningFlags) -> Openings {
        Openings {
            chess960: flags.chess960,
            sequential: flags.order == OrderFlag::Sequential,
            offset: flags.opening_offset,
            plies: flags.opening_plies.map(u32::from),
        }
    }
}

/// Flags that end games early.
#[allow(rustdoc::broken_intra_doc_links)]
#[derive(Debug, Clone, Args)]
pub(super) struct AdjudicationFlags {
    /// Draw when both players see nothing for long: movenumber=40,movecount=8,score=10 or off
    /// [default: those numbers]. Not before that full move of the game, counted as for --max-moves.
    #[arg(long, value_name = "RULE", value_parser = parse::draw_rule, help_heading = "Adjudication")]
    draw: Option<OrOff<DrawRule>>,

    /// Loss when a player sees itself lost for long: movecount=3,score=500[,twosided] or off
    /// [default: movecount=3,score=500,twosided].
    #[arg(long, value_name = "RULE", value_parser = parse::resign_rule,
          help_heading = "Adjudication")]
    resign: Option<OrOff<ResignRule>>,

    /// Draw when this full move of a game is over, or off. Moves have the numbers that a PGN shows:
    /// the opening's moves and its start position's move counter count. An EPD without `fmvn` begins
    /// at move 1.
    #[arg(long, value_name = "N", default_value = "400", value_parser = parse::max_moves,
          help_heading = "Adjudication")]
    max_moves: OrOff<u32>,

    /// End a game by its result in Syzygy tablebases (WDL and DTZ) in this folder; may be given
    /// again.
    #[arg(long, value_name = "DIR", help_heading = "Adjudication")]
    pub(super) syzygy: Vec<PathBuf>,

    /// Which of the results that tablebases know end a game.
    #[arg(
        long,
        value_name = "RESULTS",
        value_enum,
        default_value_t,
        requires = "syzygy",
        help_heading = "Adjudication"
    )]
    pub(super) syzygy_results: TablebaseResults,

    /// Play this share of the adjudicated games to their end all the same, to see how often
    /// adjudication is wrong; results stay as adjudicated.
    #[arg(long, value_name = "PERCENT", value_parser = parse::percentage,
          help_heading = "Adjudication")]
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

/// Flags that say how the work is spread; they do not change which games are played.
#[derive(Debug, Clone, Default, Args)]
pub struct WidthFlags {
    /// Games in flight, at most 4096 [default: twice the slots; the slots when a program plays].
    #[arg(long, value_name = "N", help_heading = "Processors")]
    pub concurrency: Option<NonZeroUsize>,

    /// Processors to think on, at most 1024 [default: the physical cores].
    #[arg(long, value_name = "N", help_heading = "Processors")]
    pub slots: Option<NonZeroUsize>,

    /// Let all games in flight advance together, instead of the earliest first.
    #[arg(long, help_heading = "Processors")]
    pub fair: bool,

    /// Keep each slot, and the programs that think in it, to a processor of its own, of all or of
    /// these: 2,3 or 0-3; as many slots as it names, unless --slots says otherwise. Or "off".
    #[arg(long, value_name = "PROCESSORS", num_args = 0..=1, default_missing_value = "all",
          help_heading = "Processors")]
    pub pin: Option<Pin>,

    /// Write all that is said to programs and by them into this folder, a file for each process; of
    /// faults the traffic is kept anyway.
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub traffic: Option<PathBuf>,
}

impl WidthFlags {
    /// As many slots as were asked for, by number or by the processors that they keep to.
    pub(super) fn wanted_slots(&self) -> Option<NonZeroUsize> {
        let named = match &self.pin {
            Some(Pin::These(these)) => NonZeroUsize::new(these.len()),
            None | Some(Pin::Off | Pin::All) => None,
        };
        self.slots.or(named)
    }
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

impl ReadyPlayers {
    /// What keeps the players' builds where they are.
    #[must_use]
    pub fn holds(&self) -> Vec<Arc<Hold>> {
        let players = [&self.base, &self.test].into_iter().flatten();
        players.filter_map(|player| player.hold.clone()).collect()
    }
}

impl PlanFlags {
    /// Builds the players that have to be built.
    ///
    /// # Errors
    /// When one cannot be built.
    pub fn players(&self, cache: &Cache, say: &dyn Fn(&str)) -> Result<ReadyPlayers, BuildError> {
        let ready = |player: &Option<PlayerFlag>| {
            player.clone().map(|player| self.match_flags.ready(player, cache, say)).transpose()
        };
        Ok(ReadyPlayers { base: ready(&self.base)?, test: ready(&self.judged())? })
    }

    /// Test as typed; against a commit it is the work tree unless something else is said.
    fn judged(&self) -> Option<PlayerFlag> {
        let against_commit =
            matches!(self.base, Some(PlayerFlag::Build { wanted: Wanted::Revision(_), .. }));
        let work_tree = || PlayerFlag::Build { wanted: Wanted::WorkTree, rest: String::new() };
        self.test.clone().or_else(|| against_commit.then(work_tree))
    }

    /// The players without building any, and the sides that need no building.
    ///
    /// # Errors
    /// When what one is to be built of is not there.
    pub fn stand_ins(&self) -> Result<(ReadyPlayers, Vec<Side>), BuildError> {
        let of = |player: &Option<PlayerFlag>| {
            player.clone().map(|player| self.match_flags.stand_in(player)).transpose()
        };
        let (base, test) = (of(&self.base)?, of(&self.judged())?);
        let is_there =
            |player: &Option<StandIn>| player.as_ref().is_none_or(|player| !player.to_build);
        let sides = [(Side::Base, is_there(&base)), (Side::Test, is_there(&test))];
        let sides = sides.into_iter().filter_map(|(side, there)| there.then_some(side)).collect();
        let player = |player: Option<StandIn>| player.map(|it| it.player);
        Ok((ReadyPlayers { base: player(base), test: player(test) }, sides))
    }
}

impl MatchFlags {
    /// Builds a player, if it has to be.
    ///
    /// # Errors
    /// When it cannot be built.
    pub fn ready(
        &self,
        player: PlayerFlag,
        cache: &Cache,
        say: &dyn Fn(&str),
    ) -> Result<ReadyPlayer, BuildError> {
        self.builds.ready(player, cache, say)
    }

    /// A player, or something in its place if it is to be built.
    ///
    /// # Errors
    /// When what it is to be built of is not there.
    pub fn stand_in(&self, player: PlayerFlag) -> Result<StandIn, BuildError> {
        self.builds.stand_in(player)
    }

    /// The limit asked for, or the default.
    pub(super) fn limit(&self) -> Result<Limit, PlanError> {
        let LimitFlags { nodes, depth, movetime, tc } = &self.limit;
        let limit = nodes
            .map(|nodes| Limit::Nodes(nodes.get()))
            .or_else(|| depth.map(|depth| Limit::Depth(depth.get())))
            .or(*movetime)
            .or(*tc)
            .unwrap_or(Limit::Nodes(3000));
        match (limit, self.nodes_clock) {
            (Limit::Nodes(_) | Limit::Depth(_) | Limit::MovetimeMs(_), Some(nodes)) => {
                Err(PlanError::NoClock(nodes))
            }
            (limit, _) => Ok(self.counting(limit)),
        }
    }

    /// What is a player's own, its clock counting nodes if the others do.
    pub(super) fn own(&self, own: Own) -> Own {
        Own { limit: own.limit.map(|limit| self.counting(limit)), ..own }
    }

    fn counting(&self, limit: Limit) -> Limit {
        match limit {
            Limit::Clock(mut control) => {
                control.nodes_per_ms = self.nodes_clock;
                Limit::Clock(control)
            }
            other => other,
        }
    }
}
