//! The names that verdict gives the files in its folders.

use std::path::Path;

use super::chain::DIGEST_FILE;
use super::lock::RUN_LOCK;
use super::{
    FAULTS_FOLDER, FLEET_FILE, FolderKind, GAMES_FILE, GAMES_ZST_FILE, NIGHT_LOCK, PGN_FILE,
    REPORT_FILE, SUMMARY_FILE, SUMMARY_MD_FILE, WORKERS_FILE,
};

/// A personality, made by a tuner or a fit.
pub const TUNED_FILE: &str = "tuned.json";
/// Tuned values as lines for the engine.
pub const SETOPTION_FILE: &str = "setoption.txt";
/// Tuned values as a table.
pub const TUNED_MD_FILE: &str = "tuned.md";
/// Tuned values in the form of the file that the parameters came from: lines, or JSON.
pub const PARAMS_FILE: &str = "tuned-params.txt";
pub const PARAMS_JSON_FILE: &str = "tuned-params.json";
/// The course of SPSA.
pub const SPSA_CSV_FILE: &str = "spsa.csv";
/// The points of CLOP.
pub const POINTS_FILE: &str = "points.csv";
/// The old and new weights of a fit.
pub const WEIGHTS_FILE: &str = "weights.md";
/// The course of a bisection.
pub const STEPS_FILE: &str = "steps.json";
/// The coefficients of an engine with their new values.
pub const COEFFICIENTS_FILE: &str = "coefficients.txt";
/// The strongest player first.
pub const RATINGS_FILE: &str = "ratings.json";
/// Ratings and crosstable, as Markdown.
pub const CROSSTABLE_FILE: &str = "crosstable.md";
/// Of a sweep for speed.
pub const SPEED_JOURNAL: &str = "speed.jsonl";
pub const NIGHT_MD_FILE: &str = "nightly.md";
/// The first bytes of a counts file.
pub const COUNTS_MAGIC: &[u8] = b"verdict tables 1\n";

const NAMES: &[&str] = &[
    RUN_LOCK,
    GAMES_FILE,
    GAMES_ZST_FILE,
    DIGEST_FILE,
    FLEET_FILE,
    WORKERS_FILE,
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
    STEPS_FILE,
    COEFFICIENTS_FILE,
    TUNED_FILE,
    SETOPTION_FILE,
    TUNED_MD_FILE,
    PARAMS_FILE,
    PARAMS_JSON_FILE,
    NIGHT_MD_FILE,
    NIGHT_LOCK,
    // Of a book that is being made.
    "reading.json",
    "candidates.txt",
    "scores.txt",
    "speed.json",
    "mates.json",
    "share.json",
    "micro.json",
];
/// Those of tuned values, which are often kept with an engine.
const TUNED_FILES: [&str; 6] =
    [TUNED_FILE, SETOPTION_FILE, TUNED_MD_FILE, PARAMS_FILE, PARAMS_JSON_FILE, COEFFICIENTS_FILE];
/// Suffixes of other names: logs and plans of nightly entries, temporary files, counts.
const ENDS: [&str; 4] = [".log", ".plan.json", ".tmp", ".counts"];

/// Whether this is a name that verdict gives to files, or a file in a `faults` folder.
pub fn has_our_name(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let in_faults = |folder: &Path| folder.iter().any(|name| name == FAULTS_FOLDER);
    FolderKind::ALL.iter().any(|kind| kind.file() == name)
        || NAMES.contains(&&*name)
        || ENDS.iter().any(|end| name.ends_with(end))
        || path.parent().is_some_and(in_faults)
}

/// Whether a file with such a name may be source of an engine if git tracks it.
pub fn may_be_source(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    TUNED_FILES.contains(&&*name) || ENDS.iter().any(|end| name.ends_with(end))
}

/// Only regular files are read: bytes read from a pipe are lost.
pub fn is_counts(path: &Path) -> bool {
    use std::io::Read as _;
    let mut head = Vec::new();
    let read = process::plain_file::open(path)
        .and_then(|file| file.take(COUNTS_MAGIC.len() as u64).read_to_end(&mut head));
    read.is_ok() && head == COUNTS_MAGIC
}
