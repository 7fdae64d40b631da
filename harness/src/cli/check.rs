//! `verdict check`: whether an engine can be relied on in matches.

use clap::Args;

use super::{DONE, FAULTS, print, runtime};
use arena::compliance::{Grade, check};
use arena::player::program::ProgramSpec;
use process::Error;
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

pub fn run(args: &CheckArgs) -> Result<u8, Error> {
    let runtime = runtime(1)?;
    let _inside = runtime.enter();
    let checks = check(&args.engine)?;
    for check in &checks {
        let grade = match check.grade {
            Grade::Pass => "ok  ",
            Grade::Note => "note",
            Grade::Fail => "FAIL",
        };
        let colon = if check.found.is_empty() { "" } else { ": " };
        print(format_args!("{grade} {}{colon}{}\n", check.what, shown(&check.found)))?;
    }
    let failed = checks.iter().filter(|check| check.grade == Grade::Fail).count();
    print(format_args!("{} checks, {failed} failed\n", checks.len()))?;
    Ok(if failed > 0 { FAULTS } else { DONE })
}
