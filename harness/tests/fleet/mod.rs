//! Matches over several processes, with a real broker.
#![cfg(target_os = "linux")]

mod absent;
mod audits;
mod chaos;
mod clocks;
mod disk;
mod far;
mod faults;
mod files;
mod leaving;
mod liar;
mod lies;
mod log;
mod outages;
mod partition;
mod poison;
mod protocol;
mod rights;
mod same;
mod sandbox;
mod skew;
mod starters;
mod stubs;
mod told;
mod tune;

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::common::verdict::signal;

/// For everything that has to happen at once but need not on a busy machine.
const PATIENCE: Duration = Duration::from_secs(90);
/// Whoever sets it wants no test to be skipped.
const MUST: &str = "VERDICT_BROKER";

/// A broker, and a folder for everything.
struct Fleet {
    dir: TempDir,
    serve: Running,
    /// `ADDR:PORT`, the same when it is started again.
    listen: String,
}

/// A process that ends with the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Running {
    fn kill(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }

    fn signal(&self, number: libc::c_int) {
        signal(&self.0, number);
    }

    /// Waits for its end; the exit code.
    fn code(&mut self) -> Option<i32> {
        let until = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.0.try_wait().unwrap() {
                return status.code();
            }
            assert!(Instant::now() < until, "it does not end");
            sleep(Duration::from_millis(10));
        }
    }
}

/// Whether there is a broker to test with; else says so.
fn has_broker() -> bool {
    let found = fleet::server::find_program();
    if let Err(error) = &found {
        assert!(std::env::var_os(MUST).is_none(), "{MUST} is set: {error}");
        println!("skipped: {error}");
    }
    found.is_ok()
}

impl Fleet {
    /// `None` where no broker is installed.
    fn start() -> Option<Fleet> {
        Fleet::start_at("127.0.0.1:0", &[])
    }

    fn start_at(listen: &str, words: &[&str]) -> Option<Fleet> {
        if !has_broker() {
            return None;
        }
        let dir = tempfile::tempdir().unwrap();
        let serve = serve(dir.path(), listen, words);
        let place = fs::read_to_string(dir.path().join("srv/serve.json")).unwrap();
        let place: serde_json::Value = serde_json::from_str(&place).unwrap();
        let listen = place["listen"].as_str().unwrap().to_owned();
        Some(Fleet { dir, serve, listen })
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn command(&self, words: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_verdict"));
        command.current_dir(self.dir.path()).args(words.split_whitespace());
        command
    }

    fn run(&self, words: &str) -> Output {
        self.command(words).output().unwrap()
    }

    /// The invitation of a new name.
    fn invite(&self, words: &str) -> String {
        let invited = self.run(&format!("serve --dir srv invite {words}"));
        assert!(invited.status.success(), "{}", String::from_utf8_lossy(&invited.stderr));
        let line = String::from_utf8(invited.stdout).unwrap();
        line.split_whitespace().last().unwrap().to_owned()
    }

    /// A process in the background, whose words go to a file.
    fn begin(&self, log: &str, words: &str) -> Running {
        self.spawn(log, self.command(words))
    }

    fn spawn(&self, log: &str, mut command: Command) -> Running {
        let log = fs::File::create(self.path(log)).unwrap();
        command.stdin(Stdio::null()).stdout(log.try_clone().unwrap()).stderr(log);
        Running(command.spawn().unwrap())
    }

    /// A worker that has joined; its log is `INSTANCE.log`.
    fn worker(&self, token: &str, instance: &str, slots: usize) -> Running {
        let log = format!("{instance}.log");
        let words = format!("worker --join {token} --name {instance} --slots {slots}");
        let mut worker = self.begin(&log, &words);
        self.wait_for(&log, "joined", &mut worker);
        worker
    }

    /// A worker with one slot and a cache of its own that runs programs of others without a sandbox.
    fn trusting_worker(&self, token: &str, instance: &str) -> Running {
        let log = format!("{instance}.log");
        let words = format!("worker --join {token} --name {instance} --slots 1 --sandbox off");
        let mut command = self.command(&words);
        command.env("VERDICT_CACHE", self.cache(instance));
        let mut worker = self.spawn(&log, command);
        self.wait_for(&log, "joined", &mut worker);
        worker
    }

    fn wait_for(&self, log: &str, words: &str, running: &mut Running) {
        let until = Instant::now() + PATIENCE;
        loop {
            let said = self.log(log);
            if said.contains(words) {
                return;
            }
            let ended = running.0.try_wait().unwrap();
            assert!(ended.is_none() && Instant::now() < until, "no {words:?} in: {said}");
            sleep(Duration::from_millis(10));
        }
    }

    fn log(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_default()
    }

    /// Waits until so many games of a run are recorded.
    fn wait_for_games(&self, run: &str, games: usize) {
        let until = Instant::now() + PATIENCE;
        while self.log(&format!("{run}/games.jsonl")).lines().count() < games {
            assert!(Instant::now() < until, "{games} games are not played");
            sleep(Duration::from_millis(10));
        }
    }

    /// Waits until the page of `verdict serve` has these words.
    fn wait_for_page(&self, path: &str, words: &str) {
        let said = self.log("serve.log");
        let at = said.split("page http://").nth(1).unwrap().split('/').next().unwrap();
        let until = Instant::now() + PATIENCE;
        loop {
            let mut stream = TcpStream::connect(at).unwrap();
            let ask = format!("GET {path} HTTP/1.1\r\nHost: {at}\r\nConnection: close\r\n\r\n");
            stream.write_all(ask.as_bytes()).unwrap();
            let mut page = String::new();
            stream.read_to_string(&mut page).unwrap();
            if page.contains(words) {
                return;
            }
            assert!(Instant::now() < until, "no {words:?} in {page}");
            sleep(Duration::from_millis(200));
        }
    }

    /// What `verdict status --json` says.
    fn status(&self) -> serde_json::Value {
        let said = self.run("status --fleet srv --json");
        assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
        serde_json::from_slice(&said.stdout).unwrap()
    }
}

/// Players that wait for so long instead of thinking: for matches that have to last.
fn idlers(ms: u32) -> String {
    let idler = format!("uci:{},arg=slow:{ms}", env!("CARGO_BIN_EXE_scoundrel"));
    format!("--base {idler},arg=first --test {idler},arg=seed:1")
}

/// `verdict serve` in a folder, listening.
fn serve(dir: &Path, listen: &str, words: &[&str]) -> Running {
    let log = dir.join("serve.log");
    let said = fs::File::create(&log).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_verdict"));
    command.current_dir(dir).args([
        "serve",
        "--dir",
        "srv",
        "--listen",
        listen,
        "--web",
        "127.0.0.1:0",
    ]);
    command.args(words);
    command.stdin(Stdio::null()).stdout(said.try_clone().unwrap()).stderr(said);
    let mut serve = Running(command.spawn().unwrap());
    let until = Instant::now() + PATIENCE;
    while !fs::read_to_string(&log).unwrap().contains("broker nats-server") {
        let ended = serve.0.try_wait().unwrap();
        let said = fs::read_to_string(&log).unwrap();
        assert!(ended.is_none() && Instant::now() < until, "{said}");
        sleep(Duration::from_millis(10));
    }
    serve
}
