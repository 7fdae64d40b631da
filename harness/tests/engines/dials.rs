//! dials: an engine whose strength is a known function of its options, quick enough for hundreds of
//! games a second. It speaks UCI, and xboard where it is told so.
//!
//! It takes what can be taken, or plays at random where it is careless. How often that is depends on
//! its options alone ([`Dials::carelessness`]), and where it is, on the position; so it plays the
//! same game again from the same moves. Its vices are arguments.

use std::collections::HashMap;
use std::io::{self, BufRead, Write};
use std::process::exit;
use std::thread::sleep;
use std::time::Duration;

use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, Move, Position as _, Role};

/// Name and effect.
const VICES: [(&str, &str); 10] = [
    ("mute", "declares no options"),
    ("forgets", "sets its options to their defaults at ucinewgame"),
    ("at-start", "heeds no options after its first game has begun"),
    ("keeps", "plays half of the positions that it knows as by its options of then"),
    ("remembers", "plays otherwise in a position that it has seen in another game"),
    ("slow", "thinks for a tenth of a second"),
    ("random", "does not repeat itself"),
    ("dies", "ends in every fortieth search of a game at Aim 44"),
    ("late", "ends when Aim is set to 99"),
    ("twice", "declares Aim twice"),
];

/// The options, by their names; the best values are in [`Dials::carelessness`].
#[derive(Debug, Clone)]
struct Dials {
    aim: i64,
    reach: i64,
    care: f64,
    style: String,
    guard: bool,
}

impl Default for Dials {
    fn default() -> Dials {
        Dials { aim: 20, reach: 50, care: 0.2, style: "Dull".to_owned(), guard: false }
    }
}

impl Dials {
    /// The share of careless moves: least at Aim 60, Reach 50, Care 0.5, Style Sharp and Guard on.
    fn carelessness(&self) -> f64 {
        let aim = (self.aim - 60) as f64 / 40.0;
        let reach = (self.reach - 50) as f64 / 50.0;
        let care = (self.care - 0.5) / 0.3;
        let style = if self.style == "Sharp" { 0.0 } else { 0.1 };
        let guard = if self.guard { 0.0 } else { 0.1 };
        let sum = 0.02 + 0.35 * (aim * aim + reach * reach + care * care) + style + guard;
        sum.min(0.95)
    }

    fn set(&mut self, name: &str, value: &str) {
        match name.to_ascii_lowercase().as_str() {
            "aim" => self.aim = value.parse().unwrap_or(self.aim),
            "reach" => self.reach = value.parse().unwrap_or(self.reach),
            "care" => self.care = value.parse().unwrap_or(self.care),
            "style" => self.style = value.to_owned(),
            "guard" => self.guard = ["true", "1"].contains(&value),
            _ => {}
        }
    }
}

struct Engine {
    vices: Vec<String>,
    dials: Dials,
    has_begun: bool,
    /// The last `position` command, and its position.
    told: String,
    position: Chess,
    /// How careless it was in positions that it knows.
    kept: HashMap<u64, f64>,
    /// Searches in each position.
    seen: HashMap<u64, u64>,
    /// Searches in games.
    moves: u64,
    chance: u64,
    /// Of xboard: it only follows the moves.
    force: bool,
}

fn main() {
    let vices: Vec<String> = std::env::args().skip(1).collect();
    if let Some(unknown) = vices.iter().find(|vice| !VICES.iter().any(|(name, _)| name == *vice)) {
        eprintln!("dials: no vice '{unknown}'; there are:");
        for (name, effect) in VICES {
            eprintln!("  {name:10} {effect}");
        }
        exit(64);
    }
    let mut engine = Engine {
        vices,
        dials: Dials::default(),
        has_begun: false,
        told: String::new(),
        position: Chess::new(),
        kept: HashMap::new(),
        seen: HashMap::new(),
        moves: 0,
        chance: 0,
        force: false,
    };
    for line in io::stdin().lock().lines().map_while(Result::ok) {
        if !engine.command(line.trim()) {
            return;
        }
    }
}

fn say(text: &str) {
    let mut out = io::stdout().lock();
    let _ = writeln!(out, "{text}").and_then(|()| out.flush());
}

impl Engine {
    fn has(&self, vice: &str) -> bool {
        self.vices.iter().any(|own| own == vice)
    }

    fn command(&mut self, line: &str) -> bool {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "uci" => self.introduce(),
            "isready" => say("readyok"),
            "setoption" => {
                let rest = rest.strip_prefix("name ").unwrap_or(rest);
                let (name, value) = rest.split_once(" value ").unwrap_or((rest, ""));
                self.set(name, value);
            }
            "ucinewgame" | "new" => self.new_game(),
            "position" => self.set_position(rest),
            "go" if rest.is_empty() => self.answer(),
            "go" => self.search(),
            "protover" => say(concat!(
                "feature ping=1 setboard=1 usermove=1 sigint=0 myname=\"dials\" ",
                "option=\"Aim -slider 20 0 100\" option=\"Reach -spin 50 0 100\" ",
                "option=\"Care -string 0.2\" option=\"Style -combo *Dull /// Sharp /// Wild\" ",
                "option=\"Guard -check 0\" option=\"Clear Hash -button\" done=1",
            )),
            "option" => {
                let (name, value) = rest.split_once('=').unwrap_or((rest, ""));
                self.set(name, value);
            }
            "ping" => say(&format!("pong {rest}")),
            "force" => self.force = true,
            "setboard" => self.position = position(rest),
            "usermove" => {
                self.play(rest);
                if !self.force {
                    self.answer();
                }
            }
            "quit" => return false,
            _ => {}
        }
        true
    }

    fn introduce(&self) {
        say("id name dials");
        if !self.has("mute") {
            say("option name Aim type spin default 20 min 0 max 100");
            say("option name Reach type spin default 50 min 0 max 100");
            say("option name Care type string default 0.2");
            say("option name Style type combo default Dull var Dull var Sharp var Wild");
            say("option name Guard type check default false");
            say("option name Idle type spin default 5 min 0 max 9");
            say("option name Note type string default hello");
            say("option name Clear Hash type button");
        }
        if self.has("twice") {
            say("option name aim type spin default 1 min 0 max 9");
        }
        say("uciok");
    }

    fn set(&mut self, name: &str, value: &str) {
        if !(self.has("at-start") && self.has_begun) {
            self.dials.set(name, value);
        }
        if self.has("late") && self.dials.aim == 99 {
            exit(3);
        }
    }

    fn new_game(&mut self) {
        self.has_begun = true;
        self.force = false;
        self.position = Chess::new();
        self.told.clear();
        if self.has("forgets") {
            self.dials = Dials::default();
        }
    }

    /// As a rule only the last moves are new.
    fn set_position(&mut self, told: &str) {
        let fresh = told.strip_prefix(self.told.as_str()).filter(|_| !self.told.is_empty());
        let moves = match fresh {
            Some(fresh) => fresh.trim_start().trim_start_matches("moves"),
            None => {
                let (start, moves) = told.split_once(" moves ").unwrap_or((told, ""));
                self.position = start.strip_prefix("fen ").map_or_else(Chess::new, position);
                moves
            }
        };
        for text in moves.split_whitespace() {
            self.play(text);
        }
        self.told = told.to_owned();
    }

    fn play(&mut self, text: &str) {
        let uci = text.parse::<UciMove>().ok().and_then(|uci| uci.to_move(&self.position).ok());
        if let Some(played) = uci {
            self.position.play_unchecked(played);
        }
    }

    /// A search in UCI's words.
    fn search(&mut self) {
        let (best, nodes) = self.think();
        say(&format!("info depth 1 score cp {} nodes {nodes}", self.score()));
        say(&format!("bestmove {best}"));
    }

    /// A move in xboard's words.
    fn answer(&mut self) {
        self.force = false;
        let (best, nodes) = self.think();
        say(&format!("1 {} 0 {nodes} {best}", self.score()));
        say(&format!("move {best}"));
        self.play(&best.to_string());
    }

    /// The move and its nodes, which tell how careless it is.
    fn think(&mut self) -> (UciMove, u64) {
        // In a game more than a few moves are told.
        self.moves += u64::from(self.told.len() > 100);
        if self.has("dies") && self.dials.aim == 44 && self.moves % 40 == 39 {
            exit(5);
        }
        let mut key = self.position.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0;
        if self.has("random") {
            self.chance = mixed(self.chance ^ u64::from(std::process::id()));
            key ^= self.chance;
        }
        if self.has("remembers") {
            let seen = self.seen.entry(key).or_default();
            key ^= *seen;
            *seen += 1;
        }
        let key = mixed(key);
        if self.has("slow") {
            sleep(Duration::from_millis(100));
        }
        let mut carelessness = self.dials.carelessness();
        if self.has("keeps") && key.is_multiple_of(2) {
            carelessness = *self.kept.entry(key).or_insert(carelessness);
        }
        let is_careless = (key >> 40) as f64 / (1_u64 << 24) as f64 <= carelessness;
        let legal = self.position.legal_moves();
        let chance = |number: usize| mixed(key ^ number as u64);
        let best = legal.iter().enumerate().max_by_key(|(number, candidate)| {
            let worth = if is_careless { 0 } else { self.worth(**candidate) };
            (worth, chance(*number))
        });
        let best = best.map_or(UciMove::Null, |(_, best)| best.to_uci(CastlingMode::Standard));
        (best, 1000 + (10_000.0 * carelessness) as u64)
    }

    /// What a move takes, less what it loses at once.
    fn worth(&self, candidate: Move) -> i32 {
        let taken = candidate.capture().map_or(0, value);
        let gained = candidate.promotion().map_or(0, value);
        let mut after = self.position.clone();
        after.play_unchecked(candidate);
        if after.is_checkmate() {
            return 10_000;
        }
        let them = after.turn();
        let hit = after.board().attacks_to(candidate.to(), them, after.board().occupied());
        let lost =
            if hit.any() { value(candidate.promotion().unwrap_or(candidate.role())) } else { 0 };
        taken + gained - lost
    }

    /// The material of the side to move, in centipawns.
    fn score(&self) -> i32 {
        let board = self.position.board();
        let of = |color: Color| -> i32 {
            let men = Role::ALL.into_iter().filter(|role| *role != Role::King);
            men.map(|role| value(role) * board.by_piece(role.of(color)).count() as i32).sum()
        };
        let turn = self.position.turn();
        of(turn) - of(!turn)
    }
}

fn value(role: Role) -> i32 {
    match role {
        Role::Pawn => 100,
        Role::Knight => 300,
        Role::Bishop => 310,
        Role::Rook => 500,
        Role::Queen => 900,
        Role::King => 2_000,
    }
}

fn position(fen: &str) -> Chess {
    let fen = fen.parse::<Fen>().ok();
    fen.and_then(|fen| fen.into_position(CastlingMode::Standard).ok()).unwrap_or_default()
}

/// The digits of a number well mixed (splitmix64).
fn mixed(number: u64) -> u64 {
    let number = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let number = (number ^ (number >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    number ^ (number >> 31)
}
