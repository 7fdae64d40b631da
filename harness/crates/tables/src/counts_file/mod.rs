//! Counts on the disk: our own compact form, and where a run stands that was stopped.
//!
//! A file is, one after the other,
//!
//! 1. the line `verdict tables 1`, its end a line feed;
//! 2. the length of the header in four bytes, low byte first, and the header: JSON in UTF-8 with
//!    what was counted and how, the texts with their hashes and filters, what became of the games,
//!    and of a stopped run how far it came;
//! 3. one zstd frame with a checksum, of numbers in LEB128, in this order and as far as they were
//!    counted: material (games, games beyond the limits, cells; then for each cell with games, in
//!    the paper's order: its distance from the one before, wins, draws, losses); squares (positions
//!    in the middle game and the end game, games, 1,536 cells: phase, man, square); openings
//!    (games, positions; then by ascending key: its distance from the one before, wins, draws,
//!    losses of the side that moved, games without a result); drawn positions (how many; hash,
//!    occupied squares, men in two halves, Black to move and White's half points as one number
//!    each); fingerprints of games (how many; two numbers each).

mod body;
mod plausible;
mod read;

use std::collections::HashMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::count::{MinedCounts, OpeningCounts};
use super::filter::Filter;
use super::miner::CountSettings;
use super::scratch::Scratch;
use super::tally::GameTally;
use super::text_hash::{PieceHash, may_be_same};
use arena::record::output_files::{COUNTS_MAGIC, is_counts};
use arena::record::{RecordError, atomic};
use body::{write_counts, write_seen};
use pgn::Passing;
use process::{Context as _, Error, plain_file};
use read::ReadError;

/// Of the compression.
const LEVEL: i32 = 9;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct InputInfo {
    pub name: String,
    pub bytes: u64,
    pub lines: u64,
    /// Games found in it, good and bad.
    pub games: u64,
    /// XXH3 of 128 bits over those of its pieces of about 1 MiB, unpacked: however a text is packed,
    /// it is the same. Counts from before December 2026 have SHA-256, in 64 digits.
    pub hash: String,
    /// Why it could not be read to its end.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub broken: Option<String>,
    pub filter: Filter,
}

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct ReadState {
    /// The texts that were read to their ends.
    #[serde(skip)]
    pub inputs: Vec<InputInfo>,
    /// Bytes of the next text that are done.
    pub offset: u64,
    /// Lines of that text that are done.
    pub lines: u64,
    /// Games found in that text so far.
    pub games: u64,
    /// State inside a construct that is skipped.
    #[serde(flatten)]
    pub passing: Passing,
    /// Why that text cannot be read on.
    pub broken: Option<String>,
    /// Of its finished pieces. None are known of a run that was stopped before December 2026.
    #[serde(default)]
    pub hashes: Vec<PieceHash>,
    /// Fingerprints of the games so far, if duplicates are counted once.
    #[serde(skip)]
    pub seen: Vec<[u64; 2]>,
}

/// The header as it is written: a [`CountsFile`] and the program.
#[derive(Serialize)]
struct Header<'a> {
    program: &'static str,
    #[serde(flatten)]
    file: &'a CountsFile,
}

/// What a run has counted, with its sources.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CountsFile {
    #[serde(rename = "countings")]
    pub settings: CountSettings,
    #[serde(skip)]
    pub counts: MinedCounts,
    pub tally: GameTally,
    pub inputs: Vec<InputInfo>,
    /// Of a stopped run.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub checkpoint: Option<Checkpoint>,
}

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Checkpoint {
    #[serde(rename = "standing")]
    pub read_state: ReadState,
    /// All texts of the run, also those not yet read: names, and bytes as stored.
    pub texts: Vec<(String, u64)>,
    pub filter: Filter,
    /// The list of bad games.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub errors: Option<String>,
    /// Bytes of that list.
    pub listed: u64,
    /// [`FINGERPRINTS`](super::FINGERPRINTS) of the version that made them; 0 is the first.
    #[serde(default)]
    pub fingerprints: u32,
}

impl CountsFile {
    /// Whether a file begins with the format's first line.
    pub fn is_one(path: &Path) -> bool {
        is_counts(path)
    }

    /// As [`CountsFile::read_within`], with all opening positions in memory.
    pub fn read(path: &Path) -> Result<CountsFile, Error> {
        CountsFile::read_within(path, &Scratch::default())
    }

    /// Opening positions that exceed memory go to the scratch.
    pub fn read_within(path: &Path, scratch: &Scratch) -> Result<CountsFile, Error> {
        let file = plain_file::open_given(path).context(path.display())?;
        read::read(file, scratch).map_err(|error| match error {
            ReadError::Found(found) => {
                let path = path.display();
                let expected = "expected counts made by `verdict tables`";
                Error::input_output(format!("{path}: {expected}, {found}"))
            }
            ReadError::Failed(error) => Error::from(error).context(path.display()),
        })
    }

    pub fn parse(bytes: &[u8]) -> Result<CountsFile, String> {
        read::read(bytes, &Scratch::default()).map_err(ReadError::into_words)
    }

    /// The content of a file; always the same bytes for the same counts.
    pub fn to_bytes(&self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.write_to(&mut bytes)?;
        Ok(bytes)
    }

    fn write_to(&self, out: &mut impl Write) -> io::Result<()> {
        let seen = self.checkpoint.as_ref().map_or(&[][..], |stopped| &stopped.read_state.seen);
        let program = concat!("verdict ", env!("CARGO_PKG_VERSION"));
        let header = serde_json::to_vec(&Header { program, file: self })?;
        out.write_all(COUNTS_MAGIC)?;
        out.write_all(&(header.len() as u32).to_le_bytes())?;
        out.write_all(&header)?;
        let mut body = zstd::Encoder::new(out, LEVEL)?;
        body.include_checksum(true)?;
        write_counts(&mut body, &self.counts)?;
        write_seen(&mut body, seen)?;
        body.finish()?;
        Ok(())
    }

    pub fn write(&self, path: &Path) -> Result<(), Error> {
        atomic::replace(path, |out| self.write_to(out).map_err(RecordError::io(path, "write")))?;
        Ok(())
    }

    /// Adds files up. Fails if two of them hold the same text, unless `force`; a text that occurs
    /// twice in one file was counted twice on purpose. Fails too if they were counted in different
    /// ways. Opening positions that exceed memory go to the scratch.
    pub fn merge(paths: &[PathBuf], force: bool, scratch: &Scratch) -> Result<CountsFile, Error> {
        let mut sum: Option<CountsFile> = None;
        let mut openings = Vec::new();
        // By bytes and lines.
        let mut owners: HashMap<(u64, u64), Vec<(String, &PathBuf)>> = HashMap::new();
        for path in paths {
            let mut file = CountsFile::read_within(path, scratch)?;
            openings.extend(file.counts.openings.take());
            let wrong = |why: String| Error::usage(why).context(path.display());
            if file.checkpoint.is_some() {
                return Err(wrong("the run was stopped: finish it with --resume first".to_owned()));
            }
            let texts = || file.inputs.iter().filter(|input| input.games > 0 && !force);
            let earlier = |input: &InputInfo| {
                let of_its_size = owners.get(&(input.bytes, input.lines))?;
                of_its_size
                    .iter()
                    .find(|(hash, _)| may_be_same(&input.hash, hash))
                    .map(|(_, path)| *path)
            };
            if let Some((input, earlier)) = texts().find_map(|input| Some((input, earlier(input)?)))
            {
                return Err(wrong(format!(
                    "{} (hash {}) was counted in {} already: its games would count twice (`tables \
                     merge --force` adds them anyway)",
                    input.name,
                    input.hash,
                    earlier.display()
                )));
            }
            for input in texts() {
                let of_its_size = owners.entry((input.bytes, input.lines)).or_default();
                of_its_size.push((input.hash.clone(), path));
            }
            match &mut sum {
                None => sum = Some(file),
                Some(sum) if sum.settings != file.settings => {
                    return Err(wrong(format!(
                        "counted {}, the others {}: counts of different kinds cannot be added up",
                        in_words(&file.settings),
                        in_words(&sum.settings)
                    )));
                }
                Some(sum) => {
                    if sum.counts.merge(&file.counts) {
                        return Err(full(path));
                    }
                    sum.tally.merge(&file.tally);
                    sum.inputs.extend(file.inputs);
                }
            }
        }
        let no_file = || Error::usage("expected counts made by `verdict tables`, found no file");
        let mut sum = sum.ok_or_else(no_file)?;
        if !openings.is_empty() {
            let (openings, first_full) = OpeningCounts::sum(openings, scratch)?;
            if let Some(path) = first_full.and_then(|place| paths.get(place)) {
                return Err(full(path));
            }
            sum.counts.openings = Some(openings);
        }
        Ok(sum)
    }
}

/// The counts of this file, added to those before it, exceed what a counter can hold.
fn full(path: &Path) -> Error {
    let most = u32::MAX - 1;
    let why = format!(
        "with these, a cell has more than {most} games: expected fewer, a table cannot count so far"
    );
    Error::usage(why).context(path.display())
}

fn in_words(settings: &CountSettings) -> String {
    serde_json::to_string(settings).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use process::ErrorKind;

    use super::*;
    use crate::count::openings::RunWriter;
    use crate::count::{MitCounts, OpeningRecord, SideWdl};

    /// Hashes of two kinds cannot be compared: then texts of one length are taken for the same.
    #[test]
    fn a_text_is_added_once() {
        let dir = tempfile::tempdir().unwrap();
        let write = |name: &str, bytes: u64, hash: &str| {
            let input = InputInfo {
                name: name.to_owned(),
                bytes,
                lines: 7,
                games: 1,
                hash: hash.to_owned(),
                broken: None,
                filter: Filter::default(),
            };
            let file = CountsFile {
                settings: CountSettings::usual(),
                counts: MinedCounts::default(),
                tally: GameTally { games: 1, counted: 1, ..GameTally::default() },
                inputs: vec![input],
                checkpoint: None,
            };
            let path = dir.path().join(name);
            file.write(&path).unwrap();
            path
        };
        let (new, old) = ("0".repeat(32), "1".repeat(64));
        let first = write("first", 100, &new);
        let merge = |other: &PathBuf, force: bool| {
            let files = [first.clone(), other.clone()];
            CountsFile::merge(&files, force, &Scratch::default())
        };
        for (name, bytes, hash, is_added) in [
            ("same", 100, &new, false),
            ("older", 100, &old, false),
            ("longer", 101, &old, true),
            ("other", 100, &"2".repeat(32), true),
        ] {
            let other = write(name, bytes, hash);
            assert_eq!(merge(&other, false).is_ok(), is_added, "{name}");
            merge(&other, true).unwrap();
        }
        let told = merge(&write("same", 100, &new), false).unwrap_err().to_string();
        assert!(told.contains("same (hash 00") && told.contains("--force"), "{told}");
    }

    /// Sums that a counter cannot hold are refused, by the file that has the last straw.
    #[test]
    fn full_counters_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        let write = |name: &str, games: u32, is_mit: bool| {
            let mut mit = MitCounts::default();
            let mut openings = RunWriter::new(&Scratch::default());
            let wdl = SideWdl { wins: games, ..SideWdl::default() };
            if is_mit {
                mit.add(7, wdl);
            } else {
                openings.push(OpeningRecord { key: 7, wdl, undecided: 0 }).unwrap();
            }
            mit.games = games.into();
            let games = u64::from(games);
            let openings = OpeningCounts::new(openings.finish().unwrap(), games);
            let file = CountsFile {
                settings: CountSettings { mit: true, opening_plies: 2, ..CountSettings::usual() },
                counts: MinedCounts {
                    mit: Some(mit),
                    openings: Some(openings),
                    ..MinedCounts::default()
                },
                tally: GameTally { games, counted: games, ..GameTally::default() },
                inputs: vec![InputInfo {
                    name: name.to_owned(),
                    bytes: 100 * games,
                    lines: games,
                    games,
                    hash: name.to_owned(),
                    broken: None,
                    filter: Filter::default(),
                }],
                checkpoint: None,
            };
            let path = dir.path().join(name);
            file.write(&path).unwrap();
            path
        };
        for is_mit in [true, false] {
            let most = write("most", u32::MAX - 3, is_mit);
            let (one, two) = (write("one", 1, is_mit), write("two", 2, is_mit));
            let scratch = Scratch::default();
            CountsFile::merge(&[most.clone(), two.clone()], false, &scratch).unwrap();
            let error = CountsFile::merge(&[most, two, one.clone()], false, &scratch).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Usage);
            assert!(error.to_string().starts_with(&one.display().to_string()), "{error}");
        }
    }
}
