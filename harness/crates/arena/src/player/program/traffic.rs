//! All traffic with a process in a file, where that is asked for: for an author who looks for what
//! his engine was told. Faults have their capsule without it.

use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::transcript::{Direction, Pen};
use ::process::plain_file::open_itself;

/// The file of one process, written as long as that is possible.
pub(super) struct Traffic {
    path: PathBuf,
    began: Instant,
    pen: Pen,
    line: String,
    file: Option<BufWriter<File>>,
}

impl Traffic {
    /// The file `PROGRAM-PID.txt` of a process, in a folder that is made if there is none. After an
    /// error, which is printed, there is none.
    pub(super) fn create(folder: &Path, program: &Path, pid: i32) -> Option<Traffic> {
        let name = program.file_name().unwrap_or(program.as_os_str()).to_string_lossy();
        let path = folder.join(format!("{name}-{pid}.txt"));
        let open = || open_itself(&path, File::options().create(true).append(true));
        let opened = fs::create_dir_all(folder).and_then(|()| open());
        let warn = |error: &_| status!("{}: {error}; the traffic is not written", path.display());
        let file = Some(BufWriter::new(opened.inspect_err(warn).ok()?));
        let (began, pen, line) = (Instant::now(), Pen::default(), String::new());
        Some(Traffic { path, began, pen, line, file })
    }

    /// Writes bytes that went one way. What was sent is in the file at once, since the engine may
    /// never answer. An error is told, and ends the writing, not the game.
    pub(super) fn push(&mut self, at: Instant, way: Direction, bytes: &[u8]) {
        let Some(file) = &mut self.file else { return };
        self.line.clear();
        self.pen.write(&mut self.line, at.saturating_duration_since(self.began), way, bytes);
        let mut written = file.write_all(self.line.as_bytes());
        if way == Direction::ToEngine {
            written = written.and_then(|()| file.flush());
        }
        if let Err(error) = written {
            status!("{}: {error}; the traffic is written no further", self.path.display());
            self.file = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_sent_is_there_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("inner");
        let mut traffic = Traffic::create(&inner, Path::new("/usr/games/engine"), 17).unwrap();
        let began = traffic.began;
        traffic.push(began, Direction::FromEngine, b"id name x\nuciok\n");
        traffic.push(began, Direction::ToEngine, b"isready\n");
        let text = fs::read_to_string(inner.join("engine-17.txt")).unwrap();
        let expected =
            ["    0.000000 < id name x", "    0.000000 < uciok", "    0.000000 > isready"];
        assert_eq!(text.lines().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn an_error_ends_the_writing_only() {
        let file = File::options().write(true).open("/dev/full").unwrap();
        let mut full = Traffic {
            path: "/dev/full".into(),
            began: Instant::now(),
            pen: Pen::default(),
            line: String::new(),
            file: Some(BufWriter::new(file)),
        };
        full.push(full.began, Direction::ToEngine, b"go\n");
        assert!(full.file.is_none());
        full.push(full.began, Direction::ToEngine, b"go\n");
    }
}
