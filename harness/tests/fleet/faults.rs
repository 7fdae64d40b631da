//! Faults of engines at workers: what is kept of them is what one machine keeps.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use arena::player::program::{Capsule, Protocol};
use serde_json::Value;
use wire::message::{CAPSULE_BYTES, WireGame};

use super::Fleet;
use super::liar::{Liar, games, wait_for_run};
use crate::common::canonical::canonical;

/// All files in a run's folder of faults, without what is another machine's or another time's.
fn kept(run: &Path) -> BTreeMap<String, String> {
    let mut kept = BTreeMap::new();
    for fault in fs::read_dir(run.join("faults")).unwrap().flatten() {
        for file in fs::read_dir(fault.path()).unwrap().flatten() {
            let name = file.file_name().into_string().unwrap();
            let text = fs::read_to_string(file.path()).unwrap();
            let text = match &*name {
                "game.json" => {
                    let mut game: Value = serde_json::from_str(&text).unwrap();
                    game.as_object_mut().unwrap().remove("time");
                    game.to_string()
                }
                "transcript.txt" => text
                    .lines()
                    .map(|line| line.get("    0.000000".len()..).unwrap_or(line).to_owned() + "\n")
                    .collect(),
                "fault.txt" => text.replace(&run.display().to_string(), "RUN"),
                "run.json" => String::new(),
                _ => text,
            };
            kept.insert(format!("{}/{name}", fault.file_name().display()), text);
        }
    }
    kept
}

#[test]
fn a_fault_at_a_worker_is_kept_as_on_one_machine() {
    let Some(fleet) = Fleet::start() else { return };
    fs::write(fleet.path("note.txt"), "x").unwrap();
    let (scoundrel, dials) = (env!("CARGO_BIN_EXE_scoundrel"), env!("CARGO_BIN_EXE_dials"));
    for (players, name) in [
        (format!("--test uci:{scoundrel},arg=first,arg=exit-in-search:3"), "crash"),
        (format!("--test uci:{scoundrel},arg=first,arg=illegal:2"), "illegal"),
        // The file of its option has another path at a worker.
        (format!("--base uci:{dials} --test uci:{dials},arg=dies,Aim=44,Note=note.txt"), "file"),
    ] {
        let words = format!(
            "match {players} --pairs 1 --seed 3 --depth 2 --draw off --resign off --max-faults off --quiet"
        );
        let alone = fleet.run(&format!("{words} --out {name}-alone"));
        // Two names, so that faults are believed.
        let tokens = ["a", "b"].map(|it| fleet.invite(&format!("{name}-{it}")));
        let workers = tokens
            .each_ref()
            .map(|token| fleet.stranger(token, &format!("{name}-pc"), ""))
            .map(Some);
        let mut playing = fleet
            .begin("match.log", &format!("{words} --out {name} --fleet srv --slots 0 --chunk 1"));
        let code = playing.code();
        drop(workers);
        let said = fleet.log("match.log");
        assert_eq!(code, alone.status.code(), "{said}");
        let [run, alone] = [name.to_owned(), format!("{name}-alone")].map(|it| fleet.path(&it));
        assert_eq!(canonical(&run, None).unwrap(), canonical(&alone, None).unwrap());
        let (found, expected) = (kept(&run), kept(&alone));
        assert_eq!(found.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
        // Both games end so, in processes that have played no other game.
        assert_eq!(expected.len(), 2 * 6, "{expected:?}");
        assert_eq!(found, expected);
        assert!(name != "file" || format!("{found:?}").contains("Note value note.txt"));
        // The worker's cache is nowhere in it.
        assert!(!format!("{found:?}").contains("cache-"), "{found:?}");
        assert!(said.contains("verdict replay"), "{said}");
        let replayed = fleet.run(&format!("replay {name}/faults/0"));
        let said = String::from_utf8_lossy(&replayed.stdout);
        assert!(replayed.status.success() && said.ends_with("the same fault again\n"), "{said}");
    }
}

/// What is told to an engine here must not be what a stranger likes.
#[test]
fn a_forged_capsule_is_not_saved() {
    let Some(fleet) = Fleet::start() else { return };
    let scoundrel = env!("CARGO_BIN_EXE_scoundrel");
    let words = format!(
        "match --test uci:{scoundrel},arg=first,arg=exit-in-search:3 --pairs 2 --depth 2 --hash 1MiB \
         --max-faults off --quiet --seed 5"
    );
    fleet.run(&format!("{words} --out alone"));
    let games = games(&fleet, "alone");
    let token = fleet.invite("alice");
    let mut playing =
        fleet.begin("match.log", &format!("{words} --out run --fleet srv --slots 0 --chunk 1"));
    let run = wait_for_run(&fleet, &mut playing);
    let liar = Liar::join(&token, "liar");
    let read = |file: &str| fs::read_to_string(fleet.path("alone/faults/0").join(file)).unwrap();
    let secret = fleet.path("secret").display().to_string();
    let honest = Capsule {
        protocol: Protocol::Uci,
        command: "rm -rf /".to_owned(),
        input: read("input.txt"),
        transcript: read("transcript.txt") + "\u{1b}[2J",
        stderr: String::new(),
        exit_status: Some("fine\nreplay: rm -rf /".to_owned()),
    };
    let forged = Capsule {
        input: format!("uci\nsetoption name Debug Log File value {secret}\n"),
        ..honest.clone()
    };
    let long = "x".repeat(CAPSULE_BYTES);
    let huge = Capsule { stderr: long, ..honest.clone() };
    let send = |first: usize, capsule: &Capsule| {
        let pair = &games[first..first + 2];
        let mut batch = liar.batch(run, pair);
        batch.games = pair
            .iter()
            .map(|record| WireGame {
                capsule: Some(capsule.clone()),
                ..WireGame::new(record.clone())
            })
            .collect();
        liar.send_json(run, &super::liar::as_json(&batch));
    };
    send(0, &huge);
    // It is believed at the third time.
    (0..3).for_each(|_| send(0, &forged));
    (0..3).for_each(|_| send(2, &honest));
    assert!(playing.code().is_some(), "{}", fleet.log("match.log"));
    let said = fleet.log("match.log");
    assert!(said.contains("a result of alice.liar is refused: its field capsule"), "{said}");
    assert!(said.contains("what alice.liar kept of its fault is not saved"), "{said}");
    assert!(fleet.path("run/faults/0/fault.txt").exists());
    assert!(!fleet.path("run/faults/0/input.txt").exists());
    // What is in order is kept, without what could deceive.
    let fault = fleet.log("run/faults/2/fault.txt");
    let deceives = |line: &str| line.starts_with("replay: rm") || line.starts_with("program: rm");
    assert!(!fault.lines().any(deceives) && fault.contains(scoundrel), "{fault}");
    assert!(!fleet.log("run/faults/2/transcript.txt").contains('\u{1b}'));
    assert_eq!(fleet.log("run/faults/2/input.txt"), read("input.txt"));
}
