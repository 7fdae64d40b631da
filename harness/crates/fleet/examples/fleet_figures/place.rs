//! A broker in a temporary folder, and the processes of `verdict` that use it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use process::cpu_time::Used;
use process::{Context as _, Error};
use tempfile::TempDir;
use wire::token::Token;

/// For everything that happens soon.
const PATIENCE: Duration = Duration::from_secs(120);
const LOOK_EVERY: Duration = Duration::from_millis(2);

/// `verdict serve`, with a folder for everything.
pub(crate) struct Place {
    dir: TempDir,
    verdict: PathBuf,
    serve: Running,
}

/// A process that ends with its owner.
pub(crate) struct Running {
    child: Child,
    log: PathBuf,
}

impl Place {
    pub(crate) fn start(verdict: &Path) -> Result<Place, Error> {
        let dir = tempfile::tempdir()?;
        let words = "serve --dir srv --listen 127.0.0.1:0 --web off";
        let mut serve = begin(verdict, dir.path(), "serve.log", words)?;
        serve.wait_for("broker nats-server")?;
        Ok(Place { dir, verdict: verdict.to_owned(), serve })
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// An invitation, as it is printed.
    pub(crate) fn invite(&self, words: &str) -> Result<String, Error> {
        let words = format!("serve --dir srv invite {words}");
        let mut command = command(&self.verdict, self.dir.path(), &words);
        let invited = command.output().context("verdict serve invite")?;
        let line = String::from_utf8_lossy(&invited.stdout).into_owned();
        match line.split_whitespace().last() {
            Some(token) if invited.status.success() => Ok(token.to_owned()),
            _ => Err(Error::fault(String::from_utf8_lossy(&invited.stderr).into_owned())),
        }
    }

    pub(crate) fn invite_token(&self, words: &str) -> Result<Token, Error> {
        Token::read(&self.invite(words)?)
    }

    /// Processor time of `serve` and of its broker.
    pub(crate) fn used(&self) -> Duration {
        Used::with_children(self.serve.child.id())
    }

    /// A process in the background; `log`: file of its words.
    pub(crate) fn begin(&self, log: &str, words: &str) -> Result<Running, Error> {
        begin(&self.verdict, self.dir.path(), log, words)
    }
}

/// `verdict`, to its end; what it has used.
pub(crate) fn run(verdict: &Path, dir: &Path, words: &str) -> Result<Used, Error> {
    let mut running = begin(verdict, dir, "run.log", words)?;
    Ok(running.wait(10 * PATIENCE)?.1)
}

fn begin(verdict: &Path, dir: &Path, log: &str, words: &str) -> Result<Running, Error> {
    let log = dir.join(log);
    let said = fs::File::create(&log).map_err(Error::io(&log, "create"))?;
    let mut command = command(verdict, dir, words);
    command.stdout(said.try_clone()?).stderr(said);
    let child = command.spawn().map_err(Error::io(verdict, "start"))?;
    Ok(Running { child, log })
}

fn command(verdict: &Path, dir: &Path, words: &str) -> Command {
    let mut command = Command::new(verdict);
    command.current_dir(dir).args(words.split_whitespace()).stdin(Stdio::null());
    command
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Running {
    /// `TERM`, `INT` or `KILL`.
    pub(crate) fn signal(&self, name: &str) -> Result<(), Error> {
        let id = self.child.id().to_string();
        let status = Command::new("kill").args(["-s", name, &id]).status().context("kill")?;
        if status.success() { Ok(()) } else { Err(Error::fault(format!("kill -s {name} {id}"))) }
    }

    pub(crate) fn wait_for(&mut self, words: &str) -> Result<(), Error> {
        let until = Instant::now() + PATIENCE;
        loop {
            let said = fs::read_to_string(&self.log).unwrap_or_default();
            if said.contains(words) {
                return Ok(());
            }
            if self.ended()?.is_some() || Instant::now() > until {
                return Err(Error::fault(format!("expected {words:?}, found: {said}")));
            }
            std::thread::sleep(LOOK_EVERY);
        }
    }

    pub(crate) fn ended(&mut self) -> Result<Option<ExitStatus>, Error> {
        Ok(self.child.try_wait()?)
    }

    /// Waits for its end; when it was, and what it had used shortly before.
    pub(crate) fn wait(&mut self, within: Duration) -> Result<(Instant, Used), Error> {
        let until = Instant::now() + within;
        let mut used = Used::default();
        while self.ended()?.is_none() {
            used = self.used().unwrap_or(used);
            if Instant::now() > until {
                let said = fs::read_to_string(&self.log).unwrap_or_default();
                return Err(Error::fault(format!("it does not end: {said}")));
            }
            std::thread::sleep(LOOK_EVERY);
        }
        Ok((Instant::now(), used))
    }

    /// `None` when it has ended.
    pub(crate) fn used(&self) -> Option<Used> {
        Used::by(self.child.id())
    }
}
