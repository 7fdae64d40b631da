//! `scores.txt`: what became of each candidate, a line when it is known.

use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead as _, BufReader, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use process::Error;
use process::plain_file::open_itself;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scored {
    /// Centipawns, for the side to move.
    Cp(i32),
    Mate,
    /// The engine failed, or said no score.
    Skipped,
}

/// A line: the candidate's number from 0, and its score.
struct Line(usize, Scored);

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Line(number, scored) = self;
        match scored {
            Scored::Cp(cp) => write!(f, "{number} cp {cp}"),
            Scored::Mate => write!(f, "{number} mate"),
            Scored::Skipped => write!(f, "{number} skipped"),
        }
    }
}

impl FromStr for Line {
    type Err = ();

    fn from_str(text: &str) -> Result<Line, ()> {
        let (number, scored) = text.split_once(' ').ok_or(())?;
        let scored = match scored.split_once(' ') {
            Some(("cp", cp)) => Scored::Cp(cp.parse().map_err(drop)?),
            None if scored == "mate" => Scored::Mate,
            None if scored == "skipped" => Scored::Skipped,
            _ => return Err(()),
        };
        Ok(Line(number.parse().map_err(drop)?, scored))
    }
}

/// Scores by candidate, and the file that grows with them.
pub(super) struct Journal {
    path: PathBuf,
    file: File,
    pub(super) scores: Vec<Option<Scored>>,
}

impl Journal {
    /// Opens the file, which is made, of a book with so many candidates. A last line that was cut short,
    /// as by a killed process, is cut off.
    pub(super) fn open(path: PathBuf, candidates: usize) -> Result<Journal, Error> {
        let mut options = OpenOptions::new();
        options.create(true).read(true).write(true).truncate(false);
        let mut file = open_itself(&path, &mut options).map_err(Error::io(&path, "open"))?;
        let (scores, whole) = read(&file, &path, candidates)?;
        file.set_len(whole)
            .and_then(|()| file.seek(SeekFrom::End(0)))
            .map_err(Error::io(&path, "cut off the torn line"))?;
        Ok(Journal { path, file, scores })
    }

    pub(super) fn add(&mut self, number: usize, scored: Scored) -> Result<(), Error> {
        let line = format!("{}\n", Line(number, scored));
        self.file.write_all(line.as_bytes()).map_err(Error::io(&self.path, "write"))?;
        if let Some(place) = self.scores.get_mut(number) {
            *place = Some(scored);
        }
        Ok(())
    }
}

/// The scores, and the bytes of whole lines.
fn read(file: &File, path: &Path, candidates: usize) -> Result<(Vec<Option<Scored>>, u64), Error> {
    let mut scores = vec![None; candidates];
    let mut lines = BufReader::new(file);
    let (mut line, mut whole, mut number) = (Vec::new(), 0, 0);
    loop {
        line.clear();
        let bytes = lines.read_until(b'\n', &mut line).map_err(Error::io(path, "read"))?;
        let Some(text) = line.strip_suffix(b"\n") else { return Ok((scores, whole)) };
        number += 1;
        let parsed = std::str::from_utf8(text).ok().and_then(|text| text.parse::<Line>().ok());
        match parsed {
            Some(Line(at, scored)) if at < candidates => scores[at] = Some(scored),
            _ => {
                let found = String::from_utf8_lossy(text);
                let why = format!(
                    "line {number}: expected a candidate below {candidates} and its score, found \
                     '{found}'; without this line (keep a copy) it is scored again"
                );
                let error = Error::from(io::Error::new(io::ErrorKind::InvalidData, why));
                return Err(error.context(path.display()));
            }
        }
        whole += bytes as u64;
    }
}

/// A line that can be read is written as one that reads back.
#[cfg(any(test, fuzzing))]
pub(super) fn fuzz(text: &str) {
    if let Ok(Line(number, scored)) = text.parse() {
        let again = Line(number, scored).to_string().parse::<Line>().ok();
        assert_eq!(again.map(|Line(number, scored)| (number, scored)), Some((number, scored)));
    }
}

#[cfg(test)]
mod tests {
    use process::ErrorKind;

    use super::*;

    #[test]
    fn a_torn_line_is_cut_off_and_scores_go_on() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("scores.txt");
        std::fs::write(&path, "2 cp -35\n0 mate\n1 cp 1").unwrap();
        let mut journal = Journal::open(path.clone(), 4).unwrap();
        assert_eq!(journal.scores, [Some(Scored::Mate), None, Some(Scored::Cp(-35)), None]);
        journal.add(1, Scored::Cp(12)).unwrap();
        journal.add(3, Scored::Skipped).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"2 cp -35\n0 mate\n1 cp 12\n3 skipped\n");
        assert_eq!(Journal::open(path, 4).unwrap().scores, journal.scores);
    }

    #[test]
    fn damage_is_told_with_its_line() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("scores.txt");
        for damage in ["4 mate", "1 cp", "1", "", "x mate", "1 cp 3.5", "1 mate 3", "\u{fffd} cp 1"]
        {
            std::fs::write(&path, format!("0 mate\n{damage}\n3 mate\n")).unwrap();
            let Err(error) = Journal::open(path.clone(), 4) else { panic!("{damage:?}") };
            assert_eq!(error.kind(), ErrorKind::InputOutput);
            assert!(error.to_string().contains("line 2"), "{error}");
        }
    }
}
