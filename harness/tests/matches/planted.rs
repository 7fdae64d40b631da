//! Run folders that somebody has tampered with: nothing is written through links, and a folder that is gone
//! ends its run.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::{Place, scoundrel};

const PLAN: &str = "--test embedded,killers.on=false --pairs 2 --nodes 100 --hash 64KiB";
const PATIENCE: Duration = Duration::from_secs(60);

/// Puts a link to `victim` in the place of a file.
fn plant(victim: &Path, file: &Path) {
    let _ = fs::remove_file(file);
    symlink(victim, file).unwrap();
}

#[test]
fn what_is_rendered_takes_the_place_of_links() {
    let place = Place::new();
    place.play("run", PLAN).decided();
    let (run, victim) = (place.path("run"), place.path("victim"));
    fs::write(&victim, "mine").unwrap();
    let rendered = ["report.html", "summary.md", "summary.json", "games.pgn"];
    rendered.iter().for_each(|name| plant(&victim, &run.join(name)));
    place.resume("run", "").decided();
    for name in rendered {
        assert!(fs::symlink_metadata(run.join(name)).unwrap().is_file(), "{name}");
    }
    plant(&victim, &run.join("report.html"));
    let report = place.verdict("report @run").output().unwrap();
    assert!(report.status.success(), "{report:?}");
    plant(&victim, &place.path("page"));
    fs::write(&victim, "").unwrap();
    let report = place.verdict("report @run --out @page").output().unwrap();
    assert!(report.status.success(), "{report:?}");
    assert_eq!(fs::read_to_string(&victim).unwrap(), "");
}

#[test]
fn a_lock_or_a_journal_that_is_a_link_is_refused() {
    let place = Place::new();
    place.play("run", PLAN).decided();
    let (run, victim) = (place.path("run"), place.path("victim"));
    let games = fs::read_to_string(run.join("games.jsonl")).unwrap();
    let one = games.lines().next().unwrap().to_owned() + "\n";
    for (name, text) in [("run.lock", "mine"), ("games.jsonl", &one)] {
        fs::write(run.join("games.jsonl"), &one).unwrap();
        fs::write(&victim, text).unwrap();
        plant(&victim, &run.join(name));
        let refused = place.resume("run", "");
        assert_eq!(refused.code, 74, "{name}: {}", refused.stderr);
        let told = [name, "symbolic link"].iter().all(|part| refused.stderr.contains(part));
        assert!(told, "{name}: {}", refused.stderr);
        assert_eq!(fs::read_to_string(&victim).unwrap(), text, "{name}");
        fs::remove_file(run.join(name)).unwrap();
    }
    // Nor is a new run begun through one.
    fs::create_dir(place.path("new")).unwrap();
    plant(&victim, &place.path("new").join("run.lock"));
    let refused = place.play("new", PLAN);
    assert_eq!(refused.code, 74, "{}", refused.stderr);
    assert_eq!(fs::read_to_string(&victim).unwrap(), one);
}

/// Games of minutes: a removed or replaced folder must not wait for the next one.
#[test]
fn a_run_whose_folder_is_gone_stops() {
    let place = Place::new();
    let long = format!("--pairs 4 --nodes 20000000 --max-moves 9 --test {}", scoundrel(""));
    for name in ["removed", "replaced"] {
        let child = place.match_command(name, &long).spawn().unwrap();
        let run = place.path(name);
        let until = Instant::now() + PATIENCE;
        // The last file that a session makes before it plays.
        while !run.join("games.pgn").exists() {
            assert!(Instant::now() < until, "no games.pgn");
            sleep(Duration::from_millis(5));
        }
        if name == "replaced" {
            fs::rename(&run, place.path("moved")).unwrap();
            fs::create_dir(&run).unwrap();
            fs::write(run.join("games.jsonl"), "").unwrap();
        } else {
            fs::remove_dir_all(&run).unwrap();
        }
        let stopped = place.played(name, child.wait_with_output().unwrap());
        assert_eq!(stopped.code, 74, "{name}: {}", stopped.stderr);
        assert!(stopped.stderr.contains("games.jsonl is no longer the file"), "{}", stopped.stderr);
        assert!(!stopped.stderr.contains("continue with"), "{}", stopped.stderr);
        let left = fs::read_dir(&run).map_or(0, Iterator::count);
        assert_eq!(left, usize::from(name == "replaced"), "nothing is made there again");
    }
}
