//! `verdict replay`.

use std::path::PathBuf;

use clap::Args;

use super::{DONE, print, runtime};
use crate::replay::{Case, Ending, Replay, Reproduction};
use process::Error;
use process::terminal::escape::lines;

/// The fault did not happen again.
const NOT_SEEN: u8 = 1;
/// Lines of the traffic, and of standard error, that are shown without `--full`.
const SHOWN: usize = 20;

/// Reproduce a recorded fault: start the engine as in the run, send the same commands, and compare.
///
/// It is the same fault if kind and ply are equal; for illegal moves, crashes and answers outside the
/// protocol also the text.
///
/// The fault's folder can be copied elsewhere: a replay needs only this folder and the engine
/// (of an older run, also its run.json).
///
/// Exit code 0: the same fault again; 1: not.
#[derive(Debug, Args)]
#[command(before_help = "Example:\n  verdict replay results/2026-01-31-rebel-vs-default/faults/17")]
pub struct ReplayArgs {
    /// Folder of the fault, results/NAME/faults/GAME (GAME.ATTEMPT if the game was played again), or the
    /// fault.txt in it.
    #[arg(value_name = "FAULT")]
    fault: PathBuf,

    /// Print all engine traffic and stderr, not only the last 20 lines.
    #[arg(long)]
    full: bool,
}

pub fn run(args: &ReplayArgs) -> Result<u8, Error> {
    let case = Case::read(&args.fault)?;
    let game = case.game();
    let runtime = runtime(1)?;
    let _entered = runtime.enter();
    let replay = case.replay()?;
    let mut text = format!("game {}, after {} plies\n", game.game, game.plies);
    for caveat in case.caveats() {
        text.push_str(&format!("note: {caveat}\n"));
    }
    describe(&mut text, &replay, args.full);
    print(lines(&text))?;
    Ok(if replay.reproduction() == Reproduction::Same { DONE } else { NOT_SEEN })
}

fn describe(text: &mut String, replay: &Replay, full: bool) {
    let shown = if full { usize::MAX } else { SHOWN };
    for (title, part) in [("traffic", &replay.transcript), ("stderr", &replay.stderr)] {
        let lines: Vec<&str> = part.lines().collect();
        let left_out = lines.len().saturating_sub(shown);
        if !lines.is_empty() {
            text.push_str(&format!("{title}:\n"));
        }
        if left_out > 0 {
            text.push_str(&format!("  … {left_out} earlier lines (--full prints them)\n"));
        }
        for line in lines.iter().skip(left_out) {
            text.push_str(&format!("  {line}\n"));
        }
    }
    if let Some(status) = &replay.exit_status {
        text.push_str(&format!("process: {status}\n"));
    }
    if let Some(strayed) = &replay.strayed {
        let (ply, now, recorded) = (strayed.ply + 1, strayed.now, strayed.recorded);
        text.push_str(&format!("ply {ply}: now plays {now}, in the game {recorded}\n"));
    }
    let words = |ending: &Ending| match ending.termination {
        Some(termination) => format!("{}: {}", termination.as_str(), ending.detail),
        None => format!("no fault: {}", ending.detail),
    };
    text.push_str(&format!("then: {}\nnow:  {}\n", words(&replay.then), words(&replay.now)));
    text.push_str(&match replay.reproduction() {
        Reproduction::Same => "the same fault again\n".to_owned(),
        Reproduction::Kind(how) => {
            format!("the same kind of fault, but not the same fault: {how}\n")
        }
        Reproduction::Another => "a fault of another kind\n".to_owned(),
        Reproduction::None => "the fault does not happen again\n".to_owned(),
    });
}
