//! A match between engines that misbehave at random, whose runner is killed again and again: in
//! the end every game is there exactly once, with the end that it has to have, and nothing else is
//! left.
#![cfg(target_os = "linux")]

#[path = "engines/chaos.rs"]
mod vices;

use std::cell::Cell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use arena::record::{Charged, GAMES_FILE, GameRecord, PGN_FILE, Side, Summary, Termination};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore as _, SeedableRng as _};
use shakmaty::Color;
use tempfile::TempDir;
use vices::{UCI, Way, Whim, XBOARD, whim};

/// By this variable every process of a campaign is known.
const MARK: &str = "VERDICT_CHAOS";
/// For everything that has to happen at once but need not on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);
/// So many faults of a session are kept at least, if there are as many: a hundred, without those of
/// games that had ended and were not recorded yet when the runner was killed.
const KEPT: usize = 100 - 40;
/// What the sessions are ended by, in turn.
const SIGNALS: [&[libc::c_int]; 4] =
    [&[libc::SIGKILL], &[libc::SIGTERM], &[libc::SIGINT], &[libc::SIGINT, libc::SIGINT]];

#[test]
fn sixty_games_and_two_kills() {
    Campaign::new(60, 2, 1).fight();
}

#[test]
#[ignore = "minutes; scripts/chaos.sh"]
fn two_thousand_games_and_ten_kills() {
    let seed = std::env::var("CHAOS_SEED").ok().and_then(|seed| seed.parse().ok());
    Campaign::new(2000, 10, seed.unwrap_or(1)).fight();
}

struct Campaign {
    dir: TempDir,
    games: u64,
    kills: usize,
    seed: u64,
    sessions: Cell<u64>,
    rng: ChaCha8Rng,
    began: Instant,
}

impl Campaign {
    fn new(games: u64, kills: usize, seed: u64) -> Campaign {
        let dir = tempfile::tempdir().unwrap();
        let rng = ChaCha8Rng::seed_from_u64(seed);
        let sessions = Cell::new(0);
        Campaign { dir, games, kills, seed, sessions, rng, began: Instant::now() }
    }

    fn run(&self) -> PathBuf {
        self.dir.path().join("run")
    }

    fn fight(mut self) {
        let mut child = self.begin();
        let mut seen = 0;
        for kill in 0..self.kills {
            let share = self.games as usize / (self.kills + 1);
            let spread = self.rng.next_u64() as usize % share.div_ceil(4);
            // At least one more: by then it listens to signals.
            let wanted = (share * (kill + 1) - spread).max(seen + 1);
            self.wait_for(&mut child, wanted);
            sleep(Duration::from_millis(self.rng.next_u64() % 50));
            let signals = SIGNALS[kill % SIGNALS.len()];
            let recorded = self.stop(child, signals);
            self.check_capsules(&recorded, seen);
            let (games, sent) = (recorded.len(), signals.len());
            println!("session {}: {games} games, signal {} x{sent}", kill + 1, signals[0]);
            seen = games;
            child = self.resume(kill);
        }
        let ended = child.wait_with_output().unwrap();
        let stderr = String::from_utf8_lossy(&ended.stderr);
        let code = ended.status.code();
        assert!(matches!(code, Some(0..=2)), "{:?}: {stderr}", ended.status);
        self.assert_nothing_left();
        let recorded = self.journal();
        self.check_capsules(&recorded, seen);
        self.check_games(&recorded);
        self.check_summary(&recorded);
    }

    fn begin(&self) -> Child {
        let pairs = self.games / 2;
        let (rascal, scoundrel) = (env!("CARGO_BIN_EXE_rascal"), env!("CARGO_BIN_EXE_scoundrel"));
        let book = concat!(env!("CARGO_MANIFEST_DIR"), "/../openings/balanced_8ply.epd");
        let words = format!(
            "match --quiet --book {book} --pairs {pairs} --nodes 100 --max-moves 30 --draw off \
             --resign off --max-faults off --hang 3s --concurrency 24 --slots 24 --hash 1MiB \
             --base xboard:{rascal},arg=chaos:{seed} --test uci:{scoundrel},arg=chaos:{seed}",
            seed = self.seed
        );
        self.verdict(&words).arg("--out").arg(self.run()).spawn().unwrap()
    }

    fn resume(&self, number: usize) -> Child {
        let widths = ["", "--concurrency 40 --slots 12", "--slots 30 --fair", "--concurrency 9"];
        let words = format!("resume --quiet {}", widths[number % widths.len()]);
        self.verdict(&words).arg(self.run()).spawn().unwrap()
    }

    fn verdict(&self, words: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_verdict"));
        command.args(words.split_whitespace()).env(MARK, self.dir.path());
        self.sessions.set(self.sessions.get() + 1);
        command.env(vices::STARTS, self.dir.path().join(format!("starts-{}", self.sessions.get())));
        // No pipe that nobody reads: it would fill. On standard error it is quiet.
        let log = self.dir.path().join("log");
        let log = fs::File::options().append(true).create(true).open(log).unwrap();
        command.stdin(Stdio::null()).stdout(log).stderr(Stdio::piped());
        command
    }

    /// Waits until so many games are recorded.
    fn wait_for(&self, child: &mut Child, games: usize) {
        let mut last = (0, Instant::now());
        loop {
            let journal = fs::read(self.run().join(GAMES_FILE)).unwrap_or_default();
            let lines = journal.iter().filter(|byte| **byte == b'\n').count();
            if lines >= games {
                return;
            }
            if lines > last.0 {
                last = (lines, Instant::now());
            }
            assert!(last.1.elapsed() < PATIENCE, "no game in {PATIENCE:?}, {lines} recorded");
            if let Some(status) = child.try_wait().unwrap() {
                let mut stderr = String::new();
                let pipe = child.stderr.as_mut().unwrap();
                std::io::Read::read_to_string(pipe, &mut stderr).unwrap();
                panic!("ended by itself at {lines} of {games} games: {status}: {stderr}");
            }
            sleep(Duration::from_millis(5));
        }
    }

    /// Sends the signals; what is recorded when all has ended.
    fn stop(&self, child: Child, signals: &[libc::c_int]) -> Vec<GameRecord> {
        let pid = libc::pid_t::try_from(child.id()).unwrap();
        for signal in signals {
            // SAFETY: a plain system call; the child is not reaped yet.
            unsafe { libc::kill(pid, *signal) };
            // At once it would be the same request.
            sleep(Duration::from_millis(150));
        }
        let sent = Instant::now();
        let ended = child.wait_with_output().unwrap();
        assert!(sent.elapsed() < PATIENCE, "{signals:?} took {:?}", sent.elapsed());
        let stderr = String::from_utf8_lossy(&ended.stderr);
        match ended.status.signal() {
            Some(signal) => assert_eq!(signals, [signal]),
            None => assert!(matches!(ended.status.code(), Some(0..=2)), "{signals:?}: {stderr}"),
        }
        self.assert_nothing_left();
        self.journal()
    }

    fn assert_nothing_left(&self) {
        let mark = format!("{MARK}={}", self.dir.path().display());
        // The engines' children would end by themselves after 20 s.
        let until = Instant::now() + Duration::from_secs(10);
        loop {
            let left = marked(&mark);
            if left.is_empty() {
                return;
            }
            assert!(Instant::now() < until, "left behind: {left:?}");
            sleep(Duration::from_millis(10));
        }
    }

    /// Every whole line of the journal, as it stands there.
    fn journal(&self) -> Vec<GameRecord> {
        let text = fs::read_to_string(self.run().join(GAMES_FILE)).unwrap();
        let whole = &text[..text.rfind('\n').map_or(0, |at| at + 1)];
        whole.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// Every fault of a session, recorded behind the first `seen` games, has its capsule.
    fn check_capsules(&self, recorded: &[GameRecord], seen: usize) {
        let faults = self.run().join("faults");
        let new = recorded[seen..].iter().filter(|game| game.termination.is_fault());
        let (mut count, mut without) = (0, 0);
        for game in new {
            count += 1;
            let folder = faults.join(game.game.to_string());
            let Ok(kept) = fs::read_to_string(folder.join("game.json")) else {
                without += 1;
                continue;
            };
            let kept: GameRecord = serde_json::from_str(&kept).unwrap();
            assert_eq!(kept, *game);
            let text = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
            assert!(text("fault.txt").contains("replay: verdict replay "), "{folder:?}");
            assert!(!text("input.txt").is_empty() && !text("transcript.txt").is_empty());
            if game.termination == Termination::NotStarted && !has_closed_its_input(game) {
                assert!(text("stderr.txt").contains("chaos: "), "{}", text("fault.txt"));
            }
        }
        let kept = count - without;
        assert!(kept >= count.min(KEPT), "{without} of {count} faults without capsule");
    }

    /// Every game is there once, and ended as the whims of its players have it.
    fn check_games(&self, recorded: &[GameRecord]) {
        let mut times: HashMap<u64, u32> = HashMap::new();
        recorded.iter().for_each(|game| *times.entry(game.game).or_default() += 1);
        assert_eq!(times.len() as u64, self.games);
        assert!((0..self.games).all(|game| times.get(&game) == Some(&1)), "{times:?}");
        let mut ways: BTreeMap<(&str, Way), u64> = BTreeMap::new();
        for game in recorded {
            for (side, known, name) in
                [(Side::Base, XBOARD.as_slice(), "xboard"), (Side::Test, &UCI, "uci")]
            {
                let color = Color::from_white(game.white == side);
                let (_, whim) = whim(known, self.seed, &game.fen, color.is_white());
                if let Some(way) = self.check_end(game, color, whim) {
                    *ways.entry((name, way)).or_default() += 1;
                }
            }
        }
        let misbehaved: u64 = ways.values().sum();
        for ((protocol, (vices, end)), count) in &ways {
            let end = if end.is_empty() { "plays on" } else { end };
            println!("{protocol:6} {:24} {end:14} {count:5}", vices.join(" "));
        }
        println!(
            "{} games, {} ways to misbehave seen in {misbehaved}, {} kills: all accounted for, \
             {:.0} s",
            self.games,
            ways.len(),
            self.kills,
            self.began.elapsed().as_secs_f64()
        );
    }

    /// Whether the player of `color` did what its whim says; its way if it came to that.
    fn check_end(&self, game: &GameRecord, color: Color, whim: Option<Whim>) -> Option<Way> {
        let first = Color::from_white(game.fen.contains(" w "));
        let plies = u64::from(game.plies - game.book_plies);
        let own = if color == first { plies.div_ceil(2) } else { plies / 2 };
        let ended = game.termination.is_fault() || game.termination == Termination::Resignation;
        let loser = ended.then_some(match game.result {
            pgn::Outcome::White => Color::Black,
            _ => Color::White,
        });
        let guilty = loser == Some(color);
        let story = || format!("{color} in {game:?}\n{whim:?}");
        if guilty && game.termination == Termination::NotStarted {
            assert_eq!(game.plies, game.book_plies, "{}", story());
            return None;
        }
        match whim {
            Some(Whim { way, moves }) if guilty => {
                assert_eq!((way.1, moves), (game.termination.as_str(), own), "{}", story());
                Some(way)
            }
            Some(Whim { way: way @ (_, ""), .. }) => Some(way),
            Some(Whim { moves, .. }) => {
                assert!(own <= moves, "{}", story());
                None
            }
            None => {
                assert!(!guilty, "{}", story());
                None
            }
        }
    }

    fn check_summary(&self, recorded: &[GameRecord]) {
        let run = self.run();
        let summary = Summary::read(&run).unwrap();
        // A game that did not begin is no result, nor is its pair.
        let void = recorded.iter().filter(|game| game.termination == Termination::NotStarted);
        let void: HashSet<u64> = void.map(|game| game.pair).collect();
        assert_eq!(summary.faults.void_pairs, void.len() as u64);
        assert_eq!(summary.pairs, self.games / 2 - void.len() as u64);
        let results = || recorded.iter().filter(|game| !void.contains(&game.pair));
        let count = |half_points| {
            results().filter(|game| game.test_half_points() == half_points).count() as u64
        };
        let wdl = &summary.wdl;
        assert_eq!([wdl.loss, wdl.draw, wdl.win], [count(0), count(1), count(2)]);
        let mut pairs: BTreeMap<u64, u8> = BTreeMap::new();
        for game in results() {
            *pairs.entry(game.pair).or_default() += game.test_half_points();
        }
        let mut ptnml = [0; 5];
        pairs.values().for_each(|points| ptnml[usize::from(*points)] += 1);
        assert_eq!(summary.ptnml, ptnml);
        let of = |side: Side| {
            let mut kinds: BTreeMap<String, u64> = BTreeMap::new();
            let own = |game: &&GameRecord| game.charged() == Some(Charged::Player(side));
            for game in recorded.iter().filter(own) {
                *kinds.entry(game.termination.as_str().to_owned()).or_default() += 1;
            }
            kinds
        };
        let total = recorded.iter().filter(|game| game.termination.is_fault()).count() as u64;
        assert_eq!(summary.faults.base, of(Side::Base));
        assert_eq!(summary.faults.test, of(Side::Test));
        assert_eq!(summary.faults.harness, BTreeMap::new());
        assert_eq!(summary.faults.total, total);
        let pgn = fs::read_to_string(run.join(PGN_FILE)).unwrap();
        assert_eq!(pgn.matches("[Event \"").count() as u64, self.games);
        let kept = fs::read_dir(run.join("faults")).unwrap();
        for folder in kept.map(|entry| entry.unwrap().file_name().into_string().unwrap()) {
            let number: u64 = folder.parse().unwrap();
            let game = recorded.iter().find(|game| game.game == number).unwrap();
            assert!(game.termination.is_fault(), "capsule of game {number}");
        }
    }
}

/// Whether a program closed its input behind its last move, and that game ended otherwise before it was
/// noticed: the process cannot begin this one.
fn has_closed_its_input(game: &GameRecord) -> bool {
    game.detail.as_deref().is_some_and(|detail| detail.contains("writing 'ucinewgame"))
}

/// The processes with this entry in their environment.
fn marked(mark: &str) -> Vec<String> {
    let holds = |dir: &Path| {
        let environment = fs::read(dir.join("environ")).unwrap_or_default();
        environment.split(|byte| *byte == 0).any(|entry| entry == mark.as_bytes())
    };
    let processes = fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path());
    let marked = processes.filter(|dir| holds(dir));
    let words = |dir: PathBuf| {
        let line = fs::read(dir.join("cmdline")).unwrap_or_default();
        format!("{}: {}", dir.display(), String::from_utf8_lossy(&line).replace('\0', " "))
    };
    marked.map(words).collect()
}
