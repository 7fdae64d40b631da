//! Checks that a run's programs play the same here as at the coordinator, while all slots are busy.

use std::path::Path;
use std::sync::Arc;
use std::thread;

use arena::build::bench_of;
use arena::compliance::answers;
use arena::plan::Plan;
use arena::player::program::{ProgramSettings, ProgramSpec};
use arena::player::spec::PlayerSpec;
use arena::record::{BySide, Side};
use arena::runner::Stops;
use arena::session::settings;
use process::children::Confinement;
use process::{Context as _, Error};
use wire::message::{BenchNodes, RunSignatures, Signature};

/// Signatures on this machine.
pub(super) struct Signed {
    pub(super) bench: BenchNodes,
    /// The first difference, in words.
    pub(super) differs: Option<String>,
}

pub(super) fn compare(
    plan: &Plan,
    expected: &RunSignatures,
    confinement: Option<&Arc<Confinement>>,
    slots: usize,
    stops: &Stops,
) -> Result<Signed, Error> {
    let mut bench = BySide { base: None, test: None };
    for side in [Side::Base, Side::Test] {
        let Some(expected) = side.choose(&expected.base, &expected.test) else { continue };
        let spec = plan.player(side);
        if !matches!(spec, PlayerSpec::Program { .. }) {
            continue;
        }
        let spec = ProgramSpec::parse(&spec.to_string())?;
        let found = match expected {
            Signature::Bench { .. } => benches(&spec.path, confinement, slots)?,
            Signature::Positions { .. } => {
                let own = settings(plan, side);
                let confinement = confinement.cloned();
                let settings = ProgramSettings { confinement, ..own };
                let answered = answers(&spec, &settings, plan.limits().of(side), slots, stops)?;
                let of = |it: &arena::compliance::Answers| Found {
                    nodes: Some(it.nodes),
                    signature: Some(Signature::Positions { hash: it.in_words() }),
                };
                answered.iter().map(of).collect()
            }
        };
        // Report a wrong result rather than a right one.
        let wrong = found.iter().find(|it| it.signature.as_ref() != Some(expected));
        let told = wrong.or(found.first()).and_then(|it| it.nodes);
        *side.choose(&mut bench.base, &mut bench.test) = told;
        if let Some(wrong) = wrong {
            let found = wrong.signature.as_ref().map_or("none".to_owned(), in_words);
            let what = match expected {
                Signature::Bench { .. } => "bench",
                Signature::Positions { .. } => "signature in 8 positions",
            };
            let differs = format!("{what} of {side} is {found}, expected {}", in_words(expected));
            return Ok(Signed { bench, differs: Some(differs) });
        }
    }
    Ok(Signed { bench, differs: None })
}

/// In words; `None` if no player has a signature.
pub(super) fn told(bench: &BenchNodes) -> Option<String> {
    let sides = [("base", bench.base), ("test", bench.test)];
    let told: Vec<String> = sides
        .iter()
        .filter_map(|(side, nodes)| Some(format!("{side} {} nodes", (*nodes)?)))
        .collect();
    (!told.is_empty()).then(|| told.join(", "))
}

struct Found {
    nodes: Option<u64>,
    signature: Option<Signature>,
}

fn in_words(signature: &Signature) -> String {
    match signature {
        Signature::Bench { nodes } => nodes.to_string(),
        Signature::Positions { hash } => hash.clone(),
    }
}

/// Runs `count` benches at once.
fn benches(
    program: &Path,
    confinement: Option<&Arc<Confinement>>,
    count: usize,
) -> Result<Vec<Found>, Error> {
    let bench = || {
        let word = ["bench".into()];
        let command = match confinement {
            Some(confinement) => confinement.command(program, &word, None, &[]),
            None => {
                let mut command = std::process::Command::new(program);
                command.args(word);
                command
            }
        };
        let nodes = bench_of(command);
        Found { nodes, signature: nodes.map(|nodes| Signature::Bench { nodes }) }
    };
    thread::scope(|scope| {
        let mut running = Vec::new();
        for _ in 0..count {
            let thread = thread::Builder::new().spawn_scoped(scope, bench);
            running.push(thread.context("cannot start a thread that waits for a bench")?);
        }
        let ended = running.into_iter().map(|thread| {
            thread.join().unwrap_or_else(|panicked| std::panic::resume_unwind(panicked))
        });
        Ok(ended.collect())
    })
}
