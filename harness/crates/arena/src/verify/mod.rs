//! Whether what a run's folder says can be true: each game's opening follows from the schedule, its
//! result from its moves, its line from the journal's digest.
//!
//! Numbers, colours and openings' indices are checked of all games. A game is replayed by the
//! referee, and its opening compared with the book's, where the sample has it, its line has no
//! digest, or all are asked for.

mod game;
mod openings;

use std::collections::HashMap;
use std::fmt;
use std::path::Path;

use crate::game::{Ends, is_proven, recheck};
use crate::plan::Plan;
use crate::record::{GameRecord, Games, Journal, RecordError, RunFile, Termination, chain};
pub use game::GameVerifier;
use openings::OpeningVerifier;
use pgn::RandomWords;

/// Of small runs every game is replayed, of larger ones about so many for each doubling beyond.
const SAMPLE: u32 = 128;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VerifyScope {
    /// The first few hundred, and of later ones fewer and fewer: the same ones each time.
    Sample,
    All,
}

impl VerifyScope {
    fn takes(self, seed: u64, game: u64) -> bool {
        let Ok(bound) = u32::try_from(game.saturating_add(1)) else {
            return self == VerifyScope::All;
        };
        self == VerifyScope::All
            || RandomWords::new(b"verified games 1", seed, game).below(bound) < SAMPLE
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Verified {
    /// Games in the journal.
    pub games: u64,
    pub replayed: u64,
    /// What could not be checked, in words.
    pub unchecked: Vec<String>,
    /// What is to be told of the run's files, though no game is wrong.
    pub remarks: Vec<String>,
}

impl fmt::Display for Verified {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Verified { games, replayed, unchecked, .. } = self;
        write!(f, "verified: {games} games, {replayed} of them replayed")?;
        unchecked.iter().try_for_each(|what| write!(f, "; not checked: {what}"))
    }
}

/// Verifies the run in `dir`, and hands its games to `on_game`. [`RecordError::Damaged`] names the
/// line of the journal that cannot be true, and what was expected.
pub fn run(
    dir: &Path,
    scope: VerifyScope,
    mut on_game: impl FnMut(&GameRecord) -> Result<(), RecordError>,
) -> Result<Verified, RecordError> {
    let file = RunFile::read(dir)?;
    let digests = chain::DigestCheck::open(dir)?;
    let mut verifier = Verifier::new(&file, scope, digests.file_exists());
    let mut games = Games::open(dir)?.checked_by(digests);
    while let Some(game) = games.next() {
        let game = game?;
        verifier.check(&games, &game, games.is_covered())?;
        on_game(&game)?;
    }
    Ok(verifier.finish(&games.findings()?))
}

/// Opens the journal of a run to go on with it, and verifies a sample of it in the same pass, while
/// nobody else can write there.
pub fn open(
    dir: &Path,
    file: &RunFile,
    mut on_game: impl FnMut(&GameRecord) -> Result<(), RecordError>,
) -> Result<(Journal, Verified), RecordError> {
    let is_digested = dir.join(chain::DIGEST_FILE).exists();
    let mut verifier = Verifier::new(file, VerifyScope::Sample, is_digested);
    let opened = Journal::open_for_resume(dir, |games, game| {
        verifier.check(games, game, games.is_covered())?;
        on_game(game)
    });
    let (journal, findings) = opened?;
    Ok((journal, verifier.finish(&findings)))
}

struct Verifier {
    rules: Rules,
    scope: VerifyScope,
    seed: u64,
    /// Whether each line has a digest that tells whether it is as it was recorded.
    is_digested: bool,
    /// What the half of each pair says whose other half has not come.
    waiting: HashMap<u64, u32>,
    verified: Verified,
    by_tables: u64,
    /// Games that neither a digest covers nor their moves prove.
    on_trust: u64,
}

impl Verifier {
    fn new(file: &RunFile, scope: VerifyScope, has_digests: bool) -> Verifier {
        let mut verified = Verified::default();
        Verifier {
            rules: Rules::of(file, scope, &mut verified.unchecked),
            scope,
            seed: file.seed,
            is_digested: file.digest || has_digests,
            waiting: HashMap::new(),
            verified,
            by_tables: 0,
            on_trust: 0,
        }
    }

    /// Checks the last game that was read; all of it where no digest covers its line.
    fn check(
        &mut self,
        games: &Games,
        game: &GameRecord,
        is_covered: bool,
    ) -> Result<(), RecordError> {
        let is_suspect = self.is_digested && !is_covered;
        let is_replayed = is_suspect || self.scope.takes(self.seed, game.game);
        self.check_pair(game).map_err(|reason| games.foreign(reason))?;
        self.rules.check_opening(game, is_replayed).map_err(|reason| games.foreign(reason))?;
        if is_replayed {
            let ends = self.rules.ends.as_ref();
            recheck(game, ends).map_err(|reason| games.damaged(reason))?;
            self.by_tables += u64::from(game.termination == Termination::TablebaseAdjudication);
            self.on_trust += u64::from(is_suspect && !is_proven(game, ends));
        }
        self.verified.games += 1;
        self.verified.replayed += u64::from(is_replayed);
        Ok(())
    }

    /// Both games of a pair have one opening, so both passed over the same entries of the book.
    fn check_pair(&mut self, game: &GameRecord) -> Result<(), String> {
        let found = game.passed_over;
        match self.waiting.remove(&game.pair) {
            None => {
                self.waiting.insert(game.pair, found);
                Ok(())
            }
            Some(other) if other == found => Ok(()),
            Some(other) => Err(format!(
                "game {}: expected {other} entries of the book skipped, as in the pair's other game, found \
                 {found}",
                game.game
            )),
        }
    }

    fn finish(self, findings: &chain::ChainFindings) -> Verified {
        let Verifier { mut verified, is_digested, by_tables, on_trust, .. } = self;
        if is_digested {
            verified.remarks = findings.words(on_trust);
        } else {
            let none =
                "lines against the journal's digest (games.digest), which this run does not have";
            verified.unchecked.push(none.to_owned());
        }
        if by_tables > 0 {
            verified.unchecked.push(format!("results of {by_tables} games that tablebases ended"));
        }
        verified
    }
}

/// What all games of a run must keep to, as far as it is known.
struct Rules {
    openings: Option<OpeningVerifier>,
    ends: Option<Ends>,
}

impl Rules {
    fn of(file: &RunFile, scope: VerifyScope, unchecked: &mut Vec<String>) -> Rules {
        let plan: Plan = match serde_json::from_value(file.plan.clone()) {
            Ok(plan) => plan,
            Err(error) => {
                unchecked.push(format!("openings and adjudications: no plan ({error})"));
                return Rules { openings: None, ends: None };
            }
        };
        let openings = OpeningVerifier::of(&plan, file.book.as_ref(), scope);
        let openings = openings.map_err(|why| unchecked.push(format!("openings: {why}"))).ok();
        let tables = (!plan.syzygy.is_empty()).then_some(plan.syzygy_results);
        Rules { openings, ends: Some(Ends { adjudication: plan.adjudication, tables }) }
    }

    fn check_opening(&mut self, game: &GameRecord, is_replayed: bool) -> Result<(), String> {
        self.openings.as_mut().map_or(Ok(()), |openings| openings.check(game, is_replayed))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use serde_json::Value;

    use super::*;
    use crate::record::{GAMES_FILE, Identity, sample};

    fn run_file() -> RunFile {
        RunFile::new(Value::Null, 3, Identity::default(), Identity::default(), None)
    }

    /// A game of so high a number that the sample does not have it, whose result is not of its moves.
    fn forged() -> GameRecord {
        let number = (1 << 40..).find(|&game| !VerifyScope::Sample.takes(3, game)).unwrap();
        GameRecord { hash: "forged".to_owned(), ..sample(number) }
    }

    #[test]
    fn a_line_without_a_digest_is_replayed_though_the_sample_has_it_not() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join(GAMES_FILE), "").unwrap();
        let games = Games::open(dir.path()).unwrap();
        let older = RunFile { digest: false, ..run_file() };
        for (file, is_covered, is_taken) in
            [(run_file(), true, true), (run_file(), false, false), (older, false, true)]
        {
            let mut verifier = Verifier::new(&file, VerifyScope::Sample, false);
            let checked = verifier.check(&games, &forged(), is_covered);
            assert_eq!(checked.is_ok(), is_taken, "{} {is_covered}", file.digest);
        }
    }

    #[test]
    fn both_games_of_a_pair_pass_over_the_same_entries() {
        let mut verifier = Verifier::new(&run_file(), VerifyScope::Sample, true);
        let game = |number, passed_over| GameRecord { passed_over, ..sample(number) };
        assert_eq!(verifier.check_pair(&game(0, 2)), Ok(()));
        assert_eq!(verifier.check_pair(&game(2, 0)), Ok(()));
        assert_eq!(verifier.check_pair(&game(1, 2)), Ok(()));
        assert!(verifier.check_pair(&game(3, 1)).is_err());
    }

    /// What another process is writing is not judged.
    #[test]
    fn a_journal_is_verified_under_its_lock() {
        let dir = tempfile::tempdir().unwrap();
        let writing = Journal::create(dir.path()).unwrap();
        fs::write(dir.path().join(GAMES_FILE), "no game\n\n").unwrap();
        let open = || super::open(dir.path(), &run_file(), |_| Ok(()));
        assert!(matches!(open(), Err(RecordError::InUse { .. })));
        drop(writing);
        assert!(matches!(open(), Err(RecordError::Damaged { line: 1, .. })));
    }

    #[test]
    fn small_runs_are_replayed_whole_and_large_ones_sparsely() {
        let taken =
            |scope: VerifyScope, games| (0..games).filter(|&game| scope.takes(3, game)).count();
        assert_eq!(taken(VerifyScope::Sample, 128), 128);
        assert_eq!(taken(VerifyScope::All, 5000), 5000);
        // 128 · (1 + ln 100) = 717 are to be expected, give or take 25.
        let large = taken(VerifyScope::Sample, 12_800);
        assert!((600..830).contains(&large), "{large}");
        assert_eq!(taken(VerifyScope::Sample, 12_800), large);
    }
}
