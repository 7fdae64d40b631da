//! `verdict check`: whether an engine can be relied on in matches.

use std::io::Write as _;

use anyhow::Context as _;
use clap::Args;

use super::{DONE, FAULTS};
use arena::{
    compliance::{Grade, check},
    player::program::ProgramSpec,
};
use process::terminal::escape::shown;

/// Check whether an engine is fit for matches (UCI or xboard compliance).
///
/// Tests legal moves in unusual positions, all limits, score, depth and nodes in its output, the same
/// moves after ucinewgame, and a clean quit. Takes a few seconds. Exit code 0: all checks passed; 3: a
/// check failed.
#[derive(Debug, Args)]
#[command(
    before_help = "Example:\n  verdict check ./my-engine\n  verdict check xboard:/usr/games/crafty"
)]
pub struct CheckArgs {
    /// Engine: uci:PATH[,Option=value…], xboard:PATH[,Option=value…], or the path or name of a UCI
    /// program.
    #[allow(rustdoc::broken_intra_doc_links)]
    #[arg(value_name = "SPEC", value_parser = ProgramSpec::parse_named)]
    engine: ProgramSpec,
}

pub fn run(args: &CheckArgs) -> anyhow::Result<u8> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .context("cannot start the asynchronous runtime")?;
    let _inside = runtime.enter();
    let checks = check(&args.engine).context("cannot start the threads that watch over engines")?;
    let mut out = std::io::stdout().lock();
    let mut failed = 0;
    for check in &checks {
        let grade = match check.grade {
            Grade::Pass => "ok  ",
            Grade::Note => "note",
            Grade::Fail => "FAIL",
        };
        failed += usize::from(check.grade == Grade::Fail);
        let colon = if check.found.is_empty() { "" } else { ": " };
        writeln!(out, "{grade} {}{colon}{}", check.what, shown(&check.found))
            .context("cannot write to standard output")?;
    }
    writeln!(out, "{} checks, {failed} failed", checks.len())
        .context("cannot write to standard output")?;
    Ok(if failed > 0 { FAULTS } else { DONE })
}
