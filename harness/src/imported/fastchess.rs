//! `config.json`, which fastchess writes as it plays and at the end: engines, settings, and under `stats`
//! what each pairing has shown, for the engine that is named first.

use process::Error;
use stats::{Model, Pentanomial, Wdl};

use super::imported_match::{GameIdentity, ImportedMatch, Origin};
use super::node::Node;

/// Between the names of a pairing.
const AGAINST: &str = " vs ";

pub(super) fn matches(root: &Node<'_>) -> Result<Vec<ImportedMatch>, Error> {
    let engines = root.get("engines")?.list()?;
    let names = engines.iter().map(|engine| engine.get("name")?.text());
    let names = names.collect::<Result<Vec<&str>, _>>()?;
    let entries = root.find("stats").map_or(Ok(Vec::new()), |stats| stats.entries())?;
    if entries.is_empty() {
        return Err(Error::input_output("key stats: expected pairings with games, found none"));
    }
    let book = root.find("opening").map_or(Ok(""), |opening| opening.text_of("file"))?;
    let book = book.rsplit('/').next().filter(|book| !book.is_empty());
    let book = book.map(|book| format!("book {book}"));
    let limits = engines.iter().map(limit).collect::<Result<Vec<String>, Error>>()?;
    let mut matches = Vec::with_capacity(entries.len());
    for (key, counts) in entries {
        let [test, base] = players(key, &names).ok_or_else(|| {
            let names = names.join(", ");
            counts.wrong(&format!(
                "two of the engines {names} with '{AGAINST}' between them as its key"
            ))
        })?;
        let mut one = ImportedMatch::new(Origin::Fastchess, key, [test, base]);
        let limit_of = |player: &str| {
            let limits = names.iter().zip(&limits).find(|(name, _)| **name == player);
            limits.map_or("", |(_, limit)| limit.as_str())
        };
        one.conditions.add(limit_of(test), limit_of(base));
        book.iter().for_each(|book| one.conditions.add(book, book));
        let count = |key: &str| counts.count_of(key);
        let games = Wdl {
            win: counts.get("wins")?.count()?,
            draw: counts.get("draws")?.count()?,
            loss: counts.get("losses")?.count()?,
        };
        let [wl, dd] = [count("penta_WL")?, count("penta_DD")?];
        let (ll, ld, wd, ww) =
            (count("penta_LL")?, count("penta_LD")?, count("penta_WD")?, count("penta_WW")?);
        let pairs = Pentanomial { ll, ld, dd_wl: wl + dd, wd, ww };
        // It tells two draws from a win and a loss: so the games of the pairs are known.
        let paired = Wdl { win: 2 * ww + wd + wl, draw: 2 * dd + wd + ld, loss: 2 * ll + ld + wl };
        let rest = [
            games.win.checked_sub(paired.win),
            games.draw.checked_sub(paired.draw),
            games.loss.checked_sub(paired.loss),
        ];
        match rest {
            [Some(win), Some(draw), Some(loss)] if win + draw + loss > 0 && pairs.pairs() > 0 => {
                (one.pairs, one.paired) = (Some(pairs), Some(paired));
                one.single = Wdl { win, draw, loss };
                let single = one.single.games();
                one.notes
                    .push(format!("{single} of its games are in no pair and count one by one"));
            }
            _ => one.count(pairs, games),
        }
        let event = root.find("pgn").map_or(Ok(""), |pgn| pgn.text_of("event_name"))?;
        one.games = Some(GameIdentity {
            names: one.players.clone(),
            event: Some(event.to_owned()).filter(|event| !event.is_empty()),
            ..GameIdentity::default()
        });
        if names.first() == Some(&test) && names.get(1) == Some(&base) {
            sprt(root, &mut one)?;
        }
        matches.push(one);
    }
    Ok(matches)
}

/// The two engines of a key; a name may have ` vs ` in it.
fn players<'a>(key: &str, names: &[&'a str]) -> Option<[&'a str; 2]> {
    let tests = names.iter().filter_map(|name| Some((*name, key.strip_prefix(name)?)));
    let pairings = tests.filter_map(|(test, rest)| Some((test, rest.strip_prefix(AGAINST)?)));
    let mut pairings = pairings
        .filter_map(|(test, base)| Some([test, *names.iter().find(|name| **name == base)?]));
    pairings.next()
}

fn sprt(root: &Node<'_>, one: &mut ImportedMatch) -> Result<(), Error> {
    let Some(sprt) = root.find("sprt").filter(|sprt| sprt.is_true("enabled")) else {
        return Ok(());
    };
    let number = |key: &str| sprt.get(key)?.number();
    let numbers = [number("elo0")?, number("elo1")?, number("alpha")?, number("beta")?];
    let model = match sprt.text_of("model")? {
        "" | "normalized" => Model::Normalized,
        "logistic" => Model::Logistic,
        "bayesian" => Model::BayesElo,
        _ => return Err(sprt.get("model")?.wrong("normalized, logistic or bayesian")),
    };
    one.test(numbers, model);
    Ok(())
}

/// An engine's limit in our words.
fn limit(engine: &Node<'_>) -> Result<String, Error> {
    let Some(limit) = engine.find("limit") else { return Ok(String::new()) };
    let mut parts = Vec::new();
    if let Some(tc) = limit.find("tc") {
        let seconds = |key: &str| Ok::<_, Error>(tc.number_of(key)?.unwrap_or(0.0) / 1000.0);
        let (time, increment, fixed) =
            (seconds("time")?, seconds("increment")?, seconds("fixed_time")?);
        if fixed > 0.0 {
            parts.push(format!("movetime={fixed}s"));
        } else if time + increment > 0.0 {
            let moves = match tc.number_of("moves")?.unwrap_or(0.0) {
                0.0 => String::new(),
                moves => format!("{moves}/"),
            };
            let increment = if increment > 0.0 { format!("+{increment}") } else { String::new() };
            parts.push(format!("tc={moves}{time}{increment}"));
        }
    }
    for (key, ours) in [("nodes", "nodes"), ("plies", "depth")] {
        match limit.number_of(key)?.unwrap_or(0.0) {
            0.0 => {}
            number => parts.push(format!("{ours}={number}")),
        }
    }
    Ok(parts.join(" "))
}
