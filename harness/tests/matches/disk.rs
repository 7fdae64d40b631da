//! Folders that cannot be written, disks that fill up: a clear stop, and a run that goes on later.
#![cfg(target_os = "linux")]

use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::Command;
use std::{fs, io};

use super::{Place, Played};
use crate::common::verdict::limited;

/// Players whose description is small beside the journal.
const PLAN: &str = "--base embedded:winglet --test embedded:winglet,search.pvs=false --pairs 24 \
    --nodes 100 --hash 64KiB --seed 3";

/// Root may write anywhere by a capability, which a program started so does not have.
fn without_privilege(command: &mut Command) -> &mut Command {
    const CAP_DAC_OVERRIDE: libc::c_ulong = 1;
    // SAFETY: one system call between fork and exec; without root there is nothing to drop.
    unsafe {
        command.pre_exec(|| {
            libc::prctl(libc::PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, 0, 0, 0);
            Ok(())
        })
    }
}

fn set_mode(dir: &Path, mode: u32) {
    fs::set_permissions(dir, fs::Permissions::from_mode(mode)).unwrap();
}

/// What is recorded, and the command that goes on.
#[track_caller]
fn assert_tells_how_to_go_on(stopped: &Played) {
    let dir = stopped.dir.display();
    let resume = format!("continue with: verdict resume {dir}\n");
    assert!(stopped.stderr.ends_with(&resume), "{}", stopped.stderr);
    assert!(stopped.stdout.contains(" games W "), "{}", stopped.stdout);
    assert!(stopped.stdout.ends_with(&format!("\nRecorded in {dir}\n")), "{}", stopped.stdout);
}

#[test]
fn a_journal_that_cannot_grow_stops_the_run_and_is_resumed() {
    let place = Place::new();
    place.play("whole", PLAN).decided();
    let whole = place.games("whole");
    for bytes in [10_000, 30_001, 50_002] {
        let name = format!("limited-{bytes}");
        let mut command = place.match_command(&name, PLAN);
        let stopped = place.played(&name, limited(&mut command, bytes).output().unwrap());
        assert_eq!(stopped.code, 74, "{}", stopped.stderr);
        assert!(stopped.stderr.contains("games.jsonl: cannot record a game"), "{}", stopped.stderr);
        assert_tells_how_to_go_on(&stopped);
        let journal = fs::read(stopped.dir.join("games.jsonl")).unwrap();
        assert!(!journal.is_empty() && journal.len() as u64 <= bytes, "{}", journal.len());
        // Still full: the same words again, and nothing is lost.
        let mut command = place.verdict(&format!("resume @{name} --quiet"));
        let again = place.played(&name, limited(&mut command, bytes).output().unwrap());
        assert_eq!(again.code, 74, "{}", again.stderr);
        assert!(fs::read(stopped.dir.join("games.jsonl")).unwrap().starts_with(&journal));
        place.resume(&name, "").decided();
        assert_eq!(place.games(&name), whole);
    }
}

#[test]
fn a_disk_that_is_full_stops_the_run_and_is_resumed() {
    let place = Place::new();
    let mount = place.path("small");
    fs::create_dir(&mount).unwrap();
    let path = std::ffi::CString::new(mount.to_str().unwrap()).unwrap();
    let (kind, options) = (c"tmpfs", c"size=48k");
    // SAFETY: the strings outlive the call.
    let mounted = unsafe {
        libc::mount(kind.as_ptr(), path.as_ptr(), kind.as_ptr(), 0, options.as_ptr().cast())
    };
    if mounted != 0 {
        println!("not tried: mounting needs root: {}", io::Error::last_os_error());
        return;
    }
    let _mount = Mount(path);
    place.play("whole", PLAN).decided();
    let stopped = place.play("small/run", PLAN);
    assert_eq!(stopped.code, 74, "{}", stopped.stderr);
    assert!(stopped.stderr.contains("No space left on device"), "{}", stopped.stderr);
    assert!(stopped.stderr.contains("small/run"), "{}", stopped.stderr);
    assert_tells_how_to_go_on(&stopped);
    let room = "remount,size=4m";
    let status = Command::new("mount").args(["-o", room]).arg(&mount).status().unwrap();
    assert!(status.success());
    place.resume("small/run", "").decided();
    assert_eq!(place.games("small/run"), place.games("whole"));
}

/// Taken away in the end.
struct Mount(std::ffi::CString);

impl Drop for Mount {
    fn drop(&mut self) {
        // SAFETY: a plain system call on a string that we hold.
        unsafe { libc::umount2(self.0.as_ptr(), libc::MNT_DETACH) };
    }
}

#[test]
fn whatever_plays_many_matches_goes_on_after_a_full_disk_too() {
    const GAMES: &str = "--nodes 60 --pairs 12 --max-moves 12 --hash 64KiB --seed 2";
    let place = Place::new();
    for (name, table, words) in [
        (
            "tournament",
            "crosstable.md",
            "tournament --player a=embedded:winglet --player b=embedded:rebel",
        ),
        ("sweep", "summary.md", "sweep lmr.min_move=1..3 --confirm none"),
        ("spsa", "summary.md", "tune spsa --param material.pawn:30:0.02 --batch 2 --confirm none"),
        ("clop", "summary.md", "tune clop material.pawn=150..350 --batch 2 --confirm none"),
    ] {
        let whole = format!("{words} {GAMES} --quiet --out @{name}-whole");
        place.played(name, place.verdict(&whole).output().unwrap()).decided();
        // Files that say what is played have room, those that grow with it do not.
        let mut command = place.verdict(&format!("{words} {GAMES} --quiet --out @{name}"));
        let stopped = place.played(name, limited(&mut command, 8000).output().unwrap());
        assert_eq!(stopped.code, 74, "{name}: {}{}", stopped.stdout, stopped.stderr);
        let resume = format!("continue with: verdict resume {}\n", stopped.dir.display());
        assert!(stopped.stderr.ends_with(&resume), "{name}: {}", stopped.stderr);
        let whole = place.resume(&format!("{name}-whole"), "").decided();
        let resumed = place.resume(name, "").decided();
        assert_eq!(resumed.code, whole.code, "{name}: {}", resumed.stderr);
        let table = |played: &Played| fs::read_to_string(played.dir.join(table)).unwrap();
        assert_eq!(table(&resumed), table(&whole).replace("-whole", ""), "{name}");
    }
}

#[test]
fn folders_that_cannot_be_written_are_said_before_the_first_game() {
    let place = Place::new();
    place.play("run", PLAN).decided();
    let games = fs::read(place.path("run").join("games.jsonl")).unwrap();
    fs::create_dir(place.path("locked")).unwrap();
    for (dir, words) in [
        ("locked", format!("match --quiet --out @locked/run {PLAN}")),
        ("run", "resume @run --quiet".to_owned()),
    ] {
        set_mode(&place.path(dir), 0o555);
        for file in fs::read_dir(place.path(dir)).unwrap().flatten() {
            set_mode(&file.path(), 0o444);
        }
        let output = without_privilege(&mut place.verdict(&words)).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(74), "{words}: {stderr}");
        assert!(stderr.contains("Permission denied") && stderr.contains(dir), "{words}: {stderr}");
        set_mode(&place.path(dir), 0o755);
    }
    assert_eq!(fs::read(place.path("run").join("games.jsonl")).unwrap(), games);
    assert!(!place.path("locked").join("run").exists());
}
