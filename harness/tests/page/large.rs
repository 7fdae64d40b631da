//! A run of 100,000 games costs the page little more than a small one.

use std::fs;
use std::time::{Duration, Instant};

use arena::collector::MatchObserver as _;
use arena::record::MatchState;
use harness::screen::live_line;
use web::{RecordedRuns, Site, WebObserver, run_id};

use super::charts::recorded;
use crate::common::samples::game;

const GAMES: u64 = 100_000;

/// With `--ignored`: writing the games takes a while. It prints what it took.
#[test]
#[ignore = "figures of a large run"]
fn a_hundred_thousand_games() {
    let place = tempfile::tempdir().unwrap();
    let (dir, run) = recorded(place.path(), "large", GAMES, GAMES);
    let size = fs::metadata(dir.join("games.jsonl")).unwrap().len();
    println!("{GAMES} games, {} MB", size >> 20);
    let site = Site::new(RecordedRuns::none());
    let told = |what: &str, begun: Instant| println!("{what}: {:?}", begun.elapsed());
    let begun = Instant::now();
    let (mut observer, thread) = WebObserver::begin(&dir, run, live_line, None, &site).unwrap();
    told("read", begun);
    let shown = site.find(&run_id(&dir)).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    for name in ["charts", "charts again"] {
        let begun = Instant::now();
        let charts = runtime.block_on(shown.charts()).unwrap();
        told(&format!("{name}, {} KB", charts.html.len() >> 10), begun);
    }
    let mut slowest = Duration::ZERO;
    let begun = Instant::now();
    for number in GAMES..GAMES + 2000 {
        let game = game(number);
        let one = Instant::now();
        observer.game(&game, &MatchState::default());
        slowest = slowest.max(one.elapsed());
    }
    told("2,000 more games", begun);
    println!("the slowest of them: {slowest:?}");
    for from in [None, Some(50_000), Some(50_100)] {
        let begun = Instant::now();
        let page = runtime.block_on(shown.games(from, 100)).unwrap();
        told(&format!("games from {from:?}"), begun);
        assert_eq!(page.games.len(), 100);
    }
    drop(observer);
    thread.join().unwrap();
    assert_eq!(shown.state().finished, GAMES + 2000);
    let begun = Instant::now();
    let whole = runtime.block_on(shown.charts()).unwrap();
    told("charts of the end", begun);
    assert!(whole.html.len() < 1 << 20 && whole.html.contains("<svg"));
}
