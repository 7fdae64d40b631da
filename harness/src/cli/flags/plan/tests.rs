use clap::Parser;

use super::*;
use crate::cli::flags::WidthFlags;
use arena::build::Cache;
use arena::game::{Adjudication, Limit};
use arena::plan::Size;

#[derive(Parser)]
struct PlanLine {
    #[command(flatten)]
    flags: PlanFlags,
}

fn plan(line: &str) -> Result<Plan, String> {
    let words = std::iter::once("match").chain(line.split_whitespace());
    let line = PlanLine::try_parse_from(words).map_err(|error| error.to_string())?;
    let nowhere = Cache::at("/nowhere".into());
    let players = line.flags.players(&nowhere, &|_| ()).map_err(|error| error.to_string())?;
    line.flags.plan(players).map_err(|error| error.to_string())
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

/// Without --hash a program keeps its default hash size, whatever the opponent.
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
    struct WidthLine {
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
        let width = WidthLine::try_parse_from(words).unwrap().flags;
        let plan = plan(begun).unwrap().with_width(&WidthOverrides::from(&width));
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
