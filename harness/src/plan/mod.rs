//! The command line, checked, as a value: everything that decides which games a match plays, and
//! how the work is spread. Nothing here plays or writes.

mod book;
mod check;
mod cores;
mod distinct;
mod error;
mod flags;
mod names;
mod openings;
mod own;
mod parse;
mod players;
mod scale;

pub use book::shipped_book;
pub(crate) use check::MOST_SLOTS;
pub(crate) use distinct::distinct;
pub use error::PlanError;
pub use flags::{MatchFlags, PlanFlags, ReadyPlayers, WidthFlags};
pub(crate) use names::{name, slug};
pub use openings::Openings;
pub use own::Own;
pub use parse::{
    OrOff, Size, duration_with_unit as read_duration, limit as read_limit, share as read_percentage,
};
pub use players::{PlayerFlag, ReadyPlayer, StandIn};
pub use scale::Scale;

use std::{num::NonZeroUsize, path::PathBuf, sync::Arc, time::Duration};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    build::BuildIdentity,
    game::{
        Adjudication, AuditShare, GameRules, Limit, PlayerLimits, TablebaseResults, Tablebases,
    },
    is_default,
    player::spec::PlayerSpec,
    record::Side,
    runner::{Pin, Width},
    slots::Order,
    stats::Rule,
};

/// Hash of an embedded player unless the plan says otherwise.
pub(crate) const EMBEDDED_HASH: Size = Size(1 << 20);
/// Base and change of the demonstration: what the mechanism switched off in base is worth.
const DEMONSTRATION: &str = "embedded:default,search.hash_cutoffs=false";

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
    pub base_own: Own,
    /// Where test differs from what holds for both.
    #[serde(default, skip_serializing_if = "is_default")]
    pub test_own: Own,
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
fn absolute(path: PathBuf) -> PathBuf {
    std::path::absolute(&path).unwrap_or(path)
}

impl Plan {
    /// Checks what was typed, and the players that came of it.
    ///
    /// # Errors
    /// When a match could not be played so.
    pub fn new(flags: PlanFlags, players: ReadyPlayers) -> Result<Plan, PlanError> {
        let ReadyPlayers { base, test } = players;
        let plain = || ReadyPlayer::of(PlayerSpec::embedded());
        let base = match base {
            None if test.is_none() => ReadyPlayer::of(parsed_demonstration()),
            base => base.unwrap_or_else(plain),
        };
        let test = test.unwrap_or_else(plain);
        Plan::of(flags.match_flags, [(base, flags.base_own.into()), (test, flags.test_own.into())])
    }

    /// Checks a match between two players, base first, with what is their own.
    ///
    /// # Errors
    /// When a match could not be played so.
    pub fn of(flags: MatchFlags, players: [(ReadyPlayer, Own); 2]) -> Result<Plan, PlanError> {
        let limit = flags.limit()?;
        let [(base, base_own), (test, test_own)] = players;
        let (base_own, test_own) = (flags.own(base_own), flags.own(test_own));
        let (base_build, test_build) = (base.build, test.build);
        let base = check::player(Side::Base, base.spec.with_options(&flags.options))?;
        let test = check::player(Side::Test, test.spec.with_options(&flags.options))?;
        check::hash("--hash", flags.hash, &[&base, &test])?;
        check::hash("--base-hash", base_own.hash, &[&base])?;
        check::hash("--test-hash", test_own.hash, &[&test])?;
        for (side, player, own) in [(Side::Base, &base, &base_own), (Side::Test, &test, &test_own)]
        {
            check::name(side, own)?;
            check::own_hash(side, player, own.hash.or(flags.hash))?;
        }
        // Nobody asked for a program's: it keeps its own.
        let embedded = [&base, &test].iter().all(|player| player.is_embedded());
        let hash = flags.hash.or(embedded.then_some(EMBEDDED_HASH));
        let [base_own, test_own] = [(&base, base_own), (&test, test_own)]
            .map(|(player, own)| own.with_hash_beside(hash, player));
        check::ponder(flags.ponder, [&base, &test])?;
        let rule = flags.rule.unwrap_or_default();
        let pairs = check::pairs(flags.pairs.map(u64::from), &rule)?;
        let slots = flags.width.wanted_slots().unwrap_or_else(|| {
            // A game in which both think always has two processors.
            let cores = cores::physical();
            let each = if flags.ponder { 2 } else { 1 };
            NonZeroUsize::new(cores.get() / each).unwrap_or(NonZeroUsize::MIN)
        });
        let in_flight = in_flight(slots, [&base, &test]);
        let plan = Plan {
            base,
            test,
            base_build,
            test_build,
            limit,
            scale: flags.scale_to.map(|to| Scale { to, here: None }),
            base_own,
            test_own,
            time_margin_ms: millis(flags.time_margin),
            hang_ms: millis(flags.hang),
            startup_ms: flags.startup.map(millis),
            hash,
            restart: flags.restart,
            ponder: flags.ponder,
            book: flags.book.map(absolute),
            openings: flags.openings.into(),
            seed: flags.seed,
            pairs,
            rule,
            adjudication: flags.adjudication.rules(),
            syzygy: flags.adjudication.syzygy.into_iter().map(absolute).collect(),
            syzygy_results: flags.adjudication.syzygy_results,
            audit: flags.adjudication.audit.and_then(OrOff::into_option),
            max_faults: flags.max_faults.into_option(),
            details: flags.details,
            event: flags.event,
            site: flags.site,
            concurrency: flags.width.concurrency.unwrap_or(in_flight),
            slots,
            fair: flags.width.fair,
            pin: flags.width.pin.unwrap_or_default(),
            traffic: flags.width.traffic.map(absolute),
        };
        plan.check_width()?;
        plan.check_scale()?;
        Ok(plan)
    }

    /// The same games, the work spread otherwise.
    #[must_use]
    pub fn with_width(self, flags: &WidthFlags) -> Plan {
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
    /// As [`Plan::new`].
    pub fn recheck(self) -> Result<Plan, PlanError> {
        // What they are was settled when the plan was made, and is kept by the run.
        check::player(Side::Base, self.base.clone())?;
        check::player(Side::Test, self.test.clone())?;
        self.check_width()?;
        Ok(self)
    }

    /// A player as given.
    #[must_use]
    pub fn player(&self, side: Side) -> &PlayerSpec {
        match side {
            Side::Base => &self.base,
            Side::Test => &self.test,
        }
    }

    /// What a player was built from.
    #[must_use]
    pub fn build(&self, side: Side) -> Option<&BuildIdentity> {
        match side {
            Side::Base => self.base_build.as_ref(),
            Side::Test => self.test_build.as_ref(),
        }
    }

    /// What a player is called, if it was given a name.
    #[must_use]
    pub fn name(&self, side: Side) -> Option<&str> {
        self.own(side).name.as_deref()
    }

    /// How a message speaks of a player: by its name, or by the flag that it stands behind.
    #[must_use]
    pub fn called(&self, side: Side) -> String {
        self.name(side).map_or_else(|| format!("--{side}"), str::to_owned)
    }

    fn own(&self, side: Side) -> &Own {
        match side {
            Side::Base => &self.base_own,
            Side::Test => &self.test_own,
        }
    }

    /// What a player is forgiven at every move.
    #[must_use]
    pub fn time_margin(&self, side: Side) -> Duration {
        Duration::from_millis(self.own(side).time_margin_ms.unwrap_or(self.time_margin_ms))
    }

    /// Whether every game has a fresh process of a player.
    #[must_use]
    pub fn restarts(&self, side: Side) -> bool {
        self.restart || self.own(side).restart
    }

    /// What holds for every game.
    #[must_use]
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
    #[must_use]
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
    #[must_use]
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
    #[must_use]
    pub fn hash(&self, side: Side) -> Option<Size> {
        self.own(side).hash.or(self.hash)
    }

    /// A player's hash, should it be an embedded one.
    #[must_use]
    pub fn embedded_hash(&self, side: Side) -> Size {
        self.hash(side).unwrap_or(EMBEDDED_HASH)
    }

    /// How many at once.
    #[must_use]
    pub fn width(&self) -> Width {
        let order = if self.fair { Order::Fair } else { Order::LowestFirst };
        Width { concurrency: self.concurrency, slots: self.slots, order, pin: self.pin.clone() }
    }
}

/// Games in flight on so many slots, unless the user says otherwise: while a program thinks, its slot
/// is not free for another game.
fn in_flight(slots: NonZeroUsize, players: [&PlayerSpec; 2]) -> NonZeroUsize {
    let embedded = players.iter().all(|player| player.is_embedded());
    slots.saturating_mul(NonZeroUsize::MIN.saturating_add(embedded.into()))
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

fn parsed_demonstration() -> PlayerSpec {
    DEMONSTRATION.parse().unwrap_or_else(|_| PlayerSpec::embedded())
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::build::Cache;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        flags: PlanFlags,
    }

    fn plan(line: &str) -> Result<Plan, String> {
        let words = std::iter::once("match").chain(line.split_whitespace());
        let line = Line::try_parse_from(words).map_err(|error| error.to_string())?;
        let nowhere = Cache::at("/nowhere".into());
        let players = line.flags.players(&nowhere, &|_| ()).map_err(|error| error.to_string())?;
        Plan::new(line.flags, players).map_err(|error| error.to_string())
    }

    #[test]
    fn the_demonstration() {
        let plan = plan("").unwrap();
        assert_eq!((plan.pairs, plan.limit), (200, Limit::Nodes(3000)));
        assert_eq!(plan.base.to_string(), DEMONSTRATION);
        assert!(plan.base.clone().check().is_ok(), "the engine knows the mechanism");
        assert_eq!(plan.test, PlayerSpec::embedded());
        assert_eq!(plan.concurrency.get(), 2 * plan.slots.get());
        assert_eq!(plan.adjudication, Adjudication::default());
    }

    #[test]
    fn a_plan_reads_back() {
        for line in [
            "",
            "--tc 40/60+0.5 --hash 256KiB --rule sprt=0,5 --draw off --max-moves off",
            "--test uci:/bin/sh,Hash=16 --movetime 100ms --concurrency 3 --fair",
        ] {
            let plan = plan(line).unwrap();
            let json = serde_json::to_string(&plan).unwrap();
            assert_eq!(serde_json::from_str::<Plan>(&json).unwrap(), plan, "{json}");
        }
    }

    /// A program that is not asked for a size keeps its own, whoever it meets.
    #[test]
    fn hash_is_asked_for_only_where_the_user_asks() {
        let mib = |hash: Option<Size>| hash.map(|size| size.0 >> 20);
        for (line, base, test) in [
            ("", Some(1), Some(1)),
            ("--test uci:/bin/sh", Some(1), None),
            ("--base uci:/bin/sh --test uci:/bin/sh", None, None),
            ("--base uci:/bin/sh --test embedded:rebel", None, Some(1)),
            ("--hash 8MB --test uci:/bin/sh", Some(8), Some(8)),
            ("--base-hash 4MB --test uci:/bin/sh", Some(4), None),
        ] {
            let plan = plan(line).unwrap();
            let hash = [Side::Base, Side::Test].map(|side| mib(plan.hash(side)));
            assert_eq!(hash, [base, test], "{line}");
        }
    }

    #[test]
    fn a_run_goes_on_as_wide_as_is_asked_for() {
        #[derive(Parser)]
        struct Width {
            #[command(flatten)]
            flags: WidthFlags,
        }
        for (begun, now, slots, concurrency) in [
            ("--slots 4", "", 4, 8),
            ("--slots 4", "--slots 2", 2, 4),
            ("--slots 1 --concurrency 7", "--slots 1", 1, 7),
            ("--slots 1 --concurrency 7", "--slots 3", 3, 6),
            ("--slots 1", "--pin 0-2", 3, 6),
            ("--slots 4", "--pin 0", 1, 2),
            ("--slots 4", "--pin 0 --slots 2 --concurrency 9", 2, 9),
            ("--slots 1 --test uci:/bin/sh", "--slots 3", 3, 3),
            ("--pin 0", "--pin off", 1, 2),
        ] {
            let words = std::iter::once("resume").chain(now.split_whitespace());
            let width = Width::try_parse_from(words).unwrap().flags;
            let plan = plan(begun).unwrap().with_width(&width);
            assert_eq!((plan.slots.get(), plan.concurrency.get()), (slots, concurrency), "{now}");
        }
    }

    #[test]
    fn impossible_plans_are_refused() {
        for (line, expected) in [
            ("--nodes 0", "--nodes"),
            ("--nodes 5 --depth 3", "cannot be used with"),
            ("--tc 1+0.01 --movetime 100ms", "cannot be used with"),
            ("--tc 0", "time control"),
            ("--movetime 0", "at least 1ms"),
            ("--hash 1KiB", "at least 64KiB"),
            ("--slots 100000", "at most 1024"),
            ("--hash 3000GB", "of memory here"),
            ("--hash 64KiB --base uci:/bin/sh", "at least 1MiB for a program"),
            ("--pairs 0", "--pairs"),
            ("--pairs 99999999999999", "at most"),
            ("--pairs 10 --rule los=95,pairs=11", "less than the 11 pairs"),
            ("--rule los=40", "--rule"),
            ("--base embedded,aspration.window=3", "--base embedded"),
            ("--test uci:/no/such/engine", "/no/such/engine not found"),
            ("--concurrency 0", "--concurrency"),
            ("--max-faults 200%", "percentage"),
            ("--pin --slots 1000", "--pin: expected at most"),
            ("--ponder --pin --base uci:/bin/sh --test uci:/bin/sh", "--pin off"),
            ("--test-name=", "--test-name: expected a name"),
            ("--base-name=", "--base-name: expected a name"),
            ("--hash 8MB --test uci:/bin/sh,Hash=16", "--test has option Hash=16, and --hash 8MiB"),
            (
                "--hash 8MB --option hash=16 --base uci:/bin/sh --test uci:/bin/sh",
                "--base has option Hash=16",
            ),
            ("--base-hash 8MB --base uci:/bin/sh,Hash=16", "--base has option Hash=16"),
        ] {
            let error = plan(line).unwrap_err();
            assert!(error.contains(expected), "{line}: {error}");
        }
    }

    #[test]
    fn what_is_said_twice_alike_is_no_contradiction() {
        for line in [
            "--hash 16MB --test uci:/bin/sh,Hash=16",
            "--test uci:/bin/sh,Hash=16",
            "--pin --slots 1",
            "--test-name x",
        ] {
            assert!(plan(line).is_ok(), "{line}");
        }
    }
}
