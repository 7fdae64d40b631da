//! `verdict replay`.

use std::io::Write as _;
use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;

use super::DONE;
use crate::replay::{Case, Ending, Likeness, Replay};
use process::terminal::escape::lines;

/// The fault did not happen again.
const NOT_SEEN: u8 = 1;
/// Lines of the traffic, and of standard error, that are shown without `--full`.
const SHOWN: usize = 20;

/// Bring a recorded fault about again: start the program as its run had it, tell it what it was
/// told, each answer awaited, and say whether it does the same.
///
/// The same fault is one of the same kind after as many plies and, for illegal moves, crashes and
/// answers that are none, in the same words. The folder can be copied: it needs nothing of its run but
/// the program.
///
/// Exit code 0: the same fault happens again; 1: it does not.
#[derive(Debug, Args)]
#[command(before_help = "Example:\n  verdict replay results/2026-01-31-rebel-vs-default/faults/17")]
pub struct ReplayArgs {
    /// The folder of the fault, results/NAME/faults/GAME (GAME.ATTEMPT of a game played again), or
    /// the fault.txt in it.
    #[arg(value_name = "FAULT")]
    fault: PathBuf,

    /// Show all of the traffic and of standard error, not only the end.
    #[arg(long)]
    full: bool,
}

/// Runs it; returns the exit code.
///
/// # Errors
/// When there is no such fault, or its player cannot be had.
pub fn run(args: &ReplayArgs) -> anyhow::Result<u8> {
    let case = Case::read(&args.fault)?;
    let game = case.game();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .context("cannot start the asynchronous runtime")?;
    let _entered = runtime.enter();
    let replay = case.replay()?;
    let mut text = format!("game {}, after {} plies\n", game.game, game.plies);
    for caveat in case.caveats() {
        text.push_str(&format!("note: {caveat}\n"));
    }
    describe(&mut text, &replay, args.full);
    let mut out = std::io::stdout().lock();
    out.write_all(lines(&text).as_bytes()).context("cannot write to standard output")?;
    Ok(if replay.likeness() == Likeness::Same { DONE } else { NOT_SEEN })
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
            text.push_str(&format!("  … {left_out} lines before (--full shows them)\n"));
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
        text.push_str(&format!("ply {ply}: plays {now} now, played {recorded} in the game\n"));
    }
    let words = |ending: &Ending| match ending.termination {
        Some(termination) => format!("{}: {}", termination.as_str(), ending.detail),
        None => format!("no fault: {}", ending.detail),
    };
    text.push_str(&format!("then: {}\nnow:  {}\n", words(&replay.then), words(&replay.now)));
    text.push_str(&match replay.likeness() {
        Likeness::Same => "the same fault again\n".to_owned(),
        Likeness::Kind(how) => format!("the same kind of fault, but another: {how}\n"),
        Likeness::Another => "another fault\n".to_owned(),
        Likeness::None => "the fault does not happen again\n".to_owned(),
    });
}
