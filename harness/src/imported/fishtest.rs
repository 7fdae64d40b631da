//! fishtest's runs, as its server gives them: `/api/get_run/ID`, and `/api/active_runs` and
//! `/api/finished_runs`, which have several by their ids.

use process::Error;
use stats::{Model, Pentanomial, Wdl};

use super::imported_match::{Conditions, GameIdentity, Given, ImportedMatch, Origin};
use super::node::Node;

/// Whether a value is a run.
pub(super) fn is_run(node: &Node<'_>) -> bool {
    node.has(&["args", "results"])
}

/// A run; `None` for one that tunes, which plays no two versions.
pub(super) fn run(run: &Node<'_>, id: &str) -> Result<Option<ImportedMatch>, Error> {
    let args = run.get("args")?;
    if args.find("spsa").is_some() {
        return Ok(None);
    }
    let id = run.find("_id").and_then(|id| id.value.as_str()).unwrap_or(id);
    let side = |side: &str| -> Result<(String, Option<String>), Error> {
        let tag = args.text_of(&format!("{side}_tag"))?;
        let sha = args.text_of(&format!("resolved_{side}"))?;
        let head: String = sha.chars().take(10).collect();
        let name = match (tag, head.as_str()) {
            (tag, "") => tag.to_owned(),
            (tag, head) => format!("{tag} {head}").trim().to_owned(),
        };
        let first = if side == "new" { "New" } else { "Base" };
        Ok((name, (!sha.is_empty()).then(|| format!("{first}-{sha}"))))
    };
    let ((test, test_in_pgn), (base, base_in_pgn)) = (side("new")?, side("base")?);
    let mut one = ImportedMatch::new(Origin::Fishtest, id, [&test, &base]);
    one.conditions = conditions(&args)?;
    let results = run.get("results")?;
    let games = Wdl {
        win: results.get("wins")?.count()?,
        draw: results.get("draws")?.count()?,
        loss: results.get("losses")?.count()?,
    };
    let pairs = results.find("pentanomial").map_or(Ok([0; 5]), |pairs| pairs.counts())?;
    one.count(Pentanomial::from(pairs), games);
    one.note_faults(results.count_of("crashes")?, results.count_of("time_losses")?);
    if let Some(sprt) = args.find("sprt") {
        test_of(&sprt, &mut one)?;
    }
    if run.find("finished").is_some_and(|finished| finished.value.as_bool() == Some(false)) {
        one.given.state = Some("not finished".to_owned());
    }
    one.games = test_in_pgn.zip(base_in_pgn).map(|(test, base)| GameIdentity {
        names: [test, base],
        run: (!id.is_empty()).then(|| id.to_owned()),
        ..GameIdentity::default()
    });
    Ok(Some(one))
}

fn test_of(sprt: &Node<'_>, one: &mut ImportedMatch) -> Result<(), Error> {
    let number = |key: &str| sprt.get(key)?.number();
    let numbers = [number("elo0")?, number("elo1")?, number("alpha")?, number("beta")?];
    let model = match sprt.text_of("elo_model")? {
        "normalized" => Model::Normalized,
        "logistic" => Model::Logistic,
        // Tests before there was a choice.
        "" | "BayesElo" => Model::BayesElo,
        _ => return Err(sprt.get("elo_model")?.wrong("normalized, logistic or BayesElo")),
    };
    one.test(numbers, model);
    let bounds = sprt.number_of("lower_bound")?.zip(sprt.number_of("upper_bound")?);
    let state = sprt.text_of("state")?;
    one.given = Given {
        llr: sprt.number_of("llr")?,
        bounds: bounds.map(|(lower, upper)| [lower, upper]),
        state: (!state.is_empty()).then(|| state.to_owned()),
    };
    Ok(())
}

fn conditions(args: &Node<'_>) -> Result<Conditions, Error> {
    let mut conditions = Conditions::default();
    let base = args.text_of("tc")?;
    let new = Some(args.text_of("new_tc")?).filter(|new| !new.is_empty()).unwrap_or(base);
    if !base.is_empty() {
        conditions.add(&format!("tc={new}"), &format!("tc={base}"));
    }
    let threads = args.find("threads").map(|threads| format!("Threads={}", threads.value));
    let threads = threads.unwrap_or_default();
    conditions.add(&threads, &threads);
    conditions.add(args.text_of("new_options")?, args.text_of("base_options")?);
    let book = args.text_of("book")?;
    if !book.is_empty() {
        let book = format!("book {book}");
        conditions.add(&book, &book);
    }
    Ok(conditions)
}
