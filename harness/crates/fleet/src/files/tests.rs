//! Tests with a real `nats-server`, if one is installed.

use std::fs;

use nkeys::KeyPair;
use wire::message::FileCard;
use wire::names::{FileHash, OBJ_FILES};

use super::objects::{is_there, put, remove};
use super::*;
use crate::link::{Access, Link};
use crate::server::{Broker, BrokerSettings, Role, User, find_program, streams};

struct House {
    dir: tempfile::TempDir,
    coordinator: Link,
    worker: Link,
    _broker: Broker,
}

async fn house() -> Option<House> {
    let dir = tempfile::tempdir().unwrap();
    let roles =
        [Role::Serve, Role::Coordinator("home".to_owned()), Role::Worker("alice".to_owned())];
    let program = match find_program() {
        Ok(program) => program,
        Err(error) => {
            println!("skipped: {error}");
            return None;
        }
    };
    let keys = roles.clone().map(|_| KeyPair::new_user());
    let users: Vec<User> =
        keys.iter().zip(roles).map(|(key, role)| User { nkey: key.public_key(), role }).collect();
    let settings = BrokerSettings {
        dir: dir.path().to_owned(),
        listen: ([127, 0, 0, 1], 0).into(),
        websocket: None,
        program,
        certificate: None,
        old_server_ok: false,
    };
    let broker = Broker::start(settings, &users).unwrap();
    let access = |key: &KeyPair, inbox: &str| Access {
        url: format!("nats://{}", broker.address()),
        seed: key.seed().unwrap(),
        authority: None,
        inbox: inbox.to_owned(),
    };
    let serve = Link::connect(&access(&keys[0], "_IN.serve")).await.unwrap();
    streams::create(serve.broker()).await.unwrap();
    let coordinator = Link::connect(&access(&keys[1], "_IN.home.1")).await.unwrap();
    let worker = Link::connect(&access(&keys[2], "_IN.alice.pc")).await.unwrap();
    Some(House { dir, coordinator, worker, _broker: broker })
}

fn card(content: &[u8]) -> FileCard {
    FileCard {
        sha256: FileHash::of(content),
        bytes: content.len() as u64,
        role: "test.program".to_owned(),
        name: "engine".to_owned(),
        executable: true,
        recipe: None,
    }
}

#[tokio::test]
async fn a_file_comes_as_it_was_sent_and_goes_when_nobody_needs_it() {
    let Some(House { dir, coordinator, worker, _broker }) = house().await else { return };
    let content: Vec<u8> = (0..1_500_000_u32).map(|byte| (byte % 251) as u8).collect();
    let path = dir.path().join("engine");
    fs::write(&path, &content).unwrap();
    let card = card(&content);
    for _ in 0..2 {
        put(&coordinator, &card.sha256, &path).await.unwrap();
    }
    let cache = FileCache::at(dir.path().join("cache"));
    let arrived = cache.fetch(&worker, &card).await.unwrap();
    assert_eq!(fs::read(&arrived).unwrap(), content);
    assert!(process::files::is_executable(&fs::metadata(&arrived).unwrap()));
    remove(&coordinator, &card.sha256).await.unwrap();
    assert!(!is_there(&worker, &card.sha256).await.unwrap());
    let stream = coordinator.broker().get_stream(OBJ_FILES).await.unwrap();
    assert_eq!(stream.cached_info().state.messages, 0);
    // It is cached, also under another name.
    let other = FileCard { name: "other".to_owned(), ..card.clone() };
    assert_eq!(fs::read(cache.fetch(&worker, &other).await.unwrap()).unwrap(), content);
    let empty = FileCache::at(dir.path().join("empty"));
    let lost = empty.fetch(&worker, &card).await.unwrap_err().to_string();
    assert!(lost.contains("test.program engine"), "{lost}");
}

#[tokio::test]
async fn what_is_not_what_it_is_called_is_refused() {
    let Some(House { dir, coordinator, worker, _broker }) = house().await else { return };
    let path = dir.path().join("engine");
    fs::write(&path, "changed").unwrap();
    let card = card(b"expected");
    assert!(put(&coordinator, &card.sha256, &path).await.is_err());
    assert!(!is_there(&coordinator, &card.sha256).await.unwrap());
    // The stored file is damaged.
    fs::write(&path, "expected").unwrap();
    put(&coordinator, &card.sha256, &path).await.unwrap();
    let stored = coordinator.next(OBJ_FILES, "$O.files.C.*", 1).await.unwrap().unwrap();
    coordinator.purge(OBJ_FILES, &stored.1).await.unwrap();
    let cache = FileCache::at(dir.path().join("cache"));
    assert!(cache.fetch(&worker, &card).await.is_err());
    coordinator.store(stored.1, None, b"expectet".to_vec()).await.unwrap();
    let refused = cache.fetch(&worker, &card).await.unwrap_err().to_string();
    assert!(refused.contains("hash"), "{refused}");
    assert!(!cache.place(&card.sha256, "engine").exists());
    // The cached file is damaged: it is fetched again.
    remove(&coordinator, &card.sha256).await.unwrap();
    put(&coordinator, &card.sha256, &path).await.unwrap();
    let here = cache.fetch(&worker, &card).await.unwrap();
    fs::remove_file(&here).unwrap();
    fs::write(&here, "damaged!").unwrap();
    assert_eq!(fs::read(cache.fetch(&worker, &card).await.unwrap()).unwrap(), b"expected");
}

/// Workers can read files, but not write them.
#[tokio::test]
async fn a_worker_cannot_put_files() {
    let Some(House { dir, coordinator, worker, _broker }) = house().await else { return };
    let path = dir.path().join("engine");
    fs::write(&path, "x").unwrap();
    let hash = FileHash::of(b"x");
    let within = std::time::Duration::from_millis(500);
    let stored = tokio::time::timeout(within, put(&worker, &hash, &path)).await;
    assert!(!matches!(stored, Ok(Ok(()))));
    assert!(!is_there(&coordinator, &hash).await.unwrap());
}
