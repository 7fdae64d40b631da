//! A coordinator far from its broker.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::channel;
use std::thread::{sleep, spawn};
use std::time::{Duration, Instant};

use super::Fleet;
use super::liar::{Liar, run_id};

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
    let words =
        "match --test embedded,search.pvs=false --nodes 2000 --pairs 4000 --chunk 2 --quiet";
    let words = format!("{words} --out run --slots 0 --fleet {carol}");
    let _worker = fleet.worker(&alice, "pc", 1);
    let mut playing = fleet.begin("match.log", &words);
    fleet.wait_for_games("run", 2);
    let (run, other) = (run_id(&fleet), Liar::join(&alice, "other"));
    let until = Instant::now() + Duration::from_secs(25);
    // It learns of all of them every ten seconds.
    while Instant::now() < until {
        (0..WORKERS).for_each(|number| other.beat_as(&format!("x{number}"), run));
        assert!(other.is_answered(run, WITHIN), "{}", fleet.log("match.log"));
        sleep(Duration::from_millis(200));
    }
    playing.signal(libc::SIGINT);
    assert_eq!(playing.code(), Some(2), "{}", fleet.log("match.log"));
    let rows = fleet.log("run/workers.jsonl");
    assert_eq!(rows.lines().count(), WORKERS + 1, "{rows}");
}
