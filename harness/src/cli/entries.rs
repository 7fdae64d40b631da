//! Whether the entries of a night can be played, asked before the first game.

use std::path::Path;

use clap::{CommandFactory as _, Parser as _};

use super::{Cli, VerdictCommand, match_, plan_file};
use crate::nightly::{NightEntry, NightlyPlan, check_bisection, is_begun, other_flags_error};
use arena::output_folder::{self, Owner};
use arena::runner::Stops;
use arena::session::Resources;
use process::Error;

/// Checks all entries of a plan that are not begun in a night's folder: flags as the commands read
/// them, revisions, programs and their options, openings, tablebases. Nothing is built. Entries
/// that are begun must have the same flags. The error says all that is wrong, by file and entry.
pub(super) fn check(plan: &NightlyPlan, path: &Path, night: &Path) -> Result<(), Error> {
    match_::run_session(async |stops: Stops| {
        let mut resources = Resources::new(stops.clone());
        let checked = plan.check(path, |entry| match other_flags_error(night, entry) {
            Some(why) => Err(why),
            None if is_begun(night, entry) => Ok(()),
            None if let Err(why) = check_bisection(entry) => Err(why),
            None => output_folder::refuse(&night.join(&entry.name), Owner::New)
                .and_then(|()| check_entry(entry, &mut resources))
                .map_err(|error| error.to_string()),
        });
        stops.stop_now();
        checked
    })
}

fn check_entry(entry: &NightEntry, resources: &mut Resources) -> Result<(), Error> {
    let cli = Cli::command();
    let word = &entry.word.to_string();
    let command =
        cli.find_subcommand(word).ok_or_else(|| Error::usage(format!("no command {word}")))?;
    let mut words = vec![cli.get_name().into(), word.into()];
    words.extend(plan_file::words(command, &entry.flags)?);
    let parsed = Cli::try_parse_from(words).map_err(|error| Error::usage(briefly(&error)))?;
    match parsed.word {
        VerdictCommand::Match(args) => args.check(resources),
        VerdictCommand::Tournament(args) => args.check(resources),
        _ => Ok(()),
    }
}

/// What clap says, without how the command line is used.
fn briefly(error: &clap::Error) -> String {
    let text = error.to_string();
    let first = text.split("\n\n").next().unwrap_or_default();
    let first = first.strip_prefix("error: ").unwrap_or(first);
    first.split_whitespace().collect::<Vec<_>>().join(" ")
}
