//! The command line of a fleet.

use std::net::SocketAddr;
use std::num::{NonZeroU16, NonZeroU32, NonZeroUsize};
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};

use crate::nightly::{Deadline, next_time};
use arena::plan::read_duration;
use arena::runner::Pin;
use process::children::SandboxKind;

/// Run the broker that connects the machines of a fleet.
///
/// It starts a nats-server (apt-get install nats-server), watches it, and keeps its keys, its
/// configuration and what is under way in a folder of its own. Matches that are typed with --fleet are
/// played by all machines that have joined. Ctrl-C ends it; matches and workers wait until it is back.
#[derive(Debug, Args)]
#[command(
    before_help = "Example:\n  verdict serve --listen 0.0.0.0:4222\n  verdict serve invite alice\n  \
    verdict serve list",
    args_conflicts_with_subcommands = false
)]
pub(in crate::cli) struct ServeArgs {
    #[command(subcommand)]
    pub(super) command: Option<ServeCommand>,

    #[command(flatten)]
    pub(super) place: ServeFolder,

    /// Address and port at which workers connect. Beyond this machine connections are encrypted.
    #[arg(long, value_name = "ADDR:PORT", default_value = "127.0.0.1:4222")]
    pub(super) listen: SocketAddr,

    /// Take workers by WebSocket at this port, too, where firewalls let nothing else out.
    #[arg(long, value_name = "PORT")]
    pub(super) websocket: Option<NonZeroU16>,

    /// Show runs and workers live in a browser, at this address of this machine. An address that other
    /// machines reach is guarded by a token, which is printed; off: no page.
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:8080")]
    pub(super) web: String,

    /// The program nats-server [default: the one of the system].
    #[arg(long, value_name = "PATH")]
    pub(super) nats: Option<PathBuf>,

    /// Let other machines connect though this nats-server has known holes.
    #[arg(long)]
    pub(super) old_server_ok: bool,
}

#[derive(Debug, Clone, Args)]
pub(super) struct ServeFolder {
    /// Folder of keys, configuration and store [default: ~/.local/state/verdict/serve].
    #[arg(long, value_name = "DIR", global = true)]
    pub(super) dir: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub(super) enum ServeCommand {
    Invite(InviteArgs),
    Remove(RemoveArgs),
    List(ListArgs),
}

/// Invite somebody, and print the command that they type.
///
/// The line holds a secret key, which is kept nowhere else: who has it can play for you until `verdict
/// serve remove NAME`.
#[derive(Debug, Args)]
#[command(before_help = "Example:\n  verdict serve invite alice --slots 16 --until 7d")]
pub(super) struct InviteArgs {
    /// Name: 1 to 24 of a to z, 0 to 9 and -.
    #[arg(value_name = "NAME")]
    pub(super) name: String,

    /// Search threads that all machines of this name may have together [default: as many as they want].
    #[arg(long, value_name = "N")]
    pub(super) slots: Option<NonZeroU32>,

    /// How long the invitation holds, like 12h or 7d [default: until it is removed].
    #[arg(long, value_name = "TIME", value_parser = read_duration)]
    pub(super) until: Option<Duration>,

    /// Invite somebody who plays matches on this fleet (--fleet), not a worker.
    #[arg(long)]
    pub(super) coordinator: bool,

    /// Name or address by which they reach this machine [default: its address].
    #[arg(long, value_name = "HOST[:PORT]")]
    pub(super) host: Option<String>,

    /// They connect by WebSocket.
    #[arg(long)]
    pub(super) websocket: bool,
}

/// Take an invitation back. Connections that use it are closed.
#[derive(Debug, Args)]
#[command(before_help = "Example:\n  verdict serve remove alice")]
pub(super) struct RemoveArgs {
    #[arg(value_name = "NAME")]
    pub(super) name: String,
}

/// List who is invited.
#[derive(Debug, Args)]
pub(super) struct ListArgs {
    /// Print as JSON.
    #[arg(long)]
    pub(super) json: bool,
}

/// Play games for a fleet, until Ctrl-C or its time is over.
///
/// It connects to the broker, and nobody connects to it. It takes pairs of games of the matches that
/// are played there, and sends the games back. Ctrl-C or SIGTERM: it finishes what is under way, for 90
/// seconds at most, and gives the rest back. A second one: it leaves at once.
#[derive(Debug, Args)]
#[command(before_help = "Example:\n  verdict worker --join vw1_alice@home.example.org:4222_…\n  \
    verdict worker --join invitation.txt --slots 4 --until 07:00")]
pub(in crate::cli) struct WorkerArgs {
    /// The invitation that `verdict serve invite` printed, or a file that holds it.
    #[arg(long, value_name = "TOKEN")]
    pub(super) join: String,

    /// Which of the machines of this invitation it is: 1 to 24 of a to z, 0 to 9 and - [default: the
    /// host's name and the number of the process].
    #[arg(long, value_name = "NAME")]
    pub(super) name: Option<String>,

    /// Search threads [default: the physical cores].
    #[arg(long, value_name = "N")]
    pub(super) slots: Option<NonZeroUsize>,

    /// Pin each search thread and its engines to a processor of its own: all, off, or a list like 2,3.
    #[arg(long, value_name = "PROCESSORS", num_args = 0..=1, default_missing_value = "all")]
    pub(super) pin: Option<Pin>,

    /// Where programs of others run: bwrap, systemd, or off, with this user's rights [default: bwrap where
    /// it works; else runs with such programs are declined].
    #[arg(long, value_name = "HOW")]
    pub(super) sandbox: Option<SandboxKind>,

    /// A program that is installed here, so that it need not be sent: uci:NAME of a match stands for it if
    /// it is the same file. May be repeated.
    #[arg(long, value_name = "NAME=PATH", value_parser = have)]
    pub(super) have: Vec<(String, PathBuf)>,

    /// Folder of Syzygy tablebases, for matches that use the same tables. May be repeated.
    #[arg(long, value_name = "DIR")]
    pub(super) syzygy: Vec<PathBuf>,

    /// Leave at this time of day.
    #[arg(long, value_name = "HH:MM", value_parser = next_time)]
    pub(super) until: Option<Deadline>,

    /// Leave after this time instead, like 8h or 90m.
    #[arg(long = "for", value_name = "TIME", value_parser = read_duration, conflicts_with = "until")]
    pub(super) duration: Option<Duration>,
}

fn have(text: &str) -> Result<(String, PathBuf), String> {
    match text.split_once('=') {
        Some((name, path)) if !name.is_empty() && !path.is_empty() => {
            Ok((name.to_owned(), path.into()))
        }
        _ => Err(format!("expected NAME=PATH, found '{text}'")),
    }
}

/// Show the runs of a fleet and its workers.
#[derive(Debug, Args)]
#[command(before_help = "Example:\n  verdict status --watch")]
pub(in crate::cli) struct StatusArgs {
    /// The folder of `verdict serve`, an invitation of a coordinator, or a file that holds one [default:
    /// the folder of this user's serve].
    #[arg(long, value_name = "AT")]
    pub(super) fleet: Option<String>,

    /// Print as JSON.
    #[arg(long)]
    pub(super) json: bool,

    /// Show it again every two seconds, until Ctrl-C.
    #[arg(long, conflicts_with = "json")]
    pub(super) watch: bool,
}
