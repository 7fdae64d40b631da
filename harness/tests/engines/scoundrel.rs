//! scoundrel: a UCI engine that plays legal moves, and misbehaves on command.
//!
//! Its vices are arguments, or the value of its option `Vice` (parted by spaces), each
//! `name` or `name:number`; see [`VICES`]. `seed:N` is the seed of its random moves.

mod chaos;

use std::fs::File;
use std::io::{self, BufRead, Write};
use std::os::fd::{FromRawFd as _, OwnedFd};
use std::process::{Child, Command, Stdio, exit};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore as _, SeedableRng as _};
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Color, Position as _};

/// Name, the number's meaning if it takes one, effect.
const VICES: [(&str, &str); 46] = [
    ("first", "plays the first legal move instead of a random one"),
    ("seed", "N: the seed of the random moves"),
    ("exit-at-start", "exits with status 3 before it reads anything"),
    ("exit-after-uciok", "exits with status 4"),
    ("exit-in-search", "N: exits with status 5 in the search after N moves"),
    ("exit-after-move", "N: exits with status 0 just after N moves were answered"),
    ("panic", "N: panics in the search after N moves"),
    ("segfault", "N: ends by SIGSEGV in the search after N moves"),
    ("garbage", "N: answers nonsense in place of bestmove after N moves"),
    ("no-move", "N: answers bestmove with a word that is no move after N moves"),
    ("endless-garbage", "N: prints lines without end after N moves"),
    ("endless-stderr", "N: prints to stderr without end after N moves"),
    ("long-line", "MB: a line of so many megabytes before each bestmove"),
    ("hang-uci", "does not answer uci"),
    ("hang-ready", "does not answer isready"),
    ("hang-go", "N: does not answer go after N moves, nor stop"),
    ("until-stop", "N: searches until stop, whatever the limit, after N moves"),
    ("ignore-nodes", "searches until stop where the limit is a number of nodes"),
    ("exit-by-nodes", "exits with status 9 where the limit is a number of nodes"),
    ("exit-at-new-game", "exits with status 8 when told of a new game"),
    ("deaf", "N: does not read its input any more after N moves"),
    ("illegal", "N: plays an illegal move after N moves"),
    ("null", "N: answers bestmove 0000 after N moves"),
    ("none", "N: answers bestmove (none) after N moves"),
    ("overstep", "MS: takes so many milliseconds more than it has"),
    ("slow", "MS: waits so long before every answer"),
    ("slow-first", "MS: takes so long for its first search"),
    ("close-stdin", "N: closes its input after N moves, and lives on"),
    ("close-stdout", "N: closes its output after N moves, and lives on"),
    ("ignore-quit", "ignores quit and the end of its input"),
    ("ignore-term", "ignores SIGTERM"),
    ("fail-at-quit", "exits with status 6 when told to quit"),
    ("non-utf8", "bytes that are not UTF-8 in its name and its lines"),
    ("crlf", "ends its lines with CR LF"),
    ("dribble", "writes its lines byte by byte"),
    ("odd-info", "info lines of every odd kind"),
    ("chatter", "N: says bestmove a second time, and more, from its answer N on"),
    ("echo", "repeats its last answer when it is asked for the next, and then answers"),
    ("nephew", "starts a child of its process group that keeps its pipes open"),
    ("runaway", "starts a child outside its process group that keeps its pipes open for 20 s"),
    ("daemon", "N: starts a process without parent, session and variables that sleeps 20.N s"),
    ("no-options", "has no options"),
    ("torn", "N: exits with status 0 in the middle of a line after N moves"),
    ("loud", "prints a megabyte to stderr before each bestmove"),
    ("rueful", "writes some pages and its regrets to stderr just before each bestmove"),
    ("chaos", "N: in each game another vice or none, by this seed"),
];

#[derive(Default, Clone)]
struct Vices(Vec<(String, u64)>);

impl Vices {
    fn add(&mut self, text: &str) {
        for word in text.split_whitespace() {
            let (name, number) = word.split_once(':').unwrap_or((word, "0"));
            if !VICES.iter().any(|(known, _)| *known == name) {
                eprintln!("scoundrel: no vice '{name}'; there are:");
                for (name, effect) in VICES {
                    eprintln!("  {name:17} {effect}");
                }
                exit(64);
            }
            self.0.push((name.to_owned(), number.parse().unwrap_or(0)));
        }
    }

    fn number(&self, name: &str) -> Option<u64> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, number)| *number)
    }

    fn has(&self, name: &str) -> bool {
        self.number(name).is_some()
    }

    /// Whether a vice is due that waits for a number of moves.
    fn due(&self, name: &str, moves: u64) -> bool {
        self.number(name).is_some_and(|number| moves >= number)
    }
}

struct Scoundrel {
    vices: Vices,
    /// Of every game, where chaos adds those of one.
    constant: Vices,
    rng: ChaCha8Rng,
    start: String,
    position: Chess,
    chess960: bool,
    moves: u64,
    /// The last one, as it was said.
    answer: Option<String>,
    /// A chaotic game has begun, and its vices are not chosen yet.
    undecided: bool,
    child: Option<Child>,
    /// All that it is told goes there.
    log: Option<File>,
}

fn main() {
    let mut vices = Vices::default();
    for arg in std::env::args().skip(1) {
        vices.add(&arg);
    }
    if let Some(vice) = vices.number("chaos").and_then(chaos::vice_at_start) {
        vices.add(vice);
    }
    if vices.has("exit-at-start") {
        eprintln!("scoundrel: leaving before it begins");
        exit(3);
    }
    let rng = ChaCha8Rng::seed_from_u64(vices.number("seed").unwrap_or(0));
    let mut engine = Scoundrel {
        constant: vices.clone(),
        vices,
        rng,
        start: String::new(),
        position: Chess::new(),
        chess960: false,
        moves: 0,
        answer: None,
        undecided: false,
        child: None,
        log: None,
    };
    engine.run();
}

impl Scoundrel {
    fn run(&mut self) {
        self.start_children();
        let mut input = io::stdin().lock();
        let mut line = String::new();
        loop {
            line.clear();
            if input.read_line(&mut line).unwrap_or(0) == 0 {
                if self.vices.has("ignore-quit") {
                    sleep(Duration::from_secs(3600));
                }
                return;
            }
            sleep(Duration::from_millis(self.vices.number("slow").unwrap_or(0)));
            if let Some(log) = &mut self.log {
                let _ = log.write_all(line.as_bytes());
            }
            let (word, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
            match word {
                "uci" if self.vices.has("hang-uci") => self.say("info string let me think"),
                "uci" => self.introduce(),
                "setoption" => self.set_option(rest),
                "isready" if self.vices.has("hang-ready") => {}
                "isready" => self.say("readyok"),
                "ucinewgame" if self.vices.has("exit-at-new-game") => exit(8),
                "ucinewgame" if self.vices.has("echo") => self.answer = None,
                "ucinewgame" if self.vices.has("chaos") => {
                    (self.vices, self.moves) = (self.constant.clone(), 0);
                    self.undecided = true;
                    // It holds the pipes that another vice may close.
                    if let Some(mut child) = self.child.take() {
                        let _ = child.kill().and_then(|()| child.wait());
                    }
                }
                "position" => self.set_position(rest),
                "go" => self.go(rest, &mut input),
                "quit" if self.vices.has("fail-at-quit") => exit(6),
                "quit" if !self.vices.has("ignore-quit") => return,
                _ => {}
            }
        }
    }

    fn say(&self, line: &str) {
        self.say_bytes(line.as_bytes());
    }

    fn say_bytes(&self, line: &[u8]) {
        let mut out = io::stdout().lock();
        let end: &[u8] = if self.vices.has("crlf") { b"\r\n" } else { b"\n" };
        let piece = if self.vices.has("dribble") { 1 } else { usize::MAX };
        let line = [line, end].concat();
        let written =
            line.chunks(piece).try_for_each(|part| out.write_all(part).and_then(|()| out.flush()));
        if written.is_err() {
            exit(9);
        }
    }

    fn introduce(&self) {
        if self.vices.has("non-utf8") {
            self.say_bytes(b"id name Sc\xf6undrel \xff\xfe");
        } else {
            self.say("id name Scoundrel 1.0");
        }
        self.say("id author Nobody");
        if !self.vices.has("no-options") {
            self.say("option name Hash type spin default 16 min 1 max 1024");
            self.say("option name Threads type spin default 1 min 1 max 8");
            self.say("option name Move Overhead type spin default 10 min 0 max 5000");
            self.say("option name UCI_Chess960 type check default false");
            self.say("option name Style type combo default Solid var Solid var Very Wild");
            self.say("option name Clear Hash type button");
            self.say("option name Vice type string default <empty>");
            self.say("option name Log File type string default <empty>");
            self.say("option nonsense");
        }
        self.say("uciok");
        if self.vices.has("exit-after-uciok") {
            exit(4);
        }
    }

    fn set_option(&mut self, rest: &str) {
        let (name, value) = rest.split_once(" value ").unwrap_or((rest, ""));
        match name.strip_prefix("name ").unwrap_or(name) {
            "Vice" => {
                self.vices.add(value);
                self.start_children();
            }
            "Log File" => self.log = File::options().create(true).append(true).open(value).ok(),
            "UCI_Chess960" => self.chess960 = value == "true",
            _ => {}
        }
    }

    fn start_children(&mut self) {
        if self.vices.has("ignore-term") {
            let heard = process::signals::hear(|_| ());
            std::mem::forget(heard.expect("SIGTERM can be handled"));
        }
        if let Some(number) = self.vices.number("daemon") {
            // The one in the middle ends at once.
            let mut daemon = Command::new("/usr/bin/setsid");
            daemon.args(["--fork", "/bin/sleep", &format!("20.{number}")]).env_clear();
            daemon.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
            daemon.status().expect("setsid is installed");
        }
        let mut child = if self.vices.has("runaway") {
            let mut child = Command::new("setsid");
            child.arg("sh");
            child
        } else if self.vices.has("nephew") {
            Command::new("sh")
        } else {
            return;
        };
        let ignore = if self.vices.has("ignore-term") { "trap '' TERM; " } else { "" };
        child.args(["-c", &format!("{ignore}exec sleep 20")]);
        // Not waited for: that is the vice.
        match child.spawn() {
            Ok(child) => {
                self.say(&format!("info string child {}", child.id()));
                self.child = Some(child);
            }
            Err(error) => eprintln!("scoundrel: no child: {error}"),
        }
    }

    fn mode(&self) -> CastlingMode {
        if self.chess960 { CastlingMode::Chess960 } else { CastlingMode::Standard }
    }

    fn set_position(&mut self, text: &str) {
        let (start, moves) = text.split_once(" moves ").unwrap_or((text, ""));
        self.start = start.strip_prefix("fen ").unwrap_or(chaos::START).to_owned();
        self.position = match start.strip_prefix("fen ") {
            None => Chess::new(),
            Some(text) => {
                let fen = text.parse::<Fen>().ok();
                let position = fen.and_then(|fen| fen.into_position(self.mode()).ok());
                position.unwrap_or_else(|| panic!("a position that cannot be: {text}"))
            }
        };
        for word in moves.split_whitespace() {
            let parsed = word.parse::<UciMove>().ok().and_then(|m| m.to_move(&self.position).ok());
            let Some(m) = parsed else { panic!("told an illegal move, {word}") };
            self.position.play_unchecked(m);
        }
    }

    /// The time it may take; none where no clock runs.
    fn allowed(&self, limit: &str) -> Option<Duration> {
        let key = match self.position.turn() {
            _ if limit.contains("movetime") => "movetime",
            Color::White => "wtime",
            Color::Black => "btime",
        };
        let mut words = limit.split_whitespace().skip_while(|word| *word != key);
        words.nth(1).and_then(|word| word.parse().ok()).map(Duration::from_millis)
    }

    /// Chooses the vices of a chaotic game.
    fn decide(&mut self) {
        let seed = self.vices.number("chaos").unwrap_or(0);
        let white = self.position.turn().is_white();
        let (rng, whim) = chaos::whim(&chaos::UCI, seed, &self.start, white);
        self.rng = rng;
        for vice in whim.iter().flat_map(|whim| whim.way.0) {
            let moves = whim.map_or(0, |whim| whim.moves);
            self.vices.0.push(((*vice).to_owned(), moves));
        }
        self.start_children();
    }

    fn go(&mut self, limit: &str, input: &mut impl BufRead) {
        let began = Instant::now();
        if std::mem::take(&mut self.undecided) {
            self.decide();
        }
        let moves = self.moves;
        let due = |name: &str| self.vices.due(name, moves);
        if let Some(answer) = self.answer.take().filter(|_| self.vices.has("echo")) {
            self.say(&answer);
        }
        self.say("info depth 1 seldepth 2 multipv 1 score cp 12 nodes 20 nps 20000 time 1 pv e2e4");
        if self.vices.has("odd-info") {
            self.say_odd_things();
        }
        if let Some(slow) = self.vices.number("slow-first").filter(|_| moves == 0) {
            sleep(Duration::from_millis(slow));
        }
        if due("exit-in-search") {
            exit(5);
        }
        if due("panic") {
            panic!("I have a bad conscience");
        }
        if due("segfault") {
            let nowhere = std::ptr::without_provenance_mut::<u8>(8);
            // SAFETY: none; ends this process, which is what is wanted.
            unsafe { nowhere.write_volatile(0) };
        }
        if due("hang-go") {
            sleep(Duration::from_secs(3600));
        }
        if due("endless-garbage") {
            let line = "all work and no play makes jack a dull boy ".repeat(20);
            // Much at once, to be too much before it has taken too long.
            let lines = [line.as_str(); 100].join("\n");
            loop {
                self.say(&lines);
            }
        }
        if due("endless-stderr") {
            loop {
                eprintln!("{}", "all work and no play makes jack a dull boy ".repeat(20));
            }
        }
        if due("close-stdout") {
            // SAFETY: nothing here writes to it any more.
            drop(unsafe { OwnedFd::from_raw_fd(1) });
            sleep(Duration::from_secs(3600));
        }
        if due("torn") {
            print!("info depth 2 score cp -7 nodes 400 pv e2e4\nbestmo");
            let _ = io::stdout().flush();
            exit(0);
        }
        if self.vices.has("exit-by-nodes") && limit.contains("nodes") {
            exit(9);
        }
        if due("until-stop") || self.vices.has("ignore-nodes") && limit.contains("nodes") {
            let mut line = String::new();
            while line.trim() != "stop" {
                line.clear();
                if input.read_line(&mut line).unwrap_or(0) == 0 {
                    return;
                }
            }
        }
        if let (Some(over), Some(allowed)) = (self.vices.number("overstep"), self.allowed(limit)) {
            sleep((allowed + Duration::from_millis(over)).saturating_sub(began.elapsed()));
        }
        if let Some(megabytes) = self.vices.number("long-line") {
            let mut out = io::stdout().lock();
            for _ in 0..megabytes {
                let _ = out.write_all(&[b'x'; 1 << 20]);
            }
            let _ = out.write_all(b"\n");
        }
        if self.vices.has("loud") {
            eprintln!("{}", "hear, hear! ".repeat((1 << 20) / 12));
        }
        if self.vices.has("rueful") {
            // At once, and less than a pipe holds: nobody has to read for it to go on.
            let regrets = "it was the hash table's doing\n".repeat(1000) + "I regret it\n";
            let _ = io::stderr().write_all(regrets.as_bytes());
        }
        if due("garbage") {
            self.say("I would rather not\nbestmoves are overrated\n\u{1F4A9}");
            return;
        }
        let answer = match () {
            () if due("illegal") => format!("bestmove {}", self.illegal()),
            () if due("null") => "bestmove 0000".to_owned(),
            () if due("none") => "bestmove (none)".to_owned(),
            () if due("no-move") => "bestmove castles".to_owned(),
            () => self.choose(),
        };
        self.say("info depth 2 seldepth 3 score cp -7 nodes 400 time 2 pv e2e4 e7e5");
        if self.vices.due("close-stdin", moves + 1) {
            // Before the answer, so that nobody can be told anything behind it.
            // SAFETY: nothing here reads from it any more.
            drop(unsafe { OwnedFd::from_raw_fd(0) });
        }
        self.answer = Some(answer.clone());
        if self.vices.due("chatter", moves + 1) {
            self.say(&format!("{answer}\nbestmove a1a1\ninfo string sorry\n{answer}"));
        } else {
            self.say(&answer);
        }
        self.moves += 1;
        let due = |name: &str| self.vices.due(name, self.moves);
        if due("exit-after-move") {
            exit(0);
        }
        if due("close-stdin") {
            sleep(Duration::from_secs(3600));
        }
        if due("deaf") {
            sleep(Duration::from_secs(3600));
        }
    }

    fn choose(&mut self) -> String {
        let legal = self.position.legal_moves();
        let count = legal.len().max(1) as u64;
        let index = if self.vices.has("first") { 0 } else { self.rng.next_u64() % count };
        match legal.get(index as usize) {
            Some(m) => format!("bestmove {} ponder a1a1", m.to_uci(self.mode())),
            None => "bestmove (none)".to_owned(),
        }
    }

    fn illegal(&self) -> &'static str {
        let legal = |text: &str| {
            let uci = text.parse::<UciMove>().ok();
            uci.is_some_and(|uci| uci.to_move(&self.position).is_ok())
        };
        let [usual, other] = chaos::ILLEGAL;
        if legal(usual) { other } else { usual }
    }

    fn say_odd_things(&self) {
        let odd: [&[u8]; 12] = [
            b"",
            b"   \t ",
            b"info",
            b"info depth",
            b"info score cp",
            b"info depth 99999999999999999999 nodes -1 score mate",
            b"info string bestmove e2e4 depth 77 score cp 7777 nodes 7777",
            b"info depth 7 currmove e2e4 currmovenumber 1",
            b"info multipv 3 depth 60 score cp -900 nodes 1 pv a2a3",
            b"info nodes 5 score cp \xff\xfe pv \x00\x01\x02",
            b"INFO DEPTH 5 SCORE CP 5",
            b"\xf0\x9f\x92\xa9 bestmove",
        ];
        for line in odd {
            self.say_bytes(line);
        }
    }
}
