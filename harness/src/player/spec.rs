//! Who plays, as the command line writes it: `embedded[:personality][,param=value…]` or
//! `uci:PATH[,Option=value…]`.

use std::{
    env, fmt,
    path::{Path, PathBuf},
    str::FromStr,
};

use engine::Params;
use serde::{Deserialize, Serialize};

/// A player of a match.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum PlayerSpec {
    /// The engine that is part of this program.
    Embedded {
        /// A named set of parameters.
        personality: String,
        /// Parameters that differ from it, by name.
        parameters: Vec<(String, String)>,
    },
    /// A program that speaks UCI.
    Uci {
        /// The program's file.
        path: PathBuf,
        /// UCI options, by name.
        options: Vec<(String, String)>,
    },
}

/// What is wrong with a player.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    /// Not one of the known kinds.
    #[error(
        "expected embedded[:personality][,param=value…] or uci:PATH[,Option=value…], found '{0}'"
    )]
    Kind(String),
    /// A part without `=`.
    #[error("expected name=value, found '{part}' in '{spec}'")]
    Pair {
        /// The part.
        part: String,
        /// All of it.
        spec: String,
    },
    /// A parameter or personality the embedded engine does not have, or a value it refuses.
    #[error("{0}")]
    Parameter(String),
    /// No such program.
    #[error("expected an engine's executable file, found {what}: {path}")]
    Program {
        /// Where it was looked for.
        path: String,
        /// What is there instead.
        what: &'static str,
    },
}

impl PlayerSpec {
    /// The embedded engine with the default personality.
    #[must_use]
    pub fn embedded() -> PlayerSpec {
        PlayerSpec::Embedded { personality: "default".into(), parameters: Vec::new() }
    }

    /// Whether it is the embedded engine.
    #[must_use]
    pub fn is_embedded(&self) -> bool {
        matches!(self, PlayerSpec::Embedded { .. })
    }

    /// Checks names, values and files; a program's path is made absolute, so that a run can be
    /// resumed from anywhere.
    ///
    /// # Errors
    /// When the player could not play.
    pub fn check(self) -> Result<PlayerSpec, SpecError> {
        match self {
            PlayerSpec::Embedded { ref personality, ref parameters } => {
                embedded_params(personality, parameters)?;
                Ok(self)
            }
            PlayerSpec::Uci { path, options } => {
                Ok(PlayerSpec::Uci { path: find_program(&path)?, options })
            }
        }
    }
}

/// The parameters of an embedded player.
///
/// # Errors
/// When a name or a value is unknown to the engine; the nearest real name is suggested.
pub fn embedded_params(
    personality: &str,
    parameters: &[(String, String)],
) -> Result<Params, SpecError> {
    let refused = |error: &dyn fmt::Display| SpecError::Parameter(error.to_string());
    let mut params = Params::personality(personality).map_err(|error| refused(&error))?;
    for (name, value) in parameters {
        params.set(name, value).map_err(|error| refused(&error))?;
    }
    Ok(params)
}

impl FromStr for PlayerSpec {
    type Err = SpecError;

    fn from_str(spec: &str) -> Result<PlayerSpec, SpecError> {
        let mut parts = spec.split(',');
        let head = parts.next().unwrap_or_default();
        let pairs = parts
            .map(|part| match part.split_once('=') {
                Some((name, value)) if !name.trim().is_empty() => {
                    Ok((name.trim().to_owned(), value.trim().to_owned()))
                }
                _ => Err(SpecError::Pair { part: part.to_owned(), spec: spec.to_owned() }),
            })
            .collect::<Result<Vec<_>, _>>()?;
        match head.split_once(':').unwrap_or((head, "")) {
            ("embedded", personality) => {
                let personality = if personality.is_empty() { "default" } else { personality };
                Ok(PlayerSpec::Embedded { personality: personality.to_owned(), parameters: pairs })
            }
            ("uci", path) if !path.is_empty() => {
                Ok(PlayerSpec::Uci { path: path.into(), options: pairs })
            }
            _ => Err(SpecError::Kind(spec.to_owned())),
        }
    }
}

impl fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pairs = match self {
            PlayerSpec::Embedded { personality, parameters } => {
                write!(f, "embedded:{personality}")?;
                parameters
            }
            PlayerSpec::Uci { path, options } => {
                write!(f, "uci:{}", path.display())?;
                options
            }
        };
        pairs.iter().try_for_each(|(name, value)| write!(f, ",{name}={value}"))
    }
}

impl TryFrom<String> for PlayerSpec {
    type Error = SpecError;

    fn try_from(spec: String) -> Result<PlayerSpec, SpecError> {
        spec.parse()
    }
}

impl From<PlayerSpec> for String {
    fn from(spec: PlayerSpec) -> String {
        spec.to_string()
    }
}

/// The absolute path of a program; a bare name is looked for in `PATH`, then here.
fn find_program(path: &Path) -> Result<PathBuf, SpecError> {
    let bare = path.components().count() == 1 && !path.is_absolute();
    let in_path = env::var_os("PATH").filter(|_| bare && !path.starts_with("."));
    let candidates = in_path.iter().flat_map(env::split_paths).map(|dir| dir.join(path));
    if let Some(found) = candidates.into_iter().find(|file| is_executable(file)) {
        return Ok(std::path::absolute(&found).unwrap_or(found));
    }
    let wrong = |what| SpecError::Program { path: path.display().to_string(), what };
    if !path.exists() {
        Err(wrong("nothing"))
    } else if path.is_dir() {
        Err(wrong("a folder"))
    } else if !is_executable(path) {
        Err(wrong("a file that is not executable"))
    } else {
        Ok(std::path::absolute(path).unwrap_or_else(|_| path.to_owned()))
    }
}

fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specs_read_back() {
        for spec in [
            "embedded:default",
            "embedded:rebel,search.pvs=false",
            "uci:/usr/games/stockfish,Hash=16,Skill Level=3",
        ] {
            assert_eq!(spec.parse::<PlayerSpec>().unwrap().to_string(), spec);
        }
        assert_eq!("embedded".parse::<PlayerSpec>().unwrap(), PlayerSpec::embedded());
    }

    #[test]
    fn wrong_specs_say_what_was_expected() {
        for (spec, expected) in [
            ("", "expected embedded"),
            ("uci:", "expected embedded"),
            ("xboard:gnuchess", "expected embedded"),
            ("embedded,search.pvs", "expected name=value, found 'search.pvs'"),
            ("embedded,=3", "expected name=value"),
        ] {
            let error = spec.parse::<PlayerSpec>().unwrap_err().to_string();
            assert!(error.contains(expected), "{spec}: {error}");
        }
    }

    #[test]
    fn players_that_cannot_play_are_refused() {
        for (spec, expected) in [
            ("embedded:nobody", "nobody"),
            ("embedded,no.such.parameter=1", "no.such.parameter"),
            ("uci:/no/such/engine", "found nothing: /no/such/engine"),
            ("uci:no-such-engine-in-the-path", "found nothing"),
            ("uci:/", "found a folder"),
            ("uci:Cargo.toml", "not executable"),
        ] {
            let error = spec.parse::<PlayerSpec>().unwrap().check().unwrap_err().to_string();
            assert!(error.contains(expected), "{spec}: {error}");
        }
    }

    #[test]
    fn bare_names_are_found_in_the_path() {
        let spec = "uci:sh".parse::<PlayerSpec>().unwrap().check().unwrap();
        let PlayerSpec::Uci { path, .. } = spec else { panic!("{spec}") };
        assert!(path.is_absolute() && path.ends_with("sh"));
    }
}
