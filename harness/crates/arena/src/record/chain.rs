//! `games.digest`: the running digest of the journal. It shows which lines were changed after they
//! were recorded.
//!
//! One line per game, appended after its journal line: its number, and the digest of the previous
//! digest and the journal line. A changed, moved or removed line is found as long as this file is
//! intact. It is no signature: rewriting or shortening both files goes unnoticed. Runs of older
//! versions have no such file; the key `digest` of run.json says which runs do.

use std::collections::{BTreeSet, VecDeque};
use std::fmt::Write as _;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};

use charts::numbers::counted;
use sha2::{Digest as _, Sha256};

use super::journal::MOST_AT_ONCE;
use super::{GAMES_FILE, RecordError, strike};
use process::plain_file::{self, open_itself};

pub const DIGEST_FILE: &str = "games.digest";
/// Bytes of a digest.
const LENGTH: usize = 16;
const MAX_LINE: u64 = 1 << 16;
/// A process that is killed between the two files leaves the lines of one write uncovered: usually those
/// of one pair.
const OF_A_KILL: u64 = 2;
/// Lines of one write at most: a pair is added whole.
const OF_A_WRITE: u64 = MOST_AT_ONCE as u64 + 1;
/// Games listed in a message at most.
const LISTED: usize = 5;

type Digest = [u8; LENGTH];

fn next(before: &Digest, line: &[u8]) -> Digest {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let hash = Sha256::new().chain_update(before).chain_update(line).finalize();
    let mut digest = Digest::default();
    digest.copy_from_slice(&hash[..LENGTH]);
    digest
}

/// Differences between a journal and its digests.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ChainFindings {
    /// Whether the digest file exists.
    pub file_exists: bool,
    /// Games that were recorded and are no longer in the journal.
    missing: BTreeSet<u64>,
    /// The first journal line without a digest, and the number of such lines.
    uncovered: Option<(u64, u64)>,
}

impl ChainFindings {
    /// The differences as messages. `on_trust`: the number of games without a digest whose result
    /// cannot be checked by their moves.
    pub fn words(&self, on_trust: u64) -> Vec<String> {
        let mut words = Vec::new();
        let games: Vec<u64> =
            self.missing.iter().copied().filter(|game| !strike::is_number(*game)).collect();
        if !games.is_empty() {
            let listed: Vec<String> = games.iter().take(LISTED).map(u64::to_string).collect();
            let more = if games.len() > LISTED { ", …" } else { "" };
            words.push(format!(
                "missing from {GAMES_FILE}: {} ({}{more}); `verdict resume` plays them again",
                counted(games.len() as u64, "game"),
                listed.join(", ")
            ));
        }
        if games.len() < self.missing.len() {
            words.push(format!(
                "missing from {GAMES_FILE}: a line by which games were struck; they count again, so restore it \
                 from a copy"
            ));
        }
        let (line, count) = self.uncovered.unwrap_or_default();
        let mut uncovered = if !self.file_exists {
            format!(
                "{DIGEST_FILE} is missing: {} not covered by it; it was removed by another program, or lost \
                 in a power failure",
                counted(count, "game")
            )
        } else if count > OF_A_KILL || on_trust > 0 {
            format!(
                "{} ({GAMES_FILE}, from line {line} on) not covered by {DIGEST_FILE}: added by another \
                 program, or left by a kill or a power failure",
                counted(count, "game")
            )
        } else {
            return words;
        };
        if on_trust > 0 {
            uncovered += &format!(
                "; {on_trust} of the results cannot be checked by the moves (faults, resignations, tablebases)"
            );
        }
        words.push(uncovered);
        words
    }
}

/// Compares the lines of a journal with their digests, one after another.
pub struct DigestCheck {
    path: PathBuf,
    reader: Option<BufReader<File>>,
    /// Lines read, and the bytes of complete lines.
    lines: u64,
    whole: u64,
    before: Digest,
    findings: ChainFindings,
    /// The last lines of the journal that have no digest yet.
    pending: VecDeque<Pending>,
}

/// A line without a digest: its number in the journal, its game, and the digest that it should
/// have.
struct Pending {
    line: u64,
    game: u64,
    digest: Digest,
}

impl DigestCheck {
    /// Opens the digests of the run in `dir`, if it has any.
    pub fn open(dir: &Path) -> Result<DigestCheck, RecordError> {
        let path = dir.join(DIGEST_FILE);
        let reader = match plain_file::open(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            opened => Some(opened.map_err(RecordError::io(&path, "open"))?),
        };
        Ok(DigestCheck {
            findings: ChainFindings { file_exists: reader.is_some(), ..ChainFindings::default() },
            reader: reader.map(BufReader::new),
            path,
            lines: 0,
            whole: 0,
            before: Digest::default(),
            pending: VecDeque::new(),
        })
    }

    pub fn file_exists(&self) -> bool {
        self.findings.file_exists
    }

    /// Takes the journal line of `game`, its `number` in the file and its text; returns whether a
    /// digest covers it.
    ///
    /// # Errors
    ///
    /// `Ok(Err(_))`: what was expected of the line, in words. [`RecordError`] if the digests
    /// themselves are damaged or cannot be read.
    pub fn line(
        &mut self,
        game: u64,
        number: u64,
        text: &[u8],
    ) -> Result<Result<bool, String>, RecordError> {
        let mut passed = Vec::new();
        while let Some((recorded, digest)) = self.read_further()? {
            let is_it = recorded == game && next(&self.before, text) == digest;
            self.before = digest;
            if is_it {
                self.findings.missing.extend(passed);
                // One that was taken out was played again.
                self.findings.missing.remove(&game);
                return Ok(Ok(true));
            }
            passed.push(recorded);
        }
        if !passed.is_empty() || self.findings.missing.contains(&game) {
            return Ok(Err(format!(
                "expected game {game} as it was recorded ({DIGEST_FILE}), found a line that was \
                 changed or moved"
            )));
        }
        self.before = next(&self.before, text);
        self.pending.push_back(Pending { line: number, game, digest: self.before });
        Ok(Ok(false))
    }

    /// The findings after all lines were read. `has_grown` is called last: whether the journal has
    /// grown meanwhile, that is, a run is writing it. If so, further digests belong to new lines,
    /// and the last pairs may not have their digests yet: neither is a finding.
    pub fn finish(
        mut self,
        has_grown: impl FnOnce() -> bool,
    ) -> Result<ChainFindings, RecordError> {
        let missing = std::mem::take(&mut self.findings.missing);
        self.pass_over_the_rest()?;
        let rest = std::mem::replace(&mut self.findings.missing, missing);
        let mut findings = self.findings();
        if has_grown() {
            findings.uncovered.take_if(|(_, count)| *count <= OF_A_WRITE);
        } else {
            findings.missing.extend(rest);
        }
        Ok(findings)
    }

    fn findings(&self) -> ChainFindings {
        let first = self.pending.front();
        let uncovered = first.map(|first| (first.line, self.pending.len() as u64));
        ChainFindings { uncovered, ..self.findings.clone() }
    }

    /// Opens the file for appending: cuts off an incomplete last line, and adds missing digests.
    /// The journal must have been checked.
    pub fn into_chain(mut self) -> Result<(Chain, ChainFindings), RecordError> {
        self.pass_over_the_rest()?;
        let findings = self.findings();
        let mut chain = Chain::open(self.path)?;
        chain.cut(self.whole)?;
        chain.before = self.before;
        let pending: Vec<_> = self.pending.iter().map(|it| (it.game, it.digest)).collect();
        chain.write(&pending)?;
        Ok((chain, findings))
    }

    fn pass_over_the_rest(&mut self) -> Result<(), RecordError> {
        while let Some((game, digest)) = self.read_further()? {
            self.before = digest;
            self.findings.missing.insert(game);
        }
        Ok(())
    }

    /// The next digest. Skips those of journal lines that were read before their digest was
    /// written, as while a run is played.
    fn read_further(&mut self) -> Result<Option<(u64, Digest)>, RecordError> {
        while let Some(entry) = self.read_next()? {
            let is_awaited = |first: &Pending| (first.game, first.digest) == entry;
            if self.pending.front().is_none_or(|first| !is_awaited(first)) {
                return Ok(Some(entry));
            }
            self.pending.pop_front();
        }
        Ok(None)
    }

    /// The next digest; `None` at the end or at an incomplete last line.
    fn read_next(&mut self) -> Result<Option<(u64, Digest)>, RecordError> {
        let Some(reader) = &mut self.reader else { return Ok(None) };
        let failed = |source| RecordError::io(&self.path, "read")(source);
        let mut line = Vec::new();
        let bytes = reader.take(MAX_LINE).read_until(b'\n', &mut line).map_err(failed)? as u64;
        if bytes == 0 {
            return Ok(None);
        }
        self.lines += 1;
        if let Some(entry) = entry(&line) {
            self.whole += bytes;
            return Ok(Some(entry));
        }
        if reader.fill_buf().map_err(failed)?.is_empty() {
            self.reader = None;
            return Ok(None);
        }
        let reason =
            "expected a game's number and the digest of its line; restore the file from a copy";
        Err(RecordError::damaged(&self.path, self.lines, reason))
    }
}

fn entry(line: &[u8]) -> Option<(u64, Digest)> {
    let text = std::str::from_utf8(line.strip_suffix(b"\n")?).ok()?;
    let (game, digits) = text.split_once(' ')?;
    let mut digest = Digest::default();
    hex::decode_to_slice(digits, &mut digest).ok()?;
    Some((game.parse().ok()?, digest))
}

#[derive(Debug)]
pub struct Chain {
    path: PathBuf,
    file: File,
    before: Digest,
}

impl Chain {
    pub fn create(dir: &Path) -> Result<Chain, RecordError> {
        let mut chain = Chain::open(dir.join(DIGEST_FILE))?;
        // A start that failed may have left one.
        chain.cut(0)?;
        Ok(chain)
    }

    pub fn append<'a>(
        &mut self,
        lines: impl IntoIterator<Item = (u64, &'a [u8])>,
    ) -> Result<(), RecordError> {
        let mut before = self.before;
        let digests: Vec<(u64, Digest)> = lines
            .into_iter()
            .map(|(game, line)| {
                before = next(&before, line);
                (game, before)
            })
            .collect();
        self.write(&digests)?;
        self.before = before;
        Ok(())
    }

    pub fn sync(&self) -> Result<(), RecordError> {
        self.file.sync_data().map_err(RecordError::io(&self.path, "sync"))
    }

    fn open(path: PathBuf) -> Result<Chain, RecordError> {
        let file = open_itself(&path, OpenOptions::new().append(true).create(true))
            .map_err(RecordError::io(&path, "open"))?;
        Ok(Chain { path, file, before: Digest::default() })
    }

    fn cut(&mut self, bytes: u64) -> Result<(), RecordError> {
        self.file.set_len(bytes).map_err(RecordError::io(&self.path, "cut off the torn last line"))
    }

    fn write(&mut self, digests: &[(u64, Digest)]) -> Result<(), RecordError> {
        let mut lines = String::new();
        for (game, digest) in digests {
            // Writing to a string cannot fail.
            let _ = writeln!(lines, "{game} {}", hex::encode(digest));
        }
        self.file
            .write_all(lines.as_bytes())
            .map_err(RecordError::io(&self.path, "record a digest"))
    }
}

#[cfg(test)]
mod tests;
