//! Requests of a plain HTTP client.

use std::io::{BufRead as _, BufReader};
use std::sync::Arc;

use crate::testing::{Server, Told};
use crate::{Access, WorkerState};

const TOKEN: &str = "0123456789abcdef0123456789abcdef";

#[test]
fn only_reading_under_own_names_is_answered() {
    let server = Server::start(Access::local(), None);
    let close = "Connection: close";
    let host = format!("Host: {}", server.at);
    for (lines, expected) in [
        (vec!["GET / HTTP/1.1", &host, close], 200),
        (vec!["HEAD / HTTP/1.1", &host, close], 200),
        (vec!["POST / HTTP/1.1", &host, close], 405),
        (vec!["DELETE /run/x HTTP/1.1", &host, close], 405),
        (vec!["OPTIONS / HTTP/1.1", &host, close], 405),
        (vec!["GET / HTTP/1.1", "Host: evil.example", close], 421),
        (vec!["GET / HTTP/1.1", "Host: localhost", "Host: localhost", close], 400),
        (vec!["GET http://evil.example/ HTTP/1.1", "Host: localhost", close], 421),
        (vec!["GET / HTTP/1.0"], 400),
        (vec!["GET / HTTP/1.1", "Host: localhost", "Origin: http://localhost", close], 200),
        (vec!["GET / HTTP/1.1", "Host: localhost", "Origin: http://evil.example", close], 403),
        (vec!["GET / HTTP/1.1", "Host: localhost", "Origin: null", close], 403),
        (vec!["GET /api/runs HTTP/1.1", &host, "Sec-Fetch-Site: cross-site", close], 403),
        (
            vec![
                "GET / HTTP/1.1",
                &host,
                "Sec-Fetch-Site: cross-site",
                "Sec-Fetch-Mode: navigate",
                close,
            ],
            200,
        ),
        (vec!["GET /nothing HTTP/1.1", &host, close], 404),
        (vec!["GET /run/none HTTP/1.1", &host, close], 404),
        (vec!["GET /assets/../../Cargo.toml HTTP/1.1", &host, close], 404),
        (vec!["GET /workers HTTP/1.1", &host, close], 404),
    ] {
        let (status, answer) = server.answer(&lines);
        assert_eq!(status, expected, "{lines:?}: {answer}");
        // A malformed request line is rejected before the guard sees it.
        for header in [
            "content-security-policy: default-src 'self'",
            "x-content-type-options: nosniff",
            "cache-control: no-store",
        ] {
            assert!(answer.contains(header), "{lines:?}: {answer}");
        }
        assert!(answer.contains("frame-ancestors 'none'") && !answer.contains("set-cookie"));
    }
}

#[test]
fn elsewhere_a_token_is_needed() {
    let server = Server::start(Access::with_token(TOKEN, &[]).unwrap(), None);
    server.site.add(Arc::new(Told::named("r1", "one")));
    let with = |header: &str| {
        let lines = ["GET /run/r1 HTTP/1.1", "Host: 192.0.2.7:80", header, "Connection: close"];
        server.answer(&lines)
    };
    let wrong = TOKEN.replace('0', "1");
    assert_eq!(server.get("/run/r1").0, 401);
    assert_eq!(server.get(&format!("/run/r1?token={wrong}")).0, 401);
    assert_eq!(with(&format!("Authorization: Bearer {wrong}")).0, 401);
    for path in ["/events", "/metrics", "/api/runs", "/", "/nothing"] {
        assert_eq!(server.get(path).0, 401, "{path}");
    }
    let (status, by_header) = with(&format!("Authorization: Bearer {TOKEN}"));
    assert_eq!((status, by_header.contains(TOKEN)), (200, false));
    // Without a script only links can carry the token.
    let (status, by_address) = server.get(&format!("/run/r1?token={TOKEN}"));
    assert_eq!(status, 200);
    assert!(by_address.contains(&format!("/run/r1/games?token={TOKEN}")), "{by_address}");
    assert_eq!(server.get("/assets/page.css").0, 200);
    assert!(!server.get("/").1.contains(TOKEN));
}

#[test]
fn pages_say_all_without_a_script() {
    let server = Server::start(Access::local(), None);
    server.site.add(Arc::new(Told::named("r1", "<script>alert(1)</script>")));
    let name = "&lt;script&gt;alert(1)&lt;/script&gt;";
    for (path, parts) in [
        ("/", vec![name, "line of", "playing", "7</span> of 1,000 pairs"]),
        (
            "/run/r1",
            vec![name, "<p>charts</p>", "7 of 1,000", "&lt;b&gt;late&lt;/b&gt;", "/run/r1/live"],
        ),
        ("/run/r1/games", vec!["/run/r1/game/3", "checkmate", "1 to 1"]),
        (
            "/run/r1/game/3",
            vec!["After 1. e4", "score #-2", "1-0", "data-man=\"K\"", "?ply=0#board"],
        ),
        ("/run/r1/game/3?ply=0", vec!["Start position", "Ply 0 of 1"]),
        ("/run/r1/game/8", vec!["under way", "After 1. e4", "2.00 s", "data-live"]),
        ("/run/r1/live", vec!["Game 8", "data-square=\"e4\"", "1. e4"]),
    ] {
        let (status, page) = server.get(path);
        assert_eq!(status, 200, "{path}: {page}");
        for part in parts {
            assert!(page.contains(part), "{path}: {part} in {page}");
        }
        assert!(!page.contains("<script>") && !page.contains(" style="), "{path}: {page}");
    }
    for path in ["/run/r1/game/4", "/run/r2/game/3", "/run/r2/charts", "/api/run/r2/summary"] {
        assert_eq!(server.get(path).0, 404, "{path}");
    }
    let (status, to) = server.get("/run/r1/game?game=3");
    assert_eq!((status, to.contains("location: /run/r1/game/3\r\n")), (303, true), "{to}");
    assert_eq!(server.get("/run/r1/game?game=x").0, 400);
}

#[test]
fn programs_read_the_same() {
    let server = Server::start(Access::local(), None);
    server.site.add(Arc::new(Told::named("r1", "one")));
    let json = |path: &str| {
        let (status, answer) = server.get(path);
        assert_eq!(status, 200, "{path}");
        serde_json::from_str::<serde_json::Value>(answer.split_once("\r\n\r\n").unwrap().1).unwrap()
    };
    let runs = json("/api/runs");
    assert_eq!(runs[0]["id"], "r1");
    assert_eq!((runs[0]["kind"].as_str(), runs[0]["of"].as_u64()), (Some("live"), Some(1000)));
    assert_eq!(json("/api/run/r1/summary")["pairs"], 7);
    assert_eq!(json("/api/run/r1/games?from=0")["games"][0]["game"], 3);
    assert_eq!(json("/api/run/r1/live")["games"][0]["game"], 8);
    assert_eq!(json("/api/workers"), serde_json::json!([]));
    let worker = WorkerState { name: "<i>x</i>".to_owned(), slots: 3, ..WorkerState::default() };
    server.site.set_workers(vec![worker]);
    assert_eq!(json("/api/workers")[0]["slots"], 3);
    assert!(server.get("/workers").1.contains("&lt;i&gt;x&lt;/i&gt;"));
    let metrics = server.get("/metrics").1;
    assert!(metrics.contains("verdict_run_pairs{run=\"r1\",name=\"one\"} 7\n"), "{metrics}");
}

/// Events as they come: name, id, data.
fn events(server: &Server, lines: &[&str]) -> impl Iterator<Item = [String; 3]> + use<> {
    let mut read = BufReader::new(server.ask(lines)).lines().map_while(Result::ok);
    assert!(read.by_ref().any(|line| line.is_empty()));
    std::iter::from_fn(move || {
        let mut event = [const { String::new() }; 3];
        loop {
            let line = read.next()?;
            for (at, name) in ["event: ", "id: ", "data: "].into_iter().enumerate() {
                if let Some(value) = line.strip_prefix(name) {
                    event[at] = value.to_owned();
                }
            }
            if !event[2].is_empty() {
                return Some(event);
            }
        }
    })
}

#[test]
fn first_the_state_and_then_what_changes() {
    let server = Server::start(Access::local(), None);
    server.site.add(Arc::new(Told::named("r1", "one")));
    let request = ["GET /events?run=r1 HTTP/1.1", "Host: localhost"];
    let mut first = events(&server, &request);
    let [name, id, data] = first.next().unwrap();
    assert_eq!(name, "state");
    for part in ["\"id\":\"r1\"", "\"charts_version\":15", "\"runs\":[", "\"line\":\"line of one\""]
    {
        assert!(data.contains(part), "{part} in {data}");
    }
    // A browser that reconnects with the newest id gets nothing.
    let last = format!("Last-Event-ID: {id}");
    let mut again = events(&server, &[request[0], request[1], &last]);
    let mut old = events(&server, &[request[0], request[1], "Last-Event-ID: 1.1"]);
    assert_eq!(old.next().unwrap()[0], "state");
    let mut changed = Told::named("r1", "one");
    changed.0.line = "another line".to_owned();
    for _ in 0..50 {
        server.site.changed();
    }
    server.site.add(Arc::new(changed));
    for subscriber in [&mut first, &mut again] {
        let [name, next, data] = subscriber.next().unwrap();
        assert_eq!(name, "change");
        assert!(next != id && data.contains("another line") && !data.contains("workers"), "{data}");
    }
    server.site.add(Arc::new(Told::named("r2", "two")));
    let [name, _, data] = first.next().unwrap();
    assert_eq!((&*name, data.matches("\"kind\":\"live\"").count()), ("state", 3));
    // The last state comes before `end`.
    server.stop();
    assert_eq!(first.by_ref().map(|[name, ..]| name).last().unwrap(), "end");
}

#[test]
fn a_slow_reader_gets_the_latest_state() {
    let server = Server::start(Access::local(), None);
    server.site.add(Arc::new(Told::named("r1", "one")));
    let mut slow = events(&server, &["GET /events HTTP/1.1", "Host: localhost"]);
    assert_eq!(slow.next().unwrap()[0], "state");
    for number in 0..1000 {
        let mut changed = Told::named("r1", "one");
        changed.0.finished = 100 + number;
        server.site.add(Arc::new(changed));
    }
    let mut count = 0;
    let last = slow.find(|[_, _, data]| {
        count += 1;
        data.contains("\"finished\":1099")
    });
    assert!(last.is_some() && count < 50, "{count} events");
}
