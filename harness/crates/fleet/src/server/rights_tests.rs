//! Every subject and every role, against a real broker.

use std::collections::BTreeSet;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use async_nats::Subscriber;
use futures_util::{FutureExt as _, StreamExt as _};
use wire::names::{self, ASK_ALL, RunId, WorkerName};

use super::tests::{access, broker};
use super::*;
use crate::link::{Link, Told};

const PATIENCE: Duration = Duration::from_secs(20);
/// Every body has something in it: requests to JetStream do nothing then.
const BODY: &[u8] = b"x";
const END: &[u8] = b"end";

/// A subject, and who may publish and hear it: `w` the worker alice, `c` the coordinator carol.
struct Row {
    subject: String,
    says: &'static str,
    hears: &'static str,
}

fn row(subject: impl Into<String>, says: &'static str, hears: &'static str) -> Row {
    Row { subject: subject.into(), says, hears }
}

fn name(text: &str) -> WorkerName {
    text.parse().unwrap()
}

/// Subjects of verdict.
fn own() -> Vec<Row> {
    let run: RunId = "0123456789abcdef".parse().unwrap();
    let [alice, other, bob] = ["alice.pc", "alice.pc2", "bob.pc"].map(name);
    let inbox = |worker: &str| format!("{}.x.1", names::inbox(&name(worker)));
    let mut rows = vec![
        row(names::chunk_subject(run), "c", ""),
        row(names::run_subject(run), "c", "wc"),
        row(names::mark_subject(run), "c", "wc"),
        row(names::run_view_subject(run), "c", "wc"),
        row(names::view_subject(run), "c", ""),
        row(names::query_subject(run), "", "c"),
        row(ASK_ALL, "c", "w"),
        row(names::ask_subject(&alice), "c", "w"),
        row(names::ask_subject(&bob), "c", ""),
        row("$O.files.C.0", "c", ""),
        row("$O.files.M.0", "c", ""),
        row("$O.others.M.0", "", ""),
        row("$KV.others.0", "", ""),
        row(inbox("alice.pc"), "c", "w"),
        row(inbox("bob.pc"), "c", ""),
        row(inbox("carol.pc"), "c", "c"),
        row(inbox("serve.serve"), "c", ""),
        row("_INBOX.x.1", "", ""),
        row("v2.beat.alice.pc", "", ""),
        row("anything", "", ""),
    ];
    // One invitation serves many processes.
    for (worker, says) in [(&alice, "w"), (&other, "w"), (&bob, "")] {
        rows.extend([
            row(names::pairs_subject(run, worker), says, ""),
            row(format!("v1.other.{run}.{worker}"), "", ""),
            row(names::worker_subject(worker), says, "c"),
            row(names::beat_subject(worker), says, "c"),
            row(names::need_subject(run, worker), says, "c"),
            row(names::hello_subject(worker), says, ""),
            row(names::log_subject(worker), says, "c"),
            row(names::live_subject(run, worker), says, ""),
        ]);
    }
    rows
}

/// Requests to JetStream and to the server. Nobody hears them.
fn of_the_broker() -> Vec<Row> {
    let mut rows = Vec::new();
    let [chunks, pairs, runs] = [names::CHUNKS, names::PAIRS, names::KV_RUNS];
    let [workers, files] = [names::KV_WORKERS, names::OBJ_FILES];
    let mut of = |stream: &str, requests: &[(&str, &'static str)]| {
        let subjects = requests
            .iter()
            .map(|(request, says)| row(request.replace("STREAM_NAME", stream), says, ""));
        rows.extend(subjects);
    };
    for (stream, info, purge, consumers, ack, next) in [
        (chunks, "wc", "c", "c", "w", "w"),
        (pairs, "wc", "c", "c", "c", "c"),
        (runs, "wc", "", "", "", ""),
        (workers, "c", "", "", "", ""),
        (files, "c", "c", "", "", ""),
    ] {
        of(
            stream,
            &[
                ("$JS.API.STREAM.INFO.STREAM_NAME", info),
                ("$JS.API.STREAM.PURGE.STREAM_NAME", purge),
                ("$JS.API.CONSUMER.CREATE.STREAM_NAME.x", consumers),
                ("$JS.API.CONSUMER.CREATE.STREAM_NAME.x.v1.x", consumers),
                ("$JS.API.CONSUMER.DURABLE.CREATE.STREAM_NAME.x", consumers),
                ("$JS.API.CONSUMER.DELETE.STREAM_NAME.x", consumers),
                ("$JS.API.CONSUMER.MSG.NEXT.STREAM_NAME.x", next),
                ("$JS.ACK.STREAM_NAME.x.1.1.1.1.1", ack),
                // Whoever may make a consumer without a name can have messages sent anywhere.
                ("$JS.API.CONSUMER.CREATE.STREAM_NAME", ""),
                ("$JS.API.CONSUMER.LIST.STREAM_NAME", ""),
                ("$JS.API.CONSUMER.NAMES.STREAM_NAME", ""),
                ("$JS.API.CONSUMER.LEADER.STEPDOWN.STREAM_NAME.x", ""),
                ("$JS.API.STREAM.CREATE.STREAM_NAME", ""),
                ("$JS.API.STREAM.UPDATE.STREAM_NAME", ""),
                ("$JS.API.STREAM.DELETE.STREAM_NAME", ""),
                ("$JS.API.STREAM.SNAPSHOT.STREAM_NAME", ""),
                ("$JS.API.STREAM.RESTORE.STREAM_NAME", ""),
                ("$JS.API.STREAM.MSG.GET.STREAM_NAME", ""),
                ("$JS.API.STREAM.MSG.DELETE.STREAM_NAME", ""),
                ("$JS.API.STREAM.PEER.REMOVE.STREAM_NAME", ""),
                ("$JS.API.STREAM.LEADER.STEPDOWN.STREAM_NAME", ""),
            ],
        );
    }
    rows.extend([
        row(format!("$JS.API.CONSUMER.INFO.{chunks}.x"), "wc", ""),
        row(format!("$JS.API.CONSUMER.INFO.{pairs}.x"), "c", ""),
        row(format!("$JS.API.CONSUMER.INFO.{runs}.x"), "", ""),
        row(format!("$JS.API.DIRECT.GET.{chunks}"), "c", ""),
        row(format!("$JS.API.DIRECT.GET.{chunks}.v1.chunk.x"), "c", ""),
        row(format!("$JS.API.DIRECT.GET.{pairs}"), "", ""),
        row(format!("$JS.API.DIRECT.GET.{pairs}.v1.pair.x"), "", ""),
        row(format!("$JS.API.DIRECT.GET.{runs}"), "wc", ""),
        row(format!("$JS.API.DIRECT.GET.{runs}.$KV.runs.x"), "wc", ""),
        row(format!("$JS.API.DIRECT.GET.{workers}"), "c", ""),
        row(format!("$JS.API.DIRECT.GET.{workers}.$KV.workers.bob.pc"), "c", ""),
        row(format!("$JS.API.DIRECT.GET.{files}"), "wc", ""),
        row(format!("$JS.API.DIRECT.GET.{files}.$O.files.M.x"), "wc", ""),
        row(format!("$JS.ACK.EXPLICIT.{chunks}"), "", ""),
    ]);
    // CVE-2025-30215 and its like: whoever may say them manages other accounts.
    for request in [
        "$JS.API.INFO",
        "$JS.API.STREAM.NAMES",
        "$JS.API.STREAM.LIST",
        "$JS.API.ACCOUNT.INFO.x",
        "$JS.API.ACCOUNT.PURGE.x",
        "$JS.API.ACCOUNT.STREAM.MOVE.x.x",
        "$JS.API.SERVER.REMOVE",
        "$JS.API.META.LEADER.STEPDOWN",
        "$SYS.REQ.SERVER.PING",
        "$SYS.REQ.ACCOUNT.x.CONNZ",
        "$SYS.REQ.USER.INFO",
    ] {
        rows.push(row(request, "", ""));
    }
    rows
}

/// What is heard with wildcards: a pattern, a subject that it has, and who hears it.
const PATTERNS: &[(&str, &str, &str)] = &[
    (">", "v1.x", ""),
    ("*.*", "v1.x", ""),
    ("v1.>", "v1.hello.bob.x", ""),
    ("v1.pair.>", "v1.pair.0.alice.x", ""),
    ("v1.beat.>", "v1.beat.bob.x", "c"),
    ("v1.need.>", "v1.need.0.bob.x", "c"),
    ("v1.ask.alice.*", "v1.ask.alice.x", "w"),
    ("v1.ask.*.*", "v1.ask.bob.x", ""),
    ("$KV.runs.>", "$KV.runs.x", "wc"),
    ("$KV.workers.>", "$KV.workers.bob.x", "c"),
    ("$KV.>", "$KV.workers.bob.y", ""),
    ("_IN.>", "_IN.bob.pc.y", ""),
    ("_IN.alice.>", "_IN.alice.pc.y", "w"),
    ("_IN.carol.>", "_IN.carol.pc.y", "c"),
    ("$JS.>", "$JS.EVENT.ADVISORY.x", ""),
    ("$JS.ACK.>", "$JS.ACK.CHUNKS.y", ""),
    ("$SYS.>", "$SYS.x", ""),
];

fn matches(pattern: &str, subject: &str) -> bool {
    let (mut pattern, mut subject) = (pattern.split('.'), subject.split('.'));
    loop {
        match (pattern.next(), subject.next()) {
            (Some(">"), Some(_)) | (None, None) => return true,
            (Some(wanted), Some(found)) if wanted == "*" || wanted == found => {}
            _ => return false,
        }
    }
}

fn roles() -> [(char, Role, &'static str); 2] {
    let [alice, carol] = ["alice", "carol"].map(str::to_owned);
    [('w', Role::Worker(alice), "alice.pc"), ('c', Role::Coordinator(carol), "carol.pc")]
}

/// A right that nobody needs, or a subject that the tables do not have.
#[test]
fn every_right_is_in_the_tables() {
    let rows: Vec<Row> = own().into_iter().chain(of_the_broker()).collect();
    for (letter, role, _) in roles() {
        let Rights { publish, subscribe } = Rights::of(&role);
        let says = |right: &String| {
            rows.iter().any(|row| row.says.contains(letter) && matches(right, &row.subject))
        };
        let hears = |right: &String| {
            rows.iter().any(|row| row.hears.contains(letter) && matches(right, &row.subject))
        };
        let unknown: Vec<&String> = publish.iter().filter(|right| !says(right)).collect();
        assert!(unknown.is_empty(), "{letter} publishes {unknown:?}");
        let unknown: Vec<&String> = subscribe.iter().filter(|right| !hears(right)).collect();
        assert!(unknown.is_empty(), "{letter} hears {unknown:?}");
    }
}

/// What comes before the end on this subject.
async fn heard(messages: &mut Subscriber, last: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    loop {
        let message = tokio::time::timeout(PATIENCE, messages.next()).await.unwrap().unwrap();
        if &*message.payload == END && message.subject.as_str() == last {
            return found;
        }
        if &*message.payload == BODY {
            found.insert(message.subject.to_string());
        }
    }
}

#[tokio::test]
async fn the_broker_lets_each_role_say_and_hear_what_the_tables_say() {
    let dir = tempfile::tempdir().unwrap();
    let [(_, worker, _), (_, coordinator, _)] = roles();
    let Some((broker, keys, _)) = broker(dir.path(), &[Role::Serve, worker, coordinator]) else {
        return;
    };
    let serve = Link::connect(&access(&broker, &keys[0], "_IN.serve")).await.unwrap();
    let mut all = serve.hear(">".to_owned()).await.unwrap();
    // Its answer comes after the broker has the subscription: `flush` does not wait for that.
    streams::create(serve.broker()).await.unwrap();
    let rows: Vec<Row> = own().into_iter().chain(of_the_broker()).collect();
    let say = async |link: &Link, subject: &str, body: &[u8]| {
        link.say(subject.to_owned(), body.to_vec()).await.unwrap();
    };
    for ((letter, role, name), key) in roles().into_iter().zip(&keys[1..]) {
        let inbox = format!("_IN.{name}");
        let link = Link::connect(&access(&broker, key, &inbox)).await.unwrap();
        for row in &rows {
            say(&link, &row.subject, BODY).await;
        }
        let last = if letter == 'w' { "v1.beat.alice.pc" } else { "v1.view.0" };
        say(&link, last, END).await;
        let found = heard(&mut all, last).await;
        for Row { subject, says, .. } in &rows {
            assert_eq!(found.contains(subject), says.contains(letter), "{role:?} says {subject}");
        }
        let mut end = link.hear(format!("{inbox}.end")).await.unwrap();
        let own = rows.iter().map(|row| (&*row.subject, &*row.subject, row.hears));
        let mut subscribed = Vec::new();
        for (pattern, subject, hears) in own.chain(PATTERNS.iter().copied()) {
            let messages = link.hear(pattern.to_owned()).await.unwrap();
            subscribed.push((pattern, subject, hears, messages));
        }
        // The broker has all subscriptions before this comes.
        say(&link, last, END).await;
        let _ = heard(&mut all, last).await;
        for (_, subject, ..) in &subscribed {
            say(&serve, subject, BODY).await;
        }
        say(&serve, &format!("{inbox}.end"), END).await;
        let _ = heard(&mut end, &format!("{inbox}.end")).await;
        for (pattern, subject, hears, mut messages) in subscribed {
            let is_heard = messages.next().now_or_never().flatten().is_some();
            assert_eq!(is_heard, hears.contains(letter), "{role:?} hears {subject} by {pattern}");
        }
        // What the other has said is not this one's.
        say(&serve, "end", END).await;
        let _ = heard(&mut all, "end").await;
    }
    // Nothing was removed or changed by it.
    assert_eq!(streams::sizes(serve.broker()).await.unwrap().len(), 5);
}

#[tokio::test]
async fn nobody_comes_in_without_a_key_of_the_list() {
    let dir = tempfile::tempdir().unwrap();
    let Some((broker, _, _)) = broker(dir.path(), &[Role::Serve]) else { return };
    let stranger = nkeys::KeyPair::new_user();
    let refused = Link::connect(&access(&broker, &stranger, "_IN.serve")).await;
    assert!(matches!(refused, Err(Told::Refused(_))));
    // CVE-2023-47090: without any login.
    for login in ["", r#","user":"sys","pass":"sys""#, r#","user":"","pass":"""#] {
        let mut raw = TcpStream::connect(broker.address()).unwrap();
        raw.set_read_timeout(Some(PATIENCE)).unwrap();
        let connect = format!("CONNECT {{\"verbose\":false{login}}}\r\nSUB > 1\r\nPING\r\n");
        raw.write_all(connect.as_bytes()).unwrap();
        let mut said = String::new();
        // The broker may reset the connection after its last word.
        let _ = raw.read_to_string(&mut said);
        assert!(said.contains("-ERR 'Authorization Violation'"), "{said}");
        assert!(!said.contains("PONG"), "{said}");
    }
}
