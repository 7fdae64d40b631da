//! Flags that have other machines play, too.

use std::ffi::OsString;
use std::path::Path;

use arena::plan::parse;
use clap::Args;
use process::terminal::shell_path;

/// Flags that have other machines play, too.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Fleet")]
pub struct FleetFlags {
    /// Play on the workers of a fleet, too. AT is the folder of `verdict serve`, an invitation made with
    /// --coordinator, or a file with one [default: ~/.local/state/verdict/serve].
    #[arg(long, value_name = "AT", num_args = 0..=1)]
    pub fleet: Option<Option<String>>,

    /// Pairs that a worker takes at once, at most 32 [default: about 30 s of one search thread]. The games
    /// do not depend on it.
    #[arg(long, value_name = "PAIRS", value_parser = clap::value_parser!(u32).range(1..=32))]
    pub chunk: Option<u32>,

    /// How workers get engines that are built here (git:REV, workdir): send the program, or send the
    /// sources, which the worker makes [default: send; make where the program does not run].
    #[arg(long, value_name = "HOW", value_enum)]
    pub builds: Option<BuildsFlag>,

    /// Share of the chunks that a second machine plays, too, to compare the games; only where no clock counts
    /// [default: 2%]. The games of a machine that sends others than it should are struck and played anew.
    #[arg(long, value_name = "SHARE", value_parser = parse::share)]
    pub fleet_audit: Option<f64>,
}

/// How built players reach other machines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum BuildsFlag {
    /// As a program.
    Send,
    /// As sources, which they build in their sandbox.
    Make,
}

impl FleetFlags {
    /// `--fleet AT` as it is typed after a command; empty without it. The key of an invitation is not shown.
    pub fn shown(&self) -> String {
        match &self.fleet {
            None => String::new(),
            Some(None) => " --fleet".to_owned(),
            Some(Some(at)) if Path::new(at).exists() => {
                format!(" --fleet {}", shell_path(Path::new(at)))
            }
            Some(Some(at)) => {
                let open = at.rsplit_once('_').map_or("", |(open, _)| open);
                format!(" --fleet {open}_SU…")
            }
        }
    }

    /// As they were typed, for a match in a process of its own.
    pub fn words(&self) -> Vec<OsString> {
        let mut words = Vec::new();
        if let Some(at) = &self.fleet {
            words.push("--fleet".into());
            words.extend(at.iter().map(OsString::from));
        }
        if let Some(pairs) = self.chunk {
            words.extend(["--chunk".into(), pairs.to_string().into()]);
        }
        if let Some(builds) = self.builds {
            let how = match builds {
                BuildsFlag::Send => "send",
                BuildsFlag::Make => "make",
            };
            words.extend(["--builds".into(), how.into()]);
        }
        if let Some(share) = self.fleet_audit {
            words.extend(["--fleet-audit".into(), format!("{}%", 100.0 * share).into()]);
        }
        words
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Debug, Parser)]
    struct Line {
        #[command(flatten)]
        fleet: FleetFlags,
    }

    #[test]
    fn flags_of_a_fleet_are_the_same_for_another_process() {
        let read = |words: Vec<OsString>| {
            Line::try_parse_from(std::iter::once(OsString::from("verdict")).chain(words))
                .unwrap()
                .fleet
        };
        for line in
            ["", "--fleet", "--fleet AT --chunk 4", "--fleet --builds send", "--builds make"]
        {
            let typed = read(line.split_whitespace().map(OsString::from).collect());
            assert_eq!(format!("{:?}", read(typed.words())), format!("{typed:?}"), "{line}");
        }
    }

    #[test]
    fn a_hint_names_the_fleet_without_its_key() {
        let shown = |fleet: Option<Option<&str>>| {
            let fleet = fleet.map(|at| at.map(str::to_owned));
            FleetFlags { fleet, ..FleetFlags::default() }.shown()
        };
        assert_eq!((&*shown(None), &*shown(Some(None))), ("", " --fleet"));
        let dir = tempfile::tempdir().unwrap();
        let at = dir.path().join("a b");
        std::fs::create_dir(&at).unwrap();
        let at = at.to_str().unwrap();
        assert_eq!(shown(Some(Some(at))), format!(" --fleet '{at}'"));
        let token = "vw1_carol@home.example.org:4222_ZDVPQ46PR2VX3JMYIMVU6JUCEZFUJZOF_SUAKEY";
        let said = shown(Some(Some(token)));
        assert!(said.starts_with(" --fleet vw1_carol@home") && !said.contains("AKEY"), "{said}");
    }
}
