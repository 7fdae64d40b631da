//! mutineer's command line: a protocol on standard input, or one question as arguments.

mod player;
mod suite_command;
mod terminal;

use std::io::{self, BufReader};
use std::process::ExitCode;
use std::sync::Arc;

use engine::eval::Evaluator;
use engine::params::{self, FileForm, Params};
use engine::protocol::{self, Listing};
use engine::{Position, bench};
use player::Player;
use terminal::{complain, say};

const USAGE: &str = "\
mutineer [--all-options]               speak UCI or xboard on standard input (type help for the
                                       console commands);
                                       --all-options: list all parameters as UCI options
mutineer bench [--stats] [PLAYER …] [DEPTH]
                                       bench: node total of fixed positions;
                                       --stats: also print search statistics
mutineer perft DEPTH [FEN]             perft, divided by move
mutineer eval [--json] [PLAYER …] [FEN]
                                       the evaluation, term by term
mutineer d [FEN]                       show the board
mutineer suite [OPTION …] FILE.epd …   solve test suites (suite --help)
mutineer params [json|markdown|spsa|file|rebel] [PLAYER …]
                                       the parameter table; spsa: input lines for SPSA; file: the
                                       player as a personality file; rebel: the same in lines
                                       [Name = value], as REBEL has them
mutineer --version

PLAYER, for bench, eval, params and suite:";

/// Every parameter is listed as an option, too.
const ALL_OPTIONS: &str = "--all-options";

/// Why a command failed.
#[derive(Debug)]
enum CommandError {
    /// The command line: exit code 64.
    Usage(String),
    /// Standard output cannot be written: exit code 74.
    Output(String),
}

impl From<String> for CommandError {
    fn from(reason: String) -> CommandError {
        CommandError::Usage(reason)
    }
}

fn main() -> ExitCode {
    // A file's name that is no Unicode is not found then, and said so.
    let arguments: Vec<String> =
        std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    if let ["suite", rest @ ..] = &words[..] {
        return suite_command::run(rest);
    }
    let (reason, code) = match answer(&words) {
        Ok(()) => return ExitCode::SUCCESS,
        Err(CommandError::Usage(reason)) => (format!("{reason}\n\n{}", usage()), 64),
        Err(CommandError::Output(reason)) => (reason, 74),
    };
    complain(&format!("mutineer: {reason}"));
    ExitCode::from(code)
}

fn usage() -> String {
    format!("{USAGE}\n{}", player::USAGE)
}

fn answer(words: &[&str]) -> Result<(), CommandError> {
    let text = match words {
        ["help"] | [.., "--help" | "-h"] => usage(),
        [] | ["uci" | "xboard"] => return speak(Listing::Usual),
        [ALL_OPTIONS] | [ALL_OPTIONS, "uci" | "xboard"] | ["uci" | "xboard", ALL_OPTIONS] => {
            return speak(Listing::All);
        }
        ["bench", rest @ ..] => run_bench(rest)?,
        ["perft", depth, fen @ ..] => {
            let (position, depth) = (position(fen)?, protocol::depth(depth)?);
            let chess960 = position.is_chess960();
            protocol::perft(position, depth, chess960)?(&())
        }
        ["eval", rest @ ..] => eval(rest)?,
        ["d", fen @ ..] => protocol::board(&position(fen)?),
        ["params", rest @ ..] => parameters(rest)?,
        ["--version" | "-V"] => engine::NAME.to_owned(),
        _ => return Err(format!("cannot understand '{}'", words.join(" ")).into()),
    };
    say(&text).map_err(CommandError::Output)
}

/// Obeys what comes on standard input, to its end.
fn speak(listing: Listing) -> Result<(), CommandError> {
    protocol::run(BufReader::new(io::stdin()), listing);
    Ok(())
}

/// The parameters of a player in one of several forms.
fn parameters(words: &[&str]) -> Result<String, String> {
    let (mut player, mut forms) = (Player::default(), Vec::new());
    let mut words = words.iter().copied();
    while let Some(word) = words.next() {
        match word {
            word if player.take(word, &mut words)? => {}
            form => forms.push(form),
        }
    }
    let params = player.params()?;
    let text = match forms[..] {
        [] | ["json"] => format!("{:#}", params::json(&params)),
        // Its heading says that it is the standard.
        ["markdown"] if params == Params::standard() => params::markdown(&params),
        ["markdown"] => return Err("params markdown is of 'default' alone".to_owned()),
        ["spsa"] => params::spsa(&params),
        ["file"] => FileForm::Json.write(&params),
        ["rebel"] => FileForm::Rebel.write(&params),
        _ => {
            let found = forms.join(" ");
            return Err(format!(
                "params: expected json, markdown, spsa, file or rebel, found '{found}'"
            ));
        }
    };
    Ok(text.trim_end().to_owned())
}

/// Explains the evaluation of a position, as a table or as JSON (EVA-17).
fn eval(words: &[&str]) -> Result<String, String> {
    let (mut player, mut as_json, mut fen) = (Player::default(), false, Vec::new());
    let mut words = words.iter().copied();
    while let Some(word) = words.next() {
        match word {
            "--json" => as_json = true,
            word if player.take(word, &mut words)? => {}
            option if option.starts_with("--") => {
                return Err(format!("eval knows no option '{option}'"));
            }
            field => fen.push(field),
        }
    }
    let (params, position) = (Arc::new(player.params()?), position(&fen)?);
    Ok(match as_json {
        true => format!("{:#}", Evaluator::new(&params).breakdown(&position).to_json()),
        false => protocol::explain(&position, &params, None),
    })
}

/// Searches the bench's positions, a line each, and what all say together.
fn run_bench(words: &[&str]) -> Result<String, String> {
    let (mut player, mut counted, mut depths) = (Player::default(), false, Vec::new());
    let mut words = words.iter().copied();
    while let Some(word) = words.next() {
        match word {
            "--stats" => counted = true,
            word if player.take(word, &mut words)? => {}
            option if option.starts_with("--") => {
                return Err(format!("bench knows no option '{option}'"));
            }
            depth => depths.push(depth),
        }
    }
    let depth = protocol::bench_depth(&depths)?;
    let params = Arc::new(player.params()?);
    let each = |index: usize, fen: &str, nodes: u64| {
        // Should nobody hear it, the last words fail as well.
        let _ = say(&format!("{:>2}/{}: {nodes:>9}  {fen}", index + 1, bench::POSITIONS.len()));
    };
    if counted {
        let found = bench::bench_counted(&params, depth, each);
        let (report, statistics) = found.map_err(|error| error.to_string())?;
        return Ok(format!("\n{}\n\n{report}", statistics.to_string().trim_end()));
    }
    let report = bench::bench(&params, depth, each).map_err(|error| error.to_string())?;
    Ok(format!("\n{report}"))
}

/// The position of a FEN in one argument or several; the start position without.
fn position(words: &[&str]) -> Result<Position, String> {
    if words.is_empty() {
        return Ok(Position::startpos());
    }
    Position::from_fen(&words.join(" ")).map_err(|error| error.to_string())
}
