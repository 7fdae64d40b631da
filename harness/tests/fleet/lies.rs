//! Workers that send what they should not: it is refused or dropped by name, and the run is the same
//! as without them.

use std::thread::sleep;
use std::time::{Duration, Instant};

use arena::record::{GameRecord, Termination};
use pgn::Outcome;
use serde_json::{Value, json};

use super::liar::{Liar, as_json, games, run_id, wait_for_run};
use super::{Fleet, PATIENCE, Running};
use crate::common::canonical::canonical;

const MATCH: &str =
    "match --test embedded,search.pvs=false --nodes 20 --max-moves 20 --pairs 24 --quiet --seed 5";

/// One process's games, and a match that waits for workers.
fn begun(fleet: &Fleet) -> (Vec<GameRecord>, Option<i32>, Running) {
    let alone = fleet.run(&format!("{MATCH} --out alone"));
    let words = format!("{MATCH} --out run --fleet srv --slots 0 --chunk 4");
    let mut playing = fleet.begin("match.log", &words);
    wait_for_run(fleet, &mut playing);
    (games(fleet, "alone"), alone.status.code(), playing)
}

/// Waits until the run's state says so many.
fn wait_for(fleet: &Fleet, field: &str, count: u64) {
    let until = Instant::now() + PATIENCE;
    loop {
        let status = fleet.status();
        let found = status["runs"][0][field].as_u64().unwrap();
        assert!(found <= count, "{field} is {found}: {}", fleet.log("match.log"));
        if found == count {
            return;
        }
        assert!(Instant::now() < until, "{field}: {status}\n{}", fleet.log("match.log"));
        sleep(Duration::from_millis(100));
    }
}

fn rehashed(mut game: GameRecord) -> GameRecord {
    game.hash = GameRecord::hash_of(&game.fen, &game.moves);
    game
}

fn flipped(game: &GameRecord) -> GameRecord {
    let result = match game.result {
        Outcome::White => Outcome::Black,
        Outcome::Black | Outcome::Draw => Outcome::White,
    };
    GameRecord { result, ..game.clone() }
}

/// Its last move is none that the position has.
fn illegal(game: &GameRecord) -> GameRecord {
    let (before, _) = game.moves.rsplit_once(' ').unwrap();
    rehashed(GameRecord { moves: format!("{before} a1a1"), ..game.clone() })
}

/// It says that it has ended before its end.
fn cut(game: &GameRecord) -> GameRecord {
    let mut cut = game.clone();
    cut.moves.truncate(cut.moves.rfind(' ').unwrap());
    cut.plies -= 1;
    cut.notes.pop();
    cut.time.moves_us.pop();
    rehashed(cut)
}

/// Each pair with one false game.
fn lies(games: &[GameRecord]) -> Vec<(&'static str, [GameRecord; 2])> {
    let with = |first: GameRecord| [first, games[1].clone()];
    let true_game = &games[0];
    let changed = |change: &dyn Fn(&mut GameRecord)| {
        let mut game = true_game.clone();
        change(&mut game);
        with(game)
    };
    // The opening of another pair, under this pair's number.
    let other = GameRecord {
        game: true_game.game,
        pair: true_game.pair,
        white: true_game.white,
        black: true_game.black,
        ..games[6].clone()
    };
    vec![
        ("result", with(flipped(true_game))),
        ("illegal move", with(illegal(true_game))),
        ("cut", with(cut(true_game))),
        ("opening", with(other)),
        ("colours", changed(&|it| std::mem::swap(&mut it.white, &mut it.black))),
        ("hash", changed(&|it| it.hash = "0123456789abcdef".to_owned())),
        (
            "nodes",
            changed(&|it| {
                it.notes[3].nodes += 1 << 40;
                it.nodes[1] += 1 << 40;
            }),
        ),
        (
            "notes",
            changed(&|it| {
                it.notes.remove(0);
            }),
        ),
        ("times", changed(&|it| it.time.moves_us.push(1))),
        ("sums", changed(&|it| it.nodes = [1, 1])),
        ("end", changed(&|it| it.termination = Termination::TablebaseAdjudication)),
        ("beyond the run", changed(&|it| (it.game, it.pair) = (4000, 2000))),
    ]
}

#[test]
fn each_lie_is_refused_by_name() {
    let Some(fleet) = Fleet::start() else { return };
    let [alice, bob] = ["alice", "bob"].map(|name| fleet.invite(name));
    let (games, code, mut playing) = begun(&fleet);
    let run = run_id(&fleet);
    let liar = Liar::join(&alice, "liar");
    let mut sent = 0;
    for (_, pair) in lies(&games) {
        liar.send(run, &pair);
        sent += 1;
    }
    // Batches that are none.
    let batch = as_json(&liar.batch(run, &games[..2]));
    let changed = |change: &dyn Fn(&mut Value)| {
        let mut batch = batch.clone();
        change(&mut batch);
        batch
    };
    for batch in [
        changed(&|it| it["v"] = json!(wire::message::VERSION + 1)),
        changed(&|it| it["v"] = json!(wire::message::VERSION - 1)),
        changed(&|it| it["run"] = json!("0123456789abcdef")),
        changed(&|it| it["worker"]["name"] = json!("bob.pc")),
        changed(&|it| it["games"][1] = it["games"][0].clone()),
        changed(&|it| it["first"] = json!(9)),
        json!({"v": 1}),
    ] {
        liar.send_json(run, &batch);
        sent += 1;
    }
    let bomb = zstd::encode_all(&*vec![b' '; 64 << 20], 3).unwrap();
    let long = vec![7; (900 << 10) + 1];
    for bytes in [bomb, long, b"no zstd".to_vec(), Vec::new()] {
        liar.store(run, bytes).unwrap();
        sent += 1;
    }
    // What the broker itself refuses: too long, and in another's name.
    assert!(liar.store(run, vec![7; 2 << 20]).is_err());
    let forger = Liar::join(&alice, "forger");
    let bobs = wire::names::pairs_subject(run, &"bob.pc".parse().unwrap());
    assert!(forger.store_at(bobs, vec![1]).is_err());
    wait_for(&fleet, "refused", sent);
    let said = fleet.log("match.log");
    assert!(said.contains("a result of alice.liar is refused"), "{said}");
    assert!(!said.contains("bob.pc is refused"), "{said}");
    // An honest worker plays all of it.
    let _worker = fleet.worker(&bob, "pc", 2);
    assert_eq!(playing.code(), code, "{}", fleet.log("match.log"));
    assert_eq!(
        canonical(&fleet.path("run"), None).unwrap(),
        canonical(&fleet.path("alone"), None).unwrap()
    );
}

#[test]
fn results_twice_and_out_of_order() {
    let Some(fleet) = Fleet::start() else { return };
    let token = fleet.invite("alice");
    let (games, code, mut playing) = begun(&fleet);
    let run = run_id(&fleet);
    let stutterer = Liar::join(&token, "pc");
    // The last pair is left out, so that the run goes on.
    let pairs: Vec<&[GameRecord]> = games.chunks(2).collect();
    let (last, others) = pairs.split_last().unwrap();
    for pair in others.iter().rev().chain(others.iter()) {
        stutterer.send(run, pair);
    }
    wait_for(&fleet, "duplicates", 2 * others.len() as u64);
    assert_eq!(fleet.status()["runs"][0]["refused"], 0);
    stutterer.send(run, last);
    assert_eq!(playing.code(), code, "{}", fleet.log("match.log"));
    assert_eq!(
        canonical(&fleet.path("run"), None).unwrap(),
        canonical(&fleet.path("alone"), None).unwrap()
    );
}
