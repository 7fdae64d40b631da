//! `verdict builds`: the engines built from commits and work trees.

use std::fmt::Write as _;
use std::io::Write as _;
use std::time::{Duration, SystemTime};

use anyhow::Context as _;
use clap::{Args, Subcommand};

use super::DONE;
use crate::build::{Cache, Stored};

/// List the engines that matches have built from commits and work trees, or remove old ones.
///
/// They lie in $VERDICT_CACHE, or in verdict in the user's cache folder.
#[derive(Debug, Args)]
#[command(
    before_help = "Example:\n  verdict match --base git:main --test workdir\n  verdict builds\n  \
    verdict builds prune --keep 10"
)]
pub struct BuildsArgs {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    Prune(PruneArgs),
}

/// Remove engines that have not been used for long, what failed builds left, and the trees that
/// engines were built in. Those that something plays with stay; a run that is resumed later builds
/// its engines again.
#[derive(Debug, Args)]
#[command(before_help = "Example:\n  verdict builds prune --keep 10 --days 30")]
struct PruneArgs {
    /// Keep so many, those used last.
    #[arg(long, value_name = "N", default_value_t = 0)]
    keep: usize,
    /// Keep those used within so many days.
    #[arg(long, value_name = "N", default_value_t = 0)]
    days: u32,
}

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Runs `verdict builds`; returns the exit code.
///
/// # Errors
/// When the cache cannot be changed, or standard output not be written.
pub fn run(args: &BuildsArgs) -> anyhow::Result<u8> {
    let cache = Cache::of_user();
    let text = match &args.command {
        None => list(&cache),
        Some(Command::Prune(prune)) => {
            let pruned = cache.prune(prune.keep, DAY * prune.days)?;
            let stay = match pruned.in_use {
                0 => String::new(),
                count => format!("; {count} in use stay"),
            };
            format!("removed {} builds, {} MB{stay}\n", pruned.builds, pruned.bytes / 1_000_000)
        }
    };
    std::io::stdout().write_all(text.as_bytes()).context("cannot write to standard output")?;
    Ok(DONE)
}

fn list(cache: &Cache) -> String {
    let now = SystemTime::now();
    let mut text = String::new();
    for Stored { key, binary, identity, used, bytes } in cache.list() {
        let hours = now.duration_since(used).unwrap_or_default().as_secs() / 3600;
        let bench = identity.bench.map_or("–".to_owned(), |nodes| nodes.to_string());
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "{key}  {}  bench {bench}  {:.1} MB  used {hours} h ago\n    {}\n    {}",
            identity.commit,
            bytes as f64 / 1e6,
            identity.command,
            binary.display()
        );
    }
    if text.is_empty() {
        text = format!("no builds in {}\n", cache.root().display());
    }
    text
}
