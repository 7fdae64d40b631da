//! The figures of a run in short, and what must be known to read them.

use super::run::RunResults;
use crate::collector::Ruling;
use crate::record::{Faults, FinalVerdict, MANY_TWINS, Side, Termination};
use charts::html::HtmlText;
use charts::numbers::{count, counted, fixed, percent, percent_of, signed};
use stats::{
    Defined, Evidence, Forecast, Prospect, Rule, Sprt, Statistics, e_value_text, interval_in_words,
    percent_clamped,
};

pub(super) fn verdict_class(verdict: Option<FinalVerdict>) -> &'static str {
    match verdict {
        Some(FinalVerdict::Accept) => "accept",
        Some(FinalVerdict::Reject) => "reject",
        Some(FinalVerdict::Undecided | FinalVerdict::Void) => "undecided",
        None => "open",
    }
}

pub(super) const NO_VERDICT: &str = "NO VERDICT YET";

pub(super) fn elo(statistics: &Statistics) -> String {
    match (statistics.elo.elo, statistics.elo.error95) {
        (Ok(elo), Ok(error)) => format!("{} ± {}", signed(elo, 1), fixed(error, 1)),
        (Ok(elo), Err(_)) => signed(elo, 1),
        (Err(_), _) => "undefined".to_owned(),
    }
}

pub(super) fn figures(run: &RunResults) -> String {
    let statistics = run.tally.state.statistics();
    let Ruling { verdict, reason } = run.ruling();
    let reason = reason.unwrap_or_else(|| progress(run));
    let mut out = format!(
        "<p class=\"verdict\"><strong class=\"{}\">{}</strong> {}</p>\n<dl class=\"figures\">\n",
        verdict_class(verdict),
        verdict.map_or(NO_VERDICT, FinalVerdict::as_str),
        HtmlText(&reason)
    );
    let mut rows = of_statistics(&statistics);
    rows.extend(of_rule(run, &statistics));
    rows.extend(results(run));
    out.push_str(&list(&rows));
    out.push_str("</dl>\n");
    out
}

/// The rows of a list of figures.
pub(super) fn list(rows: &[FigureRow]) -> String {
    let row = |(name, value, note): &FigureRow| {
        let (value, note) = (HtmlText(value), HtmlText(note));
        format!("<div><dt>{name}</dt><dd>{value}</dd><dd class=\"more\">{note}</dd></div>\n")
    };
    rows.iter().map(row).collect()
}

fn progress(run: &RunResults) -> String {
    format!(
        "{} of {} count so far",
        count(run.tally.state.pairs()),
        counted(run.terms.pairs, "pair")
    )
}

/// A name, a value and what is to be known of it.
pub(super) type FigureRow = (&'static str, String, String);

/// Elo and the like.
pub(super) fn of_statistics(statistics: &Statistics) -> Vec<FigureRow> {
    let undefined = || "undefined".to_owned();
    let ends = |low: Defined, high: Defined| match (low, high) {
        (Ok(low), Ok(high)) => format!("95% from {} to {}", signed(low, 1), signed(high, 1)),
        (Err(why), _) | (_, Err(why)) => why.to_string(),
    };
    let mut rows = vec![(
        "Elo, test minus base",
        elo(statistics),
        match (statistics.elo.low95, statistics.elo.high95) {
            (low @ Ok(_), high @ Ok(_)) => format!("{}, for one look", ends(low, high)),
            (low, high) => ends(low, high),
        },
    )];
    rows.push(match statistics.anytime.ends() {
        Ok(ends) => (
            "Elo at every look",
            interval_in_words(ends, 1),
            "95% interval that holds after every pair, however often it is read".to_owned(),
        ),
        Err(why) => ("Elo at every look", undefined(), why.to_string()),
    });
    if let Ok(unbiased) = statistics.unbiased {
        rows.push((
            "Unbiased Elo",
            unbiased.elo.map_or_else(|why| why.to_string(), |elo| signed(elo, 1)),
            format!("corrected for early stopping; {}", ends(unbiased.low95, unbiased.high95)),
        ));
    }
    let nelo = statistics.nelo;
    rows.push(match (nelo.nelo, nelo.error95) {
        (Ok(nelo), Ok(error)) => (
            "Normalized Elo",
            format!("{} ± {}", signed(nelo, 1), fixed(error, 1)),
            "mean score, in standard deviations of one game".to_owned(),
        ),
        (Err(why), _) | (_, Err(why)) => ("Normalized Elo", undefined(), why.to_string()),
    });
    rows.push(match statistics.los {
        Ok(los) => ("LOS", percent_clamped(los), "likelihood that test is stronger".to_owned()),
        Err(why) => ("LOS", undefined(), why.to_string()),
    });
    rows
}

fn of_rule(run: &RunResults, statistics: &Statistics) -> Option<FigureRow> {
    match &run.terms.rule {
        Rule::Los(_) => None,
        Rule::Sprt(sprt) => Some(of_sprt(sprt, statistics)),
        Rule::Anytime(test) => {
            let Evidence { better, worse } = run.tally.state.evidence()?;
            let bound = e_value_text(test.bound());
            Some((
                "Evidence for better",
                e_value_text(better),
                format!("{} for worse; decides from {bound}", e_value_text(worse)),
            ))
        }
    }
}

pub(super) fn of_sprt(sprt: &Sprt, statistics: &Statistics) -> FigureRow {
    let [lower, upper] = sprt.bounds();
    let bounds = format!("rejects at {}, accepts at {}", fixed(lower, 2), fixed(upper, 2));
    match statistics.llr {
        Ok(llr) => ("LLR", fixed(llr, 2), bounds),
        Err(why) => ("LLR", "undefined".to_owned(), why.to_string()),
    }
}

fn results(run: &RunResults) -> [FigureRow; 3] {
    let counts = &run.tally.counts;
    let (wdl, games) = (counts.wdl, counts.games());
    let pairs = match counts.twins.repeated_pairs {
        0 => format!("of {} planned", count(run.terms.pairs)),
        repeated => {
            format!("of {} planned; {} repeat others", count(run.terms.pairs), count(repeated))
        }
    };
    [
        ("Pairs", count(counts.pairs), pairs),
        (
            "Won – drawn – lost",
            format!("{} – {} – {}", count(wdl.win), count(wdl.draw), count(wdl.loss)),
            counted(games, "game"),
        ),
        (
            "Score of test",
            percent_of(2 * wdl.win + wdl.draw, 2 * games),
            match games {
                0 => "no games".to_owned(),
                _ => format!("{} drawn", percent_of(wdl.draw, games)),
            },
        ),
    ]
}

/// What must be known to read the figures.
pub(super) fn remarks(run: &RunResults) -> String {
    let mut out = String::new();
    let mut say = |class: &str, text: String| {
        out.push_str(&format!("<p class=\"{class}\">{}</p>\n", HtmlText(&text)));
    };
    if run.file.same_players() {
        say("warning", sentence(&run.file.base.aa_test()));
    }
    if let Some(over) = run.tally.oversubscribed() {
        say("warning", over.to_string());
    }
    if let Some(text) = faults(run) {
        say("warning", text);
    }
    if let Some(forecast) = run.tally.state.forecast() {
        let pairs = counted(forecast.pairs().max(1.0) as u64, "pair");
        let expected = match forecast {
            Forecast::Chance(Prospect { accept, .. }) => {
                format!(
                    "the probability to accept is {}, and about {pairs} are left",
                    percent(accept)
                )
            }
            Forecast::Decision { .. } => format!("the rule decides after about {pairs} more"),
            Forecast::Open { .. } => {
                format!("the rule does not decide within the {pairs} left")
            }
        };
        say("remark", format!("If the true difference is as measured so far, {expected}."));
    }
    if let Some(text) = twins(run) {
        say("remark", text);
    }
    let beyond = run.tally.games_beyond();
    if beyond > 0 {
        say(
            "remark",
            format!(
                "{} more recorded, {} complete among them, not counted: beyond the deciding pair, or \
                 waiting for an earlier one.",
                counted(beyond, "game"),
                counted(run.tally.pairs_beyond(), "pair")
            ),
        );
    }
    if let Some(fleet) = run.fleet() {
        let kind = if fleet.convicted.is_empty() { "remark" } else { "warning" };
        say(kind, fleet.words());
    }
    if let Some(torn) = run.torn {
        say(
            "remark",
            format!(
                "Line {} of the journal is cut off after {} bytes; its game is played again when the \
                 run is resumed.",
                count(torn.line),
                count(torn.bytes)
            ),
        );
    }
    out
}

fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |first| first.to_uppercase().chain(chars).collect())
}

fn faults(run: &RunResults) -> Option<String> {
    let faults = &run.tally.faults;
    let recorded = run.tally.recorded_games();
    if faults.total == 0 {
        return None;
    }
    let sum = |side: &std::collections::BTreeMap<String, u64>| count(side.values().sum());
    let by = format!(
        "test {}, base {}, verdict itself {}",
        sum(&faults.test),
        sum(&faults.base),
        sum(&faults.harness)
    );
    Some(if faults.total == recorded {
        format!(
            "Every game ended by a fault ({by}): the result says nothing about playing strength."
        )
    } else {
        format!(
            "{} of {} ended by a fault ({}): {by}. {}",
            count(faults.total),
            counted(recorded, "recorded game"),
            percent_of(faults.total, recorded),
            counting(faults)
        )
    })
}

fn counting(faults: &Faults) -> String {
    if faults.replayed + faults.void_pairs == 0 {
        return "Each counts as it ended.".to_owned();
    }
    format!(
        "They count as they ended, except games that could not start or that verdict itself delayed: {} \
         again, {} not counted.",
        match faults.replayed {
            1 => "1 was played".to_owned(),
            games => format!("{} were played", count(games)),
        },
        match faults.void_pairs {
            1 => "1 pair is".to_owned(),
            pairs => format!("{} pairs are", count(pairs)),
        }
    )
}

fn twins(run: &RunResults) -> Option<String> {
    let counts = &run.tally.counts;
    let twins = counts.twins;
    if twins.games == 0 {
        return None;
    }
    let mut text = format!(
        "Duplicate games: {} to an earlier one. In {} both games are equal. {} an earlier pair, which \
         leaves {} for Elo, intervals and verdict.",
        match twins.games {
            1 => "1 game is equal".to_owned(),
            games => format!("{} games are equal", count(games)),
        },
        counted(twins.within_pairs, "pair"),
        match twins.repeated_pairs {
            1 => "1 pair repeats".to_owned(),
            pairs => format!("{} pairs repeat", count(pairs)),
        },
        counted(twins.effective_pairs, "pair")
    );
    if twins.within_pairs as f64 > MANY_TWINS * counts.pairs as f64 {
        text.push_str(
            " At fixed nodes or depth equal builds play equal moves: the change alters few moves, or \
             none.",
        );
    }
    Some(text)
}

/// Of all recorded games.
pub(super) fn time_losses(run: &RunResults, side: Side) -> u64 {
    let faults = &run.tally.faults;
    side.choose(&faults.base, &faults.test)
        .get(Termination::TimeLoss.as_str())
        .copied()
        .unwrap_or(0)
}
