//! `uci:PATH[,Option=value…]`, `xboard:PATH[,Option=value…]`: which program plays, set up how.

use ::process::Error;
use ::process::files::{is_executable, mode};
use ::process::terminal::{shell_path, shell_word};
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use serde::{Deserialize, Serialize};

use crate::commas;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[derive(strum::EnumString, strum::IntoStaticStr)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Protocol {
    Uci,
    /// The Chess Engine Communication Protocol.
    Xboard,
}

impl Protocol {
    /// The word before the colon.
    pub fn word(self) -> &'static str {
        self.into()
    }

    /// The one that a program may speak in its place.
    pub fn other(self) -> Protocol {
        match self {
            Protocol::Uci => Protocol::Xboard,
            Protocol::Xboard => Protocol::Uci,
        }
    }

    /// The protocol of a text, and what follows the colon.
    pub fn strip(text: &str) -> Option<(Protocol, &str)> {
        let (word, rest) = text.split_once(':')?;
        Some((word.parse().ok()?, rest))
    }

    /// The line, with its end, that ends a search.
    pub(super) fn move_now(self) -> &'static str {
        match self {
            Protocol::Uci => "stop\n",
            Protocol::Xboard => "?\n",
        }
    }
}

/// A program that plays, and how it is started and set up.
///
/// As text: `uci:PATH[,Option=value…]` or `xboard:PATH[,Option=value…]`. `PATH` is a file (`~/` is
/// the home directory) or a name that is looked up in the working directory and then in `$PATH`.
/// Two words are not options of the engine: `arg=TEXT` adds an argument of the program (repeat it
/// for more), `dir=DIR` sets its working directory. A comma inside a value is written `\,`, a
/// backslash directly before a comma `\\`. An option without `=` is a button, pressed once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProgramSpec {
    pub protocol: Protocol,
    /// The program, as an absolute path.
    pub path: PathBuf,
    pub args: Vec<String>,
    /// Its options, name and value, in the order given.
    pub options: Vec<(String, String)>,
    /// Its working directory; ours when `None`.
    pub dir: Option<PathBuf>,
}

impl ProgramSpec {
    /// Reads such a text and checks that the program is there and executable.
    /// Whether the engine has the options is known only after it was started.
    pub fn parse(spec: &str) -> Result<ProgramSpec, Error> {
        let wrong = |why: &str| Error::usage(format!("'{spec}': {why}"));
        let form = || wrong("expected uci:PATH[,Option=value…] or xboard:PATH[,Option=value…]");
        let (protocol, rest) = Protocol::strip(spec).ok_or_else(form)?;
        let mut parts = commas::split(rest).into_iter();
        let program = parts.next().filter(|program| !program.trim().is_empty());
        let program = program.ok_or_else(form)?;

        let mut parsed = ProgramSpec {
            protocol,
            path: PathBuf::new(),
            args: Vec::new(),
            options: Vec::new(),
            dir: None,
        };
        for part in parts {
            let (name, value) = part.split_once('=').unwrap_or((&part, ""));
            let name = name.trim();
            match name {
                "" => return Err(wrong(&format!("expected Option=value, found '{part}'"))),
                "arg" => parsed.args.push(value.to_owned()),
                "dir" if parsed.dir.is_none() => parsed.dir = Some(PathBuf::from(value)),
                _ if name == "dir"
                    || parsed.options.iter().any(|(known, _)| known.eq_ignore_ascii_case(name)) =>
                {
                    return Err(wrong(&format!("option '{name}' is given twice")));
                }
                _ => parsed.options.push((name.to_owned(), value.to_owned())),
            }
        }
        if let Some(dir) = parsed.dir.as_ref().filter(|dir| !dir.is_dir()) {
            let dir = dir.display();
            return Err(Error::usage(format!(
                "working directory {dir} of the engine is not a directory"
            )));
        }
        parsed.path = find_program(program.trim())?;
        Ok(parsed)
    }

    /// As [`ProgramSpec::parse`]; a program without the protocol before it speaks UCI.
    pub fn parse_named(text: &str) -> Result<ProgramSpec, Error> {
        let (head, _) = commas::head(text);
        let has_kind = head.split_once(':').is_some_and(|(kind, _)| !kind.contains(['/', '.']));
        if has_kind { ProgramSpec::parse(text) } else { ProgramSpec::parse(&format!("uci:{text}")) }
    }

    /// Whether an argument or option is a relative path of something in the current directory.
    pub fn names_what_is_here(&self) -> bool {
        let values = self.options.iter().map(|(_, value)| value).chain(&self.args);
        values
            .map(|value| Path::new(value.trim()))
            .any(|path| path.is_relative() && !path.as_os_str().is_empty() && path.exists())
    }

    /// With these options in place of its own of their names.
    pub fn with_options(mut self, options: impl Iterator<Item = (String, String)>) -> ProgramSpec {
        for (name, value) in options {
            self.options.retain(|(own, _)| !own.eq_ignore_ascii_case(&name));
            self.options.push((name, value));
        }
        self
    }

    pub(crate) fn file_name(&self) -> String {
        self.path.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// The command line as a shell takes it, the working directory included.
    pub fn command_line(&self) -> String {
        let dir = self.dir.as_ref().map(|dir| format!("cd {} && ", shell_path(dir)));
        let mut line = dir.unwrap_or_default() + &shell_path(&self.path);
        self.args.iter().for_each(|arg| line += &format!(" {}", shell_word(arg)));
        line
    }
}

/// Where Debian has engines; the superuser's `PATH` has no such folder.
const GAMES: [&str; 2] = ["/usr/local/games", "/usr/games"];

fn find_program(name: &str) -> Result<PathBuf, Error> {
    let home = env::var_os("HOME");
    let path = match (name.strip_prefix("~/"), home) {
        (Some(rest), Some(home)) => Path::new(&home).join(rest),
        _ => PathBuf::from(name),
    };
    if name.contains('/') {
        return check_program(&path);
    }
    if let Ok(path) = check_program(&path) {
        return Ok(path);
    }
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path)
        .chain(GAMES.map(PathBuf::from))
        .find_map(|dir| check_program(&dir.join(name)).ok())
        .ok_or_else(|| {
            not_found(format!(
                "engine '{name}' not found: no such file, and no program of that name in $PATH or {}",
                GAMES.join(", ")
            ))
        })
}

/// A program that is not there, of the [`io::ErrorKind`] of that name.
fn not_found(why: String) -> Error {
    Error::usage(io::Error::new(io::ErrorKind::NotFound, why))
}

/// The absolute path of an executable file.
fn check_program(path: &Path) -> Result<PathBuf, Error> {
    let shown = path.display();
    let failed = |source: io::Error| match source.kind() {
        io::ErrorKind::NotFound => not_found(format!("engine {shown} not found")),
        _ => Error::usage(source).context(format!("engine {shown}")),
    };
    let metadata = fs::metadata(path).map_err(failed)?;
    if !metadata.is_file() {
        return Err(Error::usage(format!("engine {shown} is not a file")));
    }
    if !is_executable(&metadata) {
        return Err(Error::usage(format!(
            "engine {shown} is not executable (mode {:o}); try: chmod +x {shown}",
            mode(&metadata)
        )));
    }
    std::path::absolute(path).map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_of_a_spec() {
        let spec =
            ProgramSpec::parse(r"uci:/bin/sh,Hash=16,Book File=a\,b=c,Clear Hash,arg=-c,arg=x y")
                .unwrap();
        assert_eq!(spec.path, Path::new("/bin/sh"));
        assert_eq!(spec.args, ["-c", "x y"]);
        let options: Vec<_> = spec.options.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
        assert_eq!(options, [("Hash", "16"), ("Book File", "a,b=c"), ("Clear Hash", "")]);
        assert_eq!(spec.command_line(), "/bin/sh -c 'x y'");
    }

    #[test]
    fn a_bare_name_is_looked_up() {
        let spec = ProgramSpec::parse("uci:sh,dir=/").unwrap();
        assert!(spec.path.is_absolute() && spec.path.ends_with("sh"), "{:?}", spec.path);
        assert!(spec.command_line().starts_with("cd / && /"));
        assert_eq!(spec.protocol, Protocol::Uci);
        assert_eq!(ProgramSpec::parse("xboard:sh").unwrap().protocol, Protocol::Xboard);
    }

    #[test]
    fn what_is_wrong_is_named() {
        let cases = [
            ("arena:/bin/sh", "'arena:/bin/sh': expected uci:PATH"),
            ("xboard:", "'xboard:': expected uci:PATH"),
            ("/bin/sh", "'/bin/sh': expected uci:PATH"),
            ("uci:", "'uci:': expected uci:PATH"),
            ("uci:/no/such/engine", "engine /no/such/engine not found"),
            ("uci:no-such-engine", "engine 'no-such-engine' not found"),
            ("uci:/tmp", "engine /tmp is not a file"),
            ("uci:/etc/passwd", "engine /etc/passwd is not executable (mode 644)"),
            ("uci:/bin/sh,=4", "expected Option=value, found '=4'"),
            ("uci:/bin/sh,Hash=4,hash=8", "option 'hash' is given twice"),
            ("uci:/bin/sh,dir=/no/such", "working directory /no/such of the engine"),
        ];
        for (spec, expected) in cases {
            let error = ProgramSpec::parse(spec).unwrap_err().to_string();
            assert!(error.contains(expected), "{spec}: {error}");
        }
    }
}
