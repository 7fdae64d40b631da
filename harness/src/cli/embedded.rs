//! What help leaves out where all players are part of this program.

use clap::Arg;

/// Flags that say something only of programs and of how they are built, and the rule that a sweep or a tuner takes
/// the place of.
const OF_PROGRAMS: [&str; 7] = ["rule", "repo", "build", "binary", "restart", "ponder", "traffic"];

/// The same argument, without a place in help where it says nothing of embedded players.
pub(super) fn hidden_from_embedded(arg: Arg) -> Arg {
    let is_hidden = OF_PROGRAMS.contains(&arg.get_id().as_str());
    arg.hide(is_hidden)
}
