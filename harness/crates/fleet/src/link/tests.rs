//! How often a far broker is waited for.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use wire::chunk::Chunk;
use wire::message::ChunkMessage;
use wire::names::RunId;

use super::*;
use crate::server::Role;
use crate::server::tests::{access, broker};

/// What is sent within this time arrives together.
const TOGETHER: Duration = Duration::from_millis(20);

/// A way to the broker; counts how often something is sent to it after a pause.
fn far(broker: SocketAddr) -> (SocketAddr, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let (address, trips) = (listener.local_addr().unwrap(), Arc::new(AtomicUsize::new(0)));
    let counted = Arc::clone(&trips);
    thread::spawn(move || {
        let mut client = listener.accept().unwrap().0;
        let mut server = TcpStream::connect(broker).unwrap();
        let mut back = (server.try_clone().unwrap(), client.try_clone().unwrap());
        thread::spawn(move || std::io::copy(&mut back.0, &mut back.1));
        let mut bytes = [0; 1 << 14];
        loop {
            client.set_read_timeout(None).unwrap();
            let Ok(count @ 1..) = client.read(&mut bytes) else { return };
            let mut sent = bytes[..count].to_vec();
            client.set_read_timeout(Some(TOGETHER)).unwrap();
            while let Ok(count @ 1..) = client.read(&mut bytes) {
                sent.extend(&bytes[..count]);
            }
            counted.fetch_add(1, Ordering::Relaxed);
            if server.write_all(&sent).is_err() {
                return;
            }
        }
    });
    (address, trips)
}

#[tokio::test]
async fn many_chunks_are_listed_in_a_few_round_trips() {
    const CHUNKS: u64 = 200;
    let dir = tempfile::tempdir().unwrap();
    let roles = [Role::Serve, Role::Coordinator("carol".to_owned())];
    let Some((broker, keys, _)) = broker(dir.path(), &roles) else { return };
    let serve = Link::connect(&access(&broker, &keys[0], "_IN.serve")).await.unwrap();
    crate::server::streams::create(serve.broker()).await.unwrap();
    let (address, trips) = far(broker.address());
    let access =
        Access { url: format!("nats://{address}"), ..access(&broker, &keys[1], "_IN.carol.pc") };
    let carol = Link::connect(&access).await.unwrap();
    let [run, other] = ["a", "b"].map(|digit| digit.repeat(16).parse::<RunId>().unwrap());
    assert!(carol.queued_chunks(run).await.unwrap().is_empty());
    let message = |run, first| ChunkMessage::new(run, Chunk { first, pairs: 4, round: 0 });
    for first in (0..CHUNKS).map(|chunk| 4 * chunk) {
        serve.publish_chunk(message(run, first), || None).await.unwrap();
        // Those of another run are between them.
        serve.publish_chunk(message(other, first), || None).await.unwrap();
    }
    let before = trips.load(Ordering::Relaxed);
    let queued = carol.queued_chunks(run).await.unwrap();
    let count = trips.load(Ordering::Relaxed) - before;
    assert!(queued.into_iter().eq((0..CHUNKS).map(|chunk| 4 * chunk)));
    println!("{count} round trips");
    // One after another they are as many as chunks.
    assert!(count < CHUNKS as usize / 3, "{count} round trips");
}

#[tokio::test]
async fn a_chunk_that_the_broker_has_seen_is_published_in_its_next_round() {
    let dir = tempfile::tempdir().unwrap();
    let Some((broker, keys, _)) = broker(dir.path(), &[Role::Serve]) else { return };
    let link = Link::connect(&access(&broker, &keys[0], "_IN.serve")).await.unwrap();
    crate::server::streams::create(link.broker()).await.unwrap();
    let run: RunId = "0123456789abcdef".parse().unwrap();
    let chunk = Chunk { first: 4, pairs: 4, round: 0 };
    let (next, asked) = (Chunk { round: 7, ..chunk }, AtomicUsize::new(0));
    let next_round = || {
        asked.fetch_add(1, Ordering::Relaxed);
        Some(next)
    };
    for _ in 0..2 {
        link.publish_chunk(ChunkMessage::new(run, chunk), next_round).await.unwrap();
    }
    // Nobody needs it any more.
    link.publish_chunk(ChunkMessage::new(run, chunk), || None).await.unwrap();
    assert_eq!(asked.load(Ordering::Relaxed), 1);
    let messages = link.all(names::CHUNKS, &names::chunk_subject(run)).await.unwrap();
    let found = messages.iter().map(|body| wire::message::decode::<ChunkMessage>(body).unwrap());
    assert_eq!(found.map(|it| it.chunk()).collect::<Vec<_>>(), [chunk, next]);
}
