//! Help of sweeps and tuners: `--rule`, which they replace, is hidden, `--pairs` has another text.

use clap::Arg;
use clap::builder::StyledStr;

use super::tuner::PAIRS;

pub(super) fn of_a_sweep(arg: Arg) -> Arg {
    of_an_experiment(arg, "Largest number of pairs per candidate [default: 200]")
}

pub(super) fn of_a_tuner(arg: Arg) -> Arg {
    of_an_experiment(arg, format!("Number of pairs of the run [default: {PAIRS}]"))
}

fn of_an_experiment(arg: Arg, pairs: impl Into<StyledStr>) -> Arg {
    match arg.get_id().as_str() {
        "pairs" => arg.help(pairs),
        "rule" => arg.hide(true),
        _ => arg,
    }
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
