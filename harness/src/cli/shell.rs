//! `verdict completions` and `verdict man`: what shells and `man` know of the command line, made
//! from the same definitions.

use std::path::PathBuf;

use clap::{Args, CommandFactory as _};
use clap_complete::{Shell, generate};

use super::{Cli, DONE, print};
use process::{Context as _, Error};

/// Print a shell completion script.
#[derive(Debug, Args)]
#[command(before_help = "Example:\n  verdict completions bash > \
    ~/.local/share/bash-completion/completions/verdict")]
pub struct CompletionsArgs {
    /// The shell.
    #[arg(value_enum)]
    shell: Shell,
}

/// Print the manual page, or write one page per command into a folder.
#[derive(Debug, Args)]
#[command(before_help = "Example:\n  verdict man --out ~/.local/share/man/man1")]
pub struct ManArgs {
    /// Folder to write the pages to.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub fn completions(args: &CompletionsArgs) -> Result<u8, Error> {
    let mut text = Vec::new();
    generate(args.shell, &mut Cli::command(), "verdict", &mut text);
    print(String::from_utf8_lossy(&text))?;
    Ok(DONE)
}

pub fn man(args: &ManArgs) -> Result<u8, Error> {
    let command = Cli::command();
    match &args.out {
        Some(dir) => {
            std::fs::create_dir_all(dir)
                .and_then(|()| clap_mangen::generate_to(command, dir))
                .context(format!("{}: cannot write the manual pages", dir.display()))?;
        }
        None => {
            clap_mangen::Man::new(command)
                .render(&mut std::io::stdout())
                .context("cannot write to standard output")?;
        }
    }
    Ok(DONE)
}
