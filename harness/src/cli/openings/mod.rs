//! `verdict openings`: checks books, makes and rates them.

mod check;
mod from_games;
mod make;
pub(super) mod rate;
mod screen;

use clap::{Args, Subcommand};

use process::Error;

pub(super) use from_games::resume;

/// Check opening books, make one, or compare several by matches.
#[derive(Debug, Args)]
#[command(before_help = "Example: verdict openings check openings/*.epd")]
pub struct OpeningsArgs {
    #[command(subcommand)]
    command: BooksCommand,
}

#[derive(Debug, Subcommand)]
enum BooksCommand {
    Check(check::BookCheckArgs),
    Make(Box<make::MakeArgs>),
    Rate(Box<rate::RateArgs>),
}

pub fn run(args: OpeningsArgs) -> Result<u8, Error> {
    match args.command {
        BooksCommand::Check(args) => check::run(&args),
        BooksCommand::Make(args) => make::run(&args),
        BooksCommand::Rate(args) => rate::run(*args),
    }
}
