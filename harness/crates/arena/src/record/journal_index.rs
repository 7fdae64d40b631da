//! Where each game of a journal stands, so that a page of games is read without those before it.
//! The journal may grow meanwhile.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use process::Error;
use process::plain_file;
use serde::{Deserialize, Serialize};

use super::{GAMES_FILE, GAMES_ZST_FILE, GameRecord, Strike};

/// Longer lines are damage, as for [`super::Games`].
const MAX_LINE: u64 = 16 << 20;

/// Some of a run's games.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct GamePage {
    /// Place of the first one, from 0.
    pub from: u64,
    pub total: u64,
    pub games: Vec<GameRecord>,
}

/// Memory: some 40 bytes a game.
#[derive(Debug)]
pub struct JournalIndex {
    path: PathBuf,
    is_packed: bool,
    /// Bytes of whole lines, unpacked.
    read: u64,
    /// Where the line of each game begins, in the order of the lines.
    starts: Vec<u64>,
    places: HashMap<u64, usize>,
    strikes: u64,
}

impl JournalIndex {
    /// Of the run in `dir`.
    pub fn new(dir: &Path) -> JournalIndex {
        let is_packed = !dir.join(GAMES_FILE).exists() && dir.join(GAMES_ZST_FILE).exists();
        let path = dir.join(if is_packed { GAMES_ZST_FILE } else { GAMES_FILE });
        let (starts, places) = (Vec::new(), HashMap::new());
        JournalIndex { path, is_packed, read: 0, starts, places, strikes: 0 }
    }

    /// How often games were struck. Then places are others than before.
    pub fn strikes(&self) -> u64 {
        self.strikes
    }

    /// Games that were found so far.
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// Takes up the lines that were added. A line without its end is left to the next time.
    pub fn refresh(&mut self) -> Result<(), Error> {
        if self.is_packed && self.read > 0 {
            return Ok(());
        }
        let mut reader = self.reader(self.read)?;
        let mut line = Vec::new();
        loop {
            line.clear();
            let bytes = self.next_line(&mut reader, &mut line)?;
            if bytes == 0 || line.last() != Some(&b'\n') {
                return Ok(());
            }
            // The same game may be recorded twice; the first counts.
            if let Some(strike) = Strike::read(&line) {
                self.strike(&strike);
            } else if let Some(game) = number(&line) {
                self.places.entry(game).or_insert_with(|| {
                    self.starts.push(self.read);
                    self.starts.len() - 1
                });
            }
            self.read += bytes;
        }
    }

    fn strike(&mut self, strike: &Strike) {
        let mut left: Vec<(u64, usize)> = self.places.drain().collect();
        left.retain(|(game, _)| !strike.has(game / 2));
        left.sort_unstable_by_key(|(_, place)| *place);
        self.starts = left.iter().map(|(_, place)| self.starts[*place]).collect();
        self.places = left.into_iter().zip(0..).map(|((game, _), place)| (game, place)).collect();
        self.strikes += 1;
    }

    /// `count` games from that place on; without one, the last of them.
    pub fn page(&mut self, from: Option<u64>, count: usize) -> Result<GamePage, Error> {
        self.refresh()?;
        let total = self.starts.len();
        let last = total.saturating_sub(count);
        let from = from.map_or(last, |from| usize::try_from(from).unwrap_or(total).min(total));
        let places = from..(from + count).min(total);
        let games = self.read_games(places)?;
        Ok(GamePage { from: from as u64, total: total as u64, games })
    }

    /// The game of that number, if it is recorded.
    pub fn game(&mut self, number: u64) -> Result<Option<GameRecord>, Error> {
        self.refresh()?;
        let Some(&place) = self.places.get(&number) else { return Ok(None) };
        Ok(self.read_games(place..place + 1)?.pop())
    }

    fn read_games(&self, places: std::ops::Range<usize>) -> Result<Vec<GameRecord>, Error> {
        let Some(starts) = self.starts.get(places).filter(|starts| !starts.is_empty()) else {
            return Ok(Vec::new());
        };
        let mut at = starts[0];
        let mut reader = self.reader(at)?;
        let mut line = Vec::new();
        let mut games = Vec::with_capacity(starts.len());
        for &start in starts {
            // Lines between two games: damage, or a game recorded again.
            while at <= start {
                line.clear();
                let bytes = self.next_line(&mut reader, &mut line)?;
                if bytes == 0 {
                    return Err(self.error("it has become shorter"));
                }
                at += bytes;
            }
            let game = serde_json::from_slice(&line);
            games.push(game.map_err(|error| self.error(&format!("byte {start}: {error}")))?);
        }
        Ok(games)
    }

    fn next_line(&self, reader: &mut dyn BufRead, line: &mut Vec<u8>) -> Result<u64, Error> {
        let bytes = reader.take(MAX_LINE).read_until(b'\n', line);
        Ok(bytes.map_err(Error::io(&self.path, "read"))? as u64)
    }

    /// Reads from that byte on.
    fn reader(&self, from: u64) -> Result<Box<dyn BufRead>, Error> {
        let opened = || -> io::Result<Box<dyn BufRead>> {
            let mut file: File = plain_file::open(&self.path)?;
            if !self.is_packed {
                file.seek(SeekFrom::Start(from))?;
                return Ok(Box::new(BufReader::with_capacity(1 << 16, file)));
            }
            let mut unpacked = BufReader::with_capacity(1 << 16, zstd::Decoder::new(file)?);
            io::copy(&mut (&mut unpacked).take(from), &mut io::sink())?;
            Ok(Box::new(unpacked))
        };
        opened().map_err(Error::io(&self.path, "read"))
    }

    fn error(&self, what: &str) -> Error {
        Error::input_output(format!("{}: {what}", self.path.display()))
    }
}

/// The number of the game on a line. It comes first as a rule, and then the line need not be parsed.
fn number(line: &[u8]) -> Option<u64> {
    #[derive(Deserialize)]
    struct Numbered {
        game: u64,
    }
    let quick = line.strip_prefix(b"{\"game\":").and_then(|rest| {
        let end = rest.iter().position(|c| !c.is_ascii_digit())?;
        std::str::from_utf8(rest.get(..end)?).ok()?.parse().ok()
    });
    quick.or_else(|| Some(serde_json::from_slice::<Numbered>(line).ok()?.game))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write as _;

    use super::super::sample;
    use super::*;

    fn line(game: u64) -> String {
        serde_json::to_string(&sample(game)).unwrap() + "\n"
    }

    #[test]
    fn games_are_found_while_the_journal_grows() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(GAMES_FILE);
        let text: String = [4, 5, 4, 1].map(line).concat() + "damage\n" + &line(0);
        let torn = line(7);
        fs::write(&path, text + &torn[..30]).unwrap();
        let mut index = JournalIndex::new(dir.path());
        let numbers = |page: GamePage| page.games.iter().map(|game| game.game).collect::<Vec<_>>();
        assert_eq!(numbers(index.page(Some(0), 9).unwrap()), [4, 5, 1, 0]);
        assert_eq!(numbers(index.page(Some(1), 2).unwrap()), [5, 1]);
        let last = index.page(None, 3).unwrap();
        assert_eq!((last.from, last.total, numbers(last)), (1, 4, vec![5, 1, 0]));
        assert!(index.page(Some(99), 2).unwrap().games.is_empty());
        assert_eq!(index.game(7).unwrap(), None);
        fs::OpenOptions::new()
            .append(true)
            .open(&path)
            .unwrap()
            .write_all(&torn.as_bytes()[30..])
            .unwrap();
        assert_eq!(index.game(7).unwrap(), Some(sample(7)));
        assert_eq!((index.game(1).unwrap(), index.len()), (Some(sample(1)), 5));
    }

    #[test]
    fn a_packed_journal_is_read_as_well() {
        let dir = tempfile::tempdir().unwrap();
        let text: String = (0..300).map(line).collect();
        let packed = zstd::encode_all(text.as_bytes(), 1).unwrap();
        fs::write(dir.path().join(GAMES_ZST_FILE), packed).unwrap();
        let mut index = JournalIndex::new(dir.path());
        assert_eq!(index.game(250).unwrap(), Some(sample(250)));
        let page = index.page(Some(299), 100).unwrap();
        assert_eq!((page.total, page.games), (300, vec![sample(299)]));
    }

    #[test]
    fn what_is_not_there_is_an_error_or_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let mut index = JournalIndex::new(dir.path());
        assert!(index.page(None, 3).is_err());
        fs::write(dir.path().join(GAMES_FILE), "").unwrap();
        assert_eq!(index.page(None, 3).unwrap(), GamePage::default());
        assert!(index.is_empty());
    }
}
