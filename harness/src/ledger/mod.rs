//! A ledger of many runs: what was tried, what was accepted, and what it was worth.
//!
//! A run is a test of a change when two versions of one program played under one limit. Each run counts
//! once. Everything is read from `summary.json`, or counted from the journal where there is none.

mod json;
mod page;
mod read;

pub(crate) use page::alpha_text;

use std::path::{Path, PathBuf};

use arena::plan::LedgerTerms;
use arena::record::{FinalVerdict, FolderKind, Summary};
use process::Error;
use serde_json::Value;
use stats::{Estimate, Evidence, Measured, OnlineFdr, Rule, Shrunk, Z95};

/// A year of tests, where nothing else is said: half of the false-discovery rate is meant for as many.
pub const TESTS_A_YEAR: u64 = 100;

/// A run that tests a change.
#[derive(Debug, Clone)]
pub struct LedgerTest {
    pub folder: PathBuf,
    /// First start, RFC 3339.
    pub created: String,
    pub test: String,
    pub base: String,
    /// As it was recorded; may be empty.
    pub rule: String,
    /// `None`: not finished.
    pub verdict: Option<FinalVerdict>,
    /// Without those that repeat others.
    pub pairs: u64,
    pub elo: Option<f64>,
    pub error95: Option<f64>,
    /// The logarithm of its e-value for "better".
    pub log_e: f64,
    /// The probability of error that the false-discovery rate left for it, 0 to 1.
    pub level: f64,
    pub is_discovery: bool,
    /// Of the ledger that its rule asked.
    pub terms: Option<LedgerTerms>,
    /// What it was worth, given all tests; `None` where it has no interval.
    pub estimate: Option<Estimate>,
}

/// A folder that is no test, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skipped {
    pub folder: PathBuf,
    pub why: String,
}

/// A match of the newest version against the oldest: what all accepted changes are worth together.
#[derive(Debug, Clone)]
pub struct Check {
    pub folder: PathBuf,
    pub elo: f64,
    pub error95: f64,
}

#[derive(Debug)]
pub struct Ledger {
    /// The folders that were read.
    pub roots: Vec<PathBuf>,
    /// In the order in which they began.
    pub tests: Vec<LedgerTest>,
    pub skipped: Vec<Skipped>,
    /// `None` where no test has an interval.
    pub shrunk: Option<Shrunk>,
    pub fdr: OnlineFdr,
    pub terms: LedgerTerms,
    pub check: Option<Check>,
}

/// What to read, besides the folders.
#[derive(Debug, Clone)]
pub struct LedgerOptions {
    /// The run of a [`Check`]; it is no test.
    pub check: Option<PathBuf>,
    /// Folders that are left out with all that they hold.
    pub without: Vec<PathBuf>,
    /// The false-discovery rate, 0 to 1.
    pub fdr: f64,
    pub tests_a_year: u64,
}

impl Ledger {
    /// The ledger of the runs in some folders. What cannot be read is skipped and named; only the check
    /// must be readable.
    pub fn read(roots: &[PathBuf], options: &LedgerOptions) -> Result<Ledger, Error> {
        let check = options.check.as_deref().map(Check::read).transpose()?;
        let (mut tests, skipped) = read::all(roots, options);
        tests.sort_by(|a, b| (&a.created, &a.folder).cmp(&(&b.created, &b.folder)));
        let mut fdr = OnlineFdr::new(options.fdr, options.tests_a_year);
        for test in &mut tests {
            test.level = fdr.level();
            test.is_discovery = fdr.add(test.log_e);
        }
        let measured = |test: &LedgerTest| {
            let (elo, error95) = (test.elo?, test.error95?);
            Some(Measured { elo, error: error95 / Z95, is_accepted: test.is_accepted() })
        };
        let shrunk = Shrunk::of(&tests.iter().filter_map(measured).collect::<Vec<_>>());
        let mut estimates = shrunk.iter().flat_map(|shrunk| &shrunk.estimates).copied();
        for test in tests.iter_mut().filter(|test| measured(test).is_some()) {
            test.estimate = estimates.next();
        }
        let terms = LedgerTerms { fdr: options.fdr, tests: options.tests_a_year };
        Ok(Ledger { roots: roots.to_vec(), tests, skipped, shrunk, fdr, terms, check })
    }

    /// How many tests ended so.
    pub fn count(&self, verdict: Option<FinalVerdict>) -> usize {
        self.tests.iter().filter(|test| test.verdict == verdict).count()
    }

    pub fn accepted(&self) -> impl Iterator<Item = &LedgerTest> {
        self.tests.iter().filter(|test| test.is_accepted())
    }

    /// Accepted tests without an interval: they are in no sum.
    pub fn unmeasured(&self) -> usize {
        self.accepted().filter(|test| test.estimate.is_none()).count()
    }

    /// Tests whose rule asked a ledger of other terms.
    pub fn of_other_terms(&self) -> impl Iterator<Item = &LedgerTest> {
        self.tests.iter().filter(|test| test.terms.is_some_and(|terms| terms != self.terms))
    }

    /// The gains as measured, with half the width of their 95 % interval.
    pub fn measured(&self) -> (f64, f64) {
        let of = |test: &LedgerTest| Some((test.elo?, test.error95?));
        let gains = self.accepted().filter_map(of);
        let (sum, squares) = gains
            .fold((0.0, 0.0), |(sum, squares), (elo, error)| (sum + elo, squares + error * error));
        (sum, f64::sqrt(squares))
    }

    /// How many of all tests their rules would accept on average at most, if no change did anything.
    pub fn most_false_accepts(&self) -> f64 {
        // A sum of nothing is -0.
        self.tests.iter().filter_map(LedgerTest::alpha).fold(0.0, |sum, alpha| sum + alpha)
    }

    /// What the check has more than the estimated sum, with half the width of its 95 % interval.
    pub fn check_difference(&self) -> Option<(f64, f64)> {
        let (check, shrunk) = (self.check.as_ref()?, self.shrunk.as_ref()?);
        let [low, high] = shrunk.sum_ci95;
        Some((check.elo - shrunk.sum, check.error95.hypot((high - low) / 2.0)))
    }

    pub fn page(&self) -> charts::page::Page {
        page::of(self)
    }

    pub fn json(&self) -> Value {
        json::of(self)
    }

    /// A page for people.
    pub fn html(&self) -> String {
        page::html(self)
    }
}

impl LedgerTest {
    fn of(folder: &Path, summary: Summary) -> LedgerTest {
        let counts = summary.counted_pairs();
        let Summary { judged, details, base, test, plan, .. } = summary;
        let log_e = judged.evidence.map_or_else(|| Evidence::of(&counts).better, |[it, _]| it);
        LedgerTest {
            folder: folder.to_owned(),
            created: details.created,
            test: test.label,
            base: base.label,
            rule: match details.rule.is_empty() {
                // Older summaries have it in their plan alone.
                true => plan["rule"].as_str().unwrap_or_default().to_owned(),
                false => details.rule,
            },
            verdict: judged.verdict,
            pairs: counts.pairs(),
            elo: judged.elo,
            error95: judged.elo_error95.filter(|error| *error > 0.0),
            log_e,
            level: 0.0,
            is_discovery: false,
            terms: serde_json::from_value(plan["ledger"].clone()).ok().flatten(),
            estimate: None,
        }
    }

    pub fn is_accepted(&self) -> bool {
        self.verdict == Some(FinalVerdict::Accept)
    }

    /// The rule's chance to accept a change that does nothing, 0 to 1, as far as it is known. Of an SPRT it
    /// is not the nominal alpha, which holds at its elo0.
    fn alpha(&self) -> Option<f64> {
        Some(match self.rule.parse().ok()? {
            Rule::Los(rule) => 1.0 - rule.percent / 100.0,
            Rule::Sprt(sprt) => sprt.accepts_equal(),
            Rule::Anytime(test) => test.alpha(),
        })
    }
}

impl Check {
    /// Fails unless the run is a finished match of two versions under one limit, with an interval.
    fn read(folder: &Path) -> Result<Check, Error> {
        match FolderKind::of(folder) {
            None if folder.is_file() => return Err(Check::refused(folder, "it is a file")),
            Some(kind) if kind != FolderKind::Match => {
                return Err(Check::refused(folder, &format!("it is {}", kind.what())));
            }
            _ => {}
        }
        let summary = read::summary(folder)?;
        let why = match (summary.judged.verdict, read::no_test(folder, &summary)) {
            (_, Some(why)) => why,
            (None, None) => {
                format!("it is not finished; `verdict resume {}` continues it", folder.display())
            }
            (Some(_), None) => match (summary.judged.elo, summary.judged.elo_error95) {
                (Some(elo), Some(error95)) => {
                    return Ok(Check { folder: folder.to_owned(), elo, error95 });
                }
                _ => format!("its {} pairs give no interval of Elo", summary.pairs),
            },
        };
        Err(Check::refused(folder, &why))
    }

    fn refused(folder: &Path, why: &str) -> Error {
        Error::input_output(format!(
            "{}: expected a finished match of the newest version against the oldest for --check, but {why}",
            folder.display()
        ))
    }
}
