//! The table over all claims, from what lies in their folders.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use super::kept::Kept;
use super::work::summary;
use super::{
    Claim, ClaimsError, ClaimsFile, Finding, Job, Measure, Outcome, Range, Selection, Share,
    Speedup, State, Work, judge,
};
use crate::record::{RecordError, markdown_text};
use crate::stats::sure;

/// What is known of a measurement.
enum Known {
    Found {
        outcome: Outcome,
        text: String,
        hours: f64,
    },
    /// There is a result that proves nothing.
    Undefined(String),
    /// Both players search alike.
    Alike,
    /// What is there is of another engine, other parameters or other conditions.
    Stale,
    NotYet,
}

/// Matches of fewer pairs are no judges.
const LEAST_PAIRS: u64 = 100;

/// Renders the table of a folder.
///
/// # Errors
/// When a measurement is damaged, or the engine does not have a parameter.
pub fn render(work: &Work<'_>) -> Result<String, ClaimsError> {
    let file = work.file;
    let mut known = BTreeMap::new();
    for job in work.jobs(&Selection::default()) {
        let found = match work.state(&job)? {
            State::Done => look(&job, work.dir)?,
            State::Alike => Known::Alike,
            State::Stale => Known::Stale,
            State::ToDo => Known::NotYet,
        };
        known.insert(job.name(), found);
    }
    let mut page = String::from("# What was claimed, measured again\n\n");
    page.push_str(&head(file, &known));
    let personalities = &file.conditions.personalities;
    let columns: Vec<String> = personalities.iter().map(|name| format!("in `{name}`")).collect();
    let _ = write!(
        page,
        "| claim | says | taken as | from | {} |\n|---|---|---|---|",
        columns.join(" | ")
    );
    page.push_str(&"---|".repeat(personalities.len()));
    page.push('\n');
    for claim in &file.claims {
        let about = if claim.mechanisms.is_empty() {
            markdown_text(&claim.source)
        } else {
            format!("{}; {}", markdown_text(&claim.source), claim.mechanisms.join(", "))
        };
        let says = markdown_text(&claim.claim);
        let cells: Vec<String> = match &claim.not {
            Some(why) => vec![format!("not here: {}", markdown_text(why)); 1]
                .into_iter()
                .chain((1..personalities.len()).map(|_| String::new()))
                .collect(),
            None => personalities.iter().map(|name| cell(claim, name, &known)).collect(),
        };
        let _ = writeln!(
            page,
            "| {} | {says} | {} | {about} | {} |",
            claim.id,
            taken(claim),
            cells.join(" | ")
        );
    }
    Ok(page)
}

/// The amounts that a claim is judged by.
fn taken(claim: &Claim) -> String {
    let words = |range: Range, unit: &str, show: &dyn Fn(f64) -> String| match range {
        [None, None] => "no amount".to_owned(),
        [Some(low), None] => format!("{} {unit} or more", show(low)),
        [None, Some(high)] => format!("{} {unit} or less", show(high)),
        [Some(low), Some(high)] => format!("{} to {} {unit}", show(low), show(high)),
    };
    let elo = claim.elo.as_ref().map(|it| {
        let mut text = words(it.elo, "Elo", &|elo| format!("{elo:+}"));
        let own = [
            it.nodes.map(|nodes| format!("{nodes} nodes")),
            it.depth.map(|depth| format!("depth {depth}")),
            it.odds.map(|odds| format!("{odds} times the nodes")),
            it.openings.as_ref().map(|book| format!("openings {}", book.display())),
        ];
        let own: Vec<String> = own.into_iter().flatten().collect();
        if !own.is_empty() {
            text = format!("{text} at {}", own.join(", "));
        }
        text
    });
    let speed =
        claim.speed.as_ref().map(|it| words(it.faster, "times as fast", &|by| by.to_string()));
    let share = claim.share.as_ref();
    let share = share.map(|it| words(it.of, "%", &|share| format!("{:.0}", 100.0 * share)));
    [elo, speed, share].into_iter().flatten().collect::<Vec<_>>().join("; ")
}

fn cell(claim: &Claim, personality: &str, known: &BTreeMap<String, Known>) -> String {
    let texts =
        [Measure::Match, Measure::Speed, Measure::Share].into_iter().filter_map(|measure| {
            let job = Job { claim, personality, measure };
            Some(match known.get(&job.name())? {
                Known::Found { outcome, text, .. } => format!("**{}**: {text}", outcome.as_str()),
                Known::Undefined(text) => format!("**unclear**: {text}"),
                Known::Alike => {
                    format!("{}: both search alike, so it was not played", measure.as_str())
                }
                Known::Stale => format!("{} to be run again", measure.as_str()),
                Known::NotYet => format!("{} not yet run", measure.as_str()),
            })
        });
    texts.collect::<Vec<_>>().join("; ")
}

fn head(file: &ClaimsFile, known: &BTreeMap<String, Known>) -> String {
    let conditions = &file.conditions;
    let (mut outcomes, mut left, mut hours) = (BTreeMap::new(), [0, 0], [(0.0, 0), (0.0, 0)]);
    for (name, known) in known {
        // Shares are counted in seconds.
        let index = usize::from(!name.ends_with(Measure::Match.as_str()));
        match known {
            Known::Found { outcome, hours: took, .. } => {
                *outcomes.entry(*outcome).or_insert(0) += 1;
                hours[index].0 += took;
                hours[index].1 += u32::from(*took > 0.0);
            }
            Known::Undefined(_) => *outcomes.entry(Outcome::Unclear).or_insert(0) += 1,
            Known::Alike => {}
            Known::Stale | Known::NotYet => left[index] += 1,
        }
    }
    let count = |outcome| outcomes.get(&outcome).copied().unwrap_or(0);
    let judged: u32 = outcomes.values().sum();
    let mut text = format!(
        "Matches: {} pairs at {} nodes a move (depth where a claim is about that), seed {}: Elo with the \
         mechanism minus Elo without, ± 95 %. Speed: {} positions to a fixed depth, the least \
         processor time of {} rounds in which both take turns at each position: time without over time \
         with, the geometric mean and its 95 % interval over positions; above 1 the mechanism is faster; \
         in brackets the same of nodes. Shares are what these searches \
         count of themselves, the 95 % interval over positions. Written by `verdict claims`, \
         which goes on with what is not yet run.\n\n\
         A claim is **confirmed** when the whole interval lies in what it says, or its sign is shown and \
         the amount not excluded; **contradicted** when the interval and the claim have nothing in common; \
         else, and with fewer than {LEAST_PAIRS} pairs, **unclear**. \"taken as\" is the amount that it is \
         judged by: where the paper has words in place of numbers it is our reading. Each verdict errs in \
         up to 5 % of such cases, and there are {}. What was measured with another engine, \
         other parameters or other conditions is run again.\n\n\
         So far {} confirmed, {} contradicted, {} unclear.",
        conditions.pairs,
        conditions.nodes,
        conditions.seed,
        conditions.positions,
        conditions.rounds,
        judged,
        count(Outcome::Confirmed),
        count(Outcome::Contradicted),
        count(Outcome::Unclear),
    );
    for (index, measure) in ["matches", "measurements of speed and shares"].iter().enumerate() {
        let (sum, run) = hours[index];
        if left[index] > 0 {
            let _ = write!(text, " Not yet run: {} {measure}", left[index]);
            if run > 0 {
                let expected = sum / f64::from(run) * f64::from(left[index]);
                let _ = write!(text, ", some {expected:.1} hours on such a machine");
            }
            text.push('.');
        }
    }
    text.push_str("\n\n");
    text
}

fn look(job: &Job<'_>, dir: &Path) -> Result<Known, RecordError> {
    let dir = dir.join(job.name());
    Ok(match job.measure {
        Measure::Match => of_match(job.claim, &dir),
        Measure::Speed => Speedup::read(&dir)?.map_or(Known::NotYet, |it| of_speed(job.claim, &it)),
        Measure::Share => Share::read(&dir)?.map_or(Known::NotYet, |it| of_share(job.claim, &it)),
    })
}

fn of_match(claim: &Claim, dir: &Path) -> Known {
    let (Some(summary), Some(claimed)) = (summary(dir), &claim.elo) else { return Known::NotYet };
    let judged = &summary.judged;
    let (Some(elo), Some(error)) = (judged.elo, judged.elo_error95) else {
        return Known::Undefined(summary.one_line());
    };
    let finding = Finding { value: elo, interval: [elo - error, elo + error] };
    let los = judged.los.map_or(String::new(), |los| format!(" (LOS {})", sure(los)));
    let few = summary.details.effective_ptnml.iter().sum::<u64>() < LEAST_PAIRS;
    Known::Found {
        outcome: if few { Outcome::Unclear } else { judge(claimed.elo, finding, 0.0) },
        text: format!("{elo:+.1} ± {error:.1} Elo{los}, {} games", summary.games),
        hours: summary.details.active_s / 3_600.0,
    }
}

fn of_share(claim: &Claim, share: &Share) -> Known {
    let Some(claimed) = &claim.share else { return Known::NotYet };
    let how = format!("{} positions to depth {}", share.counts.len(), share.depth);
    let Some(found) = share.finding() else {
        return Known::Undefined(format!("nothing to count in {how}"));
    };
    // A share of none would be no effect; that it is some is no news.
    Known::Found {
        outcome: judge(claimed.of, found, f64::NAN),
        text: format!("{}, {how}", found.percent()),
        hours: 0.0,
    }
}

fn of_speed(claim: &Claim, speedup: &Speedup) -> Known {
    let Some(claimed) = &claim.speed else { return Known::NotYet };
    let (time, nodes) = (speedup.faster(), speedup.fewer_nodes());
    let both = [&speedup.cost_with, &speedup.cost_without];
    let micros: u64 = both.iter().flat_map(|cost| &cost.micros).sum();
    let [low, high] = time.interval;
    Known::Found {
        outcome: judge(claimed.faster, time, 1.0),
        text: format!(
            "{:.2} times as fast ({low:.2} to {high:.2}) [{:.2}], {} positions to depth {}",
            time.value,
            nodes.value,
            speedup.positions(),
            speedup.depth
        ),
        hours: f64::from(speedup.rounds) * micros as f64 / 3.6e9,
    }
}
