//! The live page, as a plain client reads it from the program.

mod board;
mod charts;
mod grows;
mod guards;
mod large;

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::common::verdict::signal;

/// A match that is played until it is stopped, and its page.
struct Watched {
    child: Child,
    /// Host and port.
    at: String,
    /// Path and what stands behind it.
    run: String,
    dir: PathBuf,
}

impl Watched {
    /// Begins a match in `place` with its page at that address.
    fn begin(place: &Path, address: &str, nodes: u32) -> Watched {
        let words =
            ["match", "--test", "embedded,search.pvs=false", "--pairs", "100000", "--out", "run"];
        let mut command = Command::new(env!("CARGO_BIN_EXE_verdict"));
        command.args(words).args(["--rule", "sprt=0,2", "--slots", "1", "--web", address]);
        Watched::of(command.arg("--nodes").arg(nodes.to_string()), place)
    }

    /// Goes on with that match.
    fn resume(place: &Path) -> Watched {
        let mut command = Command::new(env!("CARGO_BIN_EXE_verdict"));
        Watched::of(command.args(["resume", "run", "--web", "127.0.0.1:0"]), place)
    }

    fn of(command: &mut Command, place: &Path) -> Watched {
        command.arg("--quiet").current_dir(place).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut told = BufReader::new(child.stderr.take().unwrap()).lines();
        let mut seen = String::new();
        let url = told.by_ref().map_while(Result::ok).find_map(|line| {
            seen = format!("{seen}{line}\n");
            Some(line.strip_prefix("live page: http://")?.to_owned())
        });
        let url = url.unwrap_or_else(|| panic!("no address is told: {seen}"));
        // Nothing is to wait for a reader.
        std::thread::spawn(move || told.count());
        let (at, run) = url.split_once('/').unwrap();
        Watched { child, at: at.to_owned(), run: format!("/{run}"), dir: place.join("run") }
    }

    fn ask(&self, lines: &[&str]) -> TcpStream {
        let port = self.at.rsplit_once(':').unwrap().1;
        let mut stream = TcpStream::connect(format!("127.0.0.1:{port}")).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        let request: String = lines.iter().map(|line| format!("{line}\r\n")).collect();
        stream.write_all(format!("{request}\r\n").as_bytes()).unwrap();
        stream
    }

    /// Status, and headers with body.
    fn get(&self, path: &str) -> (u16, String) {
        let host = format!("Host: {}", self.at);
        let mut text = Vec::new();
        let request = format!("GET {path} HTTP/1.1");
        self.ask(&[&request, &host, "Connection: close"]).read_to_end(&mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        (text.split(' ').nth(1).unwrap().parse().unwrap(), text)
    }

    /// The lines of data of the events of the run.
    fn events(&self) -> impl Iterator<Item = serde_json::Value> + use<> {
        let id = self.run.rsplit_once('/').unwrap().1;
        let request = format!("GET /events?run={id} HTTP/1.1");
        let stream = self.ask(&[&request, &format!("Host: {}", self.at)]);
        let lines = BufReader::new(stream).lines().map_while(Result::ok);
        lines.filter_map(|line| serde_json::from_str(line.strip_prefix("data: ")?).ok())
    }

    /// As by Ctrl-C, until it has ended.
    fn stop(&mut self) {
        signal(&self.child, libc::SIGINT);
        self.child.wait().unwrap();
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The body of an answer.
fn body(answer: &str) -> &str {
    answer.split_once("\r\n\r\n").unwrap().1
}
