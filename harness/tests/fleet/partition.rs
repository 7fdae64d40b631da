//! A worker's way to the broker stops working without anybody being told.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use super::Fleet;
use crate::common::canonical::canonical;

/// Passes connections on to the broker.
struct Proxy {
    port: u16,
    /// Connections so far.
    count: Arc<AtomicUsize>,
    /// Connections before this one pass nothing on any more, and stay open.
    dead: Arc<AtomicUsize>,
}

impl Proxy {
    fn start(broker: &str) -> Proxy {
        let (listener, broker) = (TcpListener::bind("127.0.0.1:0").unwrap(), broker.to_owned());
        let port = listener.local_addr().unwrap().port();
        let (count, dead) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let (counted, killed) = (Arc::clone(&count), Arc::clone(&dead));
        thread::spawn(move || {
            for client in listener.incoming() {
                let number = counted.fetch_add(1, Ordering::Relaxed);
                let (client, server) = (client.unwrap(), TcpStream::connect(&broker).unwrap());
                let ends =
                    [(client.try_clone().unwrap(), server.try_clone().unwrap()), (server, client)];
                for (from, to) in ends {
                    let killed = Arc::clone(&killed);
                    thread::spawn(move || {
                        pass(from, to, || number < killed.load(Ordering::Relaxed))
                    });
                }
            }
        });
        Proxy { port, count, dead }
    }

    /// From now on everything is lost that goes through one of the connections there are.
    fn forget_connections(&self) {
        self.dead.store(self.count.load(Ordering::Relaxed), Ordering::Relaxed);
    }
}

fn pass(mut from: TcpStream, mut to: TcpStream, is_lost: impl Fn() -> bool) {
    let mut bytes = [0; 1 << 14];
    while let Ok(count @ 1..) = from.read(&mut bytes) {
        if !is_lost() && to.write_all(&bytes[..count]).is_err() {
            return;
        }
    }
    // A connection that is lost does not end, either.
    while is_lost() {
        thread::park();
    }
}

pub(super) fn a_connection_that_a_router_forgets_is_made_again() {
    const MATCH: &str =
        "match --test embedded,search.pvs=false --nodes 30 --max-moves 30 --pairs 40 --quiet";
    let Some(fleet) = Fleet::start() else { return };
    let alone = fleet.run(&format!("{MATCH} --out alone"));
    let proxy = Proxy::start(&fleet.listen);
    let token = fleet.invite(&format!("alice --host 127.0.0.1:{}", proxy.port));
    let _worker = fleet.worker(&token, "pc", 1);
    let words = format!("{MATCH} --chunk 3 --out run --fleet srv --slots 0");
    let mut playing = fleet.begin("match.log", &words);
    fleet.wait_for_games("run", 8);
    proxy.forget_connections();
    let before = proxy.count.load(Ordering::Relaxed);
    assert_eq!(playing.code(), alone.status.code(), "{}", fleet.log("match.log"));
    assert!(proxy.count.load(Ordering::Relaxed) > before, "it needs another connection");
    assert_eq!(
        canonical(&fleet.path("run"), None).unwrap(),
        canonical(&fleet.path("alone"), None).unwrap()
    );
}
