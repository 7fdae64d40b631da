//! `verdict builds`: the engines built from commits and work trees.

use std::time::{Duration, SystemTime};

use clap::{Args, Subcommand};

use super::{DONE, print};
use arena::build::{Cache, Pruned, Stored};
use charts::numbers::counted;
use process::Error;

/// List the engines built from git (git:REV and workdir), or remove old ones.
///
/// Builds are in $VERDICT_CACHE, or in the folder verdict of the user's cache. A build is reused if the
/// commit, uncommitted changes, build command, compilers and build variables are the same. Build
/// variables are CC and the like, *FLAGS, RUSTC*, CARGO_BUILD_*, CARGO_PROFILE_*, CARGO_TARGET_*,
/// CMAKE_* and such. Put other variables into the command: --build 'NAME=value make'.
#[derive(Debug, Args)]
#[command(
    before_help = "Example:\n  verdict match --base git:main --test workdir\n  verdict builds\n  \
    verdict builds prune --keep 10"
)]
pub struct BuildsArgs {
    #[command(subcommand)]
    command: Option<BuildsCommand>,
}

#[derive(Debug, Subcommand)]
enum BuildsCommand {
    Prune(PruneArgs),
}

/// Remove old builds, the remains of failed builds, and the checkouts that engines were built in.
///
/// Give --keep, --days or --all. Builds in use stay. A run that is resumed later builds its engines
/// again.
#[derive(Debug, Args)]
#[command(before_help = "Example:\n  verdict builds prune --keep 10 --days 30")]
struct PruneArgs {
    /// Keep the N builds used most recently.
    #[arg(long, value_name = "N")]
    keep: Option<usize>,
    /// Keep builds used within N days.
    #[arg(long, value_name = "N")]
    days: Option<u32>,
    /// Remove all builds that are not in use.
    #[arg(long, conflicts_with_all = ["keep", "days"])]
    all: bool,
    /// Print what would be removed, remove nothing.
    #[arg(long)]
    dry_run: bool,
}

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

pub fn run(args: &BuildsArgs) -> Result<u8, Error> {
    let cache = Cache::of_user();
    let text = match &args.command {
        None => list(&cache),
        Some(BuildsCommand::Prune(prune)) => {
            let PruneArgs { keep, days, all, dry_run } = *prune;
            let chosen = all || keep.is_some() || days.is_some();
            let younger = DAY * days.unwrap_or(0);
            let pruned = cache.prune(keep.unwrap_or(0), younger, dry_run || !chosen)?;
            if !chosen {
                return Err(Error::usage(format!(
                    "expected --keep N, --days N or --all; --all {}",
                    dry_run_text(&pruned).trim_end()
                )));
            }
            if dry_run { dry_run_text(&pruned) } else { format!("removed {}", counts(&pruned)) }
        }
    };
    print(text)?;
    Ok(DONE)
}

/// How much there is, and how much stays.
fn counts(pruned: &Pruned) -> String {
    let stay = match pruned.in_use {
        0 => String::new(),
        count => format!("; {count} in use stay"),
    };
    let builds = counted(pruned.builds, "build");
    format!("{builds}, {} MB{stay}\n", pruned.bytes / 1_000_000)
}

/// What would be removed, folder by folder.
fn dry_run_text(pruned: &Pruned) -> String {
    let mut text = format!("would remove {}", counts(pruned));
    for folder in &pruned.folders {
        text += &format!("  {}\n", folder.display());
    }
    text
}

fn list(cache: &Cache) -> String {
    let now = SystemTime::now();
    let mut text = String::new();
    for Stored { key, binary, identity, used, bytes } in cache.list() {
        let hours = now.duration_since(used).unwrap_or_default().as_secs() / 3600;
        let bench = identity.bench.map_or("–".to_owned(), |nodes| nodes.to_string());
        text += &format!(
            "{key}  {}  bench {bench}  {:.1} MB  used {hours} h ago\n    {}\n    {}\n",
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
