use std::fs;
use std::sync::{Arc, Mutex};

use super::*;
use crate::record::{Tally, sample};

/// Collects warnings.
#[derive(Clone, Default)]
struct Ear(Arc<Mutex<Vec<String>>>);

impl MatchObserver for Ear {
    fn game(&mut self, _: &GameRecord, _: &MatchState) {}

    fn warning(&mut self, what: &str) {
        self.0.lock().unwrap().push(what.to_owned());
    }
}

/// Collects these games in `dir`; what trouble there was.
fn collect(dir: &Path, games: Vec<Finished>) -> Vec<String> {
    let journal = Journal::create(dir).unwrap();
    fs::write(dir.join("run.json"), "{}").unwrap();
    let recorded = Recorded::new(MatchState::new("los=95".parse().unwrap(), 1000));
    let ear = Ear::default();
    let stops = (Stops::default(), StrikeSender::new(None).1);
    let collector = Collector::new(journal, dir, recorded, None, stops, ear.clone());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    let collected = runtime.block_on(async {
        let (sender, receiver) = mpsc::channel(games.len());
        for game in games {
            sender.send(game).await.unwrap();
        }
        drop(sender);
        collector.run(receiver).await
    });
    collected.unwrap();
    ear.0.lock().unwrap().clone()
}

/// What would fill the disk is left out, but not in silence.
#[test]
fn the_last_fault_that_is_kept_is_told() {
    let dir = tempfile::tempdir().unwrap();
    let crash = |game| {
        let termination = Termination::Crash;
        Finished::new(GameRecord { termination, ..sample(game) }, None)
    };
    let games = (0..2 * KEPT_FAULTS).map(crash).collect();
    let troubles = collect(dir.path(), games);
    let told = troubles.iter().filter(|told| told.starts_with("100 faults are saved"));
    assert_eq!(told.count(), 1, "{troubles:?}");
    let kept = fs::read_dir(dir.path().join("faults")).unwrap().count();
    assert_eq!(kept as u64, KEPT_FAULTS);
}

/// A machine that is busy, or a harness that was stopped for a while.
#[test]
fn what_was_played_again_is_no_fault_of_the_run() {
    let mut watch = FaultWatch::new(Some(0.1));
    let mut tally = Tally::default();
    for number in 0..100 {
        let mut game = sample(number);
        game.time.replays = 2;
        assert_eq!(watch.note(&game), None);
        tally.add(&game).unwrap();
    }
    assert_eq!((tally.faults.total, tally.faults.replayed), (200, 200));
    assert_eq!(TooManyFaults::of_run(&tally, Some(0.1), true), None);
    // Those that the harness spoils each time are.
    let stopped = (100..).take(100).any(|number| {
        let game = GameRecord { termination: Termination::LateHarness, ..sample(number) };
        tally.add(&game).unwrap();
        watch.note(&game).is_some()
    });
    assert!(stopped && TooManyFaults::of_run(&tally, Some(0.1), false).is_some());
}

#[test]
fn what_the_harness_has_spoilt_is_kept_though_the_game_is_played_again() {
    let dir = tempfile::tempdir().unwrap();
    let late = || {
        let termination = Termination::LateHarness;
        Finished::new(GameRecord { termination, ..sample(0) }, None)
    };
    let game = Finished { late_attempts: vec![late(), late()], ..Finished::new(sample(0), None) };
    collect(dir.path(), vec![game]);
    let fault = |name: &str| fs::read_to_string(dir.path().join("faults").join(name));
    for attempt in [1, 2] {
        let text = fault(&format!("0.{attempt}/fault.txt")).unwrap();
        assert!(text.contains(&format!("attempt {attempt} at this game")), "{text}");
        assert!(text.contains("late-harness"), "{text}");
    }
    assert!(fault("0/fault.txt").is_err() && fault("0.1/game.json").is_ok());
}

/// Counts what it is told.
#[derive(Default)]
struct Counter {
    struck: u64,
    standing: Vec<u64>,
}

impl MatchObserver for Arc<Mutex<Counter>> {
    fn game(&mut self, game: &GameRecord, _: &MatchState) {
        self.lock().unwrap().standing.push(game.game);
    }

    fn warning(&mut self, _: &str) {}

    fn struck(&mut self) {
        let mut counter = self.lock().unwrap();
        counter.struck += 1;
        counter.standing.clear();
    }

    fn stands(&mut self, game: &GameRecord) {
        self.lock().unwrap().standing.push(game.game);
    }
}

/// A rule decides by what is not doubted, and what was struck counts no more.
#[test]
fn games_are_struck_before_they_decide() {
    let dir = tempfile::tempdir().unwrap();
    let journal = Journal::create(dir.path()).unwrap();
    fs::write(dir.path().join("run.json"), "{}").unwrap();
    let recorded = Recorded::new(MatchState::new("los=95".parse().unwrap(), 4));
    let (counter, stops) = (Arc::<Mutex<Counter>>::default(), Stops::default());
    let (strikes, struck) = StrikeSender::new(Some(0));
    let collector = Collector::new(
        journal,
        dir.path(),
        recorded,
        None,
        (stops.clone(), struck),
        Arc::clone(&counter),
    );
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    runtime.block_on(async {
        let (sender, receiver) = mpsc::channel(64);
        let collecting = tokio::spawn(collector.run(receiver));
        let send = async |games: std::ops::Range<u64>| {
            for game in games {
                sender.send(Finished::new(sample(game), None)).await.unwrap();
            }
        };
        // All four pairs, which decide; the first half of pair 1 has come alone.
        send(0..3).await;
        let strike = |pairs: &[u64]| Strike::new(pairs, "eve.1".to_owned(), "it lies".to_owned());
        assert!(strikes.strike(strike(&[1])).await);
        assert_eq!(counter.lock().unwrap().standing, [0, 1]);
        send(2..8).await;
        assert!(strikes.strike(strike(&[2, 3])).await);
        assert_eq!(counter.lock().unwrap().standing, [0, 1, 2, 3]);
        send(4..8).await;
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        assert!(!stops.now(), "the first pair is still doubted");
        strikes.doubt_from(None);
        stops.now_token().cancelled().await;
        drop(sender);
        collecting.await.unwrap().unwrap();
    });
    assert_eq!(counter.lock().unwrap().struck, 2);
    let mut games: Vec<u64> =
        Games::open(dir.path()).unwrap().map(|game| game.unwrap().game).collect();
    games.sort_unstable();
    assert_eq!(games, (0..8).collect::<Vec<_>>());
}

/// Who waits for a strike holds the senders of games, for which a failed collector waits.
#[test]
fn a_strike_that_waits_does_not_hold_up_a_collector_that_fails() {
    let dir = tempfile::tempdir().unwrap();
    let journal = Journal::create(dir.path()).unwrap();
    let recorded = Recorded::new(MatchState::new("los=95".parse().unwrap(), 4));
    let (strikes, struck) = StrikeSender::new(None);
    let stops = (Stops::default(), struck);
    let collector = Collector::new(journal, dir.path(), recorded, None, stops, Ear::default());
    fs::remove_file(dir.path().join(crate::record::GAMES_FILE)).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    runtime.block_on(async {
        let (sender, receiver) = mpsc::channel(1);
        let collecting = tokio::spawn(collector.run(receiver));
        let strike = |pair| Strike::new(&[pair], "eve.1".to_owned(), "it lies".to_owned());
        let waiting = async {
            tokio::join!(strikes.strike(strike(0)), strikes.strike(strike(1)));
            drop(sender);
        };
        let patience = std::time::Duration::from_secs(60);
        tokio::time::timeout(patience, waiting).await.expect("it hangs");
        assert!(collecting.await.unwrap().is_err());
    });
}
