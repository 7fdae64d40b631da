//! `mutineer suite`: its words, the bar on the screen, the exit code.

use std::process::ExitCode;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use engine::suite::{self, Case, Conditions, Outcome, Report, SuiteError, SuiteFile};
use engine::{HashSize, Limits, NAME, Params, Setup};
use indicatif::{ProgressBar, ProgressStyle};

use crate::player::{self, Player};
use crate::terminal::{complain, say};

/// The usage, before and behind the player's options.
const USAGE: [&str; 2] = [
    "\
mutineer suite --nodes 100000 wac.epd

mutineer suite [OPTION …] FILE.epd …   search test positions and count the solved ones
  --nodes N | --depth N | --time MS    limit per search (100000 nodes); may be combined",
    "  --hash MIB                           hash size per search (16)
  --threads N                          positions searched at once (all processors)
  --failed                             list the unsolved positions
  --json                               print everything as JSON
  --skip-bad                           skip and count bad lines instead of refusing them",
];

const DEFAULT_NODES: u64 = 100_000;
const MAX_THREADS: u64 = 1 << 12;
/// A day: nobody waits longer for a position.
const MAX_MILLIS: u64 = 24 * 3_600_000;

/// Why the command fails.
enum SuiteCommandError {
    /// Words that are not understood.
    Usage(String),
    /// A line that cannot be read.
    Input(String),
    /// Files, memory, output.
    Trouble(String),
}

impl From<SuiteError> for SuiteCommandError {
    fn from(error: SuiteError) -> SuiteCommandError {
        match error {
            SuiteError::Read { .. } => SuiteCommandError::Trouble(error.to_string()),
            SuiteError::Line { .. } | SuiteError::Empty { .. } => {
                SuiteCommandError::Input(error.to_string())
            }
        }
    }
}

fn usage() -> String {
    [USAGE[0], player::USAGE, USAGE[1]].join("\n")
}

/// Obeys the words behind `suite`: exit code 0 whatever was solved, 64 for wrong usage and bad
/// lines, 74 for files that cannot be read.
pub(crate) fn run(words: &[&str]) -> ExitCode {
    let done = match words {
        [.., "--help" | "-h"] => say(&usage()).map_err(SuiteCommandError::Trouble),
        _ => Order::parse(words).and_then(|order| order.carry_out()),
    };
    let (reason, code) = match done {
        Ok(()) => return ExitCode::SUCCESS,
        Err(SuiteCommandError::Usage(reason)) => (format!("{reason}\n\n{}", usage()), 64),
        Err(SuiteCommandError::Input(reason)) => (reason, 64),
        Err(SuiteCommandError::Trouble(reason)) => (reason, 74),
    };
    complain(&format!("mutineer suite: {reason}"));
    ExitCode::from(code)
}

/// What is to be done.
#[derive(Debug)]
struct Order {
    files: Vec<String>,
    limits: Limits,
    params: Params,
    /// The parameters in words.
    player: String,
    hash_mib: usize,
    threads: usize,
    failed: bool,
    json: bool,
    skip_bad: bool,
}

impl Order {
    fn parse(words: &[&str]) -> Result<Order, SuiteCommandError> {
        let mut order = Order {
            files: Vec::new(),
            limits: Limits::default(),
            params: Params::default(),
            player: String::new(),
            hash_mib: HashSize::DEFAULT_MIB,
            threads: thread::available_parallelism().map_or(1, usize::from),
            failed: false,
            json: false,
            skip_bad: false,
        };
        let mut player = Player::default();
        let mut words = words.iter().copied();
        while let Some(word) = words.next() {
            if player.take(word, &mut words).map_err(SuiteCommandError::Usage)? {
                continue;
            }
            let mut value = || {
                words.next().ok_or_else(|| {
                    SuiteCommandError::Usage(format!("{word}: expected a value after it"))
                })
            };
            match word {
                "--nodes" => order.limits.nodes = Some(number(word, value()?, u64::MAX)?),
                "--depth" => {
                    let most = engine::types::MAX_PLY as u64 - 1;
                    order.limits.depth = Some(number(word, value()?, most)? as u32);
                }
                "--time" => {
                    let millis = number(word, value()?, MAX_MILLIS)?;
                    order.limits.movetime = Some(Duration::from_millis(millis));
                }
                "--hash" => {
                    let most = HashSize::MAX_MIB as u64;
                    order.hash_mib = number(word, value()?, most)? as usize;
                }
                "--threads" => order.threads = number(word, value()?, MAX_THREADS)? as usize,
                "--failed" => order.failed = true,
                "--json" => order.json = true,
                "--skip-bad" => order.skip_bad = true,
                option if option.starts_with('-') => {
                    return Err(SuiteCommandError::Usage(format!("unknown option '{option}'")));
                }
                file => order.files.push(file.to_owned()),
            }
        }
        if order.files.is_empty() {
            return Err(SuiteCommandError::Usage("expected at least one FILE.epd".to_owned()));
        }
        let Limits { nodes, depth, movetime, .. } = &mut order.limits;
        if depth.is_none() && movetime.is_none() {
            nodes.get_or_insert(DEFAULT_NODES);
        }
        order.params = player.params().map_err(SuiteCommandError::Usage)?;
        order.player = player.words();
        Ok(order)
    }

    fn carry_out(&self) -> Result<(), SuiteCommandError> {
        let files: Vec<SuiteFile> = self
            .files
            .iter()
            .map(|name| SuiteFile::read(name, self.skip_bad))
            .collect::<Result<_, _>>()?;
        let cases: Vec<&Case> = files.iter().flat_map(|file| &file.cases).collect();
        let conditions = Conditions {
            setup: Arc::new(Setup::new(&Arc::new(self.params.clone()))),
            hash: HashSize::from_mib(self.hash_mib),
            limits: self.limits.clone(),
            threads: self.threads,
        };
        let bar = bar(cases.len());
        let mut solved = 0;
        let outcomes = suite::run(&cases, &conditions, |outcome| {
            solved += usize::from(outcome.solved);
            bar.set_message(format!("{solved} solved"));
            bar.inc(1);
        });
        bar.finish_and_clear();
        let outcomes = outcomes.map_err(|error| SuiteCommandError::Trouble(error.to_string()))?;
        let report = self.report(&files, &outcomes);
        let text = match self.json {
            true => format!("{:#}", report.json()),
            false => report.text(self.failed),
        };
        say(&text).map_err(SuiteCommandError::Trouble)
    }

    fn report<'a>(&self, files: &'a [SuiteFile], mut outcomes: &'a [Outcome]) -> Report<'a> {
        let parts = files.iter().map(|file| {
            let (own, rest) = outcomes.split_at(file.cases.len().min(outcomes.len()));
            outcomes = rest;
            (file, own)
        });
        Report { files: parts.collect(), conditions: self.conditions() }
    }

    /// `mutineer 0.1.0, default, 100000 nodes, hash 16 MiB`: without the number of threads, which
    /// changes nothing.
    fn conditions(&self) -> String {
        let Limits { nodes, depth, movetime, .. } = self.limits;
        let limits = [
            nodes.map(|nodes| format!("{nodes} nodes")),
            depth.map(|depth| format!("depth {depth}")),
            movetime.map(|time| format!("{} ms", time.as_millis())),
        ];
        let limits: Vec<String> = limits.into_iter().flatten().collect();
        let hash = self.hash_mib;
        format!("{NAME}, {}, {}, hash {hash} MiB", self.player, limits.join(", "))
    }
}

/// A whole number from 1 to `most`.
fn number(option: &str, text: &str, most: u64) -> Result<u64, SuiteCommandError> {
    text.parse().ok().filter(|number| (1..=most).contains(number)).ok_or_else(|| {
        let range =
            if most == u64::MAX { "of at least 1".into() } else { format!("in 1..={most}") };
        SuiteCommandError::Usage(format!(
            "{option}: expected a whole number {range}, found '{text}'"
        ))
    })
}

/// A bar on standard error; nothing where that is no terminal.
fn bar(length: usize) -> ProgressBar {
    let bar = ProgressBar::new(length as u64);
    let style = ProgressStyle::with_template("{wide_bar} {pos}/{len}  {msg}  at most {eta} left");
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
