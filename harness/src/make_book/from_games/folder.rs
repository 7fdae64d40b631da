//! The working folder of a book: `book.json`, `reading.json`, `candidates.txt`, `scores.txt`.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Lines, Write as _};
use std::path::{Path, PathBuf};

use super::candidate::Candidate;
use super::plan::BookFile;
use super::pool::Pool;
use super::scores::Journal;
use super::tally::ReadTally;
use arena::record::lock::{FolderLock, RUN_LOCK};
use arena::record::{FolderKind, Manifest as _, RecordError, atomic, read_json, write_json};
use process::terminal::shell_path;
use process::{Error, plain_file};

const READING: &str = "reading.json";
const CANDIDATES: &str = "candidates.txt";
const SCORES: &str = "scores.txt";

/// Nobody else writes into it meanwhile.
#[derive(Debug)]
pub struct BookFolder {
    pub dir: PathBuf,
    pub file: BookFile,
    _lock: FolderLock,
}

impl BookFolder {
    /// A folder for the book: a new one, one with scores that can be used for it, or one of another book of
    /// which nothing is scored yet.
    pub fn for_book(dir: &Path, file: BookFile) -> Result<BookFolder, Error> {
        let begun = match BookFile::is_in(dir) {
            true => Some(BookFile::read(dir)?),
            false => {
                arena::output_folder::refuse(dir, arena::output_folder::Owner::New)?;
                std::fs::create_dir_all(dir).map_err(Error::io(dir, "create the folder"))?;
                None
            }
        };
        let lock = FolderLock::acquire(dir, RUN_LOCK)?;
        if let Some(begun) = begun
            && let Some(difference) = begun.difference(&file)
        {
            if book_scores(dir).0 > 0 {
                let shown = shell_path(dir);
                return Err(Error::usage(format!(
                    "{shown} holds the scores of another book ({difference}); give another --work, \
                     continue it with: verdict resume {shown}, or remove it"
                )));
            }
            if begun.games != file.games {
                remove_files(dir, [CANDIDATES, READING])?;
            }
        }
        file.replace(dir)?;
        Ok(BookFolder { dir: dir.to_owned(), file, _lock: lock })
    }

    /// A book that was begun.
    pub fn open(dir: &Path) -> Result<BookFolder, Error> {
        let file = BookFile::read(dir)?;
        let lock = FolderLock::acquire(dir, RUN_LOCK)?;
        Ok(BookFolder { dir: dir.to_owned(), file, _lock: lock })
    }

    /// What was read of the games, if they were read to their end.
    pub(super) fn reading(&self) -> Result<Option<ReadTally>, Error> {
        let (reading, candidates) = (self.dir.join(READING), self.dir.join(CANDIDATES));
        match candidates.is_file() {
            true => Ok(Some(read_json(&reading, "counts of games")?)),
            false => Ok(None),
        }
    }

    pub(super) fn write_reading(&self, pool: &Pool, tally: &ReadTally) -> Result<(), Error> {
        write_json(&self.dir.join(READING), tally)?;
        let path = self.dir.join(CANDIDATES);
        Ok(atomic::replace(&path, |out| {
            pool.iter()
                .try_for_each(|candidate| writeln!(out, "{candidate}"))
                .map_err(RecordError::io(&path, "write"))
        })?)
    }

    pub(super) fn candidates(&self) -> Result<Candidates, Error> {
        let path = self.dir.join(CANDIDATES);
        let file = plain_file::open(&path).map_err(Error::io(&path, "open"))?;
        Ok(Candidates { path, lines: BufReader::new(file).lines(), number: 0 })
    }

    pub(super) fn journal(&self, candidates: u64) -> Result<Journal, Error> {
        let candidates = usize::try_from(candidates).unwrap_or(usize::MAX);
        Journal::open(self.dir.join(SCORES), candidates)
    }

    /// Notes that the book is written.
    pub fn write_made(mut self) -> Result<(), Error> {
        self.file.is_made = true;
        Ok(self.file.replace(&self.dir)?)
    }

    /// Removes what the book was made of, and the folder if nothing else is in it.
    pub fn remove(self) -> Result<(), Error> {
        remove_files(&self.dir, [SCORES, CANDIDATES, READING, FolderKind::Book.file(), RUN_LOCK])?;
        // Other files in it are the user's.
        let _ = std::fs::remove_dir(&self.dir);
        Ok(())
    }
}

/// Removes those that are there.
fn remove_files<const N: usize>(dir: &Path, names: [&str; N]) -> Result<(), Error> {
    for name in names {
        let path = dir.join(name);
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(Error::io(&path, "remove")(error));
            }
            _ => (),
        }
    }
    Ok(())
}

/// Positions of the book in `dir` that are scored, and all its candidates, as far as they are known.
pub fn book_scores(dir: &Path) -> (u64, Option<u64>) {
    let scored = plain_file::open(&dir.join(SCORES));
    let scored =
        scored.map_or(0, |file| BufReader::new(file).lines().map_while(Result::ok).count());
    let read: Option<ReadTally> = read_json(&dir.join(READING), "counts of games").ok();
    (scored as u64, read.map(|read| read.candidates))
}

/// The candidates in their order, with their numbers from 0.
pub(super) struct Candidates {
    path: PathBuf,
    lines: Lines<BufReader<File>>,
    number: usize,
}

impl Iterator for Candidates {
    type Item = Result<(usize, Candidate), Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let line = self.lines.next()?;
        let number = self.number;
        self.number += 1;
        let place = || format!("{}, line {}", self.path.display(), number + 1);
        Some(match line {
            Err(error) => Err(Error::from(error).context(place())),
            Ok(line) => match line.parse() {
                Ok(candidate) => Ok((number, candidate)),
                Err(why) => Err(Error::input_output(why).context(place())),
            },
        })
    }
}
