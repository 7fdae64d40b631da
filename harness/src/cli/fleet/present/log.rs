//! `verdict status --log`: what a worker has said.

use fleet::link::Link;
use fleet::status::{log_of, worker_names};
use process::Error;
use wire::names::WorkerName;

use crate::cli::print;

/// How much alike a name must be to be suggested, 0 to 1.
const ALIKE: f64 = 0.5;
/// Names that are suggested.
const SUGGESTED: usize = 5;

pub(super) async fn show(link: &Link, given: &str, lines: u32) -> Result<(), Error> {
    let worker = find(given, &worker_names(link).await?)?;
    let lines = log_of(link, &worker, lines).await?.ok_or_else(|| {
        Error::input_output(format!(
            "{worker} does not answer: it has ended, its machine is not connected, or its verdict is an older \
             one; verdict status shows who answers"
        ))
    })?;
    lines.iter().try_for_each(|line| print(format_args!("{line}\n")))
}

/// The worker of this name, or of this part of a name.
fn find(given: &str, known: &[WorkerName]) -> Result<WorkerName, Error> {
    if let Some(worker) = known.iter().find(|worker| worker.to_string() == given) {
        return Ok(worker.clone());
    }
    let has_part =
        |worker: &&WorkerName| worker.name.as_str() == given || worker.instance.as_str() == given;
    let of_part: Vec<&WorkerName> = known.iter().filter(has_part).collect();
    if let [worker] = *of_part {
        return Ok(worker.clone());
    }
    let list = |workers: &[&WorkerName]| {
        workers.iter().map(|worker| worker.to_string()).collect::<Vec<_>>().join(", ")
    };
    if !of_part.is_empty() {
        return Err(Error::usage(format!("--log {given}: expected one of {}", list(&of_part))));
    }
    let alike = |worker: &WorkerName| {
        let whole = worker.to_string();
        [&*whole, worker.name.as_str(), worker.instance.as_str()]
            .map(|name| strsim::normalized_damerau_levenshtein(name, given))
            .into_iter()
            .fold(0.0, f64::max)
    };
    let mut near: Vec<&WorkerName> = known.iter().filter(|it| alike(it) >= ALIKE).collect();
    near.sort_by(|one, other| alike(other).total_cmp(&alike(one)));
    near.truncate(SUGGESTED);
    let hint = match (near.is_empty(), known.is_empty()) {
        (false, _) => format!("did you mean {}?", list(&near)),
        (true, false) => "expected a name that verdict status shows".to_owned(),
        (true, true) => "no worker has joined in the last day".to_owned(),
    };
    Err(Error::usage(format!("--log {given}: no worker has this name; {hint}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worker_is_found_by_a_part_of_its_name() {
        let known: Vec<WorkerName> =
            ["alice.pc1", "alice.pc2", "bob.laptop"].map(|it| it.parse().unwrap()).into();
        let found = |given: &str| find(given, &known).map(|it| it.to_string());
        for (given, expected) in
            [("alice.pc1", "alice.pc1"), ("pc2", "alice.pc2"), ("bob", "bob.laptop")]
        {
            assert_eq!(found(given).unwrap(), expected);
        }
        for (given, words) in [
            ("alice", "expected one of alice.pc1, alice.pc2"),
            ("alice.pc3", "did you mean alice.pc1, alice.pc2?"),
            ("labtop", "did you mean bob.laptop?"),
            ("nobody-at-all", "verdict status shows"),
        ] {
            let said = found(given).unwrap_err().to_string();
            assert!(said.contains(words), "{said}");
        }
        assert!(find("x", &[]).unwrap_err().to_string().contains("no worker has joined"));
    }
}
