//! Programs of others, and what they cannot do to a machine.

use std::ffi::OsString;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use process::children::{Allowance, Confinement, Guarded, Sandbox, SandboxKind};
use tempfile::TempDir;

use super::{Fleet, PATIENCE};

/// The engine that misbehaves.
fn burglar() -> PathBuf {
    PathBuf::from(env!("CARGO_BIN_EXE_burglar"))
}

/// As a worker confines engines, by each kind of sandbox that works here.
fn confinements() -> Vec<Confinement> {
    let found = [SandboxKind::Bwrap, SandboxKind::Systemd].map(Sandbox::find);
    let found = found.into_iter().map(|it| it.inspect_err(|why| println!("skipped: {why}")));
    let confinement = |sandbox| Confinement {
        readable: vec![burglar()],
        allowance: Allowance { memory: Some(16 << 30), tasks: Some(256), file: Some(1 << 20) },
        ..Confinement::of(sandbox)
    };
    found.flatten().map(confinement).collect()
}

fn confined(confinement: &Confinement, words: &[&str]) -> Command {
    let args: Vec<OsString> = words.iter().map(OsString::from).collect();
    let mut command = confinement.command(&burglar(), &args, None, &[]);
    command.stdin(Stdio::null()).stdout(Stdio::piped());
    command
}

/// It says that it could do this outside, and inside that it could not.
fn assert_outside_only(words: &[&str]) {
    let outside = Command::new(burglar()).args(words).output().unwrap();
    assert!(outside.stdout.starts_with(b"done"), "{words:?}: {outside:?}");
    for confinement in confinements() {
        let inside = confined(&confinement, words).output().unwrap();
        // Else it was not started at all.
        assert!(inside.stdout.starts_with(b"failed"), "{words:?}: {confinement:?}, {inside:?}");
    }
}

/// A mark that no other process has.
fn mark(dir: &TempDir) -> String {
    format!("mark-{}", dir.path().file_name().unwrap().to_str().unwrap())
}

fn marked(mark: &str) -> Vec<i32> {
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let found = processes.filter_map(|process| {
        let line = fs::read(process.path().join("cmdline")).ok()?;
        let is_it = line.split(|c| *c == 0).any(|word| word == mark.as_bytes());
        is_it.then(|| process.file_name().to_str()?.parse().ok())?
    });
    found.collect()
}

fn wait_until_gone(mark: &str) {
    let until = Instant::now() + PATIENCE;
    while !marked(mark).is_empty() {
        assert!(Instant::now() < until, "{:?} of {mark} are left", marked(mark));
        sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_home_is_not_read() {
    let dir = tempfile::tempdir().unwrap();
    let secret = dir.path().join("secret");
    fs::write(&secret, "x").unwrap();
    assert_outside_only(&["read", secret.to_str().unwrap()]);
    // By another way.
    let way = format!("/proc/{}/root{}", std::process::id(), secret.display());
    assert_outside_only(&["read", &way]);
    if let Some(home) = std::env::var_os("HOME").map(PathBuf::from)
        && let Some(file) = fs::read_dir(home).into_iter().flatten().flatten().find_map(|entry| {
            fs::File::open(entry.path()).ok()?.metadata().ok()?.is_file().then(|| entry.path())
        })
    {
        assert_outside_only(&["read", file.to_str().unwrap()]);
    }
}

#[test]
fn nothing_is_written_outside() {
    let dir = tempfile::tempdir().unwrap();
    let (own, system) = (dir.path().join("made"), Path::new("/usr/burglar"));
    for confinement in confinements() {
        for file in [&own, system] {
            let words = ["write", file.to_str().unwrap()];
            let inside = confined(&confinement, &words).output().unwrap();
            assert!(!inside.stdout.is_empty() && !file.exists(), "{confinement:?}, {inside:?}");
        }
    }
}

#[test]
fn no_socket_leads_out() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port().to_string();
    assert_outside_only(&["connect", &port]);
}

#[test]
fn a_thousand_processes_are_too_many() {
    let dir = tempfile::tempdir().unwrap();
    let mark = mark(&dir);
    for confinement in confinements() {
        let output = confined(&confinement, &["fork", "1000", &mark]).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(said.starts_with("failed"), "{confinement:?}, {output:?}");
        wait_until_gone(&mark);
    }
}

#[test]
fn memory_has_an_end() {
    for confinement in confinements() {
        let output = confined(&confinement, &["allocate", "64"]).output().unwrap();
        assert!(output.stdout.starts_with(b"failed"), "{confinement:?}, {output:?}");
        let output = confined(&confinement, &["allocate", "1"]).output().unwrap();
        assert!(output.status.success(), "{confinement:?}, {output:?}");
    }
}

#[test]
fn nobody_outlives_its_parent() {
    let dir = tempfile::tempdir().unwrap();
    let mark = mark(&dir);
    for confinement in confinements() {
        let mut running = Guarded::spawn(confined(&confinement, &["outlive", &mark])).unwrap();
        let mut said = String::new();
        BufReader::new(running.child.stdout.take().unwrap()).read_line(&mut said).unwrap();
        assert_eq!(said, "left\n", "{confinement:?}");
        assert!(!marked(&mark).is_empty());
        drop(running);
        wait_until_gone(&mark);
    }
}

/// A worker whose `bwrap` does not work declines programs of others, and nothing else.
#[test]
fn without_a_sandbox_programs_of_others_are_declined() {
    let Some(fleet) = Fleet::start() else { return };
    let token = fleet.invite("alice");
    let programs = fleet.path("programs");
    fs::create_dir(&programs).unwrap();
    let fake = programs.join("bwrap");
    crate::common::script::script(&fake, "echo 'bwrap: No permissions here' >&2; exit 1");
    fs::set_permissions(&fake, fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap_or_default());
    let joining = format!("worker --join {token} --name pc --slots 1");
    let log = fs::File::create(fleet.path("pc.log")).unwrap();
    let mut command = fleet.command(&joining);
    command.env("PATH", &path).env("VERDICT_CACHE", fleet.path("theirs"));
    command.stdin(Stdio::null()).stdout(log.try_clone().unwrap()).stderr(log);
    let mut worker = super::Running(command.spawn().unwrap());
    fleet.wait_for("pc.log", "joined", &mut worker);
    let engine = env!("CARGO_BIN_EXE_scoundrel");
    let words = format!(
        "match --base uci:{engine},arg=first --test uci:{engine},arg=first --nodes 100 --pairs 400 \
         --rule los=95 --fleet srv --slots 1 --out programs-of-others --quiet"
    );
    let mut playing = fleet.begin("match.log", &words);
    fleet.wait_for("pc.log", "is not played here", &mut worker);
    assert!(fleet.log("pc.log").contains("sandbox"), "{}", fleet.log("pc.log"));
    let declined = fleet.status();
    assert!(declined["workers"].to_string().contains("sandbox"), "{declined}");
    playing.kill();
    let played = fleet.run(
        "match --nodes 40 --pairs 4 --fleet srv --slots 0 --out embedded --quiet --draw off --resign off",
    );
    assert!(played.status.code().is_some_and(|code| code < 3), "{played:?}");
    assert_eq!(fleet.log("embedded/games.jsonl").lines().count(), 8);
    // Asked for by name it must work.
    let named = fleet.command(&format!("{joining}-2 --sandbox bwrap")).env("PATH", &path).output();
    assert_eq!(named.unwrap().status.code(), Some(64));
}
