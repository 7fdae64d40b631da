//! OpenBench's workloads, as its server gives them: `/api/workload/ID/info/`, and
//! `/api/workload/ID/results/`, which has the counts of each machine.

use process::Error;
use stats::{Model, Pentanomial, Wdl};

use super::imported_match::{Conditions, GameIdentity, Given, ImportedMatch, Origin};
use super::node::Node;

/// The counts of pairs by their keys, from two losses to two wins.
const PAIRS: [&str; 5] = ["LL", "LD", "DD", "DW", "WW"];

/// A workload; `info` is what is under the key of that name.
pub(super) fn workload(info: &Node<'_>) -> Result<ImportedMatch, Error> {
    let mode = info.text_of("test_mode")?;
    if ["SPSA", "DATAGEN"].contains(&mode) {
        let id = info.find("id").map_or(String::new(), |id| id.value.to_string());
        return Err(Error::input_output(format!(
            "workload {id}: expected a test of two engines, found one of mode {mode}"
        )));
    }
    let id = info.find("id").map_or(Ok(None), |id| id.count().map(Some))?;
    let side = |side: &str| -> Result<(String, String), Error> {
        let engine = info.text_of(&format!("{side}_engine"))?;
        let version = info.get(side)?.get("name")?.text()?;
        Ok((format!("{engine} {version}").trim().to_owned(), format!("{engine}-{side}")))
    };
    let ((test, test_in_pgn), (base, base_in_pgn)) = (side("dev")?, side("base")?);
    let number = id.map_or("workload".to_owned(), |id| id.to_string());
    let mut one = ImportedMatch::new(Origin::OpenBench, &number, [&test, &base]);
    one.conditions = conditions(info)?;
    let [loss, draw, win] = match info.find("tri") {
        Some(counts) => counts.counts()?,
        None => {
            [info.get("losses")?.count()?, info.get("draws")?.count()?, info.get("wins")?.count()?]
        }
    };
    let pairs: [u64; 5] = match info.find("penta") {
        Some(counts) => counts.counts()?,
        None => each(info)?,
    };
    one.count(Pentanomial::from(pairs), Wdl { win, draw, loss });
    one.games = Some(GameIdentity {
        names: [test_in_pgn, base_in_pgn],
        test: id,
        ..GameIdentity::default()
    });
    if mode == "SPRT" || mode.is_empty() && info.find("elolower").is_some() {
        let number = |key: &str| info.get(key)?.number();
        let numbers = [number("elolower")?, number("eloupper")?, number("alpha")?, number("beta")?];
        // Tests before pairs were counted: BayesElo of single games.
        let of_games = info.is_true("use_tri") && !info.is_true("use_penta");
        one.test(numbers, if of_games { Model::BayesElo } else { Model::Normalized });
        if of_games {
            one.notes.push(
                "use_tri: its LLR is one of single games, its bounds are BayesElo".to_owned(),
            );
        }
        let bounds = info.number_of("lowerllr")?.zip(info.number_of("upperllr")?);
        one.given.llr = info.number_of("currentllr")?;
        one.given.bounds = bounds.map(|(lower, upper)| [lower, upper]);
    }
    let states = ["passed", "failed", "deleted", "finished"];
    let state = states.into_iter().find(|state| info.is_true(state)).map(str::to_owned);
    let state = state.or_else(|| info.find("finished").map(|_| "not finished".to_owned()));
    one.given = Given { state, ..one.given };
    if info.is_true("error") {
        one.notes
            .push("OpenBench says that games of it ended by crashes or illegal moves".to_owned());
    }
    Ok(one)
}

/// The sum of what each machine has played.
pub(super) fn results(list: &Node<'_>) -> Result<ImportedMatch, Error> {
    let mut one = ImportedMatch::new(Origin::OpenBench, "results", ["dev", "base"]);
    let mut sum = Pentanomial::default();
    let (mut crashes, mut time_losses) = (0, 0);
    for machine in list.list()? {
        sum += Pentanomial::from(each(&machine)?);
        crashes += machine.count_of("crashes")?;
        time_losses += machine.count_of("timeloss")?;
    }
    one.pairs = Some(sum);
    one.notes.push(
        "it has no names and no test; /api/workload/ID/info/ has them beside the same counts"
            .to_owned(),
    );
    one.note_faults(crashes, time_losses);
    Ok(one)
}

fn each(node: &Node<'_>) -> Result<[u64; 5], Error> {
    let mut counts = [0; 5];
    for (count, key) in counts.iter_mut().zip(PAIRS) {
        *count = node.count_of(key)?;
    }
    Ok(counts)
}

fn conditions(info: &Node<'_>) -> Result<Conditions, Error> {
    let mut conditions = Conditions::default();
    for what in ["time_control", "options"] {
        let side = |side: &str| info.text_of(&format!("{side}_{what}"));
        conditions.add(side("dev")?, side("base")?);
    }
    let book = info.text_of("book_name")?;
    if !book.is_empty() {
        let book = format!("book {book}");
        conditions.add(&book, &book);
    }
    Ok(conditions)
}
