//! Syzygy endgame tablebases: which files there are, and what they say of a position. The search asks them at
//! its nodes (`search/tables.rs`) and at the root (`search/root/tables.rs`).

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use shakmaty::{
    Board, ByColor, ByRole, CastlingMode, Chess, Color, FromSetup as _, PositionError, Role, Setup,
};
use shakmaty_syzygy::{Metric, ProbeError, Syzygy, SyzygyError, Tablebase, Wdl};

use crate::position::Position;

/// The most men that tables may have, kings among them.
pub const MOST_MEN: u32 = <Chess as Syzygy>::MAX_PIECES as u32;

/// Why no tables can be used.
#[derive(Debug, thiserror::Error)]
pub enum TablebaseError {
    /// The folder cannot be read.
    #[error("'{path}': {reason}; expected a folder with tables like KQvK.rtbw, or several parted by '{parted}'",
        path = .path.display(), parted = if cfg!(windows) { ';' } else { ':' })]
    Folder {
        /// The folder as given.
        path: PathBuf,
        /// What the system says.
        reason: io::Error,
    },
    /// The folder has no table of results.
    #[error("'{}': expected tables like KQvK.rtbw, found none", .0.display())]
    Empty(PathBuf),
}

/// Tables to be asked, read from their files as they are needed. Threads and engines share them.
#[derive(Debug)]
pub struct Tablebases {
    tables: Tablebase<Chess>,
    /// In order.
    files: Vec<PathBuf>,
    /// The most men of a table of results.
    men: u32,
    /// Files that were left out, each with the reason.
    left_out: Vec<String>,
    /// Set by the first table that could not be read: from then on none is.
    fault: OnceLock<String>,
    is_told: AtomicBool,
}

/// The same files, all of which could be read so far.
impl PartialEq for Tablebases {
    fn eq(&self, other: &Tablebases) -> bool {
        std::ptr::eq(self, other)
            || self.files == other.files && self.is_sound() && other.is_sound()
    }
}

impl Tablebases {
    /// Finds the tables in a folder, or in several parted as the system parts the folders of `PATH`. Files are
    /// opened when they are first asked; those that cannot be tables are [left out](Tablebases::left_out).
    ///
    /// # Errors
    /// A folder that cannot be read, or has no table of results.
    pub fn open(folders: &OsStr) -> Result<Tablebases, TablebaseError> {
        let mut opened = Tablebases {
            tables: Tablebase::new(),
            files: Vec::new(),
            men: 0,
            left_out: Vec::new(),
            fault: OnceLock::new(),
            is_told: AtomicBool::new(false),
        };
        for folder in std::env::split_paths(folders) {
            let unreadable = |reason| TablebaseError::Folder { path: folder.clone(), reason };
            let (results, left_out) = (opened.count(Metric::Wdl), opened.left_out.len());
            for entry in folder.read_dir().map_err(unreadable)? {
                opened.add(entry.map_err(unreadable)?.path());
            }
            if opened.count(Metric::Wdl) == results && opened.left_out.len() == left_out {
                return Err(TablebaseError::Empty(folder));
            }
        }
        opened.files.sort_unstable();
        opened.left_out.sort_unstable();
        Ok(opened)
    }

    fn add(&mut self, file: PathBuf) {
        match self.tables.add_file(&file) {
            Ok(()) => {
                if is_of(&file, Metric::Wdl) {
                    self.men = self.men.max(men_of(&file));
                }
                self.files.push(file);
            }
            // Not a table.
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => {}
            Err(error) => {
                let reason = match error.kind() {
                    io::ErrorKind::InvalidData => "no table is that long, it is cut off".to_owned(),
                    _ => error.to_string(),
                };
                self.left_out.push(format!("{}: {reason}", file.display()));
            }
        }
    }

    /// The most men of a position that they know, kings among them; 0 once one could not be read.
    #[must_use]
    pub fn men(&self) -> u32 {
        if self.is_sound() { self.men } else { 0 }
    }

    /// Files whose name is a table's and which are none, each with the reason.
    #[must_use]
    pub fn left_out(&self) -> &[String] {
        &self.left_out
    }

    /// How many tables there are, up to how many men, and what was left out.
    #[must_use]
    pub fn describe(&self) -> String {
        const TOLD: usize = 3;
        let (results, distances) = (self.count(Metric::Wdl), self.count(Metric::Dtz));
        let mut text = format!("{results} WDL and {distances} DTZ tables, up to {} men", self.men);
        if !self.left_out.is_empty() {
            let first = &self.left_out[..self.left_out.len().min(TOLD)];
            text += &format!("; left out: {}", first.join(", "));
            if self.left_out.len() > TOLD {
                text += &format!(", and {} more", self.left_out.len() - TOLD);
            }
        }
        text
    }

    /// What is wrong with the table that could not be read, if there was one, and if nobody asked before.
    #[must_use]
    pub fn take_fault(&self) -> Option<&str> {
        let fault = self.fault.get()?;
        (!self.is_told.swap(true, Ordering::Relaxed)).then_some(fault)
    }

    fn is_sound(&self) -> bool {
        self.fault.get().is_none()
    }

    fn count(&self, metric: Metric) -> usize {
        self.files.iter().filter(|file| is_of(file, metric)).count()
    }

    fn result(&self, position: &Position) -> Option<Wdl> {
        let chess = self.known(position)?;
        self.noted(self.tables.probe_wdl_after_zeroing(&chess))
    }

    fn distance(&self, position: &Position) -> Option<i32> {
        let chess = self.known(position)?;
        self.noted(self.tables.probe_dtz(&chess)).map(|plies| plies.ignore_rounding().into())
    }

    /// The position in the library's form, if tables may know it.
    fn known(&self, position: &Position) -> Option<Chess> {
        if position.occupied().count() as u32 > self.men() || position.may_castle() {
            return None;
        }
        let of = |role| position.by_role(role);
        let board = Board::try_from_bitboards(
            ByRole {
                pawn: of(Role::Pawn),
                knight: of(Role::Knight),
                bishop: of(Role::Bishop),
                rook: of(Role::Rook),
                queen: of(Role::Queen),
                king: of(Role::King),
            },
            ByColor {
                black: position.by_color(Color::Black),
                white: position.by_color(Color::White),
            },
        );
        let (turn, ep_square) = (position.turn(), position.en_passant());
        let setup = Setup { board: board.ok()?, turn, ep_square, ..Setup::empty() };
        Chess::from_setup(setup, CastlingMode::Standard)
            .or_else(PositionError::ignore_impossible_check)
            .ok()
    }

    /// What was asked for. A table that there is not is no fault: sets of tables are rarely whole.
    fn noted<T>(&self, answer: Result<T, SyzygyError>) -> Option<T> {
        match answer {
            Ok(answer) => Some(answer),
            Err(SyzygyError::ProbeFailed { metric, material, error }) => {
                let reason = match *error {
                    ProbeError::Read { error } => error.to_string(),
                    ProbeError::Magic { .. } => "it does not begin as a table does".to_owned(),
                    ProbeError::CorruptedTable { .. } => "it is damaged or cut off".to_owned(),
                };
                let name = format!("{material}.{}", extension(metric));
                let is_it = |file: &&PathBuf| file.file_name().is_some_and(|file| *file == *name);
                let place = self.files.iter().find(is_it);
                let place = place.map_or(name.clone(), |file| file.display().to_string());
                let _ = self.fault.set(format!("{place}: {reason}; no table is used any more"));
                None
            }
            Err(_) => None,
        }
    }
}

/// How the search uses tables.
#[derive(Debug, Clone, PartialEq)]
pub struct Probing {
    /// The tables, if there are any.
    pub tables: Option<Arc<Tablebases>>,
    /// Positions of as many men as the largest tables have are asked for at this remaining depth and above,
    /// plies.
    pub depth: i32,
    /// Positions of more men are not asked for; 0 asks for none.
    pub limit: u32,
    /// Wins that the fifty-move rule spoils are draws.
    pub fifty_moves: bool,
}

/// No tables; of those that are given, everything is used, under the fifty-move rule.
impl Default for Probing {
    fn default() -> Probing {
        Probing { tables: None, depth: 1, limit: MOST_MEN, fifty_moves: true }
    }
}

impl Probing {
    /// The most men of a position that is asked for; 0 without tables.
    #[must_use]
    pub fn men(&self) -> u32 {
        self.tables.as_ref().map_or(0, |tables| tables.men().min(self.limit))
    }

    /// The result for the side to move with best play on both sides, if the last move was a capture or a
    /// pawn's; `None` where no table knows it.
    pub(crate) fn result(&self, position: &Position) -> Option<Wdl> {
        self.tables.as_ref()?.result(position)
    }

    /// Plies to the next capture or pawn move with best play, exact or one too few: positive where the side to
    /// move wins, negative where it loses, 0 for a draw. Beyond 100 the fifty-move rule makes it a draw.
    pub(crate) fn distance(&self, position: &Position) -> Option<i32> {
        self.tables.as_ref()?.distance(position)
    }
}

fn extension(metric: Metric) -> &'static str {
    match metric {
        Metric::Wdl => Chess::TBW.ext,
        Metric::Dtz => Chess::TBZ.ext,
    }
}

fn is_of(file: &Path, metric: Metric) -> bool {
    file.extension().is_some_and(|found| found == extension(metric))
}

/// The men of a table by its name: `KQvK` has three.
fn men_of(file: &Path) -> u32 {
    let name = file.file_stem().unwrap_or_default();
    name.len().saturating_sub(1) as u32
}

#[cfg(test)]
pub(crate) mod testing {
    use super::*;

    /// Where the tests' tables are: queen, rook or pawn against a bare king.
    pub(crate) const FOLDER: &str =
        concat!(env!("CARGO_MANIFEST_DIR"), "/../harness/tests/data/syzygy");

    /// The tables of three men.
    pub(crate) fn three_men() -> Arc<Tablebases> {
        Arc::new(Tablebases::open(FOLDER.as_ref()).expect(FOLDER))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::testing::{FOLDER, three_men};
    use super::*;

    /// A folder of a test's own; it goes when the test ends.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Folder {
            let name = format!("mutineer-{}-{name}", std::process::id());
            let path = std::env::temp_dir().join(name);
            fs::create_dir_all(&path).expect("made");
            Folder(path)
        }

        fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
            let path = self.0.join(name);
            fs::write(&path, bytes).expect("written");
            path
        }

        fn open(&self) -> Result<Tablebases, TablebaseError> {
            Tablebases::open(self.0.as_os_str())
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn bytes_of(name: &str) -> Vec<u8> {
        fs::read(Path::new(FOLDER).join(name)).expect(name)
    }

    fn position(fen: &str) -> Position {
        Position::from_fen(fen).expect(fen)
    }

    const ROOK: &str = "8/8/8/3k4/8/8/8/K6R w - - 0 1";

    #[test]
    fn results_and_distances() {
        let tables = three_men();
        assert_eq!(tables.describe(), "3 WDL and 3 DTZ tables, up to 3 men");
        for (fen, result, distance) in [
            (ROOK, Some(Wdl::Win), Some(28..=30)),
            ("8/8/8/3k4/8/8/8/K6R b - - 0 1", Some(Wdl::Loss), Some(-31..=-29)),
            // The pawn is lost, or wins; a stalemate.
            ("8/8/8/8/8/1k6/p7/K7 w - - 0 1", Some(Wdl::Draw), Some(0..=0)),
            ("8/8/8/8/8/1k6/p7/K7 b - - 0 1", Some(Wdl::Draw), Some(0..=0)),
            ("8/4P3/8/8/8/k7/8/K7 w - - 0 1", Some(Wdl::Win), Some(1..=1)),
            ("8/8/8/8/8/4k3/4p3/4K3 w - - 0 1", Some(Wdl::Draw), Some(0..=0)),
            // The rook hangs; the king is mated.
            ("8/8/8/8/8/8/1k5K/1R6 b - - 0 1", Some(Wdl::Draw), Some(0..=0)),
            ("8/8/8/8/8/1k6/8/K6r w - - 0 1", Some(Wdl::Loss), Some(-1..=-1)),
            // Of no table here: four men, a knight, a right to castle.
            ("8/8/8/3k4/8/8/8/K5RR w - - 0 1", None, None),
            ("8/8/8/3k4/8/8/8/K6N w - - 0 1", None, None),
            ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", None, None),
        ] {
            let position = position(fen);
            assert_eq!(tables.result(&position), result, "{fen}");
            let found = tables.distance(&position);
            let expected = distance.clone();
            let fits =
                found.zip(distance).map_or(found.is_none(), |(plies, of)| of.contains(&plies));
            assert!(fits, "{fen}: {found:?}, expected {expected:?}");
        }
        assert_eq!(tables.take_fault(), None, "what is missing is no fault");
    }

    #[test]
    fn folders_without_tables() {
        let none = Folder::new("none");
        none.write("KQvK.txt", b"no table");
        let error = none.open().expect_err("no table").to_string();
        assert!(error.contains("mutineer-") && error.contains("found none"), "{error}");
        let error = Tablebases::open("/no/such/folder".as_ref()).expect_err("none").to_string();
        assert!(error.starts_with("'/no/such/folder': "), "{error}");
        let both = std::env::join_paths([Path::new(FOLDER), &none.0]).expect("both");
        assert!(Tablebases::open(&both).is_err());
        none.write("KRvK.rtbw", &bytes_of("KRvK.rtbw"));
        assert_eq!(Tablebases::open(&both).expect("tables").men(), 3);
        assert_eq!(none.open().expect("a table").describe(), "1 WDL and 0 DTZ tables, up to 3 men");
    }

    #[test]
    fn a_file_that_is_cut_off_is_left_out() {
        let folder = Folder::new("cut");
        let bytes = bytes_of("KRvK.rtbw");
        let cut = folder.write("KRvK.rtbw", &bytes[..bytes.len() - 1]);
        let empty = folder.write("KQvK.rtbw", b"");
        folder.write("KPvK.rtbw", &bytes_of("KPvK.rtbw"));
        let tables = folder.open().expect("one table");
        assert_eq!(tables.left_out().len(), 2);
        let told = tables.describe();
        assert!(told.starts_with("1 WDL and 0 DTZ tables, up to 3 men; left out: "), "{told}");
        assert!([cut, empty].iter().all(|path| told.contains(&*path.to_string_lossy())), "{told}");
        assert_eq!(tables.result(&position(ROOK)), None);
        assert_eq!(tables.men(), 3);
    }

    /// What only a search finds is told once, by the file's name, and nothing is asked any more.
    #[test]
    fn a_file_that_cannot_be_read() {
        let folder = Folder::new("fault");
        let (queen, rook) = (bytes_of("KQvK.rtbw"), bytes_of("KRvK.rtbw"));
        for bytes in [&rook[..80], &queen[..16], &[7; 80]] {
            let path = folder.write("KRvK.rtbw", bytes);
            let before = folder.open().expect("looks like a table");
            assert!(before.men() == 3 && before == folder.open().expect("the same"));
            assert_eq!(before.result(&position("8/8/8/3k4/8/8/8/K6R b - - 0 1")), None);
            let fault = before.take_fault().expect("a fault");
            assert!(fault.starts_with(&*format!("{}: ", path.display())), "{fault}");
            assert_eq!((before.take_fault(), before.men()), (None, 0));
            assert!(before != folder.open().expect("to be tried again"));
        }
    }

    /// Whatever the bytes, an answer or a fault.
    #[test]
    fn damage_is_no_panic() {
        let folder = Folder::new("damage");
        let names = ["KRvK.rtbw", "KQvK.rtbw", "KPvK.rtbw", "KRvK.rtbz", "KQvK.rtbz", "KPvK.rtbz"];
        let whole = names.map(bytes_of);
        let mut seed: u64 = 1;
        let mut chance = move |most: usize| {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) as usize % most
        };
        let mut faults = 0;
        for _ in 0..300 {
            for (name, bytes) in names.iter().zip(&whole) {
                let mut bytes = bytes.clone();
                for _ in 0..chance(4) {
                    let index = match chance(2) {
                        0 => chance(bytes.len()),
                        _ => chance(bytes.len().min(128)),
                    };
                    bytes[index] = chance(256) as u8;
                }
                folder.write(name, &bytes);
            }
            let tables = folder.open().expect("tables");
            for fen in [
                ROOK,
                "8/8/8/3k4/8/8/8/K6Q b - - 0 1",
                "8/8/8/3k4/8/P7/8/K7 w - - 0 1",
                "8/8/8/3k4/4p3/8/8/K7 w - - 0 1",
                "8/7k/8/8/8/8/8/K5Q1 w - - 0 1",
            ] {
                tables.result(&position(fen));
                tables.distance(&position(fen));
            }
            faults += usize::from(tables.take_fault().is_some());
        }
        assert!((1..300).contains(&faults), "{faults}");
    }
}
