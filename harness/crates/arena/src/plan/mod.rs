//! The command line, checked, as a value: everything that decides which games a match plays, and
//! how the work is spread. Nothing here plays or writes.

mod book;
pub mod check;
mod distinct;
mod names;
mod openings;
pub mod parse;
mod rebuilt;
mod scale;
mod side_overrides;
mod width;

pub use crate::plan::side_overrides::SideOverrides;
pub use book::shipped_book;
pub use check::MOST_SLOTS;
pub use distinct::distinct;
pub use names::{name, slug};
pub use openings::BookUse;
pub use parse::{
    OrOff, Size, duration_with_unit as read_duration, limit as read_limit, share as read_percentage,
};
pub use scale::TimeScale;
pub use width::WidthOverrides;

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use process::Error;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::build::BuildIdentity;
use crate::game::{
    Adjudication, AuditShare, GameRules, Limit, PlayerLimits, TablebaseResults, Tablebases,
};
use crate::is_default;
use crate::player::spec::PlayerSpec;
use crate::record::Side;
use crate::runner::{Pin, Width};
use crate::slots::Order;
use stats::Rule;

pub const EMBEDDED_HASH: Size = Size(1 << 20);

/// A checked match. Later additions to it are left out of its JSON where they have their default,
/// so that older runs still compare equal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    pub base: PlayerSpec,
    pub test: PlayerSpec,
    /// Set if this program built it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_build: Option<BuildIdentity>,
    /// Set if this program built it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub test_build: Option<BuildIdentity>,
    /// As typed for both: [`limits`](Plan::limits) are what is played.
    #[serde(flatten)]
    pub limit: Limit,
    /// For the times of `limit` and of one player's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale: Option<TimeScale>,
    #[serde(default, rename = "base_own", skip_serializing_if = "is_default")]
    pub base_overrides: SideOverrides,
    #[serde(default, rename = "test_own", skip_serializing_if = "is_default")]
    pub test_overrides: SideOverrides,
    /// Milliseconds forgiven at every move.
    pub time_margin_ms: u64,
    /// Milliseconds that a program may say nothing where no clock runs.
    pub hang_ms: u64,
    /// Milliseconds to start, and to get ready for a game; `None`: as long as programs usually
    /// need, at most `hang_ms`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub startup_ms: Option<u64>,
    /// Of each player; `None`: a program's own default.
    pub hash: Option<Size>,
    /// Fresh processes for every game.
    #[serde(default, skip_serializing_if = "is_default")]
    pub restart: bool,
    #[serde(default, skip_serializing_if = "is_default")]
    pub ponder: bool,
    /// `None`: the book in this program.
    pub book: Option<PathBuf>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub openings: BookUse,
    pub seed: u64,
    /// Pairs at most.
    pub pairs: u64,
    pub rule: Rule,
    /// Where the percentage of `rule` is from, if a ledger gave it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ledger: Option<LedgerTerms>,
    pub adjudication: Adjudication,
    /// Folders of endgame tablebases.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub syzygy: Vec<PathBuf>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub syzygy_results: TablebaseResults,
    /// Share of the adjudicated games, 0 to 1, that are played on to their end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub audit: Option<f64>,
    /// Share of games ended by faults, 0 to 1, above which the run stops.
    pub max_faults: Option<f64>,
    /// Whether more of each move is recorded ([`crate::record::MoveDetails`]).
    #[serde(default, skip_serializing_if = "is_default")]
    pub details: bool,
    /// For PGN; `None`: the run's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event: Option<String>,
    /// For PGN.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub site: Option<String>,
    pub concurrency: NonZeroUsize,
    /// Search threads, one for each processor used.
    pub slots: NonZeroUsize,
    pub fair: bool,
    #[serde(default, skip_serializing_if = "is_default")]
    pub pin: Pin,
    /// Folder for the traffic with programs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub traffic: Option<PathBuf>,
}

/// The terms of the ledger that said how sure a rule must be.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct LedgerTerms {
    /// The false-discovery rate, 0 to 1.
    pub fdr: f64,
    /// How many tests share half of it.
    pub tests: u64,
}

/// A run is resumed from wherever the user stands then.
pub fn absolute(path: PathBuf) -> PathBuf {
    std::path::absolute(&path).unwrap_or(path)
}

impl Plan {
    /// The same games, the work spread otherwise.
    pub fn with_width(self, flags: &WidthOverrides) -> Plan {
        let slots = flags.wanted_slots().unwrap_or(self.slots);
        let default = match slots == self.slots {
            true => self.concurrency,
            false => default_concurrency(slots, [&self.base, &self.test]),
        };
        Plan {
            concurrency: flags.concurrency.unwrap_or(default),
            slots,
            fair: flags.fair || self.fair,
            pin: flags.pin.clone().unwrap_or(self.pin),
            traffic: flags.traffic.clone().map(absolute).or(self.traffic),
            ..self
        }
    }

    pub fn to_json(&self) -> Result<Value, Error> {
        serde_json::to_value(self).map_err(|error| {
            Error::usage(format!(
                "the run's description cannot be written: {error}; expected paths in UTF-8"
            ))
        })
    }

    /// Checks a recorded plan's players again: files may be gone.
    pub fn recheck(self) -> Result<Plan, Error> {
        // What they are is kept by the run.
        check::player(Side::Base, self.base.clone())?;
        check::player(Side::Test, self.test.clone())?;
        self.check_width()?;
        Ok(self)
    }

    pub fn player(&self, side: Side) -> &PlayerSpec {
        side.choose(&self.base, &self.test)
    }

    pub fn build(&self, side: Side) -> Option<&BuildIdentity> {
        side.choose(self.base_build.as_ref(), self.test_build.as_ref())
    }

    /// What a player is called, if it was given a name.
    pub fn name(&self, side: Side) -> Option<&str> {
        self.overrides(side).name.as_deref()
    }

    /// The name in messages: its own, or its flag.
    pub fn called(&self, side: Side) -> String {
        self.name(side).map_or_else(|| format!("--{side}"), str::to_owned)
    }

    fn overrides(&self, side: Side) -> &SideOverrides {
        side.choose(&self.base_overrides, &self.test_overrides)
    }

    pub fn time_margin(&self, side: Side) -> Duration {
        Duration::from_millis(self.overrides(side).time_margin_ms.unwrap_or(self.time_margin_ms))
    }

    pub fn restarts(&self, side: Side) -> bool {
        self.restart || self.overrides(side).restart
    }

    pub fn rules(&self, tablebases: Option<Arc<Tablebases>>) -> GameRules {
        GameRules {
            limits: self.limits(),
            adjudication: self.adjudication,
            tablebases,
            tablebase_results: self.syzygy_results,
            audit: self.audit.map(|share| AuditShare { share, seed: self.seed }),
            details: self.details,
            time_margins: [self.time_margin(Side::Base), self.time_margin(Side::Test)],
            hang: Duration::from_millis(self.hang_ms),
            oversubscribed: None,
        }
    }

    pub fn adjudication_in_words(&self) -> String {
        let mut rules = self.adjudication.in_words();
        if !self.syzygy.is_empty() {
            rules.push("tablebase results".to_owned());
        }
        match rules.is_empty() {
            true => "no adjudication".to_owned(),
            false => format!("adjudication: {}", rules.join("; ")),
        }
    }

    /// Whether the same players always play the same game from an opening: no time counts.
    pub fn repeats_itself(&self) -> bool {
        let counts_time = |limit: Limit| match limit {
            Limit::Nodes(_) | Limit::Depth(_) => false,
            Limit::MovetimeMs(_) => true,
            Limit::Clock(control) => control.nodes_per_ms.is_none(),
        };
        let PlayerLimits { base, test } = self.limits();
        !counts_time(base) && !counts_time(test)
    }

    /// `None`: a program's own default.
    pub fn hash(&self, side: Side) -> Option<Size> {
        self.overrides(side).hash.or(self.hash)
    }

    pub fn embedded_hash(&self, side: Side) -> Size {
        self.hash(side).unwrap_or(EMBEDDED_HASH)
    }

    pub fn width(&self) -> Width {
        let order = if self.fair { Order::Fair } else { Order::LowestFirst };
        Width { concurrency: self.concurrency, slots: self.slots, order, pin: self.pin.clone() }
    }
}

/// The default `concurrency`: while a program thinks, its slot is not free for another game.
pub fn default_concurrency(slots: NonZeroUsize, players: [&PlayerSpec; 2]) -> NonZeroUsize {
    let embedded = players.iter().all(|player| player.is_embedded());
    slots.saturating_mul(NonZeroUsize::MIN.saturating_add(embedded.into()))
}

pub fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
