//! Which runner a command line is of: their flags have equal names, and other defaults.

use super::words::FlagGroup;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Runner {
    Fastchess,
    Cutechess,
    CChessCli,
}

use Runner::{CChessCli, Cutechess, Fastchess};

impl Runner {
    pub(super) fn name(self) -> &'static str {
        match self {
            Fastchess => "fastchess",
            Cutechess => "cutechess-cli",
            CChessCli => "c-chess-cli",
        }
    }

    /// By the program's file, whatever is appended to its name.
    pub(super) fn of_program(program: &str) -> Option<Runner> {
        let file = program.rsplit(['/', '\\']).next().unwrap_or(program).to_ascii_lowercase();
        match () {
            () if file.starts_with("fastchess") || file.starts_with("fast-chess") => {
                Some(Fastchess)
            }
            () if file.starts_with("cutechess-cli") => Some(Cutechess),
            () if file.starts_with("c-chess-cli") => Some(CChessCli),
            () => None,
        }
    }

    /// By flags and keys that only one of them has; fastchess where none tells.
    pub(super) fn of_flags(groups: &[FlagGroup]) -> Runner {
        let told = |runner: Runner| groups.iter().any(|group| runner.is_told_by(group));
        // Both take the key `proto`, but only cutechess-cli needs it.
        let others = [CChessCli, Fastchess, Cutechess].into_iter().find(|runner| told(*runner));
        let has_protocol =
            |group: &FlagGroup| group.is_of_engines() && group.value("proto").is_some();
        others.unwrap_or(if groups.iter().any(has_protocol) { Cutechess } else { Fastchess })
    }

    fn is_told_by(self, group: &FlagGroup) -> bool {
        let (flags, engine_keys): (&[&str], &[&str]) = match self {
            Fastchess => (
                &[
                    "quick",
                    "config",
                    "report",
                    "output",
                    "crc32",
                    "force-concurrency",
                    "use-affinity",
                    "check-mate-pvs",
                    "show-latency",
                    "testEnv",
                    "strict",
                    "tbadjudicate",
                    "autosaveinterval",
                    "scoreinterval",
                    "startup-ms",
                    "ucinewgame-ms",
                    "ping-ms",
                ],
                &["args", "plies"],
            ),
            Cutechess => (
                &["debug", "bookmode", "outcomeinterval", "resultformat", "engines"],
                &[
                    "conf",
                    "arg",
                    "stderr",
                    "initstr",
                    "trust",
                    "book",
                    "bookdepth",
                    "whitepov",
                    "ponder",
                    "tscale",
                    "debug",
                ],
            ),
            CChessCli => (&["gauntlet", "sample", "pgn"], &["movetime", "timeout"]),
        };
        let name = group.name();
        // Two dashes are ours, but for those of engines.
        if group.has_two_dashes() && !group.is_of_engines() {
            return false;
        }
        flags.contains(&name)
            || group.is_of_engines() && group.words().any(|(key, _)| engine_keys.contains(&key))
            || match (self, name) {
                (Fastchess, "pgnout" | "epdout" | "log") => group.value("file").is_some(),
                (Fastchess, "sprt") => group.value("model").is_some(),
                (Cutechess, "pgnout") => group.value("file").is_none() && !group.values.is_empty(),
                (Cutechess, "engine" | "each") => group.value("proto") == Some("xboard"),
                (CChessCli, "draw" | "resign") => group.value("count").is_some(),
                _ => false,
            }
    }
}
