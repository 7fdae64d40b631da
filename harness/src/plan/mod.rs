//! The command line, checked, as a value: everything that decides which games a match plays, and
//! how the work is spread. Nothing here plays or writes.

mod cores;
mod flags;
mod parse;
mod players;

pub use flags::{PlanFlags, ReadyPlayers, WidthFlags};
pub use parse::{OrOff, Size};
pub use players::{PlayerFlag, ReadyPlayer};

use std::{
    num::NonZeroUsize,
    path::{Path, PathBuf},
    time::Duration,
};

use serde::{Deserialize, Serialize};

use crate::{
    build::BuildIdentity,
    game::{Adjudication, GameRules, Limit},
    player::spec::{PlayerSpec, SpecError},
    runner::Width,
    slots::Order,
    stats::Rule,
};

/// Hash of an embedded player unless the plan says otherwise.
const EMBEDDED_HASH: Size = Size(1 << 20);
/// What the engine's smallest table needs.
const LEAST_HASH: Size = Size(64 << 10);
/// Base and change of the demonstration: what the mechanism switched off in base is worth.
const DEMONSTRATION: &str = "embedded:default,search.hash_cutoffs=false";

/// A checked match.
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
    /// How long both think.
    #[serde(flatten)]
    pub limit: Limit,
    /// Forgiven at every move, in milliseconds.
    pub time_margin_ms: u64,
    /// How long a program may say nothing where no clock says it, in milliseconds.
    pub hang_ms: u64,
    /// Hash of each player; `None`: a program's own default.
    pub hash: Option<Size>,
    /// The openings' file; `None`: the book in this program.
    pub book: Option<PathBuf>,
    /// Seed of the order of openings.
    pub seed: u64,
    /// Pairs at most.
    pub pairs: u64,
    /// What decides.
    pub rule: Rule,
    /// Early ends of games.
    pub adjudication: Adjudication,
    /// Share of games ended by faults, 0 to 1, above which the run stops.
    pub max_faults: Option<f64>,
    /// Games in flight.
    pub concurrency: NonZeroUsize,
    /// Processors.
    pub slots: NonZeroUsize,
    /// Whether all games in flight advance together.
    pub fair: bool,
}

/// Why a plan was refused, before the first game.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// A player could not play.
    #[error("--{side} {spec}: {source}")]
    Player {
        /// Which flag.
        side: &'static str,
        /// The player as given.
        spec: String,
        /// What is wrong.
        source: SpecError,
    },
    /// `--pairs` and the rule disagree.
    #[error("--pairs {pairs} is less than the {wanted} pairs that --rule {rule} asks for")]
    TooFewPairs {
        /// Pairs of the match.
        pairs: u64,
        /// Pairs of the rule.
        wanted: u64,
        /// The rule.
        rule: Rule,
    },
    /// Too little hash.
    #[error("--hash {size}: expected at least {least} for {whom}")]
    Hash {
        /// As asked for.
        size: Size,
        /// What there must be.
        least: Size,
        /// Who needs it.
        whom: &'static str,
    },
    /// More search threads than any machine has processors.
    #[error("--slots {0}: expected at most {MOST_SLOTS}")]
    Slots(NonZeroUsize),
    /// More hash than the machine has memory.
    #[error(
        "--hash {size} for {engines} embedded engines in flight is more than the {memory} of \
         memory here: expected less hash or a lower --concurrency"
    )]
    Memory {
        /// Each engine's hash.
        size: Size,
        /// Engines at once.
        engines: u64,
        /// The machine's memory.
        memory: Size,
    },
    /// More pairs than can be numbered.
    #[error("--pairs {0}: expected at most {MOST_PAIRS}")]
    Pairs(u64),
}

/// More threads than this are a slip of the finger.
const MOST_SLOTS: usize = 1024;
/// Far beyond what can be played, and safe to double.
const MOST_PAIRS: u64 = 1_000_000_000_000;

impl Plan {
    /// Checks what was typed, and the players that came of it.
    ///
    /// # Errors
    /// When a match could not be played so.
    pub fn new(flags: PlanFlags, players: ReadyPlayers) -> Result<Plan, PlanError> {
        let limit = flags.limit();
        let ReadyPlayers { base, test } = players;
        let plain = || ReadyPlayer::of(PlayerSpec::embedded());
        let base = match base {
            None if test.is_none() => ReadyPlayer::of(parsed_demonstration()),
            base => base.unwrap_or_else(plain),
        };
        let test = test.unwrap_or_else(plain);
        let (base_build, test_build) = (base.build, test.build);
        let base = check_player("base", base.spec)?;
        let test = check_player("test", test.spec)?;
        let hash = check_hash(flags.hash, [&base, &test])?;
        let pairs = check_pairs(flags.pairs.map(u64::from), &flags.rule)?;
        let slots = flags.width.slots.unwrap_or_else(cores::physical);
        let embedded = base.is_embedded() && test.is_embedded();
        let in_flight = slots.saturating_mul(NonZeroUsize::MIN.saturating_add(embedded.into()));
        let default = Adjudication::default();
        let plan = Plan {
            base,
            test,
            base_build,
            test_build,
            limit,
            time_margin_ms: millis(flags.time_margin),
            hang_ms: millis(flags.hang),
            hash,
            // A run is resumed from wherever the user stands then.
            book: flags.book.map(|book| std::path::absolute(&book).unwrap_or(book)),
            seed: flags.seed,
            pairs,
            rule: flags.rule,
            adjudication: Adjudication {
                draw: flags.draw.map_or(default.draw, OrOff::into_option),
                resign: flags.resign.map_or(default.resign, OrOff::into_option),
                max_moves: flags.max_moves.into_option(),
            },
            max_faults: flags.max_faults.into_option(),
            concurrency: flags.width.concurrency.unwrap_or(in_flight),
            slots,
            fair: flags.width.fair,
        };
        plan.check_width()?;
        Ok(plan)
    }

    /// Whether the machine can carry so many games at once.
    fn check_width(&self) -> Result<(), PlanError> {
        if self.slots.get() > MOST_SLOTS {
            return Err(PlanError::Slots(self.slots));
        }
        let players = [&self.base, &self.test].iter().filter(|p| p.is_embedded()).count() as u64;
        // A game in flight beyond the last one of the match is none.
        let games = (self.concurrency.get() as u64).min(self.pairs.saturating_mul(2));
        let (size, engines) = (self.embedded_hash(), players.saturating_mul(games));
        match cores::memory() {
            Some(memory) if size.0.saturating_mul(engines) > memory => {
                Err(PlanError::Memory { size, engines, memory: Size(memory) })
            }
            _ => Ok(()),
        }
    }

    /// The same games, the work spread otherwise.
    #[must_use]
    pub fn with_width(self, flags: &WidthFlags) -> Plan {
        Plan {
            concurrency: flags.concurrency.unwrap_or(self.concurrency),
            slots: flags.slots.unwrap_or(self.slots),
            fair: flags.fair || self.fair,
            ..self
        }
    }

    /// Checks a recorded plan's players again: files may be gone.
    ///
    /// # Errors
    /// As [`Plan::new`].
    pub fn recheck(self) -> Result<Plan, PlanError> {
        let base = check_player("base", self.base)?;
        let test = check_player("test", self.test)?;
        let plan = Plan { base, test, ..self };
        plan.check_width()?;
        Ok(plan)
    }

    /// What holds for every game.
    #[must_use]
    pub fn rules(&self) -> GameRules {
        GameRules {
            limit: self.limit,
            adjudication: self.adjudication,
            time_margin: Duration::from_millis(self.time_margin_ms),
        }
    }

    /// How many at once.
    #[must_use]
    pub fn width(&self) -> Width {
        let order = if self.fair { Order::Fair } else { Order::LowestFirst };
        Width { concurrency: self.concurrency, slots: self.slots, order }
    }

    /// Hash of each embedded player.
    #[must_use]
    pub fn embedded_hash(&self) -> Size {
        self.hash.unwrap_or(EMBEDDED_HASH)
    }

    /// A short name for the run's folder: who plays whom.
    #[must_use]
    pub fn slug(&self) -> String {
        let words = format!("{}-vs-{}", name(&self.test), name(&self.base));
        let mut slug = String::new();
        for c in words.chars().take(60) {
            let c = if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
            if !(c == '-' && slug.ends_with('-')) {
                slug.push(c);
            }
        }
        slug.trim_matches('-').to_owned()
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

fn name(player: &PlayerSpec) -> String {
    match player {
        PlayerSpec::Embedded { personality, parameters } => parameters
            .iter()
            .fold(personality.clone(), |name, (key, value)| format!("{name}-{key}-{value}")),
        PlayerSpec::Program { path, .. } => Path::new(path)
            .file_stem()
            .map_or("engine".into(), |name| name.to_string_lossy().into()),
    }
}

fn parsed_demonstration() -> PlayerSpec {
    DEMONSTRATION.parse().unwrap_or_else(|_| PlayerSpec::embedded())
}

fn check_player(side: &'static str, spec: PlayerSpec) -> Result<PlayerSpec, PlanError> {
    let text = spec.to_string();
    spec.check().map_err(|source| PlanError::Player { side, spec: text, source })
}

fn check_hash(hash: Option<Size>, players: [&PlayerSpec; 2]) -> Result<Option<Size>, PlanError> {
    // Protocols count hash in whole MiB.
    const LEAST_PROGRAM: Size = Size(1 << 20);
    let embedded = players.iter().any(|player| player.is_embedded());
    let only_embedded = players.iter().all(|player| player.is_embedded());
    let (least, whom) =
        if only_embedded { (LEAST_HASH, "the engine") } else { (LEAST_PROGRAM, "a program") };
    match hash {
        Some(size) if size < least => Err(PlanError::Hash { size, least, whom }),
        None if embedded => Ok(Some(EMBEDDED_HASH)),
        hash => Ok(hash),
    }
}

fn check_pairs(pairs: Option<u64>, rule: &Rule) -> Result<u64, PlanError> {
    let wanted = match rule {
        Rule::Los(rule) => rule.pairs,
        _ => None,
    };
    let default = wanted.unwrap_or(if rule.is_sequential() { 20_000 } else { 200 });
    let pairs = pairs.unwrap_or(default);
    match wanted {
        _ if pairs > MOST_PAIRS => Err(PlanError::Pairs(pairs)),
        Some(wanted) if wanted > pairs => {
            Err(PlanError::TooFewPairs { pairs, wanted, rule: *rule })
        }
        _ => Ok(pairs),
    }
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
        ] {
            let error = plan(line).unwrap_err();
            assert!(error.contains(expected), "{line}: {error}");
        }
    }

    #[test]
    fn slugs_are_plain() {
        let plan = plan("--test uci:/bin/sh").unwrap();
        assert_eq!(plan.slug(), "sh-vs-default");
    }
}
