//! `verdict serve`, `worker` and `status`, and `--fleet`.

mod hands;
mod invite;
mod log;
mod page;
mod serve;
mod status;
mod worker;

pub(in crate::cli) use hands::hands;
pub(in crate::cli) use serve::serve;
pub(in crate::cli) use status::status;
pub(in crate::cli) use worker::worker;

use std::path::{Path, PathBuf};

use process::terminal::shell_path;
use process::{Error, machine};
use wire::names::Label;
use wire::token::Token;

/// The default folder of `verdict serve`.
fn usual_folder() -> Result<PathBuf, Error> {
    let set = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let state = set("XDG_STATE_HOME").or_else(|| Some(set("HOME")?.join(".local/state")));
    state.map(|state| state.join("verdict").join("serve")).ok_or_else(|| {
        Error::usage("neither XDG_STATE_HOME nor HOME says where the folder of verdict serve is; expected --dir")
    })
}

/// The command that invites a worker to the fleet of a folder; `None`: of another machine.
fn invite_command(dir: Option<&Path>) -> String {
    let usual = usual_folder().ok();
    let dir = dir.filter(|dir| usual.as_deref() != Some(*dir));
    let dir = dir.map_or_else(String::new, |dir| format!(" --dir {}", shell_path(dir)));
    format!("verdict serve invite NAME{dir}")
}

/// An invitation, or a file that contains one.
fn token(text: &str) -> Result<Token, Error> {
    if text.starts_with("vw") && text.contains('_') {
        return Token::read(text);
    }
    let line = std::fs::read_to_string(text).map_err(|error| {
        Error::usage(format!(
            "{text}: expected an invitation (vw1_…), as verdict serve invite prints it, or a file that \
             holds one: {error}"
        ))
    })?;
    // The file may contain the whole command.
    let words = line.split_ascii_whitespace();
    let found = words.clone().find(|word| word.starts_with("vw")).or(words.clone().last());
    Token::read(found.unwrap_or_default()).map_err(|error| Error::usage(format!("{text}: {error}")))
}

/// INSTANCE of this process's name.
fn instance(given: Option<&str>) -> Result<Label, Error> {
    if let Some(name) = given {
        return name.parse().map_err(|error| Error::usage(format!("--name: {error}")));
    }
    let host = machine::host_name().and_then(|name| Label::like(&name));
    let host = host.map_or_else(|| "host".to_owned(), |host| host.to_string());
    let number = format!("-{:x}", std::process::id());
    let longest = 24_usize.saturating_sub(number.len());
    let host: String = host.chars().take(longest).collect();
    format!("{host}{number}").parse().map_err(Error::fault)
}
