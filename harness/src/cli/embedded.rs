//! Help of sweeps and tuners, whose players are all embedded: flags for programs are hidden,
//! `--pairs` has another text.

use clap::Arg;
use clap::builder::StyledStr;

use super::tuner::PAIRS;

/// Flags for programs and their builds, and the rule, which a sweep or a tuner replaces.
const OF_PROGRAMS: [&str; 7] = ["rule", "repo", "build", "binary", "restart", "ponder", "traffic"];

pub(super) fn of_a_sweep(arg: Arg) -> Arg {
    of_embedded(arg, "Largest number of pairs per candidate [default: 200]")
}

pub(super) fn of_a_tuner(arg: Arg) -> Arg {
    of_embedded(arg, format!("Number of pairs of the run [default: {PAIRS}]"))
}

/// Hides the argument if it applies to programs only, and gives `--pairs` its own text.
fn of_embedded(arg: Arg, pairs: impl Into<StyledStr>) -> Arg {
    let id = arg.get_id().as_str();
    let (is_hidden, is_pairs) = (OF_PROGRAMS.contains(&id), id == "pairs");
    if is_pairs { arg.help(pairs) } else { arg.hide(is_hidden) }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use crate::cli::Cli;

    #[test]
    fn pairs_have_the_default_of_their_command() {
        for (words, default) in [
            (&["match"][..], "20000 with sprt or anytime, else 200]"),
            (&["sweep"], "per candidate [default: 200]"),
            (&["tune", "spsa"], "[default: 5000]"),
            (&["tune", "clop"], "[default: 5000]"),
        ] {
            let mut command = Cli::command();
            for word in words {
                command = command.find_subcommand(word).cloned().unwrap();
            }
            let pairs = command.get_arguments().find(|arg| arg.get_id() == "pairs").unwrap();
            let help = pairs.get_help().unwrap().to_string();
            assert!(help.ends_with(default), "{words:?}: {help}");
        }
    }
}
