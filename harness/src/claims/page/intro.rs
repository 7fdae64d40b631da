//! What stands before the chapters: what was done, how a picture is read, what was found in all.

use std::collections::BTreeMap;

use super::chapter::Chapter;
use super::sign::Sign;
use super::{LEGEND, PICTURES, measurements, push};
use crate::claims::known_finding::{KnownFinding, KnownFindings};
use crate::claims::{ClaimOutcome, ClaimsFile};
use charts::page::markdown_text;

const OUTCOMES: [ClaimOutcome; 3] =
    [ClaimOutcome::Confirmed, ClaimOutcome::Contradicted, ClaimOutcome::Unclear];

/// How many findings there are of each outcome, and how many are left.
#[derive(Debug, Default)]
struct Counts {
    outcomes: BTreeMap<ClaimOutcome, u32>,
    old: u32,
    missing: u32,
}

impl Counts {
    fn add(&mut self, chapter: &Chapter<'_>, file: &ClaimsFile, known: &KnownFindings) {
        for claim in &chapter.claims {
            let elsewhere = claim.elsewhere.as_ref().map(|it| it.outcome);
            let found = measurements(claim, file, known).filter_map(|(_, known)| match known {
                KnownFinding::Stale(_) => {
                    self.old += 1;
                    None
                }
                KnownFinding::NotYet => {
                    self.missing += 1;
                    None
                }
                known => known.outcome(),
            });
            for outcome in found.chain(elsewhere) {
                *self.outcomes.entry(outcome).or_insert(0) += 1;
            }
        }
    }

    fn of(&self, outcome: ClaimOutcome) -> u32 {
        self.outcomes.get(&outcome).copied().unwrap_or(0)
    }

    /// In words, each outcome with its sign.
    fn signs(&self) -> String {
        let parts = OUTCOMES.map(|it| format!("{} {}", self.of(it), Sign::of_outcome(it).text()));
        format!("{}, {} left", parts.join(", "), self.old + self.missing)
    }
}

pub(super) fn text(file: &ClaimsFile, known: &KnownFindings, chapters: &[Chapter<'_>]) -> String {
    let mut all = Counts::default();
    chapters.iter().for_each(|chapter| all.add(chapter, file, known));
    let [confirmed, contradicted, unclear] = OUTCOMES.map(|outcome| all.of(outcome));
    let not = file.claims.iter().filter(|claim| claim.not.is_some()).count();
    let elsewhere = file.claims.iter().filter(|claim| claim.elsewhere.is_some()).count();
    let Counts { old, missing, .. } = all;
    let mut text = format!(
        "# Then and now\n\n\
         Ed Schröder, the author of Mediocre and the author of winglet wrote down what each idea in their chess \
         programs was worth. We built these ideas into one engine, each with a switch, and measure their claims \
         again, {} in all: what does the engine gain when the idea is switched on?\n\n\
         **So far {confirmed} confirmed, {contradicted} contradicted, {unclear} unclear.** \
         A claim has a finding for each way in which it is measured and for each personality of the engine; of \
         {elsewhere} claims the one finding comes from another experiment. {missing} measurements are not yet made, \
         {old} are out of date, and {not} claims cannot be measured.\n\n",
        file.claims.len()
    );
    text += &reading();
    text += &contents(file, known, chapters);
    text
}

fn reading() -> String {
    let [confirmed, contradicted, unclear] =
        OUTCOMES.map(|outcome| Sign::of_outcome(outcome).markdown());
    format!(
        "## How to read the pictures\n\n\
         <img src=\"{PICTURES}/{LEGEND}.svg\" alt=\"An example: an interval inside the claimed range confirms the \
         claim, one apart from it contradicts it, one across its edge leaves it unclear.\">\n\n\
         - The shaded range is the claim. It ends at the picture's edge where the claim has no end. Where the \
         paper has words in place of numbers, the range is our reading of them.\n\
         - The dot is what we measured, the line through it the 95 % interval: where the true value most likely \
         is.\n\
         - The dashed upright line is \"no effect\": 0 Elo, or 1.0 times as fast. All pictures of a chapter have \
         the same axes.\n\
         - {confirmed}: the whole interval lies in the range, or the effect's direction is shown and the range \
         not excluded. {contradicted}: interval and range have nothing in common. {unclear}: neither, or too few \
         games or positions.\n\
         - A dashed line is an old measurement, of another version or other conditions. It is not counted.\n\n\
         Strength is in Elo: with the idea minus without it, from games. Speed is the time to search positions to a \
         fixed depth without the idea over the time with it, so 1.2 is 20 % faster; in square brackets stands the \
         same of the nodes searched. A share is counted in such searches. Personalities are sets of parameters of one \
         engine: `rebel` plays as the page about REBEL says, `default` is the strongest, `prodeo`, `mediocre` and \
         `winglet` follow their own texts. No finding is about the original programs.\n\n\
         The raw results are the folders behind the personalities' names; the conditions and all claims in one \
         table are in [README.md](README.md). To repeat it ([more](../../harness/docs/claims.md)):\n\n\
         ```sh\n\
         cargo build --release --workspace\n\
         export PATH=$PWD/target/release:$PATH\n\
         verdict claims --out again                  # all; may be stopped, goes on when called again\n\
         verdict claims --only CLM-13 --out again    # one claim\n\
         ```\n\n"
    )
}

/// The chapters of each text, and what was found of it.
fn contents(file: &ClaimsFile, known: &KnownFindings, chapters: &[Chapter<'_>]) -> String {
    let mut text = "## Contents\n\n".to_owned();
    let numbered: Vec<(usize, &Chapter<'_>)> = (1..).zip(chapters).collect();
    for paper in numbered.chunk_by(|(_, a), (_, b)| a.paper_id == b.paper_id) {
        let mut counts = Counts::default();
        paper.iter().for_each(|(_, chapter)| counts.add(chapter, file, known));
        let title = paper.first().map(|(_, chapter)| chapter.paper_title()).unwrap_or_default();
        let link = |(number, chapter): &(usize, &Chapter<'_>)| {
            format!("[{}](#c{number})", markdown_text(chapter.name))
        };
        let links: Vec<String> = paper.iter().map(link).collect();
        push(
            &mut text,
            format_args!(
                "- **{}**: {}.\n  {}\n",
                markdown_text(&title),
                counts.signs(),
                links.join(" · ")
            ),
        );
    }
    text.push('\n');
    text
}
