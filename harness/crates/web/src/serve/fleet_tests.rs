//! The page of a fleet with made-up workers.

use std::io::{BufRead as _, BufReader};
use std::sync::Arc;

use crate::testing::{Server, Told};
use crate::{
    Access, BrokerState, Declined, FleetState, HeldChunk, Residual, WaitsFor, WorkerPhase,
    WorkerState,
};

/// A stranger can choose such a name.
const BAD: &str = "\"><script>alert(1)</script>";

fn workers() -> Vec<WorkerState> {
    let alice = WorkerState {
        name: "alice.pc1".to_owned(),
        host: "pc1".to_owned(),
        cpu: "AMD Ryzen 5 5600".to_owned(),
        cores: 6,
        slots: 6,
        verdict: "0123456789abcdef".to_owned(),
        sandbox: "bwrap".to_owned(),
        state: WorkerPhase::Playing,
        run: Some("r1".to_owned()),
        chunks: vec![HeldChunk { first: 640, pairs: 32, done: 11 }],
        games_per_s: 3.4,
        games: 4012,
        faults: 1,
        late: 7,
        nps: Some(1_825_000),
        scale: Some(0.75),
        residual: Some(Residual {
            chi2: Some(11.5),
            p: Some(0.0032),
            time_losses: 2,
            plies: Some(91.25),
            nps: Some(1_790_000),
        }),
        heard_s: Some(4),
        ..WorkerState::default()
    };
    let carol = WorkerState {
        name: BAD.to_owned(),
        slots: 8,
        idle_why: Some("no run needs a worker without <5-men> tables".to_owned()),
        declined: vec![Declined { run: "r1".to_owned(), why: "bench of test is 1".to_owned() }],
        residual: Some(Residual::default()),
        ..WorkerState::default()
    };
    let bob = WorkerState { state: WorkerPhase::Away, slots: 99, ..alice.clone() };
    vec![alice, carol, WorkerState { name: "bob.1".to_owned(), run: None, ..bob }]
}

/// A site with a run that these workers play.
fn server() -> Server {
    let server = Server::start(Access::local(), None);
    let mut run = Told::named("r1", "lmr");
    run.0.fleet = Some(FleetState {
        waits: Some(WaitsFor {
            pair: 1204,
            chunk: 1200,
            worker: Some("bob.1".to_owned()),
            seconds: 12,
        }),
        finished_pairs: 1360,
        chunk_pairs: 32,
        held_chunks: 9,
        redrawn: 3,
        refused: 41,
        duplicates: 13,
        audited: 5,
        struck: 6,
        convicted: vec!["eve.1".to_owned()],
        workers: 2,
        slots: 14,
    });
    server.site.add(Arc::new(run));
    server.site.set_workers(workers());
    server
}

#[test]
fn workers_say_what_they_do_and_why_not() {
    let server = server();
    let (status, page) = server.get("/workers");
    assert_eq!(status, 200, "{page}");
    for part in [
        "2 workers with 14 slots, 3.4 games a second: 1 playing, 1 idle, 1 away.",
        "<a href=\"/run/r1\">lmr</a>, pairs 640 to 671: 11 of 32",
        "no run needs a worker without &lt;5-men&gt; tables",
        "bench of test is 1",
        "pair 1204 (chunk from pair 1200) at bob.1, 12 s",
        "<strong>0.0032</strong>",
        ">1,790,000<",
        "AMD Ryzen 5 5600",
        "01234567</td>",
        "&lt;script&gt;alert(1)&lt;/script&gt;",
        "eve.1",
        "4 s ago",
    ] {
        assert!(page.contains(part), "{part} in {page}");
    }
    assert!(!page.contains("<script>alert"));
    let figures = server.get("/run/r1").1;
    for part in [
        "data-field=\"waits_for\">pair 1204",
        "data-field=\"finished_pairs\">1,360<",
        "data-field=\"redrawn\">3<",
        "data-field=\"refused\">41<",
        "data-field=\"duplicates\">13<",
        "data-field=\"workers\">2 with 14 slots<",
        "href=\"/workers\"",
    ] {
        assert!(figures.contains(part), "{part} in {figures}");
    }
    let metrics = server.get("/metrics").1;
    for part in [
        "verdict_fleet_workers{state=\"idle\"} 1\n",
        "verdict_fleet_slots{state=\"away\"} 99\n",
        "verdict_fleet_refused_total{run=\"r1\"} 41\n",
        "verdict_worker_late_total{worker=\"alice.pc1\"} 7\n",
        "verdict_worker_nodes_per_second{worker=\"alice.pc1\"} 1790000\n",
        "verdict_worker_games_per_second{worker=\"\\\"><script>alert(1)</script>\"} 0\n",
    ] {
        assert!(metrics.contains(part), "{part} in {metrics}");
    }
}

#[test]
fn the_broker_is_shown() {
    let server = server();
    let broker = BrokerState {
        up: true,
        words: "nats-server 2.12.7 at <here>".to_owned(),
        streams: vec![("PAIRS".to_owned(), 4096)],
    };
    server.site.set_broker(broker.clone());
    assert!(server.get("/workers").1.contains("nats-server 2.12.7 at &lt;here&gt;"));
    assert!(server.get("/metrics").1.contains("verdict_broker_bytes{stream=\"PAIRS\"} 4096\n"));
    server.site.set_broker(BrokerState { up: false, ..broker });
    assert!(server.get("/workers").1.contains("does not answer"));
    assert!(server.get("/metrics").1.contains("verdict_broker_up 0\n"));
}

/// Data of the next event.
fn next(lines: &mut impl Iterator<Item = String>) -> serde_json::Value {
    let data = lines.find_map(|line| line.strip_prefix("data: ").map(str::to_owned)).unwrap();
    serde_json::from_str(&data).unwrap()
}

#[test]
fn fifty_browsers_hear_of_new_workers() {
    let server = server();
    let listen = |_| {
        let stream = server.ask(&["GET /events?run=r1 HTTP/1.1", "Host: localhost"]);
        let mut lines = BufReader::new(stream).lines().map_while(Result::ok);
        let first = next(&mut lines);
        assert_eq!(first["workers"]["slots"], 14, "{first}");
        assert!(first["run"]["waits_for"].as_str().unwrap().contains("bob.1"), "{first}");
        (lines, first["workers"]["version"].clone())
    };
    let browsers: Vec<_> = (0..50).map(listen).collect();
    server.site.set_workers(workers()[..1].to_vec());
    for (mut lines, version) in browsers {
        let change = next(&mut lines);
        assert_eq!(change["workers"]["slots"], 6, "{change}");
        assert_ne!(change["workers"]["version"], version);
        assert!(change.get("runs").is_none(), "{change}");
    }
}
