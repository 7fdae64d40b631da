//! mutineer's command line: a protocol on standard input, or one question as arguments.

mod suite_command;

use std::io::{self, BufReader, Write as _};
use std::process::ExitCode;
use std::sync::Arc;

use engine::eval::Evaluator;
use engine::params::{self, Params};
use engine::{Position, bench, protocol};

const USAGE: &str = "\
mutineer                               speak UCI, xboard or a line mode on standard input
mutineer bench [--stats] [--personality NAME|FILE.json] [DEPTH]
                                       node total of fixed positions: the signature of behaviour;
                                       --stats: what the searches counted about themselves
mutineer perft DEPTH [FEN]             count move paths, move by move
mutineer eval [--json] [--personality NAME|FILE.json] [FEN]
                                       explain the evaluation, term by term
mutineer d [FEN]                       show the board
mutineer suite [OPTION …] FILE.epd …   count the solved positions of test suites (suite --help)
mutineer params [json|markdown|spsa]   the parameter table
mutineer --version";

/// Exit code for wrong usage.
const USAGE_ERROR: u8 = 64;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    if let ["suite", rest @ ..] = &words[..] {
        return suite_command::run(rest);
    }
    match answer(&words) {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("mutineer: {reason}\n\n{USAGE}");
            ExitCode::from(USAGE_ERROR)
        }
    }
}

fn answer(words: &[&str]) -> Result<(), String> {
    let params = Arc::new(Params::standard());
    match words {
        ["help"] | [.., "--help" | "-h"] => say(USAGE),
        [] | ["uci" | "xboard"] => protocol::run(BufReader::new(io::stdin())),
        ["bench", rest @ ..] => run_bench(rest)?,
        ["perft", depth, fen @ ..] => {
            let (mut position, depth) = (position(fen)?, number(depth)?);
            let chess960 = position.is_chess960();
            say(&protocol::perft(&mut position, depth, chess960));
        }
        ["eval", rest @ ..] => eval(rest)?,
        ["d", fen @ ..] => say(&protocol::board(&position(fen)?)),
        ["params"] | ["params", "json"] => say(&format!("{:#}", params::json(&params))),
        ["params", "markdown"] => say(params::markdown(&params).trim_end()),
        ["params", "spsa"] => say(params::spsa(&params).trim_end()),
        ["--version" | "-V"] => say(engine::NAME),
        _ => return Err(format!("cannot understand '{}'", words.join(" "))),
    }
    Ok(())
}

/// Explains the evaluation of a position, as a table or as JSON (EVA-17).
fn eval(mut words: &[&str]) -> Result<(), String> {
    let (mut params, mut as_json) = (Params::standard(), false);
    loop {
        match words {
            ["--json", rest @ ..] => (as_json, words) = (true, rest),
            ["--personality", name, rest @ ..] => {
                params = Params::load(name).map_err(|error| error.to_string())?;
                words = rest;
            }
            ["--personality"] => return Err("--personality wants a name".to_owned()),
            [option, ..] if option.starts_with("--") => {
                return Err(format!("eval knows no option '{option}'"));
            }
            fen => {
                let breakdown = Evaluator::new(&Arc::new(params)).breakdown(&position(fen)?);
                match as_json {
                    true => say(&format!("{:#}", breakdown.to_json())),
                    false => say(&breakdown.to_string()),
                }
                return Ok(());
            }
        }
    }
}

/// Prints a line. A reader that has gone away (`| head`) is no failure.
fn say(text: &str) {
    let _ = writeln!(io::stdout(), "{text}");
}

fn run_bench(mut words: &[&str]) -> Result<(), String> {
    let (mut params, mut counted, mut depth) = (Params::standard(), false, bench::DEPTH);
    while let [word, rest @ ..] = words {
        words = rest;
        match (*word, rest) {
            ("--stats", _) => counted = true,
            ("--personality", [name, rest @ ..]) => {
                params = Params::load(name).map_err(|error| error.to_string())?;
                words = rest;
            }
            ("--personality", []) => return Err("--personality wants a name".to_owned()),
            (word, _) => depth = number(word)?,
        }
    }
    if depth == 0 {
        return Err("bench wants a depth of at least 1".to_owned());
    }
    let params = Arc::new(params);
    let each = |index: usize, fen: &str, nodes: u64| {
        say(&format!("{:>2}/{}: {nodes:>9}  {fen}", index + 1, bench::POSITIONS.len()));
    };
    let report = if counted {
        let found = bench::bench_counted(&params, depth, each);
        let (report, statistics) = found.map_err(|error| error.to_string())?;
        say(format!("\n{statistics}").trim_end());
        report
    } else {
        bench::bench(&params, depth, each).map_err(|error| error.to_string())?
    };
    say(&format!("\n{report}"));
    Ok(())
}

fn number(text: &str) -> Result<u32, String> {
    text.parse().map_err(|_| format!("'{text}' is no depth in plies"))
}

/// The position of a FEN in one argument or several; the start position without.
fn position(words: &[&str]) -> Result<Position, String> {
    if words.is_empty() {
        return Ok(Position::startpos());
    }
    Position::from_fen(&words.join(" ")).map_err(|error| error.to_string())
}
