//! A harness that is stopped for a while and continued: nobody answers for that.

use std::thread;
use std::time::Duration;

use super::conditions::mutineer;
use super::{Place, signal};

#[test]
fn nobody_is_to_blame_for_a_harness_that_stood_still() {
    let place = Place::new();
    let program = mutineer();
    for (name, players) in
        [("embedded", String::new()), ("programs", format!("--base {program} --test {program}"))]
    {
        // A move takes most of its time, so that it is under way when the harness is stopped. Players
        // may be as late as a busy machine makes them, but not as long as the standstill.
        let plan = "--movetime 200ms --time-margin 2s --pairs 1 --max-moves 14 --concurrency 1";
        let mut child = place.match_command(name, &format!("{players} {plan}")).spawn().unwrap();
        while !place.path(name).join("run.json").exists() {
            assert!(child.try_wait().unwrap().is_none(), "{name} ended before it was stopped");
            thread::yield_now();
        }
        thread::sleep(Duration::from_millis(700));
        signal(&child, libc::SIGSTOP);
        thread::sleep(Duration::from_secs(3));
        signal(&child, libc::SIGCONT);
        let played = place.played(name, child.wait_with_output().unwrap()).decided();
        let faults = played.summary().faults;
        assert!(faults.base.is_empty() && faults.test.is_empty(), "{name}: {faults:?}");
    }
}
