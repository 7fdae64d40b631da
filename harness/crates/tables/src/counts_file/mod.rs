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
mod leb128;
mod plausible;

use std::collections::HashMap;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::count::MinedCounts;
use super::filter::Filter;
use super::miner::CountSettings;
use super::tally::GameTally;
use arena::record::atomic;
use arena::record::output_files::{COUNTS_MAGIC, is_counts};
use body::{read_counts, read_seen, write_counts, write_seen};
use leb128::NumberReader;
use pgn::Passing;
use process::{Context as _, Error, plain_file};

/// The largest file that is read, bytes.
const MOST: u64 = 4 << 30;
/// Limits of unpacking, against files made to exhaust memory: at most `MOST_RATIO` times the packed
/// length plus `SLACK` (tables of equal cells), and never more than `MOST_UNPACKED`.
const MOST_RATIO: u64 = 100;
const SLACK: u64 = 4 << 20;
const MOST_UNPACKED: u64 = 16 << 30;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct InputInfo {
    pub name: String,
    pub bytes: u64,
    pub lines: u64,
    /// Games found in it, good and bad.
    pub games: u64,
    /// SHA-256 over the SHA-256 of its pieces of about 1 MiB, unpacked: however a text is packed,
    /// it is the same.
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
    /// Hashes of its finished pieces.
    pub digests: Vec<[u8; 32]>,
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

    pub fn read(path: &Path) -> Result<CountsFile, Error> {
        let bytes =
            plain_file::open_given(path).and_then(|file| plain_file::read_at_most(file, MOST));
        let bytes = bytes.context(path.display())?;
        CountsFile::parse(&bytes).map_err(|found| {
            let path = path.display();
            Error::input_output(format!(
                "{path}: expected counts made by `verdict tables`, {found}"
            ))
        })
    }

    pub fn parse(bytes: &[u8]) -> Result<CountsFile, String> {
        let rest = bytes.strip_prefix(COUNTS_MAGIC).ok_or("found another beginning")?;
        let (len, rest) = rest.split_first_chunk::<4>().ok_or("found its end early")?;
        let len = u32::from_le_bytes(*len) as usize;
        let (header, packed) = rest.split_at_checked(len).ok_or("found its end early")?;
        let mut file: CountsFile = serde_json::from_slice(header)
            .map_err(|error| format!("found a header with {error}"))?;
        let mut body = Vec::new();
        let decoder = zstd::Decoder::new(packed).map_err(|error| error.to_string())?;
        let most = most_unpacked(packed.len() as u64);
        io::Read::read_to_end(&mut io::Read::take(decoder, most + 1), &mut body)
            .map_err(|error| format!("found numbers that cannot be unpacked: {error}"))?;
        if body.len() as u64 > most {
            return Err(format!("found numbers that unpack to more than {most} bytes"));
        }
        let mut numbers = NumberReader::new(&body);
        file.counts = read_counts(&mut numbers, &file.settings)
            .ok_or("found numbers that cannot be, or too few")?;
        let seen = read_seen(&mut numbers).ok_or("found fingerprints that cannot be")?;
        if let Some(Checkpoint { read_state, .. }) = &mut file.checkpoint {
            read_state.inputs = file.inputs.clone();
            read_state.seen = seen;
        }
        plausible::check(&file)?;
        Ok(file)
    }

    /// The content of a file; always the same bytes for the same counts.
    pub fn to_bytes(&self) -> Vec<u8> {
        let seen = self.checkpoint.as_ref().map_or(&[][..], |stopped| &stopped.read_state.seen);
        let program = concat!("verdict ", env!("CARGO_PKG_VERSION"));
        let header = Header { program, file: self };
        let header = serde_json::to_vec(&header).unwrap_or_default();
        let mut body = Vec::new();
        write_counts(&mut body, &self.counts);
        write_seen(&mut body, seen);
        let mut bytes = COUNTS_MAGIC.to_vec();
        bytes.extend_from_slice(&(header.len() as u32).to_le_bytes());
        bytes.extend_from_slice(&header);
        bytes.extend_from_slice(&packed(&body));
        bytes
    }

    pub fn write(&self, path: &Path) -> Result<(), Error> {
        let bytes = self.to_bytes();
        atomic::replace_by(path, &bytes)?;
        Ok(())
    }

    /// Adds files up. Fails if two of them hold the same text, unless `force`; a text that occurs
    /// twice in one file was counted twice on purpose. Fails too if they were counted in different
    /// ways.
    pub fn merge(paths: &[PathBuf], force: bool) -> Result<CountsFile, Error> {
        let mut sum: Option<CountsFile> = None;
        let mut owners: HashMap<String, &PathBuf> = HashMap::new();
        for path in paths {
            let file = CountsFile::read(path)?;
            let wrong = |why: String| Error::usage(why).context(path.display());
            if file.checkpoint.is_some() {
                return Err(wrong("the run was stopped: finish it with --resume first".to_owned()));
            }
            let texts = || file.inputs.iter().filter(|input| input.games > 0 && !force);
            let earlier = |input: &InputInfo| owners.get(&input.hash).copied();
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
            owners.extend(texts().map(|input| (input.hash.clone(), path)));
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
                        return Err(wrong(format!(
                            "with these, a cell has more than {} games: expected fewer, a table \
                             cannot count so far",
                            u32::MAX - 1
                        )));
                    }
                    sum.tally.merge(&file.tally);
                    sum.inputs.extend(file.inputs);
                }
            }
        }
        sum.ok_or_else(|| Error::usage("expected counts made by `verdict tables`, found no file"))
    }
}

/// The limit of unpacked bytes for so many packed ones.
fn most_unpacked(packed: u64) -> u64 {
    packed.saturating_mul(MOST_RATIO).saturating_add(SLACK).min(MOST_UNPACKED)
}

fn in_words(settings: &CountSettings) -> String {
    serde_json::to_string(settings).unwrap_or_default()
}

fn packed(body: &[u8]) -> Vec<u8> {
    let mut encoder = match zstd::Encoder::new(Vec::new(), 9) {
        Ok(encoder) => encoder,
        Err(error) => unreachable!("a compressor in memory: {error}"),
    };
    let done = encoder
        .include_checksum(true)
        .and_then(|()| encoder.write_all(body))
        .and_then(|()| encoder.finish());
    match done {
        Ok(bytes) => bytes,
        Err(error) => unreachable!("memory can be written to: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use process::ErrorKind;

    use super::*;
    use crate::count::{MitCounts, OpeningCounts, SideWdl};

    #[test]
    fn what_may_unpack_has_a_bound() {
        assert_eq!(most_unpacked(0), SLACK);
        assert_eq!(most_unpacked(1 << 20), (100 << 20) + SLACK);
        assert_eq!([MOST, u64::MAX].map(most_unpacked), [16 << 30; 2]);
    }

    /// Sums that a counter cannot hold are refused, by the file that has the last straw.
    #[test]
    fn full_counters_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        let write = |name: &str, games: u32, is_mit: bool| {
            let (mut mit, mut openings) = (MitCounts::default(), OpeningCounts::default());
            let wins = SideWdl { wins: games, ..SideWdl::default() };
            if is_mit {
                mit.add(7, wins);
            } else {
                openings.add(7, wins, 0);
            }
            (mit.games, openings.games) = (games.into(), games.into());
            let games = u64::from(games);
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
            CountsFile::merge(&[most.clone(), two.clone()], false).unwrap();
            let error = CountsFile::merge(&[most, two, one.clone()], false).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Usage);
            assert!(error.to_string().starts_with(&one.display().to_string()), "{error}");
        }
    }
}
