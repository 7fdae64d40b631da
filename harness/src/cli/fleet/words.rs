//! Commands and flags of a fleet.

use std::net::{IpAddr, SocketAddr};
use std::num::{NonZeroU16, NonZeroU32, NonZeroUsize};
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};

use crate::nightly::{Deadline, next_time};
use arena::plan::read_duration;
use arena::runner::Pin;
use process::children::SandboxKind;

/// Port of the broker unless another is named; that of nats-server.
const PORT: u16 = 4222;

/// Run the broker that connects the machines of a fleet.
///
/// It starts a nats-server (apt-get install nats-server) and restarts it if it ends. Its keys,
/// configuration and messages are in one folder. Matches with --fleet are played by all workers that have
/// joined. Ctrl-C ends the broker; matches and workers wait until it is back.
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

    /// Address of this machine and port to which workers connect; without PORT 4222; 0.0.0.0: from all
    /// networks. Except for a loopback address, connections are encrypted.
    #[arg(long, value_name = "ADDR[:PORT]", default_value = "127.0.0.1:4222", value_parser = listen_at)]
    pub(super) listen: SocketAddr,

    /// Also take workers by WebSocket at this port, for firewalls that let only web connections out.
    #[arg(long, value_name = "PORT")]
    pub(super) websocket: Option<NonZeroU16>,

    /// Show runs and workers live in a browser, at this address of this machine; off: no page. At an address
    /// that other machines reach, the page needs a token, which is printed.
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:8080")]
    pub(super) web: String,

    /// Path of nats-server [default: the installed one].
    #[arg(long, value_name = "PATH")]
    pub(super) nats: Option<PathBuf>,

    /// Let other machines connect although this nats-server has known security holes.
    #[arg(long)]
    pub(super) old_server_ok: bool,
}

#[derive(Debug, Clone, Args)]
pub(super) struct ServeFolder {
    /// Folder of keys, configuration and messages [default: ~/.local/state/verdict/serve].
    #[arg(long, value_name = "DIR", global = true)]
    pub(super) dir: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub(super) enum ServeCommand {
    Invite(InviteArgs),
    Remove(RemoveArgs),
    List(ListArgs),
}

/// Invite a worker, and print the command that starts it.
///
/// The command contains a secret key, which is kept nowhere else. Whoever has it can play for you until
/// `verdict serve remove NAME`. One invitation serves any number of machines.
#[derive(Debug, Args)]
#[command(before_help = "Example:\n  verdict serve invite alice --slots 16 --until 7d")]
pub(super) struct InviteArgs {
    /// Name: 1 to 24 of a to z, 0 to 9 and -.
    #[arg(value_name = "NAME")]
    pub(super) name: String,

    /// Most search threads of all machines with this invitation together [default: no limit].
    #[arg(long, value_name = "N")]
    pub(super) slots: Option<NonZeroU32>,

    /// How long the invitation is valid, like 12h or 7d [default: until it is removed].
    #[arg(long, value_name = "TIME", value_parser = read_duration)]
    pub(super) until: Option<Duration>,

    /// Not a worker: invite somebody who plays matches on this fleet (--fleet) from another machine.
    #[arg(long)]
    pub(super) coordinator: bool,

    /// Name or address by which the other machine reaches this one, for example that of your router
    /// [default: this machine's address in its own network].
    #[arg(long, value_name = "HOST[:PORT]")]
    pub(super) host: Option<String>,

    /// The worker connects by WebSocket (needs verdict serve --websocket PORT).
    #[arg(long)]
    pub(super) websocket: bool,
}

/// Remove an invitation, and close its connections.
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
/// It connects to the broker; no machine connects to it. It takes pairs of games from the matches of the
/// fleet, plays them and sends the results. Ctrl-C or SIGTERM: it finishes its pairs, for at most 90
/// seconds, gives the rest back and leaves. A second Ctrl-C: it leaves at once.
#[derive(Debug, Args)]
#[command(before_help = "Example:\n  verdict worker --join vw1_alice@home.example.org:4222_…\n  \
    verdict worker --join invitation.txt --slots 4 --until 07:00")]
pub(in crate::cli) struct WorkerArgs {
    /// The invitation that `verdict serve invite` printed, or a file with it.
    #[arg(long, value_name = "TOKEN")]
    pub(super) join: String,

    /// Name of this worker, if several use the invitation: 1 to 24 of a to z, 0 to 9 and - [default: the
    /// host's name and the process id].
    #[arg(long, value_name = "NAME")]
    pub(super) name: Option<String>,

    /// Search threads [default: the physical cores].
    #[arg(long, value_name = "N")]
    pub(super) slots: Option<NonZeroUsize>,

    /// Pin each search thread and its engines to a processor of its own: all, off, or a list like 2,3.
    #[arg(long, value_name = "PROCESSORS", num_args = 0..=1, default_missing_value = "all")]
    pub(super) pin: Option<Pin>,

    /// Sandbox for engines that are sent: bwrap, systemd, or off, which gives them this user's rights
    /// [default: bwrap if it works; otherwise runs with such engines are declined].
    #[arg(long, value_name = "HOW")]
    pub(super) sandbox: Option<SandboxKind>,

    /// An engine that is installed here. It is not sent if the match has the same file (by SHA-256). May be
    /// repeated.
    #[arg(long, value_name = "NAME=PATH", value_parser = have)]
    pub(super) have: Vec<(String, PathBuf)>,

    /// Folder of Syzygy tablebases. Tables are never sent; a match with tables needs the same ones here. May
    /// be repeated.
    #[arg(long, value_name = "DIR")]
    pub(super) syzygy: Vec<PathBuf>,

    /// Leave at this time of day.
    #[arg(long, value_name = "HH:MM", value_parser = next_time)]
    pub(super) until: Option<Deadline>,

    /// Leave after this time, like 8h or 90m.
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
#[command(
    before_help = "Example:\n  verdict status --watch\n  verdict status --log alice.pc1 --lines 20"
)]
pub(in crate::cli) struct StatusArgs {
    /// The folder of `verdict serve`, an invitation made with --coordinator, or a file with one [default:
    /// ~/.local/state/verdict/serve].
    #[arg(long, value_name = "AT")]
    pub(super) fleet: Option<String>,

    /// Print as JSON.
    #[arg(long)]
    pub(super) json: bool,

    /// Print it every two seconds, until Ctrl-C.
    #[arg(long, conflicts_with = "json")]
    pub(super) watch: bool,

    /// Print what this worker has said last, in its own words. WORKER is its name as in the table, or the
    /// part before or behind the point, if no other worker has that.
    #[arg(long, value_name = "WORKER", conflicts_with_all = ["json", "watch"])]
    pub(super) log: Option<String>,

    /// Lines of the log; a worker keeps 200.
    #[arg(long, value_name = "N", default_value = "200", requires = "log")]
    pub(super) lines: NonZeroU32,
}

fn listen_at(text: &str) -> Result<SocketAddr, String> {
    let with_usual = || text.parse::<IpAddr>().map(|address| SocketAddr::new(address, PORT));
    let read = text.parse().or_else(|_| with_usual());
    read.map_err(|_| "expected an IP address of this machine, such as 0.0.0.0:4222".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_broker_listens_at_an_address_with_or_without_a_port() {
        for (typed, meant) in [
            ("0.0.0.0:4223", "0.0.0.0:4223"),
            ("10.0.0.2", "10.0.0.2:4222"),
            ("::1", "[::1]:4222"),
            ("[::1]:7", "[::1]:7"),
        ] {
            assert_eq!(listen_at(typed).unwrap().to_string(), meant);
        }
        for wrong in ["ann", "ann:4222", "4222", ""] {
            assert!(listen_at(wrong).unwrap_err().contains("0.0.0.0:4222"), "{wrong}");
        }
    }
}
