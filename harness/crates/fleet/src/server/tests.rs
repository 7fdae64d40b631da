//! Tests with a real `nats-server`, if one is installed.

use std::net::SocketAddr;
use std::time::Duration;

use futures_util::StreamExt as _;
use nkeys::KeyPair;

use super::*;
use crate::link::{Access, Link, LinkState, Told};

/// A broker with these users, and their keys; `None` if the program is missing.
fn broker(dir: &Path, roles: &[Role]) -> Option<(Broker, Vec<KeyPair>, Vec<User>)> {
    broker_with(dir, roles, None)
}

fn broker_with(
    dir: &Path,
    roles: &[Role],
    certificate: Option<Certificate>,
) -> Option<(Broker, Vec<KeyPair>, Vec<User>)> {
    let program = match find_program() {
        Ok(program) => program,
        Err(error) => {
            println!("skipped: {error}");
            return None;
        }
    };
    let keys: Vec<KeyPair> = roles.iter().map(|_| KeyPair::new_user()).collect();
    let users: Vec<User> = keys
        .iter()
        .zip(roles)
        .map(|(key, role)| User { nkey: key.public_key(), role: role.clone() })
        .collect();
    let settings = BrokerSettings {
        dir: dir.to_owned(),
        listen: SocketAddr::from(([127, 0, 0, 1], 0)),
        websocket: None,
        program,
        certificate,
        old_server_ok: false,
    };
    let broker = Broker::start(settings, &users).unwrap();
    Some((broker, keys, users))
}

fn access(broker: &Broker, key: &KeyPair, inbox: &str) -> Access {
    Access {
        url: format!("nats://{}", broker.address()),
        seed: key.seed().unwrap(),
        authority: None,
        inbox: inbox.to_owned(),
    }
}

#[tokio::test]
async fn what_is_stored_survives_a_killed_broker() {
    let dir = tempfile::tempdir().unwrap();
    let Some((mut broker, keys, _)) = broker(dir.path(), &[Role::Serve]) else { return };
    let link = Link::connect(&access(&broker, &keys[0], "_IN.serve")).await.unwrap();
    streams::create(link.broker()).await.unwrap();
    link.store("v1.chunk.a".to_owned(), Some("a.0"), b"first".to_vec()).await.unwrap();
    let mut state = link.state();
    broker.child.send(Signal::Kill);
    state.wait_for(|state| *state == LinkState::Away).await.unwrap();
    let said = loop {
        if let Some(said) = broker.look_after().unwrap() {
            break said;
        }
    };
    assert!(said.contains("started again"), "{said}");
    state.wait_for(|state| *state == LinkState::Connected).await.unwrap();
    // A second copy is dropped, by the restarted server, too.
    link.store("v1.chunk.a".to_owned(), Some("a.0"), b"first".to_vec()).await.unwrap();
    let stream = link.broker().get_stream(wire::names::CHUNKS).await.unwrap();
    assert_eq!(stream.cached_info().state.messages, 1);
    broker.end();
}

#[tokio::test]
async fn results_that_a_killed_coordinator_had_come_at_once_to_the_next() {
    let dir = tempfile::tempdir().unwrap();
    let roles = [Role::Serve, Role::Coordinator("carol".to_owned())];
    let Some((broker, keys, _)) = broker(dir.path(), &roles) else { return };
    let serve = Link::connect(&access(&broker, &keys[0], "_IN.serve")).await.unwrap();
    streams::create(serve.broker()).await.unwrap();
    let run = "0123456789abcdef".parse().unwrap();
    for instance in ["_IN.carol.first", "_IN.carol.second"] {
        let carol = Link::connect(&access(&broker, &keys[1], instance)).await.unwrap();
        carol.renew_results(run).await.unwrap();
        let mut results = carol.results(run).await.unwrap();
        // Stored once. Nobody acknowledges it.
        let subject = format!("v1.pair.{run}.alice.pc");
        serve.store(subject, Some("once"), b"games".to_vec()).await.unwrap();
        // Long before it would come again to the first.
        let result = tokio::time::timeout(Duration::from_secs(20), results.next()).await;
        assert_eq!(&*result.unwrap().unwrap().unwrap().payload, b"games");
    }
}

#[tokio::test]
async fn who_is_taken_off_the_list_is_out() {
    let dir = tempfile::tempdir().unwrap();
    let roles = [Role::Serve, Role::Worker("alice".to_owned())];
    let Some((broker, keys, users)) = broker(dir.path(), &roles) else { return };
    let link = Link::connect(&access(&broker, &keys[1], "_IN.alice.pc")).await.unwrap();
    let mut state = link.state();
    broker.allow(&users[..1]).unwrap();
    state.wait_for(|state| *state != LinkState::Connected).await.unwrap();
    let again = Link::connect(&access(&broker, &keys[1], "_IN.alice.pc")).await;
    assert!(matches!(again, Err(Told::Refused(_))));
    // Other connections are not affected.
    let serve = Link::connect(&access(&broker, &keys[0], "_IN.serve")).await.unwrap();
    serve.flush().await.unwrap();
}

/// Allowed and forbidden subjects of each role.
#[tokio::test]
async fn a_worker_may_what_its_list_says() {
    let dir = tempfile::tempdir().unwrap();
    let roles = [Role::Serve, Role::Worker("alice".to_owned())];
    let Some((broker, keys, _)) = broker(dir.path(), &roles) else { return };
    let serve = Link::connect(&access(&broker, &keys[0], "_IN.serve")).await.unwrap();
    let alice = Link::connect(&access(&broker, &keys[1], "_IN.alice.pc")).await.unwrap();
    let mut heard = serve.hear("v1.>".to_owned()).await.unwrap();
    // Its answer comes after the broker has the subscription: `flush` does not wait for that.
    streams::create(serve.broker()).await.unwrap();
    let forbidden = [
        "v1.beat.bob.pc",
        "v1.pair.0.bob.pc",
        "v1.chunk.0",
        "v1.ask.all",
        "v1.ask.bob.pc",
        "v1.log.bob.pc",
        "v1.view.0",
    ];
    for subject in forbidden.into_iter().chain(["v1.beat.alice.pc"]) {
        alice.say(subject.to_owned(), b"{}".to_vec()).await.unwrap();
    }
    alice.flush().await.unwrap();
    // The message that was sent before did not arrive.
    let first = tokio::time::timeout(Duration::from_secs(10), heard.next()).await.unwrap().unwrap();
    assert_eq!(first.subject.as_str(), "v1.beat.alice.pc");
    // Streams can be created by the owner only.
    assert!(streams::create(alice.broker()).await.is_err());
    assert!(alice.broker().delete_stream(wire::names::PAIRS).await.is_err());
}

/// A coordinator asks for a worker's log and hears it; other workers do neither.
#[tokio::test]
async fn logs_are_for_coordinators() {
    let dir = tempfile::tempdir().unwrap();
    let named = |role: fn(String) -> Role, name: &str| role(name.to_owned());
    let roles = [
        Role::Serve,
        named(Role::Coordinator, "carol"),
        named(Role::Worker, "alice"),
        named(Role::Worker, "bob"),
    ];
    let Some((broker, keys, _)) = broker(dir.path(), &roles) else { return };
    let inboxes = ["_IN.serve", "_IN.carol.1", "_IN.alice.pc", "_IN.bob.pc"];
    let mut links = Vec::new();
    for (key, inbox) in keys.iter().zip(inboxes) {
        links.push(Link::connect(&access(&broker, key, inbox)).await.unwrap());
    }
    let [serve, carol, alice, bob] = <[Link; 4]>::try_from(links).ok().unwrap();
    streams::create(serve.broker()).await.unwrap();
    let log = || "v1.log.alice.pc".to_owned();
    let mut heard = carol.hear(log()).await.unwrap();
    let mut stolen = bob.hear(log()).await.unwrap();
    let mut asked = alice.hear("v1.ask.alice.pc".to_owned()).await.unwrap();
    // An answer comes after the broker has the subscriptions that were sent before.
    for (link, subject) in
        [(&carol, "$KV.runs.0"), (&alice, "$KV.workers.alice.pc"), (&bob, "v1.pair.0.bob.pc")]
    {
        link.store(subject.to_owned(), None, b"{}".to_vec()).await.unwrap();
    }
    let second = Duration::from_secs(10);
    carol.say("v1.ask.alice.pc".to_owned(), b"carol".to_vec()).await.unwrap();
    let first = tokio::time::timeout(second, asked.next()).await.unwrap().unwrap();
    assert_eq!(&*first.payload, b"carol");
    // A coordinator does not speak for a worker.
    carol.say(log(), b"forged".to_vec()).await.unwrap();
    carol.flush().await.unwrap();
    alice.say(log(), b"lines".to_vec()).await.unwrap();
    let first = tokio::time::timeout(second, heard.next()).await.unwrap().unwrap();
    assert_eq!(&*first.payload, b"lines");
    let stolen = tokio::time::timeout(Duration::from_millis(300), stolen.next()).await;
    assert!(stolen.is_err(), "{stolen:?}");
}

#[tokio::test]
async fn only_the_server_of_the_invitation_is_talked_to() {
    let [dir, other] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let (certificate, authority) = super::certificate(dir.path()).unwrap();
    assert_eq!(super::certificate(dir.path()).unwrap().1, authority, "made once");
    let (_, others) = super::certificate(other.path()).unwrap();
    let started = broker_with(dir.path(), &[Role::Serve], Some(certificate));
    let Some((broker, keys, _)) = started else { return };
    let access = |authority| Access {
        url: format!("tls://{}", broker.address()),
        authority,
        ..access(&broker, &keys[0], "_IN.serve")
    };
    let link = Link::connect(&access(Some(authority))).await.unwrap();
    link.flush().await.unwrap();
    for authority in [Some(others), None] {
        let refused = Link::connect(&access(authority)).await;
        assert!(matches!(refused, Err(Told::Refused(_) | Told::Away(_))));
    }
}
