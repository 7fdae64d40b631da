//! Where a packed table comes from, as its head says.

use arena::record::{Versions, today};
use engine::Provenance;

use super::counts_file::CountsFile;
use super::filter::{EloOf, Filter};

/// What a table's head says of its counts: the source in the user's words, the texts with their hashes, the
/// filter, the games, what was dropped, the command, the day and the program.
pub fn provenance(
    counts: &CountsFile,
    source: Option<&str>,
    facts: &[(&str, String)],
    command: &str,
) -> Provenance {
    let mut provenance = Provenance::default();
    if let Some(source) = source {
        provenance = provenance.with("source", source);
    }
    for input in &counts.inputs {
        let text = format!("{}, {} games, hash {}", input.name, input.games, input.hash);
        provenance = provenance.with("input", &text);
    }
    let mut filters: Vec<String> = counts.inputs.iter().map(|input| words(&input.filter)).collect();
    filters.dedup();
    provenance = provenance.with("filter", &filters.join("; "));
    provenance =
        facts.iter().fold(provenance, |provenance, (name, value)| provenance.with(name, value));
    let Versions { verdict, commit } = Versions::here();
    let commit = commit.map(|commit| format!(", commit {commit}")).unwrap_or_default();
    provenance
        .with("command", command)
        .with("date", &today())
        .with("program", &format!("verdict {verdict}{commit}"))
}

/// What the filter lets pass.
fn words(filter: &Filter) -> String {
    let Filter { min_elo, max_elo, elo_of, results, event, from, to, time_control, .. } = filter;
    let Filter { min_plies, max_plies, condition, dedup, .. } = filter;
    let whose = match elo_of {
        EloOf::Both => "both players'",
        EloOf::Either => "a player's",
    };
    let results = results.iter().map(|outcome| outcome.as_str()).collect::<Vec<_>>().join(", ");
    let parts = [
        min_elo.map(|elo| format!("{whose} Elo from {elo}")),
        max_elo.map(|elo| format!("{whose} Elo to {elo}")),
        (!results.is_empty()).then(|| format!("result {results}")),
        event.as_ref().map(|event| format!("event with '{event}'")),
        from.as_ref().map(|from| format!("date from {from}")),
        to.as_ref().map(|to| format!("date to {to}")),
        time_control.as_ref().map(|control| format!("time control with '{control}'")),
        min_plies.map(|plies| format!("from {plies} plies")),
        max_plies.map(|plies| format!("to {plies} plies")),
        condition.as_ref().map(|condition| format!("where {condition}")),
        dedup.then(|| "equal games once".to_owned()),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    if parts.is_empty() { "all games".to_owned() } else { parts.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_in_words() {
        assert_eq!(words(&Filter::default()), "all games");
        let filter = Filter {
            min_elo: Some(3100),
            elo_of: EloOf::Either,
            event: Some("TCEC".to_owned()),
            condition: "Round==1".parse().ok(),
            dedup: true,
            ..Filter::default()
        };
        let told = "a player's Elo from 3100, event with 'TCEC', where Round==1, equal games once";
        assert_eq!(words(&filter), told);
    }
}
