//! The names that verdict gives the files in its folders.

use std::path::Path;

use super::{
    FAULTS_FOLDER, FolderKind, GAMES_FILE, GAMES_ZST_FILE, NIGHT_LOCK, PGN_FILE, REPORT_FILE,
    SUMMARY_FILE, SUMMARY_MD_FILE, chain::DIGEST_FILE, lock::RUN_LOCK,
};

/// The personality that a tuner or a fit has made.
pub const TUNED_FILE: &str = "tuned.json";
/// What SPSA has come through, for other programs.
pub const SPSA_CSV_FILE: &str = "spsa.csv";
/// The points of CLOP, for other programs.
pub const POINTS_FILE: &str = "points.csv";
/// What a fit has made of its weights.
pub const WEIGHTS_FILE: &str = "weights.md";
/// The players of a tournament, the strongest first.
pub const RATINGS_FILE: &str = "ratings.json";
/// The same with the crosstable, for people.
pub const CROSSTABLE_FILE: &str = "crosstable.md";
/// The measurements of a sweep for speed.
pub const SPEED_JOURNAL: &str = "speed.jsonl";
/// A night's page of Markdown.
pub const NIGHT_MD_FILE: &str = "nightly.md";
/// How a file of counts begins.
pub const COUNTS_MAGIC: &[u8] = b"verdict tables 1\n";

const NAMES: [&str; 23] = [
    RUN_LOCK,
    GAMES_FILE,
    GAMES_ZST_FILE,
    DIGEST_FILE,
    PGN_FILE,
    SUMMARY_FILE,
    SUMMARY_MD_FILE,
    REPORT_FILE,
    CROSSTABLE_FILE,
    RATINGS_FILE,
    // Of earlier versions.
    "ratings.md",
    "sweep.md",
    SPEED_JOURNAL,
    SPSA_CSV_FILE,
    POINTS_FILE,
    WEIGHTS_FILE,
    TUNED_FILE,
    NIGHT_MD_FILE,
    NIGHT_LOCK,
    "speed.json",
    "mates.json",
    "share.json",
    "micro.json",
];
/// Ends of other names: of a night's entries, of files that are being written, of counts.
const ENDS: [&str; 4] = [".log", ".plan.json", ".tmp", ".counts"];

/// Whether verdict gives files such names, or puts them into such a folder.
pub fn has_our_name(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let in_faults = |folder: &Path| folder.iter().any(|name| name == FAULTS_FOLDER);
    FolderKind::ALL.into_iter().any(|kind| kind.file() == name)
        || NAMES.contains(&&*name)
        || ENDS.iter().any(|end| name.ends_with(end))
        || path.parent().is_some_and(in_faults)
}

/// Whether a file with such a name may be what an engine is built of, where git tracks it.
pub fn may_be_source(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name == TUNED_FILE || ENDS.iter().any(|end| name.ends_with(end))
}

/// Whether a file begins as counts do. What is no file cannot be asked: of a pipe the bytes would be gone.
pub fn is_counts(path: &Path) -> bool {
    use std::io::Read as _;
    let mut head = Vec::new();
    let read = process::plain_file::open(path)
        .and_then(|file| file.take(COUNTS_MAGIC.len() as u64).read_to_end(&mut head));
    read.is_ok() && head == COUNTS_MAGIC
}
