//! Programs that speak the Chess Engine Communication Protocol (xboard, WinBoard), version 1 or 2.
//!
//! - `handshake`, `silence`, `features`: what the engine can do; `limits` and `moves`: what it is
//!   told.
//! - `report`: its thinking lines; `thinking`: which of them tell of a move; `answer`: its moves,
//!   resignations and claims, and what comes of them; `engine_view`: the game as it knows it.
//! - `replay`: a capsule's input told again.
//!
//! Engines that ponder are told so once a game (`hard`); the rest is theirs. The `edit` command is
//! not spoken: engines without `setboard` play only games from the start position of chess.

mod answer;
mod engine_view;
mod features;
#[cfg(any(test, fuzzing, feature = "testing"))]
pub(super) mod fuzzing;
mod handshake;
mod limits;
mod moves;
mod replay;
mod report;
mod silence;
mod thinking;

use std::sync::Arc;
use std::time::Duration;

use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Color, Position as _};

use self::answer::Answer;
use self::engine_view::{EngineView, OwnMove};
use self::features::Features;
use self::handshake::XboardHandshake;
pub(in crate::player) use self::replay::replay;
use self::thinking::Thinking;
use super::program::options::Declared;
use super::program::{
    self, EngineIdentity, Process, ProgramHost, ProgramSpec, START_FEN, Search, StartError,
};
use super::protocol::Program;
use super::recorded_game::is_same_move;
use super::{Fault, GoLimit, Thought};

/// So long a claim waits for the move that some engines send behind it.
const SAME_BREATH: Duration = Duration::from_millis(100);

pub(super) struct XboardPlayer {
    process: Process,
    handshake: XboardHandshake,
    pings: u64,
    /// It knows `depth` in place of `sd`.
    old_depth: bool,
    game: EngineView,
}

impl XboardPlayer {
    pub(super) fn start(
        spec: &ProgramSpec,
        host: &Arc<ProgramHost>,
    ) -> Result<XboardPlayer, StartError> {
        let (process, handshake) = program::start(spec, host, handshake::perform)?;
        let game = EngineView::new(START_FEN, Chess::new());
        Ok(XboardPlayer { process, handshake, pings: 0, old_depth: false, game })
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
        let ponder = self.process.host.settings.ponder;
        text.push_str(if ponder { "hard\npost\n" } else { "easy\npost\n" });
        text
    }

    /// Sends commands that come before a search; the engine may refuse none of `matters`.
    fn prepare(&mut self, text: &str, matters: &[String]) -> Result<(), Fault> {
        if text.is_empty() {
            return Ok(());
        }
        let refusal = self.refusal(text, matters)?;
        refusal.map_or(Ok(()), |line| Err(refused(&self.process, &line)))
    }

    fn refusal(&mut self, text: &str, matters: &[String]) -> Result<Option<String>, Fault> {
        self.pings += 1;
        let refuses = |line: &[u8]| answer::refuses(line, matters);
        self.handshake.sync(&mut self.process, text, self.pings, refuses)
    }

    /// Brings the engine's board up to date; as a rule by the opponent's move, which it answers,
    /// else in force mode, with the limit told and `go` in the end. What is left to be sent begins
    /// the search.
    fn update_board(
        &mut self,
        turn: Color,
        moves: &str,
        limit: &GoLimit,
    ) -> Result<Commands, Fault> {
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
            self.set_limit(limit, turn)?;
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
    fn set_limit(&mut self, limit: &GoLimit, turn: Color) -> Result<(), Fault> {
        let matters = |old_depth| [limits::word(limit, old_depth).to_owned()];
        if !self.old_depth && matches!(limit, GoLimit::Depth(_)) {
            let text = limits::setup(limit, turn, false);
            self.old_depth = self.refusal(&text, &matters(false))?.is_some();
            if !self.old_depth {
                return Ok(());
            }
        }
        self.prepare(&limits::setup(limit, turn, self.old_depth), &matters(self.old_depth))
    }
}

impl Program for XboardPlayer {
    fn process(&self) -> &Process {
        &self.process
    }

    fn process_mut(&mut self) -> &mut Process {
        &mut self.process
    }

    fn identity(&self) -> &EngineIdentity {
        &self.handshake.identity
    }

    fn is_reusable(&self) -> bool {
        self.features().reuse
    }

    fn refuses_limit(&self, limit: &GoLimit) -> Option<&'static str> {
        let nodes = match limit {
            GoLimit::Nodes(_) => true,
            GoLimit::Clock(clock) => clock.nodes_per_ms.is_some(),
            GoLimit::Depth(_) | GoLimit::MoveTime(_) => false,
        };
        (nodes && !self.features().nps).then_some(if self.features().is_announced() {
            "cannot count nodes (it has no feature nps=1): expected a depth or a time"
        } else {
            "cannot count nodes (it answers protover 2 with no feature: it is no xboard engine, or one of \
             the protocol's first version): expected uci:PATH for an engine that speaks UCI, or a depth or \
             a time"
        })
    }

    fn refuses_start(&self, fen: &str, chess960: bool) -> Option<&'static str> {
        if chess960 && !self.features().plays_chess960() {
            return Some("does not play fischerandom, which this start position needs");
        }
        let cannot = fen != START_FEN && !self.features().setboard;
        cannot.then_some(if self.features().is_announced() {
            "cannot set up positions (it has no feature setboard=1): expected openings that are \
             moves from the start position of chess, as in a PGN book; to make one: verdict openings make \
             --out moves.pgn, then --book moves.pgn"
        } else {
            "cannot set up positions (it answers protover 2 with no feature: it is no xboard engine, or one \
             of the protocol's first version): expected uci:PATH for an engine that speaks UCI, or openings \
             that are moves from the start position of chess, as in a PGN book (to make one: verdict \
             openings make --out moves.pgn, then --book moves.pgn)"
        })
    }

    fn declared(&self) -> &[Declared] {
        &self.features().options
    }

    fn set_options(&mut self, lines: &str) -> Result<(), Fault> {
        self.prepare(lines, &["option".to_owned()])
    }

    fn new_game(&mut self, fen: &str, chess960: bool) -> Result<(), Fault> {
        self.process.new_game();
        if let Some(reason) = self.refuses_start(fen, chess960) {
            return Err(self.process.not_started(reason));
        }
        let mode = CastlingMode::from_chess960(chess960);
        let start = fen.parse::<Fen>().ok().and_then(|fen| fen.into_position(mode).ok());
        let start =
            start.ok_or_else(|| self.process.not_started(&format!("not a position: {fen}")))?;
        self.game = EngineView::new(fen, start);
        let text = self.opening_commands();
        self.prepare(&text, &["setboard".to_owned(), "position".to_owned()])
    }

    fn think(&mut self, turn: Color, moves: &str, limit: &GoLimit) -> Result<Thought, Fault> {
        let own = self.game.own.take();
        let commands = self.update_board(turn, moves, limit)?;
        let (position, time) = (&self.game.position, limit.time(turn));
        let thought = ask(&mut self.process, position, &commands, time, own.as_ref())?;
        self.game.play(thought.best);
        Ok(thought)
    }

    fn second_answer(&mut self) -> Option<Fault> {
        let (turn, own) = (self.game.position.turn(), self.game.own.as_ref());
        self.process.second_answer(|line| match answer::parse(line, turn) {
            Answer::Move(text) => !own.is_some_and(|own| own.is(text)),
            _ => false,
        })
    }

    fn end_game(&mut self) -> Result<(), Fault> {
        if self.process.host.settings.ponder { self.prepare("force\n", &[]) } else { Ok(()) }
    }
}

/// Sends the commands and waits for the answer of the player of `color` in `position`; `time`: how
/// long it may take, where a clock runs. If it has a move of its `own` in this game, it may have
/// resigned since, or claimed a result; to say the same move twice is a habit, another one a fault.
pub(super) fn ask(
    process: &mut Process,
    position: &Chess,
    commands: &Commands,
    time: Option<Duration>,
    own: Option<&OwnMove>,
) -> Result<Thought, Fault> {
    let color = position.turn();
    let mut thinking = Thinking::new(&process.host.settings);
    let mut claim: Option<Vec<u8>> = None;
    let mut reply = None;
    let unasked = |line: &[u8]| {
        thinking.unasked(line);
        let Some(own) = own else { return };
        let matters = match answer::parse(line, color) {
            Answer::Resigns | Answer::Claims(_) => true,
            Answer::Move(text) => !own.is(text),
            Answer::Refuses | Answer::Other => false,
        };
        if matters {
            reply.get_or_insert_with(|| line.to_owned());
        }
    };
    let mut search = Search::begin(process, &commands.text, "move", time, unasked)?;
    if let Some(line) = reply {
        return Err(match answer::parse(&line, color) {
            Answer::Resigns => resigns(process, &line),
            Answer::Move(_) => process.answered_twice(&line),
            _ => false_claim(process, &line),
        });
    }
    loop {
        match &claim {
            None => search.read(process, |lines| thinking.retire(lines))?,
            Some(line) => {
                if !process.read_for(&search.expected, SAME_BREATH)? {
                    return Err(false_claim(process, line));
                }
            }
        }
        let lines = &mut process.lines;
        while let Some(line) = lines.next() {
            let line = lines.get(line);
            let text = match answer::parse(line, color) {
                Answer::Move(text) => text.to_owned(),
                Answer::Resigns => {
                    let line = line.to_owned();
                    return Err(resigns(process, &line));
                }
                Answer::Claims(_) => {
                    claim.get_or_insert_with(|| line.to_owned());
                    continue;
                }
                Answer::Refuses if answer::refuses(line, &commands.matters) => {
                    let line = line.to_owned();
                    return Err(process.garbage("refuses what is legal", &line));
                }
                Answer::Refuses | Answer::Other => continue,
            };
            let best = moves::read(position, &text);
            let is_best = |uci| best.is_some_and(|best| is_same_move(position, uci, best));
            let is_played = |word: &str| moves::read(position, word).is_some_and(is_best);
            let (report, details) = thinking.of_move(lines.handed_out(), is_played);
            lines.forget();
            return search.thought(process, best.ok_or(text.into_bytes()), &report, details);
        }
    }
}

fn refused(process: &Process, line: &str) -> Fault {
    process.not_started(&format!("refuses what it is told: '{line}'"))
}

/// It is in order: it may play another game.
fn resigns(process: &Process, line: &[u8]) -> Fault {
    process.answered();
    Fault::Resigns(format!("'{}'", String::from_utf8_lossy(line).trim()))
}

fn false_claim(process: &Process, line: &[u8]) -> Fault {
    let line = String::from_utf8_lossy(line);
    Fault::FalseClaim(
        process.with_last_words(format!("says '{}', but the game goes on", line.trim())),
    )
}

pub(super) struct Commands {
    text: String,
    /// Words of it that the engine may not refuse.
    matters: Vec<String>,
}
