//! Capsules from workers. A worker may send anything, and `verdict replay` tells an engine on this
//! machine what its capsule says: only what verdict itself tells engines is kept.

use std::collections::BTreeSet;

use arena::plan::Plan;
use arena::player::program::{Capsule, ProgramSpec, Protocol};
use arena::player::spec::PlayerSpec;
use arena::record::{GameRecord, Side};
use process::Error;
use process::terminal::escape::{lines, shown};

use crate::files::Places;

/// UCI commands that verdict sends, except `setoption`.
const UCI: [&str; 8] =
    ["uci", "isready", "ucinewgame", "position", "go", "stop", "ponderhit", "quit"];
/// Xboard commands that verdict sends, except `option` and bare moves.
const XBOARD: [&str; 27] = [
    "xboard", "protover", "accepted", "rejected", "new", "variant", "force", "setboard",
    "usermove", "easy", "hard", "post", "time", "otim", "go", "white", "black", "st", "sd",
    "depth", "nps", "level", "memory", "cores", "ping", "?", "quit",
];
/// Longest move in characters, such as `Qa1xb2=Q+`.
const MOVE: usize = 10;
/// Characters of a line that is quoted.
const QUOTED: usize = 60;

pub(super) struct Capsules {
    base: Option<ProgramSpec>,
    test: Option<ProgramSpec>,
    places: Places,
}

impl Capsules {
    pub(super) fn of(plan: &Plan, places: Places) -> Result<Capsules, Error> {
        let program = |spec: &PlayerSpec| match spec {
            PlayerSpec::Program { .. } => ProgramSpec::parse(&spec.to_string()).map(Some),
            PlayerSpec::Embedded { .. } => Ok(None),
        };
        Ok(Capsules { base: program(&plan.base)?, test: program(&plan.test)?, places })
    }

    /// The capsule of a game's fault as this machine would have it; `Err`: why it is not kept.
    pub(super) fn own(&self, capsule: Capsule, game: &GameRecord) -> Result<Capsule, String> {
        let side = game.fault_color().map(|color| game.player(color));
        let spec = side.and_then(|side| match side {
            Side::Base => self.base.as_ref(),
            Side::Test => self.test.as_ref(),
        });
        let spec = spec.ok_or("its player is no program")?;
        let capsule = self.places.restored(capsule);
        let texts: BTreeSet<&str> = spec.options.iter().map(|(_, value)| value.trim()).collect();
        for line in capsule.input.lines() {
            if !is_told(line, spec.protocol, &texts) {
                let line: String = line.chars().take(QUOTED).collect();
                return Err(format!("it tells the engine '{}', as verdict does not", shown(&line)));
            }
        }
        Ok(Capsule {
            protocol: spec.protocol,
            command: spec.command_line(),
            input: lines(&capsule.input).into_owned(),
            transcript: lines(&capsule.transcript).into_owned(),
            stderr: lines(&capsule.stderr).into_owned(),
            exit_status: capsule.exit_status.map(|ending| shown(&ending).into_owned()),
        })
    }
}

/// Whether verdict tells such a line to engines. An option may name a file to be written, so only
/// numbers, switches and the plan's own texts are let through.
fn is_told(line: &str, protocol: Protocol, texts: &BTreeSet<&str>) -> bool {
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    let is_plain = |value: &str| {
        let value = value.trim();
        matches!(value, "" | "true" | "false" | "<empty>")
            || value.parse::<f64>().is_ok()
            || texts.contains(value)
    };
    match protocol {
        Protocol::Uci if word == "setoption" => {
            rest.split_once(" value ").is_some_and(|(_, value)| is_plain(value))
        }
        Protocol::Uci => UCI.contains(&word),
        Protocol::Xboard if word == "option" => {
            rest.split_once('=').is_some_and(|(_, value)| is_plain(value))
        }
        Protocol::Xboard => XBOARD.contains(&word) || rest.is_empty() && word.len() <= MOVE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_verdict_tells_engines_is_kept() {
        let texts = BTreeSet::from(["/here/book.bin"]);
        let both = [Protocol::Uci, Protocol::Xboard];
        for (line, told) in [
            ("uci", [true, true]),
            ("xboard", [false, true]),
            ("position startpos moves e2e4", [true, false]),
            ("go nodes 100", [true, true]),
            ("setoption name Hash value 16", [true, false]),
            ("setoption name Ponder value false", [true, false]),
            ("setoption name Book value /here/book.bin", [true, false]),
            ("setoption name Debug Log File value /home/x/.bashrc", [false, false]),
            ("setoption name Save", [false, false]),
            ("option Book=/here/book.bin", [false, true]),
            ("option Log=/home/x/.bashrc", [false, false]),
            ("export_net /home/x/.bashrc", [false, false]),
            ("Nb1-c3", [false, true]),
            ("usermove e2e4", [false, true]),
            ("log /home/x/.bashrc", [false, false]),
        ] {
            assert_eq!(both.map(|protocol| is_told(line, protocol, &texts)), told, "{line}");
        }
    }
}
