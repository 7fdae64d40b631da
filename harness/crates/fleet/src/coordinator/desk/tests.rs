//! What of workers' games is recorded, and when they are compared.

use std::collections::HashSet;
use std::path::Path;

use arena::collector::StrikeReceiver;
use arena::game::Limit;
use arena::record::{Side, sample};
use arena::session::Resources;
use serde_json::json;
use tempfile::TempDir;
use wire::audit::Found;
use wire::message::Signature;

use super::*;
use crate::coordinator::card::{Known, Program};
use crate::files::Builds;
use crate::link::Access;

fn plan() -> Plan {
    let plan = json!({
        "base": "embedded", "test": "embedded,search.pvs=false", "nodes": 20, "time_margin_ms": 50,
        "hang_ms": 60_000, "hash": "64KiB", "book": null, "seed": 1, "pairs": 8, "rule": "los=95",
        "adjudication": {"draw": null, "resign": null, "max_moves": 9}, "max_faults": 0.1, "concurrency": 1, "slots": 1, "fair": false,
    });
    serde_json::from_value(plan).unwrap()
}

fn settings(audit: Option<f64>) -> FleetSettings {
    FleetSettings {
        access: Access {
            url: String::new(),
            seed: String::new(),
            authority: None,
            inbox: String::new(),
        },
        name: "home.1".parse().unwrap(),
        plays_here: false,
        chunk: None,
        audit,
        flags: String::new(),
        invite: String::new(),
        line: |_, _| String::new(),
        builds: Builds::default(),
    }
}

/// A run of which nothing is recorded.
struct Opened {
    desk: Desk,
    recorded: mpsc::Receiver<Finished>,
    _strikes: StrikeReceiver,
    _dir: TempDir,
}

/// The run of two embedded players, changed by `change`.
fn open(
    audit: Option<f64>,
    change: impl FnOnce(&mut Plan, &mut RunFile, &Path),
) -> Result<Opened, Error> {
    let dir = tempfile::tempdir().unwrap();
    let (mut plan, stops) = (plan(), Stops::default());
    let (mut run, contest) =
        Resources::new(stops.clone()).ready(&plan, stops.clone()).map_err(Error::from)?;
    change(&mut plan, &mut run, dir.path());
    let (finished, recorded) = mpsc::channel(8);
    let (strikes, received) = StrikeSender::new(None);
    let work = Work {
        dir: dir.path().to_owned(),
        plan,
        run,
        contest,
        recorded: HashSet::new(),
        finished,
        strikes,
    };
    let desk = Desk::open((work, None), &settings(audit), 0, Changes::new(), stops)?;
    Ok(Opened { desk, recorded, _strikes: received, _dir: dir })
}

/// Its games may have been on their way when it was convicted.
#[tokio::test]
async fn nothing_of_a_convicted_invitation_is_recorded() {
    let convicted =
        FleetNote::Convicted { worker: "eve.1".to_owned(), why: "it lies".to_owned(), pairs: 0 };
    let Opened { desk, mut recorded, .. } =
        open(None, |_, _, dir| FleetLog::new(dir).note(&convicted).unwrap()).unwrap();
    for (by, expected) in [("eve.2", Took::Copy), ("bob.1", Took::Fresh), ("bob.1", Took::Copy)] {
        let took = desk.record(Finished::new(sample(0), None), &by.parse().unwrap()).await;
        assert_eq!(took, expected, "{by}");
        assert_eq!(recorded.try_recv().is_ok(), took == Took::Fresh, "{by}");
    }
}

#[test]
fn games_are_compared_where_players_repeat_themselves() {
    let threads = |run: &mut RunFile| {
        run.test.options.insert("Threads".to_owned(), "2".into());
    };
    assert!(open(None, |_, _, _| ()).unwrap().desk.audits.is_some());
    assert!(open(Some(0.5), |_, _, _| ()).unwrap().desk.audits.is_some());
    assert!(open(None, |_, run, _| threads(run)).unwrap().desk.audits.is_none());
    assert!(open(Some(0.0), |_, run, _| threads(run)).unwrap().desk.audits.is_none());
    assert!(
        open(None, |plan, _, _| plan.limit = Limit::MovetimeMs(9)).unwrap().desk.audits.is_none()
    );
    let refused = open(Some(0.5), |_, run, _| threads(run)).err().unwrap().to_string();
    assert!(refused.contains("one search thread a player"), "{refused}");
}

#[test]
fn nothing_is_compared_of_a_program_that_plays_otherwise_each_time() {
    let stops = Stops::default();
    for (signed, forgets, restarts, strays) in [
        (true, true, false, None),
        (true, false, true, None),
        (true, false, false, Some("with --restart")),
        (false, true, true, Some("test does not answer the same")),
    ] {
        let opened = open(None, |plan, _, _| {
            plan.test = "uci:/bin/sh".parse().unwrap();
            plan.restart = restarts;
        });
        let Opened { desk, .. } = opened.unwrap();
        assert!(Program::of(&desk.plan, &desk.run, Side::Base).unwrap().is_none(), "embedded");
        let program = Program::of(&desk.plan, &desk.run, Side::Test).unwrap().unwrap();
        let known = Known::default();
        known.forgets.lock().unwrap().insert(program.key.clone(), forgets);
        let signature = signed.then_some(Signature::Bench { nodes: 1 });
        let found = program.strays(&signature, &known, &stops);
        assert_eq!(found.is_some(), strays.is_some(), "{found:?}");
        let Some(why) = found else { continue };
        assert!(why.contains(strays.unwrap()), "{why}");
        desk.end_audits(why);
        let found = desk.audits.as_ref().and_then(|audits| audits.found(&desk.strikes));
        assert!(matches!(found, Some(Found::Lapsed(_))), "{found:?}");
    }
}
