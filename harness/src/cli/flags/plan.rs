//! Checks the flags and makes a plan of them.

use std::num::NonZeroUsize;

use super::super::ledger::AskedRule;
use super::{MatchFlags, PlanFlags, ReadyPlayer, ReadyPlayers};
use arena::plan::parse::OrOff;
use arena::plan::{
    EMBEDDED_HASH, Plan, SideOverrides, TimeScale, WidthOverrides, absolute, check,
    default_concurrency, millis,
};
use arena::player::spec::PlayerSpec;
use arena::record::Side;
use process::Error;
use process::machine::physical_cores;

/// Base of the demonstration, which shows what hash cutoffs are worth.
const DEMONSTRATION: &str = "embedded:default,search.hash_cutoffs=false";

impl PlanFlags {
    /// Checks the flags and the players, and makes the plan.
    pub fn plan(self, players: ReadyPlayers) -> Result<Plan, Error> {
        let ReadyPlayers { base, test } = players;
        let plain = || ReadyPlayer::of(PlayerSpec::embedded());
        let base = match base {
            None if test.is_none() => {
                DEMONSTRATION.parse().map_or_else(|_| plain(), ReadyPlayer::of)
            }
            base => base.unwrap_or_else(plain),
        };
        let test = test.unwrap_or_else(plain);
        self.match_flags.plan([(base, self.base_own.into()), (test, self.test_own.into())])
    }
}

impl MatchFlags {
    /// Checks a match between two players (base first) and their overrides, and makes the plan.
    pub fn plan(self, players: [(ReadyPlayer, SideOverrides); 2]) -> Result<Plan, Error> {
        let flags = self;
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
            check::side_hash(side, player, own.hash.or(flags.hash))?;
        }
        // Without --hash a program keeps its own default.
        let embedded = [&base, &test].iter().all(|player| player.is_embedded());
        let hash = flags.hash.or(embedded.then_some(EMBEDDED_HASH));
        let [base_own, test_own] = [(&base, base_own), (&test, test_own)]
            .map(|(player, own)| own.with_hash_beside(hash, player));
        check::ponder(flags.ponder, [&base, &test])?;
        let AskedRule { rule, ledger } = flags.rule.unwrap_or_default();
        let pairs = check::pairs(flags.pairs.map(u64::from), &rule)?;
        let width = WidthOverrides::from(&flags.width);
        let slots = width.wanted_slots().unwrap_or_else(|| {
            // With pondering both players think, so a game needs two processors.
            let cores = physical_cores();
            let each = if flags.ponder { 2 } else { 1 };
            NonZeroUsize::new(cores.get() / each).unwrap_or(NonZeroUsize::MIN)
        });
        let concurrency = default_concurrency(slots, [&base, &test]);
        let plan = Plan {
            base,
            test,
            base_build,
            test_build,
            limit,
            scale: flags.scale_to.map(|to| TimeScale { to, here: None }),
            base_overrides: base_own,
            test_overrides: test_own,
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
            ledger,
            adjudication: flags.adjudication.rules(),
            syzygy: flags.adjudication.syzygy.into_iter().map(absolute).collect(),
            syzygy_results: flags.adjudication.syzygy_results,
            audit: flags.adjudication.audit.and_then(OrOff::into_option),
            max_faults: flags.max_faults.into_option(),
            details: flags.details,
            event: flags.event,
            site: flags.site,
            concurrency: width.concurrency.unwrap_or(concurrency),
            slots,
            fair: width.fair,
            pin: width.pin.unwrap_or_default(),
            traffic: width.traffic.map(absolute),
        };
        plan.check_width()?;
        plan.check_scale()?;
        Ok(plan)
    }
}

#[cfg(test)]
mod tests;
