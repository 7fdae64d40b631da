//! The command line, checked, as a value: everything that decides which games a match plays, and
//! how the work is spread. Nothing here plays or writes.

mod book;
pub mod check;
mod distinct;
mod error;
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
pub use error::PlanError;
pub use names::{name, slug};
pub use openings::Openings;
pub use parse::{
    OrOff, Size, duration_with_unit as read_duration, limit as read_limit, share as read_percentage,
};
pub use scale::Scale;
pub use width::WidthOverrides;

use std::{num::NonZeroUsize, path::PathBuf, sync::Arc, time::Duration};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::is_default;
use crate::{
    build::BuildIdentity,
    game::{
        Adjudication, AuditShare, GameRules, Limit, PlayerLimits, TablebaseResults, Tablebases,
    },
    player::spec::PlayerSpec,
    record::Side,
    runner::{Pin, Width},
    slots::Order,
};
use stats::Rule;

/// Hash of an embedded player unless the plan says otherwise.
pub const EMBEDDED_HASH: Size = Size(1 << 20);

/// A checked match. Later additions to it are left out of its JSON where they have their default,
/// so that older runs can still be told to be the same.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// The reference build.
    pub base: PlayerSpec,
    /// The change being judged.
    pub test: PlayerSpec,
    /// What base was built from, if this program built it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_build: Option<BuildIdentity>,
    /// What test was built from, if this program built it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub test_build: Option<BuildIdentity>,
    /// How long both think, as typed: [`limits`](Plan::limits) are what is played.
    #[serde(flatten)]
    pub limit: Limit,
    /// What its times, and those of one player's own, are meant for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale: Option<Scale>,
    /// Where base differs from what holds for both.
    #[serde(default, skip_serializing_if = "is_default")]
    pub base_own: SideOverrides,
    /// Where test differs from what holds for both.
    #[serde(default, skip_serializing_if = "is_default")]
    pub test_own: SideOverrides,
    /// Forgiven at every move, in milliseconds.
    pub time_margin_ms: u64,
    /// How long a program may say nothing where no clock says it, in milliseconds.
    pub hang_ms: u64,
    /// How long a program may take to start, and to get ready for a game, in milliseconds; `None`: as
    /// long as programs usually need, and at most as long as it may say nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub startup_ms: Option<u64>,
    /// Hash of each player; `None`: a program's own default.
    pub hash: Option<Size>,
    /// Whether every game has fresh processes.
    #[serde(default, skip_serializing_if = "is_default")]
    pub restart: bool,
    /// Whether programs think in the opponent's time.
    #[serde(default, skip_serializing_if = "is_default")]
    pub ponder: bool,
    /// The openings' file; `None`: the book in this program.
    pub book: Option<PathBuf>,
    /// How the openings are chosen from it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub openings: Openings,
    /// Seed of everything random.
    pub seed: u64,
    /// Pairs at most.
    pub pairs: u64,
    /// What decides.
    pub rule: Rule,
    /// Early ends of games.
    pub adjudication: Adjudication,
    /// Folders of endgame tablebases that end games early.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub syzygy: Vec<PathBuf>,
    /// Which of their results end games.
    #[serde(default, skip_serializing_if = "is_default")]
    pub syzygy_results: TablebaseResults,
    /// Share of the adjudicated games, 0 to 1, that are played to their end all the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub audit: Option<f64>,
    /// Share of games ended by faults, 0 to 1, above which the run stops.
    pub max_faults: Option<f64>,
    /// Whether all that players say of their moves is recorded.
    #[serde(default, skip_serializing_if = "is_default")]
    pub details: bool,
    /// PGN's `Event`; `None`: the run's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event: Option<String>,
    /// PGN's `Site`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub site: Option<String>,
    /// Games in flight.
    pub concurrency: NonZeroUsize,
    /// Processors.
    pub slots: NonZeroUsize,
    /// Whether all games in flight advance together.
    pub fair: bool,
    /// The processors that slots keep to.
    #[serde(default, skip_serializing_if = "is_default")]
    pub pin: Pin,
    /// The folder for the traffic with programs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub traffic: Option<PathBuf>,
}

/// A run is resumed from wherever the user stands then.
pub fn absolute(path: PathBuf) -> PathBuf {
    std::path::absolute(&path).unwrap_or(path)
}

impl Plan {
    /// The same games, the work spread otherwise.
    pub fn with_width(self, flags: &WidthOverrides) -> Plan {
        let slots = flags.wanted_slots().unwrap_or(self.slots);
        let in_flight = match slots == self.slots {
            true => self.concurrency,
            false => in_flight(slots, [&self.base, &self.test]),
        };
        Plan {
            concurrency: flags.concurrency.unwrap_or(in_flight),
            slots,
            fair: flags.fair || self.fair,
            pin: flags.pin.clone().unwrap_or(self.pin),
            traffic: flags.traffic.clone().map(absolute).or(self.traffic),
            ..self
        }
    }

    /// As a run's description records it.
    ///
    /// # Errors
    /// When a path is not UTF-8.
    pub fn to_json(&self) -> Result<Value, PlanError> {
        serde_json::to_value(self).map_err(|error| PlanError::Unwritable(error.to_string()))
    }

    /// Checks a recorded plan's players again: files may be gone.
    ///
    /// # Errors
    /// When a match could not be played so.
    pub fn recheck(self) -> Result<Plan, PlanError> {
        // What they are was settled when the plan was made, and is kept by the run.
        check::player(Side::Base, self.base.clone())?;
        check::player(Side::Test, self.test.clone())?;
        self.check_width()?;
        Ok(self)
    }

    /// A player as given.
    pub fn player(&self, side: Side) -> &PlayerSpec {
        match side {
            Side::Base => &self.base,
            Side::Test => &self.test,
        }
    }

    /// What a player was built from.
    pub fn build(&self, side: Side) -> Option<&BuildIdentity> {
        match side {
            Side::Base => self.base_build.as_ref(),
            Side::Test => self.test_build.as_ref(),
        }
    }

    /// What a player is called, if it was given a name.
    pub fn name(&self, side: Side) -> Option<&str> {
        self.own(side).name.as_deref()
    }

    /// How a message speaks of a player: by its name, or by the flag that it stands behind.
    pub fn called(&self, side: Side) -> String {
        self.name(side).map_or_else(|| format!("--{side}"), str::to_owned)
    }

    fn own(&self, side: Side) -> &SideOverrides {
        match side {
            Side::Base => &self.base_own,
            Side::Test => &self.test_own,
        }
    }

    /// What a player is forgiven at every move.
    pub fn time_margin(&self, side: Side) -> Duration {
        Duration::from_millis(self.own(side).time_margin_ms.unwrap_or(self.time_margin_ms))
    }

    /// Whether every game has a fresh process of a player.
    pub fn restarts(&self, side: Side) -> bool {
        self.restart || self.own(side).restart
    }

    /// What holds for every game.
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

    /// Which games are ended early, in words.
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

    /// Whether the same players play the same game whenever they meet in an opening: no time counts.
    pub fn repeats_itself(&self) -> bool {
        let counts_time = |limit: Limit| match limit {
            Limit::Nodes(_) | Limit::Depth(_) => false,
            Limit::MovetimeMs(_) => true,
            Limit::Clock(control) => control.nodes_per_ms.is_none(),
        };
        let PlayerLimits { base, test } = self.limits();
        !counts_time(base) && !counts_time(test)
    }

    /// A player's hash; `None`: a program's own default.
    pub fn hash(&self, side: Side) -> Option<Size> {
        self.own(side).hash.or(self.hash)
    }

    /// A player's hash, should it be an embedded one.
    pub fn embedded_hash(&self, side: Side) -> Size {
        self.hash(side).unwrap_or(EMBEDDED_HASH)
    }

    /// How many at once.
    pub fn width(&self) -> Width {
        let order = if self.fair { Order::Fair } else { Order::LowestFirst };
        Width { concurrency: self.concurrency, slots: self.slots, order, pin: self.pin.clone() }
    }
}

/// Games in flight on so many slots, unless the user says otherwise: while a program thinks, its slot
/// is not free for another game.
pub fn in_flight(slots: NonZeroUsize, players: [&PlayerSpec; 2]) -> NonZeroUsize {
    let embedded = players.iter().all(|player| player.is_embedded());
    slots.saturating_mul(NonZeroUsize::MIN.saturating_add(embedded.into()))
}

/// Whole milliseconds.
pub fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
