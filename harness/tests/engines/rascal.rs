//! rascal: an xboard engine that plays legal moves, and misbehaves on command.
//!
//! Its vices are arguments, or the value of its option `Vice` (parted by spaces), each `name` or
//! `name:number`; see [`VICES`].

mod chaos;

use std::io::{self, BufRead, Write};
use std::process::exit;
use std::thread::sleep;
use std::time::{Duration, Instant};

use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Color, Move, Position as _};

/// Name, the number's meaning if it takes one, effect.
const VICES: [(&str, &str); 37] = [
    ("old", "speaks the protocol's first version: no features, no ping"),
    ("mute", "speaks the first version and says nothing but moves"),
    ("murmurs", "MS: says something unasked, so often"),
    ("slow", "MS: sleeps so long before it reads anything"),
    ("never-done", "says done=0 and no more"),
    ("no-setboard", "cannot set up positions"),
    ("no-reuse", "plays one game only"),
    ("no-sd", "knows depth, not sd"),
    ("no-limits", "knows neither sd nor depth"),
    ("no-level", "does not know level"),
    ("san", "wants and writes short algebraic notation"),
    ("gnu", "writes its moves as GNU Chess did"),
    ("crlf", "ends its lines with CR LF"),
    ("chatter", "talks of everything around its moves"),
    ("offer-draw", "offers a draw with every move"),
    ("twice", "says each answer twice"),
    ("second-move", "says another move behind each"),
    ("claim-and-move", "says that the game is drawn, and moves"),
    ("exit-at-start", "exits with status 3 before it reads anything"),
    ("exit-in-search", "N: exits with status 5 in the search after N moves"),
    ("hang-ping", "N: does not answer ping after N moves"),
    ("hang", "N: does not answer after N moves, nor ?"),
    ("until-now", "searches until ?, whatever the limit"),
    ("garbage", "N: answers nonsense in place of its move after N moves"),
    ("no-move", "N: moves a word that is no move after N moves"),
    ("illegal", "N: plays an illegal move after N moves"),
    ("resign", "N: resigns after N moves"),
    ("lose", "N: says that it has lost after N moves"),
    ("resign-late", "N: resigns just after its move N"),
    ("claim-draw", "N: says that the game is drawn after N moves"),
    ("claim-win", "N: says that it has won after N moves"),
    ("claim-late", "N: says that the game is drawn just after its move N, and stops playing"),
    ("refuse", "N: refuses the opponent's move after N moves"),
    ("refuse-position", "refuses every position"),
    ("overstep", "MS: takes so many milliseconds"),
    ("hang-ready", "answers no ping at all"),
    ("chaos", "N: in each game another vice or none, by this seed"),
];

struct Rascal {
    vices: Vec<(String, u64)>,
    /// So many of them are of every game; chaos adds those of one.
    constant: usize,
    start: String,
    position: Chess,
    chess960: bool,
    force: bool,
    moves: u64,
    /// A chaotic game has begun, and its vices are not chosen yet.
    undecided: bool,
}

fn main() {
    let vices = std::env::args().skip(1).collect::<Vec<_>>().join(" ");
    let mut engine = Rascal {
        vices: Vec::new(),
        constant: 0,
        start: chaos::START.to_owned(),
        position: Chess::new(),
        chess960: false,
        force: false,
        moves: 0,
        undecided: false,
    };
    engine.add_vices(&vices);
    if let Some(vice) = engine.number("chaos").and_then(chaos::vice_at_start) {
        engine.add_vices(vice);
    }
    engine.constant = engine.vices.len();
    if engine.has("exit-at-start") {
        eprintln!("rascal: leaving before it begins");
        exit(3);
    }
    sleep(Duration::from_millis(engine.number("slow").unwrap_or(0)));
    if let Some(pause) = engine.number("murmurs").map(Duration::from_millis) {
        std::thread::spawn(move || {
            while writeln!(io::stdout(), "telluser hm").is_ok() {
                sleep(pause);
            }
        });
    }
    let mut input = io::stdin().lock();
    let mut line = String::new();
    while input.read_line(&mut line).unwrap_or(0) > 0 {
        if !engine.command(line.trim(), &mut input) {
            return;
        }
        line.clear();
    }
}

impl Rascal {
    fn add_vices(&mut self, text: &str) {
        for word in text.split_whitespace() {
            let (name, number) = word.split_once(':').unwrap_or((word, "0"));
            if !VICES.iter().any(|(known, _)| *known == name) {
                eprintln!("rascal: no vice '{name}'; there are:");
                for (name, effect) in VICES {
                    eprintln!("  {name:17} {effect}");
                }
                exit(64);
            }
            self.vices.push((name.to_owned(), number.parse().unwrap_or(0)));
        }
    }

    fn number(&self, name: &str) -> Option<u64> {
        self.vices.iter().find(|(known, _)| known == name).map(|(_, number)| *number)
    }

    fn has(&self, name: &str) -> bool {
        self.number(name).is_some()
    }

    /// Whether a vice is due that waits for a number of moves.
    fn due(&self, name: &str) -> bool {
        self.number(name).is_some_and(|number| self.moves >= number)
    }

    fn say(&self, text: &str) {
        let end = if self.has("crlf") { "\r\n" } else { "\n" };
        let mut out = io::stdout().lock();
        // All at once, however many lines they are.
        let text = text.replace('\n', end) + end;
        if out.write_all(text.as_bytes()).and_then(|()| out.flush()).is_err() {
            exit(9);
        }
    }

    fn answer(&self, text: &str) {
        if self.has("twice") { self.say(&format!("{text}\n{text}")) } else { self.say(text) }
    }

    /// False ends the engine.
    fn command(&mut self, line: &str, input: &mut impl BufRead) -> bool {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let modern = !self.has("old") && !self.has("mute");
        match word {
            "quit" => return false,
            "protover" if modern => self.introduce(),
            "ping" if modern && !self.due("hang-ping") && !self.has("hang-ready") => {
                self.say(&format!("pong {rest}"))
            }
            "ping" if modern => {}
            "option" => self.add_vices(rest.strip_prefix("Vice=").unwrap_or_default()),
            "new" => {
                (self.position, self.chess960) = (Chess::new(), false);
                (self.force, self.moves) = (false, 0);
                if self.has("chaos") {
                    self.vices.truncate(self.constant);
                    (self.start, self.undecided) = (chaos::START.to_owned(), true);
                }
            }
            "variant" => self.chess960 = rest == "fischerandom",
            "force" => self.force = true,
            "setboard" if modern && !self.has("no-setboard") => self.set_up(rest),
            "sd" if self.has("no-sd") || self.has("no-limits") => self.refuse(line),
            "depth" if self.has("no-limits") => self.refuse(line),
            "level" if self.has("no-level") => self.refuse(line),
            "go" => {
                self.force = false;
                self.think(input);
            }
            "usermove" if modern => self.opponent(rest, input),
            "xboard" | "accepted" | "rejected" | "memory" | "cores" | "easy" | "post" | "st"
            | "sd" | "depth" | "level" | "nps" | "time" | "otim" | "white" | "black" | "?" => {}
            _ if !modern && self.read(word).is_some() => self.opponent(word, input),
            _ if self.has("mute") => {}
            _ => self.say(&format!("Error (unknown command): {line}")),
        }
        true
    }

    fn refuse(&self, line: &str) {
        self.say(&format!("Illegal move: {line}"));
    }

    fn introduce(&self) {
        if self.has("never-done") {
            self.say("feature done=0");
            return;
        }
        let setboard = u8::from(!self.has("no-setboard"));
        let (san, reuse) = (u8::from(self.has("san")), u8::from(!self.has("no-reuse")));
        self.say(&format!(
            "feature ping=1 setboard={setboard} usermove=1 san={san} reuse={reuse} colors=0 nps=1 \
             memory=1 variants=\"normal,fischerandom\" myname=\"Rascal 1.0\" teleport=1"
        ));
        self.say("feature option=\"Vice -string \" option=\"Style -combo Solid /// *Very Wild\"");
        self.say("feature option=\"Depth -spin 3 1 9\" option=\"Learn -check 1\" done=1");
    }

    fn mode(&self) -> CastlingMode {
        CastlingMode::from_chess960(self.chess960)
    }

    fn set_up(&mut self, fen: &str) {
        let position = fen.parse::<Fen>().ok().and_then(|fen| fen.into_position(self.mode()).ok());
        match position.filter(|_| !self.has("refuse-position")) {
            Some(position) => (self.position, self.start) = (position, fen.to_owned()),
            None => self.say("tellusererror Illegal position"),
        }
    }

    fn read(&self, text: &str) -> Option<Move> {
        let uci = text.parse::<UciMove>().ok().and_then(|uci| uci.to_move(&self.position).ok());
        uci.or_else(|| text.parse::<SanPlus>().ok()?.san.to_move(&self.position).ok())
    }

    fn opponent(&mut self, text: &str, input: &mut impl BufRead) {
        match self.read(text).filter(|_| self.force || !self.due("refuse")) {
            None => self.say(&format!("Illegal move: {text}")),
            Some(m) => {
                self.position.play_unchecked(m);
                if !self.force {
                    self.think(input);
                }
            }
        }
    }

    fn illegal(&self) -> &'static str {
        if self.read(chaos::ILLEGAL[0]).is_some() { "move a8h1" } else { "move e1e8" }
    }

    /// Chooses the vices of a chaotic game.
    fn decide(&mut self) {
        let seed = self.number("chaos").unwrap_or(0);
        let white = self.position.turn().is_white();
        let (_, whim) = chaos::whim(&chaos::XBOARD, seed, &self.start, white);
        for vice in whim.iter().flat_map(|whim| whim.way.0) {
            self.vices.push(((*vice).to_owned(), whim.map_or(0, |whim| whim.moves)));
        }
    }

    fn think(&mut self, input: &mut impl BufRead) {
        if std::mem::take(&mut self.undecided) {
            self.decide();
        }
        if self.number("claim-late").is_some_and(|number| self.moves == number && number > 0) {
            return;
        }
        let began = Instant::now();
        let (won, lost) = match self.position.turn() {
            Color::White => ("1-0 {White mates}", "0-1 {White resigns}"),
            Color::Black => ("0-1 {Black mates}", "1-0 {Black resigns}"),
        };
        const DRAWN: &str = "1/2-1/2 {Draw by agreement}";
        if !self.has("mute") {
            self.say("  1     12      0      20  e2e4");
        }
        if self.has("chatter") {
            self.say(
                "\n# move e2e4\ntellics whisper move e2e4\nHint: e7e5\nmoves e2e4\n1. e2e4\n*",
            );
            self.say(
                "Illegal move: hard\nError (unknown command): easy\nBlack resigned\n\u{1F4A9}",
            );
        }
        if self.due("exit-in-search") {
            exit(5);
        }
        if self.due("hang") {
            sleep(Duration::from_secs(3600));
        }
        if self.has("until-now") {
            let mut line = String::new();
            while line.trim() != "?" {
                line.clear();
                if input.read_line(&mut line).unwrap_or(0) == 0 {
                    exit(0);
                }
            }
        }
        if let Some(over) = self.number("overstep") {
            sleep(Duration::from_millis(over).saturating_sub(began.elapsed()));
        }
        for (vice, answer) in [
            ("garbage", "I would rather not"),
            ("no-move", "move castles"),
            ("illegal", self.illegal()),
            ("resign", "resign"),
            ("lose", lost),
            ("claim-draw", DRAWN),
            ("claim-win", won),
        ] {
            if self.due(vice) {
                self.answer(answer);
                return;
            }
        }
        let legal = self.position.legal_moves();
        let Some(&m) = legal.first() else { return };
        let text = match () {
            () if self.has("san") => SanPlus::from_move(self.position.clone(), m).to_string(),
            () => m.to_uci(self.mode()).to_string(),
        };
        self.say("  2     -7      0     400  e2e4 e7e5");
        if self.has("claim-and-move") {
            self.say(DRAWN);
        }
        if self.has("offer-draw") {
            self.say("offer draw");
        }
        let answer =
            if self.has("gnu") { format!("7. ... {text}") } else { format!("move {text}") };
        let second = if self.has("second-move") { "\nmove a1a1" } else { "" };
        self.answer(&(answer + second));
        self.position.play_unchecked(m);
        self.moves += 1;
        if self.number("resign-late") == Some(self.moves) {
            self.say("resign");
        }
        if self.number("claim-late") == Some(self.moves) {
            self.say(DRAWN);
        }
    }
}
