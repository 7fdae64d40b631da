//! The table over all claims, from what lies in their folders.

use std::collections::BTreeMap;

use super::amount::taken;
use super::expected::{NodeCost, SpeedPace};
use super::known_finding::{KnownFinding, KnownFindings, LEAST_POSITIONS};
use super::matches::LEAST_PAIRS;
use super::measurement_file::MeasurementFile;
use super::micro::ROUNDS;
use super::{
    Claim, ClaimOutcome, ClaimsFile, Elsewhere, MeasureKind, Measurement, Selection, Speedup, Work,
};

use arena::record::{CLAIMS_TITLE, Summary};
use charts::page::markdown_text;
use process::Error;

pub(super) fn render(work: &Work<'_>, known: &KnownFindings) -> Result<String, Error> {
    let file = work.file;
    let hours = hours(work, known)?;
    let mut page = format!("{CLAIMS_TITLE}\n\n");
    page.push_str(&head(file, known, &hours));
    let personalities = &file.conditions.personalities;
    let has_own = file.personalities().len() > personalities.len();
    let own_column = has_own.then(|| "in its own".to_owned());
    let columns = personalities.iter().map(|name| format!("in `{name}`")).chain(own_column);
    let columns: Vec<String> = columns.collect();
    page +=
        &format!("| claim | says | taken as | from | {} |\n|---|---|---|---|", columns.join(" | "));
    page.push_str(&"---|".repeat(columns.len()));
    page.push('\n');
    for claim in &file.claims {
        let about = if claim.mechanisms.is_empty() {
            markdown_text(&claim.source)
        } else {
            format!("{}; {}", markdown_text(&claim.source), claim.mechanisms.join(", "))
        };
        let claim_text = markdown_text(&claim.claim);
        let one_cell = |text: String| {
            let empty = (1..columns.len()).map(|_| String::new());
            std::iter::once(text).chain(empty).collect()
        };
        let cells: Vec<String> = match (&claim.not, &claim.elsewhere) {
            (Some(why), _) => one_cell(format!("not measured: {}", markdown_text(why))),
            (_, Some(elsewhere)) => one_cell(elsewhere_text(elsewhere)),
            _ => {
                let all = personalities.iter().map(|name| cell(claim, name, known, &hours));
                let own = claim.measured_in(&file.conditions).skip(personalities.len());
                let own = own.map(|name| format!("`{name}`: {}", cell(claim, name, known, &hours)));
                let own = has_own.then(|| own.collect::<Vec<_>>().join("; "));
                all.chain(own).collect()
            }
        };
        page += &format!(
            "| {} | {claim_text} | {} | {about} | {} |\n",
            claim.id,
            taken(claim),
            cells.join(" | ")
        );
    }
    Ok(page)
}

/// What was found in another way, with the file to read. The table lies two folders below the
/// repository's.
fn elsewhere_text(elsewhere: &Elsewhere) -> String {
    let (outcome, found) = (elsewhere.outcome, markdown_text(&elsewhere.found));
    let file = elsewhere.file.display();
    format!("**{outcome}**, not by this program: {found} ([{file}](../../{file}))")
}

/// What each measurement that is left will take, in hours.
fn hours(work: &Work<'_>, known: &KnownFindings) -> Result<BTreeMap<String, f64>, Error> {
    let mut hours = match_hours(work, known);
    let conditions = &work.file.conditions;
    for personality in work.file.personalities() {
        let of = |measure| Selection {
            measures: vec![measure],
            personalities: vec![personality.to_owned()],
            ..Selection::default()
        };
        let mut pace = SpeedPace::default();
        for measurement in work.measurements(&of(MeasureKind::Speed)) {
            // Also of an older engine: it took about as long, if it was as much to do.
            let is_there = matches!(
                known.get(&measurement.name()),
                Some(KnownFinding::Found { .. } | KnownFinding::Stale(_))
            );
            if is_usual(&measurement)
                && is_there
                && let Some(speedup) = Speedup::read(&work.dir.join(measurement.name()))?
                && speedup.positions() == conditions.positions
                && speedup.rounds == conditions.rounds
                && speedup.depth == conditions.depth_of(personality)
            {
                pace.add(&speedup);
            }
        }
        for measure in [MeasureKind::Speed, MeasureKind::Share] {
            let Some(each) = pace.hours(measure, conditions) else { continue };
            let usual = work.measurements(&of(measure)).into_iter().filter(is_usual);
            let left = usual.map(|measurement| measurement.name());
            let left = left.filter(|name| is_left(known.get(name)));
            hours.extend(left.map(|name| (name, each)));
        }
    }
    Ok(hours)
}

/// Whether it searches to the personality's own depth.
fn is_usual(measurement: &Measurement<'_>) -> bool {
    measurement.claim.speed.as_ref().is_none_or(|speed| speed.deeper == 0)
}

fn is_left(known: Option<&KnownFinding>) -> bool {
    matches!(known, Some(KnownFinding::Stale(_) | KnownFinding::NotYet))
}

/// What each match that is left will take, in hours.
fn match_hours(work: &Work<'_>, known: &KnownFindings) -> BTreeMap<String, f64> {
    let conditions = &work.file.conditions;
    let measures = vec![MeasureKind::Match, MeasureKind::More];
    let matches = Selection { measures, ..Selection::default() };
    let (mut pace, mut left) = (NodeCost::default(), Vec::new());
    for measurement in work.measurements(&matches) {
        let Some(elo) = &measurement.claim.elo else { continue };
        match known.get(&measurement.name()) {
            known if is_left(known) => {
                let (pairs, _) = conditions.part(measurement.measure);
                left.push((measurement.name(), elo, pairs));
            }
            Some(KnownFinding::Found { .. }) => {
                let summary = Summary::read_decided(&work.dir.join(measurement.name()));
                summary.iter().for_each(|summary| pace.add(elo, conditions, summary));
            }
            _ => {}
        }
    }
    let hours = |(name, elo, pairs)| (name, pace.hours(elo, pairs, conditions));
    left.into_iter().map(hours).collect()
}

fn cell(
    claim: &Claim,
    personality: &str,
    known: &KnownFindings,
    hours: &BTreeMap<String, f64>,
) -> String {
    let texts = <MeasureKind as clap::ValueEnum>::value_variants().iter().filter_map(|&measure| {
        let measurement = Measurement { claim, personality, measure };
        let about = hours.get(&measurement.name()).map_or(String::new(), |hours| match hours {
            1.0.. => format!(" ({hours:.1} h)"),
            _ => format!(" ({:.0} min)", (60.0 * hours).ceil()),
        });
        let measure =
            if measure == MeasureKind::More { "more pairs" } else { &measure.to_string() };
        Some(match known.get(&measurement.name())? {
            KnownFinding::Nothing => return None,
            KnownFinding::Found { outcome, text, .. } => format!("**{outcome}**: {text}"),
            KnownFinding::Undefined(text) => format!("**unclear**: {text}"),
            KnownFinding::Alike => format!("{measure}: both search alike, so it was not played"),
            KnownFinding::Stale(before) => {
                let before = before.text().map_or(String::new(), |text| format!(", was {text}"));
                format!("{measure} to be run again{about}{before}")
            }
            KnownFinding::NotYet => format!("{measure} not yet run{about}"),
        })
    });
    texts.collect::<Vec<_>>().join("; ")
}

fn head(file: &ClaimsFile, known: &KnownFindings, hours: &BTreeMap<String, f64>) -> String {
    let conditions = &file.conditions;
    let (mut outcomes, mut left, mut again) = (BTreeMap::new(), [0, 0], 0);
    let mut unforeseen = 0;
    let mut expected = [0.0; 2];
    for (name, known) in known {
        match known {
            KnownFinding::Found { .. } | KnownFinding::Undefined(_) => {
                let outcome = known.outcome().unwrap_or(ClaimOutcome::Unclear);
                *outcomes.entry(outcome).or_insert(0) += 1;
            }
            KnownFinding::Alike | KnownFinding::Nothing => {}
            KnownFinding::Stale(_) | KnownFinding::NotYet => {
                let is_match = [MeasureKind::Match, MeasureKind::More]
                    .iter()
                    .any(|measure| name.ends_with(&measure.to_string()));
                let kind = usize::from(!is_match);
                left[kind] += 1;
                match hours.get(name) {
                    Some(hours) => expected[kind] += hours,
                    None => unforeseen += 1,
                }
                again += u32::from(matches!(known, KnownFinding::Stale(_)));
            }
        }
    }
    let count = |outcome| outcomes.get(&outcome).copied().unwrap_or(0);
    let goes_on = match conditions.part(MeasureKind::More) {
        (0, _) => String::new(),
        (more, seed) => format!(
            " A match that leaves its claim unclear goes on with {more} pairs of seed {seed} and is \
             judged by all: looked at twice, it errs in up to 10 %."
        ),
    };
    let verdicts = [ClaimOutcome::Confirmed, ClaimOutcome::Contradicted, ClaimOutcome::Unclear];
    let judged: u32 = verdicts.into_iter().map(count).sum();
    let mut text = format!(
        "Matches: {} pairs at {} nodes a move (depth where a claim is about that), seed {}: Elo with the \
         mechanism minus Elo without, ± 95 %. Speed: {} positions to a fixed depth, the least \
         processor time of {} rounds in which both take turns at each position: time without over time \
         with, the geometric mean and its 95 % interval over positions; above 1 the mechanism is faster; \
         in brackets the same of nodes. Shares are what these searches \
         count of themselves, the 95 % interval over the positions in which there was anything to count \
         (of none and of all Wilson's). Positions that are played out are played by \
         one player against itself (Wilson's interval). Micro-benchmarks compare two ways to build a \
         program, by processor time in {ROUNDS} rounds: the interval is of the timing, on this processor by this \
         compiler; they are no matter of personality, and where they evaluate it is as in the first. Written by `verdict claims`, \
         which goes on with what is not yet run.\n\n\
         A claim is **confirmed** when the whole interval lies in what it says, or its sign is shown and \
         the amount not excluded; **contradicted** when the interval and the claim have nothing in common; \
         else, and with fewer than {LEAST_PAIRS} pairs or {LEAST_POSITIONS} positions, **unclear**. \"taken as\" is the amount that it is \
         judged by: where the paper has words in place of numbers it is our reading. Each verdict errs in \
         up to 5 % of such cases, and there are {}.{goes_on} What is left has the time that it is \
         expected to take.\n\n\
         So far {} confirmed, {} contradicted, {} unclear.",
        conditions.pairs,
        conditions.nodes,
        conditions.seed,
        conditions.positions,
        conditions.rounds,
        judged,
        count(ClaimOutcome::Confirmed),
        count(ClaimOutcome::Contradicted),
        count(ClaimOutcome::Unclear),
    );
    let elsewhere = file.claims.iter().filter(|claim| claim.elsewhere.is_some()).count();
    text += &format!(" {elsewhere} more claims were looked into in other ways.");
    let [matches, others] = left;
    if matches > 0 {
        text += &format!(
            " Not yet run: {matches} matches, some {:.1} hours on such a machine.",
            expected[0]
        );
    }
    if others > 0 {
        text += &format!(" Not yet run: {others} other measurements");
        if expected[1] > 0.0 {
            text += &format!(", some {:.1} hours", expected[1]);
        }
        if unforeseen > 0 {
            text += &format!("; how long {unforeseen} of them take nobody has seen yet");
        }
        text.push('.');
    }
    if again > 0 {
        text += &format!(
            " Of them {again} were measured before, with another engine, other parameters or other \
             conditions: what they were says nothing of this one."
        );
    }
    text.push_str("\n\n");
    text
}
