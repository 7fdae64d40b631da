//! Programs that speak the Chess Engine Communication Protocol (xboard, WinBoard), version 1 or 2.
//!
//! - `handshake` and `features`: what the engine can do; `limits` and `moves`: what it is told.
//! - `report`: its thinking lines; `answer`: its moves, resignations and claims, and what comes of
//!   them; `told`: the game as it knows it.
//!
//! Engines are never asked to ponder. The `edit` command is not spoken: engines without `setboard`
//! play games that begin at the start position of chess, and only those.

mod answer;
mod features;
mod handshake;
mod limits;
mod moves;
mod report;
mod told;

use std::sync::Arc;
use std::time::Duration;

use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Color};

use self::answer::Said;
use self::features::Features;
use self::handshake::Handshake;
use self::report::Report;
use self::told::Told;
use super::program::{
    self, Capsule, Expected, Identity, Process, ProgramHost, ProgramSpec, START_FEN, StartError,
    Timing,
};
use super::{Fault, GoLimit, Thought};

/// So long a claim waits for the move that some engines send behind it.
const SAME_BREATH: Duration = Duration::from_millis(100);

/// An engine process that plays.
///
/// After a [`Fault`] take the [`XboardPlayer::capsule`] and [`XboardPlayer::quit`]; another game
/// needs another player. Dropping a player kills its process without waiting.
pub struct XboardPlayer {
    spec: ProgramSpec,
    process: Process,
    handshake: Handshake,
    /// The number of the last ping.
    pings: u64,
    /// It knows `depth` in place of `sd`.
    old_depth: bool,
    game: Told,
}

impl XboardPlayer {
    /// Starts the program and sets its options; returns when it is ready.
    ///
    /// # Errors
    /// The program cannot be started, ends or does not answer, or has no such option; the text
    /// names the program and what was expected.
    pub fn start(spec: &ProgramSpec, host: &Arc<ProgramHost>) -> Result<XboardPlayer, StartError> {
        let (process, handshake) = program::start(spec, host, handshake::perform)?;
        Ok(XboardPlayer {
            spec: spec.clone(),
            process,
            handshake,
            pings: 0,
            old_depth: false,
            game: Told::new(START_FEN, Chess::new()),
        })
    }

    /// Who the engine says it is.
    #[must_use]
    pub fn identity(&self) -> &Identity {
        &self.handshake.identity
    }

    /// The process's number, which is also its group's.
    #[must_use]
    pub fn pid(&self) -> i32 {
        self.process.pid()
    }

    /// Whether the process may play more than one game.
    #[must_use]
    pub fn is_reusable(&self) -> bool {
        self.features().reuse
    }

    /// Why it cannot play under such a limit, if so.
    #[must_use]
    pub fn refuses_limit(&self, limit: &GoLimit) -> Option<&'static str> {
        let nodes = matches!(limit, GoLimit::Nodes(_)) && !self.features().nps;
        nodes.then_some("cannot count nodes (it has no feature nps=1): expected a depth or a time")
    }

    /// Why it cannot play from such a start position, if so.
    #[must_use]
    pub fn refuses_start(&self, fen: &str, chess960: bool) -> Option<&'static str> {
        if chess960 && !self.features().plays_chess960() {
            return Some("does not play fischerandom, which this start position needs");
        }
        let cannot = fen != START_FEN && !self.features().setboard;
        cannot.then_some(
            "cannot set up positions (it has no feature setboard=1): expected openings that are \
             moves from the start position of chess, as in a PGN book",
        )
    }

    /// Prepares for a game that starts at `fen`.
    ///
    /// # Errors
    /// The engine ends or does not answer, or cannot play from there.
    pub fn new_game(&mut self, fen: &str, chess960: bool) -> Result<(), Fault> {
        self.process.new_game();
        let not_started =
            |reason: &str| Fault::NotStarted(format!("{}: {reason}", self.spec.path.display()));
        if let Some(reason) = self.refuses_start(fen, chess960) {
            return Err(not_started(reason));
        }
        let mode = CastlingMode::from_chess960(chess960);
        let start = fen.parse::<Fen>().ok().and_then(|fen| fen.into_position(mode).ok());
        let start = start.ok_or_else(|| not_started(&format!("not a position: {fen}")))?;
        self.game = Told::new(fen, start);
        let text = self.opening_commands();
        self.prepare(&text, &["setboard".to_owned(), "position".to_owned()])
    }

    /// Asks for a move after `moves` (UCI, parted by single spaces, from the game's start
    /// position), with `turn` to move. Blocks until it comes. The time charged is
    /// `program::Timing`'s.
    ///
    /// # Errors
    /// The engine ends, does not answer in time (plus [`program::ProgramSettings::margin`], or
    /// [`program::ProgramSettings::hang`]), answers what is no move, resigns, or claims a result
    /// that the board does not have.
    pub fn think(&mut self, turn: Color, moves: &str, limit: &GoLimit) -> Result<Thought, Fault> {
        let moved = self.game.playing;
        let commands = self.tell(turn, moves, limit)?;
        self.ask(&commands, turn, limit, moved)
    }

    /// Everything worth keeping after a fault.
    #[must_use]
    pub fn capsule(&self) -> Capsule {
        self.process.capsule(&self.spec)
    }

    /// Ends the process: by `quit`, then SIGTERM, then SIGKILL to its group, with a
    /// [`program::ProgramSettings::grace`] between them. Returns when it has ended.
    pub fn quit(mut self) {
        self.process.end();
    }

    fn features(&self) -> &Features {
        &self.handshake.features
    }

    /// A new game with the start position on the board, the engine in force mode. Every game but a
    /// process's first begins by ending the last one.
    fn opening_commands(&self) -> String {
        let mut text = if self.pings > 0 { "force\n".to_owned() } else { String::new() };
        text.push_str("new\n");
        if self.game.is_chess960() {
            text.push_str("variant fischerandom\n");
        }
        text.push_str("force\n");
        if self.game.fen != START_FEN {
            text.push_str("setboard ");
            text.push_str(&self.game.fen);
            text.push('\n');
        }
        text.push_str("easy\npost\n");
        text
    }

    /// Sends commands that come before a search.
    ///
    /// # Errors
    /// When the engine refuses what matters of them.
    fn prepare(&mut self, text: &str, matters: &[String]) -> Result<(), Fault> {
        if text.is_empty() {
            return Ok(());
        }
        match self.refusal(text, matters)? {
            None => Ok(()),
            Some(line) => {
                let path = self.spec.path.display();
                Err(Fault::NotStarted(format!("{path}: refuses what it is told: '{line}'")))
            }
        }
    }

    fn refusal(&mut self, text: &str, matters: &[String]) -> Result<Option<String>, Fault> {
        self.pings += 1;
        let refuses = |line: &[u8]| answer::refuses(line, matters);
        self.handshake.sync(&mut self.process, text, self.pings, refuses)
    }

    /// Brings the engine's board up to date; as a rule by the opponent's move, which it answers, else
    /// in force mode, with the limit told and `go` in the end. What is left to be sent begins the
    /// search.
    fn tell(&mut self, turn: Color, moves: &str, limit: &GoLimit) -> Result<Commands, Fault> {
        let mut before = String::new();
        let fresh = match self.game.fresh(moves) {
            Some(fresh) => fresh,
            None => {
                self.game = self.game.again();
                before = self.opening_commands();
                moves.split_ascii_whitespace().collect()
            }
        };
        let written = self.game.write(&fresh, &self.handshake.features)?;
        let mut text =
            if self.features().time { limits::clocks(limit, turn) } else { String::new() };
        if self.game.playing && fresh.len() == 1 {
            text.push_str(&written.text);
            return Ok(Commands { text, matters: written.moves });
        }
        if self.game.playing {
            before.push_str("force\n");
        }
        before.push_str(&written.text);
        self.prepare(&before, &written.moves)?;
        if !self.game.limited {
            self.set_limit(limit)?;
            self.game.limited = true;
        }
        if self.features().colors {
            text.push_str(turn.fold_wb("white\n", "black\n"));
        }
        text.push_str("go\n");
        self.game.playing = true;
        // Where nothing could be waited for, refusals come late.
        let mut matters = written.moves;
        matters.push(limits::word(limit, self.old_depth).to_owned());
        Ok(Commands { text, matters })
    }

    /// Tells the limit. One that was not understood would make a match under another limit than the
    /// other side's.
    fn set_limit(&mut self, limit: &GoLimit) -> Result<(), Fault> {
        let matters = |old_depth| [limits::word(limit, old_depth).to_owned()];
        if !self.old_depth && matches!(limit, GoLimit::Depth(_)) {
            let text = limits::setup(limit, false);
            self.old_depth = self.refusal(&text, &matters(false))?.is_some();
            if !self.old_depth {
                return Ok(());
            }
        }
        self.prepare(&limits::setup(limit, self.old_depth), &matters(self.old_depth))
    }

    /// Sends the commands and waits for the answer. If it has `moved` before in this game, it may
    /// have resigned since, or claimed a result.
    fn ask(
        &mut self,
        commands: &Commands,
        color: Color,
        limit: &GoLimit,
        moved: bool,
    ) -> Result<Thought, Fault> {
        let timed = limit.time(color);
        let settings = self.process.settings();
        let patience = timed.map_or(settings.hang, |limit| limit + settings.margin);
        let command = commands.text.trim_end().rsplit('\n').next().unwrap_or_default();
        let expected = Expected { command, answer: "move", patience, search: true };
        let mut report = Report::default();
        let mut claim: Option<Vec<u8>> = None;
        let mut said = None;
        let unasked = |line: &[u8]| {
            let ends = matches!(answer::parse(line, color), Said::Resigns | Said::Claims(_));
            if moved && ends && said.is_none() {
                said = Some(line.to_owned());
            }
        };
        let timed = timed.is_some();
        let mut timing =
            Timing::send(&mut self.process, &commands.text, &expected, timed, unasked)?;
        if let Some(line) = said {
            return Err(match answer::parse(&line, color) {
                Said::Resigns => self.resigns(&line),
                _ => self.false_claim(&line),
            });
        }
        loop {
            match &claim {
                None => timing.read(&mut self.process, &expected, |lines| {
                    report = report.then(lines);
                })?,
                Some(line) => {
                    if !self.process.read_for(&expected, SAME_BREATH)? {
                        return Err(self.false_claim(line));
                    }
                }
            }
            let lines = self.process.lines();
            while let Some(line) = lines.next() {
                let line = lines.get(line);
                let text = match answer::parse(line, color) {
                    Said::Move(text) => text.to_owned(),
                    Said::Resigns => {
                        let line = line.to_owned();
                        return Err(self.resigns(&line));
                    }
                    Said::Claims(_) => {
                        claim.get_or_insert_with(|| line.to_owned());
                        continue;
                    }
                    Said::Refuses if answer::refuses(line, &commands.matters) => {
                        let line = line.to_owned();
                        return Err(self.process.garbage("refuses what is legal", &line));
                    }
                    Said::Refuses | Said::Other => continue,
                };
                let report = report.then(lines.handed_out());
                lines.forget();
                let stopped = self.process.answered();
                let best = moves::read(&self.game.position, &text).ok_or_else(|| {
                    self.process.garbage("expected a move after 'move'", text.as_bytes())
                })?;
                if !timed && stopped {
                    let text = format!("no 'move' in {patience:?}, until '?' was sent");
                    return Err(Fault::Hang(self.process.with_last_words(text)));
                }
                self.game.play(best);
                let (time, late) = timing.charged(&self.process);
                return Ok(Thought {
                    best,
                    score: report.score,
                    depth: report.depth,
                    seldepth: report.seldepth,
                    nodes: report.nodes,
                    time,
                    late,
                });
            }
        }
    }

    /// It is in order: it may play another game.
    fn resigns(&self, line: &[u8]) -> Fault {
        self.process.answered();
        Fault::Resigns(format!("'{}'", String::from_utf8_lossy(line).trim()))
    }

    fn false_claim(&self, line: &[u8]) -> Fault {
        let line = String::from_utf8_lossy(line);
        Fault::FalseClaim(
            self.process.with_last_words(format!("says '{}', but the game goes on", line.trim())),
        )
    }
}

/// What begins a search.
struct Commands {
    text: String,
    /// Words of it that the engine may not refuse.
    matters: Vec<String>,
}
