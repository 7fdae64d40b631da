use std::io;
use std::time::Duration;

use ::process::lack::ERRORS;
use tokio::runtime::{Builder, Runtime};
use tokio_util::sync::CancellationToken;

use super::*;
use crate::player::program::{Expected, ProgramSettings};

fn host() -> (Runtime, Arc<ProgramHost>) {
    host_with(ProgramSettings::default())
}

fn host_with(settings: ProgramSettings) -> (Runtime, Arc<ProgramHost>) {
    let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let (handle, stop) = (runtime.handle().clone(), CancellationToken::new());
    let host = ProgramHost::new(settings, handle, stop).unwrap();
    (runtime, host)
}

fn shell(script: &str) -> ProgramSpec {
    let mut spec = ProgramSpec::parse("uci:/bin/sh").unwrap();
    spec.args = vec!["-c".to_owned(), script.to_owned()];
    spec
}

fn started(spec: &ProgramSpec, host: &Arc<ProgramHost>) -> Result<(), StartError> {
    start(spec, host, |process, _| {
        let patience = process.host.settings.startup;
        let expected = Expected::new("uci", "uciok", patience);
        Ok(process.ask("uci\n", &expected, |line| (line == b"uciok").then_some(()))?)
    })
    .map(drop)
}

#[test]
fn what_the_system_refuses_is_no_fault_of_the_program() {
    let (_runtime, host) = host();
    let spec = shell("read line; echo uciok; read line");
    for errno in ERRORS {
        host.refuse_next_start(io::Error::from_raw_os_error(errno));
        let error = started(&spec, &host).unwrap_err();
        assert_eq!(error.kind, StartErrorKind::Lack, "{error}");
        let Fault::Lack(lack) = &error.fault else { panic!("{error}") };
        assert_eq!(lack.error().raw_os_error(), Some(errno));
        // The next one is started as if nothing had been.
        started(&spec, &host).unwrap();
    }
    host.refuse_next_start(io::ErrorKind::PermissionDenied.into());
    assert_eq!(started(&spec, &host).unwrap_err().kind, StartErrorKind::Engine);
}

#[test]
fn what_a_program_lacks_before_it_is_ready_is_not_its_fault_either() {
    let (_runtime, host) = host();
    for (script, kind) in [
        (
            "echo 'libm.so.6: cannot open shared object file: Error 24' >&2; exit 127",
            StartErrorKind::Lack,
        ),
        ("echo 'sh: 1: Cannot fork' >&2; exit 2", StartErrorKind::Lack),
        ("echo 'no licence' >&2; exit 2", StartErrorKind::Engine),
    ] {
        assert_eq!(started(&shell(script), &host).unwrap_err().kind, kind, "{script}");
    }
}

/// A process that has said `ready`, and begins its game.
fn in_game(script: &str, host: &Arc<ProgramHost>, go: &Expected) -> Process {
    let mut process = Process::start(&shell(script), host).unwrap();
    process.read_until(go, |line| (line == b"ready").then_some(())).unwrap();
    // All that it wrote to stderr is read by that.
    process.capsule();
    process.new_game();
    process.send("go\n", go).unwrap();
    process
}

fn go(patience: Duration) -> Expected<'static> {
    Expected { command: "go", answer: "bestmove", patience, search: true }
}

#[test]
fn only_what_ended_a_program_in_its_game_is_a_lack() {
    let (_runtime, host) = host();
    let words = "echo 'sh: cannot fork' >&2";
    for (script, lacks) in [
        (format!("echo ready; read line; {words}; exit 1"), true),
        (format!("echo ready; read line; {words}; kill -ABRT $$"), true),
        (format!("echo ready; read line; {words}; kill -SEGV $$"), false),
        (format!("echo ready; read line; {words}; exit 0"), false),
        (format!("echo ready; read line; {words}; echo no king >&2; exit 1"), false),
        (format!("{words}; echo ready; read line; exit 1"), false),
    ] {
        let go = go(Duration::from_secs(30));
        let fault = in_game(&script, &host, &go).read(&go, |_| ()).unwrap_err();
        assert_eq!(matches!(fault, Fault::Lack(_)), lacks, "{script}: {fault}");
        assert!(lacks || matches!(fault, Fault::Crash(_)), "{script}: {fault}");
    }
}

/// Whoever tells it to move now.
#[test]
fn all_that_is_said_to_a_program_is_in_its_traffic() {
    let folder = tempfile::tempdir().unwrap();
    let traffic = Some(folder.path().to_owned());
    let (_runtime, host) = host_with(ProgramSettings { traffic, ..ProgramSettings::default() });
    let go = go(Duration::from_millis(1));
    let script = "echo ready; read go; read stop; echo bestmove a; read stop; echo bestmove b";
    let mut process = in_game(script, &host, &go);
    process.read(&go, |_| ()).unwrap();
    assert!(process.second_answer(|line| line == b"bestmove b").is_some());
    drop(process);
    let file = std::fs::read_dir(folder.path()).unwrap().next().unwrap().unwrap().path();
    let text = std::fs::read_to_string(file).unwrap();
    let said: Vec<_> =
        text.lines().map(|line| line.trim_start().split_once(' ').unwrap().1).collect();
    assert_eq!(said, ["< ready", "> go", "> stop", "< bestmove a", "> stop", "< bestmove b"]);
}
