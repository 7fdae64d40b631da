//! The charts of the page are those of the report.

use std::fs;
use std::path::{Path, PathBuf};

use arena::collector::MatchObserver as _;
use arena::record::{Journal, MatchState, RunFile};
use arena::report::{self, RunResults};
use harness::screen::live_line;
use serde_json::json;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use web::{Access, RecordedRuns, Site, WebObserver, run_id, serve};

use crate::common::samples::{game, run_file};

/// A recorded run of so many games, of a match of so many pairs.
pub(super) fn recorded(place: &Path, name: &str, games: u64, pairs: u64) -> (PathBuf, RunFile) {
    let dir = place.join(name);
    let mut run = run_file();
    run.plan = json!({"rule": "los=95", "pairs": pairs, "hash": "256KiB"});
    let mut journal = Journal::create(&dir).unwrap();
    (0..games).for_each(|number| journal.append(&[&game(number)]).unwrap());
    journal.close().unwrap();
    run.write(&dir).unwrap();
    (dir, run)
}

/// What a server of these runs answers to requests for these paths.
fn answers(site: &Site, paths: &[String]) -> Vec<String> {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
    let at = listener.local_addr().unwrap();
    let stop = CancellationToken::new();
    let served = runtime.spawn(serve(listener, site.clone(), Access::local(), stop.clone()));
    let answers = paths.iter().map(|path| {
        let mut stream = std::net::TcpStream::connect(at).unwrap();
        let request =
            format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        std::io::Write::write_all(&mut stream, request.as_bytes()).unwrap();
        let mut answer = String::new();
        std::io::Read::read_to_string(&mut stream, &mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 200"), "{path}: {answer}");
        answer.split_once("\r\n\r\n").unwrap().1.to_owned()
    });
    let answers = answers.collect();
    stop.cancel();
    runtime.block_on(served).unwrap();
    answers
}

#[test]
fn a_recorded_run_has_the_section_of_its_report() {
    let place = tempfile::tempdir().unwrap();
    let (dir, _) = recorded(place.path(), "night/one", 60, 30);
    let (packed, _) = recorded(place.path(), "two", 40, 20);
    let text = fs::read(packed.join("games.jsonl")).unwrap();
    fs::write(packed.join("games.jsonl.zst"), zstd::encode_all(&*text, 1).unwrap()).unwrap();
    fs::remove_file(packed.join("games.jsonl")).unwrap();
    let site = Site::new(RecordedRuns::under(place.path().to_owned()));
    let paths = [&dir, &packed].map(|dir| format!("/run/{}", run_id(dir)));
    let asked = [
        "/".to_owned(),
        format!("{}/charts", paths[0]),
        format!("{}/charts", paths[1]),
        format!("{}/games", paths[1]),
        format!("{}/game/39", paths[1]),
    ];
    let [list, first, second, games, last] = answers(&site, &asked).try_into().unwrap();
    assert!(list.contains(&paths[0]) && list.contains("night/one") && list.contains(&paths[1]));
    for (dir, name, shown) in [(&dir, "night/one", first), (&packed, "two", second)] {
        let report = report::render(std::slice::from_ref(dir), &[]).unwrap();
        // Only the id and the name tell them apart.
        let own = dir.file_name().unwrap().to_str().unwrap();
        let (same, report) = (
            shown.replace(&format!(">{name}<"), &format!(">{own}<")),
            report.replace("run1", "run"),
        );
        assert!(shown.contains("<svg") && report.contains(same.trim()), "{shown}");
    }
    assert!(games.contains("1 to 40") && last.contains("Game 39"));
}

#[test]
fn a_run_under_way_is_drawn_as_if_it_were_read() {
    let place = tempfile::tempdir().unwrap();
    let (dir, run) = recorded(place.path(), "begun", 20, 10);
    let site = Site::new(RecordedRuns::none());
    let (mut observer, thread) = WebObserver::begin(&dir, run, live_line, None, &site).unwrap();
    let mut results = RunResults::read(&dir, "begun").unwrap();
    for number in 20..50 {
        observer.game(&game(number), &MatchState::default());
        results.add(&game(number)).unwrap();
    }
    observer.warning("a <warning>");
    drop(observer);
    thread.join().unwrap();
    let path = format!("/run/{}", run_id(&dir));
    let asked = [format!("{path}/charts"), path.clone()];
    let [charts, page] = answers(&site, &asked).try_into().unwrap();
    assert_eq!(charts, report::fragment(&results));
    assert!(page.contains(&charts) && page.contains("a &lt;warning&gt;"), "{page}");
}
