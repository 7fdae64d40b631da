//! Who may read it.

use super::Watched;
use crate::common::verdict::verdict;

#[test]
fn loopback_needs_no_token_and_foreign_names_get_nothing() {
    let place = tempfile::tempdir().unwrap();
    let watched = Watched::begin(place.path(), "127.0.0.1:0", 200);
    assert!(watched.at.starts_with("127.0.0.1:") && !watched.run.contains("token"));
    let (status, page) = watched.get(&watched.run);
    assert_eq!(status, 200, "{page}");
    for header in [
        "content-security-policy: default-src 'self'",
        "nosniff",
        "no-store",
        "frame-ancestors 'none'",
    ] {
        assert!(page.contains(header), "{header} in {page}");
    }
    let asked = |lines: &[&str]| {
        let mut answer = String::new();
        std::io::Read::read_to_string(&mut watched.ask(lines), &mut answer).unwrap();
        answer.split(' ').nth(1).unwrap().parse::<u16>().unwrap()
    };
    let own = format!("Host: {}", watched.at);
    assert_eq!(asked(&["POST / HTTP/1.1", &own, "Connection: close"]), 405);
    assert_eq!(asked(&["GET / HTTP/1.1", "Host: rebound.example", "Connection: close"]), 421);
    let foreign = "Origin: http://rebound.example";
    assert_eq!(asked(&["GET /events HTTP/1.1", &own, foreign, "Connection: close"]), 403);
}

#[test]
fn other_addresses_need_the_token_that_is_told() {
    let place = tempfile::tempdir().unwrap();
    let watched = Watched::begin(place.path(), "0.0.0.0:0", 200);
    let (path, token) = watched.run.split_once("?token=").unwrap();
    assert_eq!(token.len(), 32);
    assert_eq!(watched.get(path).0, 401);
    assert_eq!(watched.get(&format!("{path}?token={}", "0".repeat(32))).0, 401);
    assert_eq!(watched.get(&watched.run).0, 200);
    let recorded = std::fs::read_to_string(watched.dir.join("run.json")).unwrap();
    assert!(!recorded.contains(token));
}

#[test]
fn an_address_that_cannot_be_had_is_told_before_anything_is_played() {
    let place = tempfile::tempdir().unwrap();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    for address in
        [taken.local_addr().unwrap().to_string(), "nowhere".to_owned(), "x:99999".to_owned()]
    {
        let output = verdict(place.path(), &format!("match --web {address} --out @run"));
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(64), "{told}");
        assert!(told.contains(&address) && !place.path().join("run").exists(), "{told}");
    }
}
