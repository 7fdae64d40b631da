//! The players as typed: ready to play, or still to be built.

use std::io::ErrorKind;
use std::path::{Component, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use clap::Args;
use engine::Params;

use super::MatchFlags;
use arena::build::{
    BuildIdentity, Built, Cache, Hold, OWN_BINARY, OWN_COMMAND, Recipe, Wanted, build, resolve,
};
use arena::commas;
use arena::player::program::{ProgramSpec, Protocol};
use arena::player::spec::{PlayerSpec, unknown_kind};
use process::Error;

/// A player as typed. It exists: an embedded player or a program (a path or name alone is a UCI
/// program); or it is built first and then plays as a UCI program: `git:REV[,Option=value…]` or
/// `workdir[,Option=value…]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlayerFlag {
    Ready(PlayerSpec),
    Build {
        wanted: Wanted,
        /// Options, with the comma before each.
        rest: String,
    },
}

/// Players that are built first.
const BUILT: &str = "git:REV[,Option=value…], workdir[,Option=value…], ";

impl FromStr for PlayerFlag {
    type Err = Error;

    fn from_str(text: &str) -> Result<PlayerFlag, Error> {
        let (head, rest) = commas::head(text);
        match head.parse() {
            Ok(wanted) => Ok(PlayerFlag::Build { wanted, rest: rest.to_owned() }),
            Err(_) if is_of_a_kind(head) => match PlayerSpec::read(text)? {
                Some(player) => Ok(PlayerFlag::Ready(player)),
                None => Err(unknown_kind(BUILT, text)),
            },
            Err(_) => program_called(head, rest).map(PlayerFlag::Ready),
        }
    }
}

/// Whether the text begins with a kind, like `uci:`, known or not. Text with `/` or `.` before the
/// colon is a path.
fn is_of_a_kind(head: &str) -> bool {
    let kind = head.split_once(':').map(|(kind, _)| kind);
    kind.is_some_and(|kind| !kind.contains(['/', '.'])) || ["embedded", "git", ""].contains(&head)
}

/// A program that is named without its kind: it speaks UCI.
fn program_called(head: &str, rest: &str) -> Result<PlayerSpec, Error> {
    match ProgramSpec::parse(&format!("uci:{head}")) {
        Ok(_) => {
            let (path, rest) = (head.to_owned(), rest.to_owned());
            Ok(PlayerSpec::Program { protocol: Protocol::Uci, path, rest })
        }
        Err(error) if error.io_kind() == Some(ErrorKind::NotFound) => {
            let hint = match Params::personality(head) {
                Ok(_) => {
                    format!("; the embedded engine has such a personality: embedded:{head}{rest}")
                }
                Err(_) => String::new(),
            };
            Err(Error::usage(format!(
                "expected {BUILT}embedded[:personality][,param=value…], uci:PATH[,Option=value…], \
                 xboard:PATH[,Option=value…] or a UCI program's path or name, found '{head}{rest}': \
                 {error}{hint}"
            )))
        }
        Err(error) => Err(error),
    }
}

/// How players are built.
#[derive(Debug, Clone, Args)]
pub(super) struct BuildFlags {
    /// Git repository of git:REV and workdir.
    #[arg(long, value_name = "PATH", default_value = ".", help_heading = "Builds")]
    repo: PathBuf,

    /// Build command. sh runs it in a separate checkout.
    #[arg(long, value_name = "CMD", default_value = OWN_COMMAND, help_heading = "Builds")]
    build: String,

    /// Path of the engine that the command builds, relative to the root of the checkout.
    #[arg(long, value_name = "PATH", default_value = OWN_BINARY, value_parser = in_the_tree,
          help_heading = "Builds")]
    binary: PathBuf,
}

/// A player that is there, or a stand-in for a build, enough to check a plan.
#[derive(Debug, Clone)]
pub struct ReadyPlayer {
    /// A program in the place of a build that is still to be made.
    pub spec: PlayerSpec,
    /// A short name, which a stand-in has of its build.
    pub name: String,
    pub is_stand_in: bool,
    /// Its build, if this program built it.
    pub build: Option<BuildIdentity>,
    /// Keeps the build from being pruned before the first game.
    pub hold: Option<Arc<Hold>>,
}

impl ReadyPlayer {
    /// One that needs no building.
    pub fn of(spec: PlayerSpec) -> ReadyPlayer {
        let name = arena::plan::name(&spec);
        ReadyPlayer { spec, name, is_stand_in: false, build: None, hold: None }
    }
}

impl MatchFlags {
    /// How builds are made, the repository from the root.
    pub fn recipe(&self) -> Recipe {
        let BuildFlags { repo, build: command, binary } = self.builds.clone();
        Recipe { repo: arena::plan::absolute(repo), command, binary }
    }

    /// Builds the player, if it has to be.
    pub fn ready(
        &self,
        player: PlayerFlag,
        cache: &Cache,
        say: &dyn Fn(&str),
    ) -> Result<ReadyPlayer, Error> {
        let (wanted, rest) = match player {
            PlayerFlag::Ready(spec) => return Ok(ReadyPlayer::of(spec)),
            PlayerFlag::Build { wanted, rest } => (wanted, rest),
        };
        let BuildFlags { repo, build: command, binary } = self.builds.clone();
        let recipe = Recipe { repo, command, binary };
        let Built { binary, identity, cached, hold } = build(&wanted, &recipe, cache, say)?;
        let bench = identity.bench.map_or("no bench".to_owned(), |nodes| format!("bench {nodes}"));
        let how = if cached { "was built before" } else { "built" };
        let commit = &identity.commit;
        say(&match &wanted {
            Wanted::Revision(named) if named == commit => format!("{wanted}: {how}, {bench}"),
            _ => format!("{wanted} is {commit}, {how}, {bench}"),
        });
        let player = ReadyPlayer::of(PlayerSpec::uci(&binary, rest));
        Ok(ReadyPlayer { build: Some(identity), hold: hold.map(Arc::new), ..player })
    }

    /// The player, or a stand-in if its commit exists.
    pub fn stand_in(&self, player: PlayerFlag) -> Result<ReadyPlayer, Error> {
        let (wanted, rest) = match player {
            PlayerFlag::Ready(spec) => return Ok(ReadyPlayer::of(spec)),
            PlayerFlag::Build { wanted, rest } => (wanted, rest),
        };
        resolve(&wanted, &self.builds.repo)?;
        // Any program does: it is not started.
        let here = std::env::current_exe().unwrap_or_default();
        let name = arena::plan::name(&PlayerSpec::uci(&self.builds.binary, String::new()));
        let player = ReadyPlayer::of(PlayerSpec::uci(&here, rest));
        Ok(ReadyPlayer { name, is_stand_in: true, ..player })
    }
}

/// Reads a path relative to the root of the checkout. A path outside is not built from the commit.
fn in_the_tree(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    let inside = |part| matches!(part, Component::Normal(_) | Component::CurDir);
    match path.components().all(inside) && path.file_name().is_some() {
        true => Ok(path),
        false => Err(format!(
            "expected a path from the root of the tree that is built, like {OWN_BINARY}, found '{text}'; \
             an engine that is there already plays as uci:PATH or xboard:PATH"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_are_told_apart() {
        let read = |text: &str| text.parse::<PlayerFlag>();
        assert_eq!(
            read("git:v1.2,Hash=16").unwrap(),
            PlayerFlag::Build { wanted: Wanted::Revision("v1.2".into()), rest: ",Hash=16".into() }
        );
        assert_eq!(
            read("workdir").unwrap(),
            PlayerFlag::Build { wanted: Wanted::WorkTree, rest: String::new() }
        );
        assert_eq!(read("embedded").unwrap(), PlayerFlag::Ready(PlayerSpec::embedded()));
        for wrong in
            ["git:", "git:--exec", "workdirs", "git", "foo", "arena:sh", "./foo", "", "rebel"]
        {
            let error = read(wrong).unwrap_err().to_string();
            assert!(error.starts_with("expected git:REV[,Option=value…], workdir["), "{error}");
        }
    }

    #[test]
    fn a_program_needs_no_kind() {
        let read = |text: &str| text.parse::<PlayerFlag>();
        for text in [r"sh,Hash=16,Note=a\,b", "/bin/sh,Clear Hash", "sh"] {
            let PlayerFlag::Ready(spec) = read(text).unwrap() else { panic!("{text}") };
            assert_eq!(spec.to_string(), format!("uci:{text}"));
        }
        for (wrong, told) in [
            ("no-such-engine,Hash=1", "no program of that name in $PATH"),
            ("./no-such-engine", "engine ./no-such-engine not found"),
            ("rebel,lazy.on=true", "embedded:rebel,lazy.on=true"),
            ("/etc/passwd", "is not executable"),
            ("/tmp", "is not a file"),
        ] {
            let error = read(wrong).unwrap_err().to_string();
            assert!(error.contains(told), "{wrong}: {error}");
        }
    }
}
