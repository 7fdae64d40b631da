//! Games that are taken out of a journal after they were recorded: a decision, in a line of its own
//! behind them. Their lines stay where they are and count for nothing.

use std::io::{self, BufRead, Read as _};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// Of numbers before which the digests of strikes stand; no game has it.
const HIGHEST: u64 = 1 << 63;
/// How its line begins.
const BEGIN: &[u8] = b"{\"strike\":";

/// One line of `games.jsonl`: the games of these pairs that stand before it count for nothing, and are
/// to be played again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Strike {
    /// First and last pair of each gap-free stretch, ascending.
    pub pairs: Vec<[u64; 2]>,
    /// Which machine of a fleet has played them.
    pub worker: String,
    /// In words.
    pub why: String,
}

/// Before what number the digest of a strike's line stands: of other strikes it is another one.
pub(super) fn number(line: &[u8]) -> u64 {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let hash = Sha256::digest(line);
    hash.iter().take(8).fold(0, |number, byte| number << 8 | u64::from(*byte)) | HIGHEST
}

pub(super) fn is_number(number: u64) -> bool {
    number & HIGHEST != 0
}

#[derive(Serialize, Deserialize)]
struct Line<S> {
    strike: S,
}

impl Strike {
    /// `pairs`: ascending.
    pub fn new(pairs: &[u64], worker: String, why: String) -> Strike {
        let mut stretches: Vec<[u64; 2]> = Vec::new();
        for &pair in pairs {
            match stretches.last_mut() {
                Some([_, last]) if last.checked_add(1) == Some(pair) => *last = pair,
                _ => stretches.push([pair, pair]),
            }
        }
        Strike { pairs: stretches, worker, why }
    }

    pub fn has(&self, pair: u64) -> bool {
        let place = self.pairs.partition_point(|[_, last]| *last < pair);
        self.pairs.get(place).is_some_and(|[first, _]| *first <= pair)
    }

    /// `None`: the line is something else.
    pub(super) fn read(line: &[u8]) -> Option<Strike> {
        let is_likely = line.starts_with(BEGIN);
        is_likely.then(|| serde_json::from_slice::<Line<Strike>>(line).ok())?.map(|it| it.strike)
    }

    /// With its line end.
    pub(super) fn line(&self) -> serde_json::Result<Vec<u8>> {
        let mut line = serde_json::to_vec(&Line { strike: self })?;
        line.push(b'\n');
        Ok(line)
    }
}

/// All strikes of a journal, known before its games are read.
#[derive(Debug, Default)]
pub(super) struct Strikes {
    /// With their lines, from 1.
    all: Vec<(u64, Strike)>,
    /// Lines that were looked at.
    lines: u64,
}

impl Strikes {
    /// Looks at all lines of a journal; longer ones than `longest` are no strikes.
    pub(super) fn of(reader: &mut dyn BufRead, longest: u64) -> io::Result<Strikes> {
        let mut strikes = Strikes::default();
        let mut line = Vec::new();
        loop {
            line.clear();
            if reader.take(longest).read_until(b'\n', &mut line)? == 0 {
                return Ok(strikes);
            }
            strikes.lines += 1;
            let strike = Strike::read(&line);
            strikes.all.extend(strike.map(|strike| (strikes.lines, strike)));
        }
    }

    /// Whether a line was there when the journal was looked at.
    pub(super) fn know(&self, line: u64) -> bool {
        line <= self.lines
    }

    /// Whether a game of that pair on that line counts for nothing.
    pub(super) fn strike(&self, pair: u64, line: u64) -> bool {
        self.all.iter().rev().take_while(|(at, _)| *at > line).any(|(_, strike)| strike.has(pair))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;
    use crate::record::chain::DigestCheck;
    use crate::record::{
        GAMES_FILE, GAMES_ZST_FILE, GameRecord, Games, Identity, Journal, JournalIndex,
        RecordError, RunFile, sample,
    };

    /// Another game of that number.
    fn other(number: u64) -> GameRecord {
        let mut game = sample(number);
        game.notes[0].nodes += 1;
        GameRecord { nodes: [5, 0], ..game }
    }

    fn strike(pairs: &[u64]) -> Strike {
        Strike::new(pairs, "eve.1".to_owned(), "it lies".to_owned())
    }

    /// Pairs 0 to 3, of which 1 and 2 were false, 1 twice, and 2 is not yet played anew.
    fn struck(dir: &Path) {
        let run = RunFile::new(
            serde_json::Value::Null,
            3,
            Identity::default(),
            Identity::default(),
            None,
        );
        let mut journal = Journal::create(dir).unwrap();
        run.write(dir).unwrap();
        let append = |journal: &mut Journal, pair: u64, play: fn(u64) -> GameRecord| {
            journal.append(&[&play(2 * pair), &play(2 * pair + 1)]).unwrap();
        };
        append(&mut journal, 0, sample);
        append(&mut journal, 1, other);
        append(&mut journal, 2, other);
        append(&mut journal, 3, sample);
        journal.strike(&strike(&[1, 2])).unwrap();
        append(&mut journal, 1, other);
        journal.strike(&strike(&[1])).unwrap();
        append(&mut journal, 1, sample);
        journal.close().unwrap();
    }

    const STANDING: [u64; 6] = [0, 1, 6, 7, 2, 3];

    fn read(dir: &Path) -> Result<Vec<GameRecord>, RecordError> {
        Games::open(dir)?.checked_by(DigestCheck::open(dir)?).collect()
    }

    #[test]
    fn stretches_have_what_they_were_made_of() {
        let strike = strike(&[1, 2, 3, 7, 9, 10]);
        assert_eq!(strike.pairs, [[1, 3], [7, 7], [9, 10]]);
        let has: Vec<u64> = (0..12).filter(|pair| strike.has(*pair)).collect();
        assert_eq!(has, [1, 2, 3, 7, 9, 10]);
        let line = strike.line().unwrap();
        assert_eq!(Strike::read(&line), Some(strike));
        assert_eq!(Strike::read(b"{\"game\":1}"), None);
    }

    #[test]
    fn what_was_struck_is_not_read_and_what_was_played_anew_is() {
        let dir = tempfile::tempdir().unwrap();
        struck(dir.path());
        let expected: Vec<GameRecord> = STANDING.map(sample).into();
        assert_eq!(read(dir.path()).unwrap(), expected);
        let (journal, findings) = Journal::open_for_resume(dir.path(), |games, _| {
            assert!(games.is_covered());
            Ok(())
        })
        .unwrap();
        assert!(findings.words(0).is_empty());
        drop(journal);
        let text = fs::read(dir.path().join(GAMES_FILE)).unwrap();
        let packed = zstd::encode_all(&*text, 1).unwrap();
        fs::write(dir.path().join(GAMES_ZST_FILE), packed).unwrap();
        fs::remove_file(dir.path().join(GAMES_FILE)).unwrap();
        assert_eq!(read(dir.path()).unwrap(), expected);
    }

    #[test]
    fn a_strike_that_was_removed_or_changed_is_seen() {
        let dir = tempfile::tempdir().unwrap();
        struck(dir.path());
        let path = dir.path().join(GAMES_FILE);
        let text = fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let without = |left_out: &str| {
            let left: String = lines.iter().copied().filter(|it| !it.contains(left_out)).collect();
            fs::write(&path, left).unwrap();
        };
        // The pair that was played anew is there twice.
        without("strike");
        assert!(matches!(read(dir.path()), Err(RecordError::Conflict { .. })));
        // The other one is not.
        without("[1,2]");
        let digests = DigestCheck::open(dir.path()).unwrap();
        let mut games = Games::open(dir.path()).unwrap().checked_by(digests);
        while games.next().is_some() {}
        let words = games.findings().unwrap().words(0);
        assert!(words.iter().any(|it| it.contains("struck")), "{words:?}");
        fs::write(&path, text.replacen("[[1,2]]", "[[0,2]]", 1)).unwrap();
        assert!(matches!(read(dir.path()), Err(RecordError::Damaged { line: 9, .. })));
    }

    #[test]
    fn what_is_struck_while_it_is_read_is_read_as_it_was() {
        let dir = tempfile::tempdir().unwrap();
        let mut journal = Journal::create(dir.path()).unwrap();
        journal.append(&[&sample(0), &sample(1)]).unwrap();
        let games = Games::open(dir.path()).unwrap();
        journal.strike(&strike(&[0])).unwrap();
        journal.append(&[&other(0), &other(1)]).unwrap();
        let read: Vec<GameRecord> = games.map(Result::unwrap).collect();
        assert_eq!(read, [sample(0), sample(1)]);
    }

    #[test]
    fn an_index_forgets_what_is_struck() {
        let dir = tempfile::tempdir().unwrap();
        struck(dir.path());
        let mut index = JournalIndex::new(dir.path());
        let page = index.page(Some(0), 99).unwrap();
        assert_eq!(page.games, STANDING.map(sample));
        assert_eq!((index.strikes(), page.total), (2, 6));
        assert_eq!(index.game(4).unwrap(), None);
        assert_eq!(index.game(3).unwrap(), Some(sample(3)));
    }
}
