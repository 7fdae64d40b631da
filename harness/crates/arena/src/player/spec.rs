//! Who plays, as the command line writes it: `embedded[:personality][,param=value…]`, where a
//! personality may be a file (its name has a dot or a slash) and `file=PATH` puts a file's values on
//! top, `uci:PATH[,Option=value…]` or `xboard:PATH[,Option=value…]`. A comma in a value is written
//! `\,`.

use engine::Params;
use engine::params::PaperName;
pub use engine::params::is_file;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::Path;
use std::str::FromStr;

use super::program::{ProgramSpec, Protocol};
use crate::commas;
use process::Error;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum PlayerSpec {
    /// The engine that is part of this program.
    Embedded {
        /// A named set of parameters, or a file of them.
        personality: String,
        /// Parameters that differ from it, by name; `file` for all those of a file.
        parameters: Vec<(String, String)>,
    },
    Program {
        protocol: Protocol,
        /// The program's file, as it is written: with `\,` for a comma.
        path: String,
        /// Its options and arguments with the comma before each, as [`ProgramSpec`] reads them.
        rest: String,
    },
}

/// A text that begins with no kind of player; `others`: kinds that are understood there besides,
/// each with a comma behind it.
pub fn unknown_kind(others: &str, text: &str) -> Error {
    Error::usage(format!(
        "expected {others}embedded[:personality][,param=value…], uci:PATH[,Option=value…] or \
         xboard:PATH[,Option=value…], found '{text}'"
    ))
}

impl PlayerSpec {
    /// A UCI program at a path, with its options as they are typed, a comma before each.
    pub fn uci(path: &Path, rest: String) -> PlayerSpec {
        let path = commas::escape(&path.to_string_lossy());
        PlayerSpec::Program { protocol: Protocol::Uci, path, rest }
    }

    /// `None` for a text that begins with no kind of player.
    pub fn read(spec: &str) -> Result<Option<PlayerSpec>, Error> {
        if let Some((protocol, program)) = Protocol::strip(spec) {
            let (path, rest) = commas::head(program);
            let is_named = !path.trim().is_empty();
            let (path, rest) = (path.to_owned(), rest.to_owned());
            return Ok(is_named.then_some(PlayerSpec::Program { protocol, path, rest }));
        }
        let mut parts = commas::split(spec).into_iter();
        let head = parts.next().unwrap_or_default();
        let parameters = parts
            .map(|part| match part.split_once('=') {
                Some((name, value)) if !name.trim().is_empty() => {
                    Ok((name.trim().to_owned(), value.trim().to_owned()))
                }
                _ => Err(Error::usage(format!("expected name=value, found '{part}' in '{spec}'"))),
            })
            .collect::<Result<Vec<_>, _>>()?;
        Ok(match head.split_once(':').unwrap_or((&head, "default")) {
            ("embedded", personality) if !personality.is_empty() => {
                Some(PlayerSpec::Embedded { personality: personality.to_owned(), parameters })
            }
            _ => None,
        })
    }

    pub fn embedded() -> PlayerSpec {
        PlayerSpec::Embedded { personality: "default".into(), parameters: Vec::new() }
    }

    pub fn is_embedded(&self) -> bool {
        matches!(self, PlayerSpec::Embedded { .. })
    }

    /// The same player with further options. What it sets itself stays as it is.
    pub fn with_options(mut self, options: &[(String, String)]) -> PlayerSpec {
        for (name, value) in options {
            match &mut self {
                PlayerSpec::Embedded { parameters, .. } => {
                    if !parameters.iter().any(|(own, _)| own.eq_ignore_ascii_case(name)) {
                        parameters.push((name.clone(), value.clone()));
                    }
                }
                PlayerSpec::Program { rest, .. } => {
                    let is_own = |part: String| {
                        let own = part.split_once('=').map_or(part.as_str(), |(own, _)| own);
                        own.trim().eq_ignore_ascii_case(name)
                    };
                    if !commas::split(rest).into_iter().any(is_own) {
                        commas::append(rest, &commas::escape(&format!("{name}={value}")));
                    }
                }
            }
        }
        self
    }

    /// Checks names, values and files. Paths of programs and parameter files become absolute. A
    /// program with an argument or option that is a path from here keeps the current directory as
    /// its own. So they mean the same from wherever a run is resumed.
    pub fn check(self) -> Result<PlayerSpec, Error> {
        match self {
            PlayerSpec::Embedded { personality, mut parameters } => {
                embedded_params(&personality, &parameters)?;
                let files =
                    parameters.iter_mut().filter(|(name, _)| name.eq_ignore_ascii_case(FILE));
                files.for_each(|(_, value)| *value = absolute(value));
                let personality = match is_file(&personality) {
                    true => absolute(&personality),
                    false => personality,
                };
                Ok(PlayerSpec::Embedded { personality, parameters })
            }
            PlayerSpec::Program { protocol, ref rest, .. } => {
                let program = ProgramSpec::parse(&self.to_string())?;
                let mut rest = rest.clone();
                if program.dir.is_none()
                    && program.names_what_is_here()
                    && let Ok(here) = std::env::current_dir()
                {
                    let dir = commas::escape(&format!("dir={}", here.to_string_lossy()));
                    commas::append(&mut rest, &dir);
                }
                let path = commas::escape(&program.path.to_string_lossy());
                Ok(PlayerSpec::Program { protocol, path, rest })
            }
        }
    }
}

fn absolute(path: &str) -> String {
    let absolute = std::path::absolute(path).ok();
    let absolute = absolute.and_then(|path| path.into_os_string().into_string().ok());
    absolute.unwrap_or_else(|| path.to_owned())
}

/// In a parameter's place: a file of parameters.
const FILE: &str = "file";
/// Options by which the engine's program loads tables, and the names of those within it.
const TABLES: [(&str, PaperName); 2] =
    [("MIT File", PaperName::Mit), ("OpeningTable", PaperName::Openings)];

/// An unknown name is refused with the nearest real name.
pub fn embedded_params(
    personality: &str,
    parameters: &[(String, String)],
) -> Result<Params, Error> {
    let mut params = Params::load(personality).map_err(Error::usage)?;
    for (name, value) in parameters {
        let loads = |(option, paper): &(&str, PaperName)| {
            name.eq_ignore_ascii_case(option)
                || PaperName::of(name) == Some(*paper) && is_file(value)
        };
        if let Some((option, paper)) = TABLES.iter().find(|table| loads(table)) {
            return Err(Error::usage(format!(
                "'{name}={value}': a file of a table is loaded by the program only; expected {paper}=NAME, \
                 one of {names}, or uci:PATH,{option}=… where PATH is mutineer's, like \
                 uci:target/release/mutineer",
                paper = paper.name().to_lowercase(),
                names = paper.names().unwrap_or_default().join(", "),
            )));
        }
        if name.eq_ignore_ascii_case(FILE) {
            params.apply_file(value).map_err(Error::usage)?;
        } else {
            params.set(name, value).map_err(Error::usage)?;
        }
    }
    Ok(params)
}

impl FromStr for PlayerSpec {
    type Err = Error;

    fn from_str(spec: &str) -> Result<PlayerSpec, Error> {
        PlayerSpec::read(spec)?.ok_or_else(|| unknown_kind("", spec))
    }
}

impl fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlayerSpec::Embedded { personality, parameters } => {
                write!(f, "embedded:{}", commas::escape(personality))?;
                let written = |name: &str, value: &str| commas::escape(&format!("{name}={value}"));
                parameters
                    .iter()
                    .try_for_each(|(name, value)| write!(f, ",{}", written(name, value)))
            }
            PlayerSpec::Program { protocol, path, rest } => {
                write!(f, "{}:{path}{rest}", protocol.word())
            }
        }
    }
}

impl TryFrom<String> for PlayerSpec {
    type Error = Error;

    fn try_from(spec: String) -> Result<PlayerSpec, Error> {
        spec.parse()
    }
}

impl From<PlayerSpec> for String {
    fn from(spec: PlayerSpec) -> String {
        spec.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specs_read_back() {
        for spec in [
            "embedded:default",
            "embedded:rebel,search.pvs=false",
            r"embedded:my\,own.json,file=/a\,b.json,search.pvs=false",
            r"uci:/usr/games/stockfish,Hash=16,Skill Level=3,Book File=a\,b",
            r"uci:/opt/a\,b/engine,arg=-x\,y,Path=C:\\,Hash=1",
            "xboard:/usr/games/phalanx,Randomizer (0-50)=10,arg=-b-",
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
            ("xboard:", "expected embedded"),
            ("arena:gnuchess", "expected embedded"),
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
            ("embedded,killers.onn=false", "killers.on"),
            ("embedded,search.pvs=perhaps", "search.pvs"),
            ("uci:/bin/sh,dir=/,dir=/tmp", "'dir' is given twice"),
            ("embedded,file=no/such.json", "no/such.json: No such file"),
            ("embedded:rebel,MIT File=mit", "or uci:PATH,MIT File=… where PATH is"),
            ("embedded,openingtable=early.keys", "expected openings=NAME, one of none, 2600, or"),
            ("embedded,mit=a/material.mit", "expected mit=NAME, one of none, all, 2800,"),
            ("embedded,mit=3010", "unknown name '3010'; did you mean '3100'?"),
            ("embedded,openings=early", "unknown name 'early'"),
            ("embedded,mitt=all", "did you mean 'MIT'"),
            ("uci:/no/such/engine", "/no/such/engine not found"),
            ("uci:/bin/sh,=3", "expected Option=value"),
        ] {
            let error = spec.parse::<PlayerSpec>().unwrap().check().unwrap_err().to_string();
            assert!(error.contains(expected), "{spec}: {error}");
        }
    }

    /// What comes later wins, as everywhere in a player.
    #[test]
    fn files_of_parameters() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("pst.json");
        std::fs::write(&file, r#"{"material.pawn": 300, "material.rook": 1000}"#).unwrap();
        let spec = format!("embedded:rebel,file={},material.rook=1100", file.display());
        let player: PlayerSpec = spec.parse().unwrap();
        let PlayerSpec::Embedded { personality, parameters } = player else { panic!("{spec}") };
        let params = embedded_params(&personality, &parameters).unwrap();
        assert_eq!((params.material.pawn, params.material.rook), (300, 1100));
        let rebel = Params::personality("rebel").unwrap();
        assert_eq!(params.material.queen, rebel.material.queen);
    }

    #[test]
    fn checking_makes_paths_absolute_and_keeps_options() {
        let spec: PlayerSpec = r"uci:sh,Book File=a\,b,arg=-c".parse().unwrap();
        let checked = spec.check().unwrap().to_string();
        assert!(checked.starts_with("uci:/"), "{checked}");
        assert!(checked.ends_with(r"/sh,Book File=a\,b,arg=-c"), "{checked}");
    }

    #[test]
    fn files_of_parameters_may_have_commas_in_their_names() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a,b.json");
        std::fs::write(&file, r#"{"material.pawn": 300}"#).unwrap();
        let written = file.display().to_string().replace(',', r"\,");
        for spec in [format!("embedded:rebel,file={written}"), format!("embedded:{written}")] {
            let player = spec.parse::<PlayerSpec>().unwrap().check().unwrap();
            let again: PlayerSpec = player.to_string().parse().unwrap();
            let PlayerSpec::Embedded { personality, parameters } = again else { panic!("{spec}") };
            let params = embedded_params(&personality, &parameters).unwrap();
            assert_eq!(params.material.pawn, 300, "{spec}");
        }
    }

    /// REBEL's names, alone and in files of lines.
    #[test]
    fn names_of_rebel() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("mine.eng");
        std::fs::write(&file, "[Selective Search = 0] * full null move\n").unwrap();
        let of = |spec: &str| {
            let player: PlayerSpec = spec.parse().unwrap();
            let PlayerSpec::Embedded { personality, parameters } = player else { panic!("{spec}") };
            embedded_params(&personality, &parameters).unwrap()
        };
        let params = of("embedded:rebel,ChessKnowledge=200,selective search=0");
        assert_eq!((params.lazy.margin, params.selective.full_null), (256, true));
        let file = file.display();
        let rebel = of("embedded:rebel,Selective Search=0");
        assert_eq!(of(&format!("embedded:{file}")), rebel);
        assert_eq!(of(&format!("embedded:rebel,file={file}")), rebel);
        std::fs::write(folder.path().join("mine.eng"), "* a\n[ChesKnowledge = 100]\n").unwrap();
        let player: PlayerSpec = format!("embedded:{file}").parse().unwrap();
        let error = player.check().unwrap_err().to_string();
        assert!(
            error.contains("mine.eng: line 2: ") && error.contains("'ChessKnowledge'"),
            "{error}"
        );
    }

    /// Tables within the engine (PRO-19, PRO-25), in any personality.
    #[test]
    fn tables_by_name() {
        for personality in ["default", "rebel"] {
            let spec = format!("embedded:{personality},mit=3100,Openings=2600,imbalance.mode=5");
            let player = spec.parse::<PlayerSpec>().unwrap().check().unwrap();
            assert_eq!(player.to_string(), spec);
            let PlayerSpec::Embedded { personality, parameters } = player else { panic!("{spec}") };
            let params = embedded_params(&personality, &parameters).unwrap();
            for (row, value) in [
                ("imbalance.on", "true"),
                ("imbalance.table", "3100"),
                ("imbalance.mode", "5"),
                ("opening.on", "true"),
                ("opening.table", "2600"),
            ] {
                assert_eq!(params.get(row).as_deref(), Ok(value), "{spec}");
            }
        }
    }

    /// Tests run in the crate's folder.
    #[test]
    fn what_is_named_from_here_can_be_found_from_anywhere() {
        let here = std::env::current_dir().unwrap();
        let here = here.display();
        let checked = |spec: &str| spec.parse::<PlayerSpec>().unwrap().check().unwrap().to_string();
        for (spec, end) in [
            ("uci:/bin/sh,Table=Cargo.toml", format!(",Table=Cargo.toml,dir={here}")),
            ("uci:/bin/sh,arg=src", format!(",arg=src,dir={here}")),
            ("uci:/bin/sh,Table=Cargo.toml,dir=/", ",Table=Cargo.toml,dir=/".to_owned()),
            ("uci:/bin/sh,Table=/,Hash=1,Log=", "/sh,Table=/,Hash=1,Log=".to_owned()),
        ] {
            let checked = checked(spec);
            assert!(checked.ends_with(&end), "{checked}");
        }
        let file = "../../../engine/personalities/rebel.json";
        for spec in [format!("embedded:{file}"), format!("embedded:rebel,file={file}")] {
            assert!(checked(&spec).ends_with(&format!("{here}/{file}")), "{spec}");
        }
        assert_eq!(checked("embedded:rebel"), "embedded:rebel");
    }

    #[test]
    fn further_options_do_not_touch_the_players_own() {
        let options = [("hash", "8"), ("Path", "a,b")].map(|(n, v)| (n.to_owned(), v.to_owned()));
        for (spec, expected) in [
            ("uci:/e,Hash=4", r"uci:/e,Hash=4,Path=a\,b"),
            ("uci:/e", r"uci:/e,hash=8,Path=a\,b"),
            (r"uci:/e,Note=a\,Hash=4", r"uci:/e,Note=a\,Hash=4,hash=8,Path=a\,b"),
            (r"uci:/e,Dir=C:\", r"uci:/e,Dir=C:\\,hash=8,Path=a\,b"),
            ("embedded:rebel,path=c", "embedded:rebel,path=c,hash=8"),
            ("embedded:rebel", r"embedded:rebel,hash=8,Path=a\,b"),
        ] {
            let player = spec.parse::<PlayerSpec>().unwrap().with_options(&options);
            assert_eq!(player.to_string(), expected);
        }
    }
}
