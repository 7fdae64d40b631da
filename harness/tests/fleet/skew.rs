//! Workers whose clock is wrong.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use super::Fleet;
use crate::common::canonical::canonical;

const MATCH: &str =
    "match --test embedded,search.pvs=false --nodes 20 --max-moves 20 --pairs 12 --quiet";

/// Of the Debian package libfaketime.
fn library() -> Option<PathBuf> {
    let folders = fs::read_dir("/usr/lib").ok()?.flatten();
    let mut found = folders.map(|folder| folder.path().join("faketime/libfaketime.so.1"));
    let found = found.find(|path| path.exists());
    if found.is_none() {
        println!("skipped: no libfaketime (apt-get install faketime)");
    }
    found
}

/// Makes a program see another time of day; durations are as they are.
fn at(mut command: Command, time: &str) -> Option<Command> {
    command.env("LD_PRELOAD", library()?);
    command.env("FAKETIME", time).env("FAKETIME_DONT_FAKE_MONOTONIC", "1");
    Some(command)
}

#[test]
fn a_clock_may_be_wrong() {
    if library().is_none() {
        return;
    }
    let Some(fleet) = Fleet::start_at("0.0.0.0:0", &["--old-server-ok"]) else { return };
    let token = fleet.invite("alice --host 127.0.0.1");
    let alone = fleet.run(&format!("{MATCH} --out alone"));
    for (name, time) in [("day-ahead", "+1d"), ("day-behind", "-1d"), ("hour-ahead", "+1h x1.5")] {
        let command = fleet.command(&format!("worker --join {token} --name {name} --slots 1"));
        let log = format!("{name}.log");
        let mut worker = fleet.spawn(&log, at(command, time).unwrap());
        fleet.wait_for(&log, "joined", &mut worker);
        let mut playing =
            fleet.begin("match.log", &format!("{MATCH} --out {name} --fleet srv --slots 0"));
        assert_eq!(playing.code(), alone.status.code(), "{}", fleet.log("match.log"));
        assert_eq!(
            canonical(&fleet.path(name), None).unwrap(),
            canonical(&fleet.path("alone"), None).unwrap(),
            "{name}"
        );
    }
    // So wrong that no certificate is valid: it says so, and tries again.
    let command = fleet.command(&format!("worker --join {token} --name reset --slots 1"));
    let mut worker = fleet.spawn("reset.log", at(command, "@1999-12-31 23:59:00").unwrap());
    fleet.wait_for("reset.log", "set the clock", &mut worker);
    let said = fleet.log("reset.log");
    assert!(said.contains("the clock of this machine says 1999-12-31"), "{said}");
    assert!(worker.0.try_wait().unwrap().is_none(), "{said}");
}
