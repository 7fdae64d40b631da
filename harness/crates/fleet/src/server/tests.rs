//! Tests with a real `nats-server`, if one is installed.

use std::net::SocketAddr;
use std::time::Duration;

use futures_util::StreamExt as _;
use nkeys::KeyPair;

use super::*;
use crate::link::{Access, Link, LinkState, Told};

/// A broker with these users, and their keys; `None` if the program is missing.
pub(crate) fn broker(dir: &Path, roles: &[Role]) -> Option<(Broker, Vec<KeyPair>, Vec<User>)> {
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

pub(crate) fn access(broker: &Broker, key: &KeyPair, inbox: &str) -> Access {
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
