//! A coordinator far from its broker.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::channel;
use std::thread::{sleep, spawn};
use std::time::{Duration, Instant};

use super::Fleet;
use super::liar::{Liar, games, wait_for_run};

/// One way.
const LATE: Duration = Duration::from_millis(100);
/// Workers of which the coordinator has to learn who they are.
const WORKERS: usize = 40;
/// A coordinator that looks them up one after another is deaf for longer.
const WITHIN: Duration = Duration::from_secs(4);

/// Where everything that is sent to the broker, and back, arrives late; its port.
fn late(broker: &str) -> u16 {
    let (listener, broker) = (TcpListener::bind("127.0.0.1:0").unwrap(), broker.to_owned());
    let port = listener.local_addr().unwrap().port();
    spawn(move || {
        for client in listener.incoming() {
            let (client, server) = (client.unwrap(), TcpStream::connect(&broker).unwrap());
            pass(client.try_clone().unwrap(), server.try_clone().unwrap());
            pass(server, client);
        }
    });
    port
}

fn pass(mut from: TcpStream, mut to: TcpStream) {
    let (sent, arrived) = channel::<(Instant, Vec<u8>)>();
    spawn(move || {
        let mut bytes = vec![0; 1 << 14];
        while let Ok(count @ 1..) = from.read(&mut bytes) {
            if sent.send((Instant::now() + LATE, bytes[..count].to_vec())).is_err() {
                return;
            }
        }
    });
    spawn(move || {
        for (at, bytes) in arrived {
            sleep(at.saturating_duration_since(Instant::now()));
            if to.write_all(&bytes).is_err() {
                return;
            }
        }
    });
}

#[test]
fn a_far_coordinator_answers_while_it_asks_the_broker() {
    let Some(fleet) = Fleet::start() else { return };
    let port = late(&fleet.listen);
    let alice = fleet.invite("alice");
    let carol = fleet.invite(&format!("carol --coordinator --host 127.0.0.1:{port}"));
    let alone =
        "match --test embedded,search.pvs=false --nodes 20 --max-moves 20 --pairs 100 --quiet";
    fleet.run(&format!("{alone} --out alone"));
    let words = format!("{alone} --chunk 1 --out run --slots 0 --fleet {carol}");
    let mut playing = fleet.begin("match.log", &words);
    let run = wait_for_run(&fleet, &mut playing);
    let (other, played) = (Liar::join(&alice, "other"), games(&fleet, "alone"));
    let until = Instant::now() + Duration::from_secs(14);
    // Every ten seconds it learns of all of them, if games have come.
    for pair in played.chunks(2).take(99) {
        if Instant::now() > until {
            break;
        }
        other.send(run, pair);
        (0..WORKERS).for_each(|number| other.beat_as(&format!("x{number}"), run));
        assert!(other.is_answered(run, WITHIN), "{}", fleet.log("match.log"));
        sleep(Duration::from_millis(200));
    }
    playing.signal(libc::SIGINT);
    assert_eq!(playing.code(), Some(2), "{}", fleet.log("match.log"));
    let rows = fleet.log("run/workers.jsonl");
    assert_eq!(rows.lines().count(), WORKERS + 1, "{rows}");
}
