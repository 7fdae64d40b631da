//! The claims as a page for visitors, in Markdown with a picture for each claim: what was said, and
//! what was measured of it.

mod chapter;
mod intro;
mod picture;
mod sign;

use std::fmt::Write as _;

use clap::ValueEnum as _;

use self::chapter::{Chapter, chapters};
use self::picture::{Axis, Panel, Row};
use self::sign::Sign;
use super::amount::{amount, taken_as};
use super::finding::{Finding, judge};
use super::known_finding::{KnownFinding, KnownFindings};
use super::{Claim, ClaimsFile, Elsewhere, MeasureKind, Measurement};
use charts::html::HtmlText;
use charts::page::markdown_text;

/// The page, beside the table.
pub(super) const PAGE: &str = "then-and-now.md";
/// The folder of its pictures.
pub(super) const PICTURES: &str = "then-and-now";
/// The picture that explains the others; no claim has such an id.
const LEGEND: &str = "how_to_read";

/// The page, and its pictures by their file names.
pub(super) struct ThenAndNow {
    pub page: String,
    pub pictures: Vec<(String, String)>,
}

pub(super) fn render(file: &ClaimsFile, known: &KnownFindings) -> ThenAndNow {
    let chapters = chapters(file);
    let mut pictures = vec![picture_file(LEGEND, legend())];
    let mut page = intro::text(file, known, &chapters);
    let mut paper = None;
    for (number, chapter) in (1..).zip(&chapters) {
        if paper != Some(chapter.paper_id) {
            paper = Some(chapter.paper_id);
            push(&mut page, format_args!("## {}\n\n", markdown_text(&chapter.paper_title())));
        }
        push(
            &mut page,
            format_args!("<a id=\"c{number}\"></a>\n\n### {}\n\n", markdown_text(chapter.name)),
        );
        let panels: Vec<Vec<Panel>> =
            chapter.claims.iter().map(|claim| panels(claim, file, known)).collect();
        let scales = picture::scales(panels.iter().flatten());
        for (claim, panels) in chapter.claims.iter().zip(&panels) {
            page += &claim_text(claim, chapter, file, known, panels);
            if !panels.is_empty() {
                let title = format!("{}: {}", claim.id, claim.claim);
                let svg = picture::draw(&claim.id, &title, panels, &scales);
                pictures.push(picture_file(&claim.id, svg));
            }
        }
    }
    ThenAndNow { page, pictures }
}

fn push(page: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a String cannot fail.
    let _ = page.write_fmt(text);
}

fn picture_file(name: &str, svg: String) -> (String, String) {
    (format!("{name}.svg"), svg)
}

/// What is known of each measurement of a claim, in the order of the page.
fn measurements<'a>(
    claim: &'a Claim,
    file: &'a ClaimsFile,
    known: &'a KnownFindings,
) -> impl Iterator<Item = (Measurement<'a>, &'a KnownFinding)> {
    let all = MeasureKind::value_variants().iter().flat_map(move |&measure| {
        let names = claim.measured_in(&file.conditions);
        names.map(move |personality| Measurement { claim, personality, measure })
    });
    all.filter_map(|measurement| {
        let known = known.get(&measurement.name())?;
        (!matches!(known, KnownFinding::Nothing)).then_some((measurement, known))
    })
}

/// The parts of a claim's picture, one for each way in which it is measured.
fn panels(claim: &Claim, file: &ClaimsFile, known: &KnownFindings) -> Vec<Panel> {
    let panel = |measure| {
        let claimed = claim.range(measure)?;
        let axis = Axis::of(measure);
        let rows = measurements(claim, file, known)
            .filter(|(measurement, _)| measurement.measure == measure)
            .map(|(measurement, known)| row(axis, measurement.personality, known))
            .collect();
        let head = format!("{}: claimed {}", axis.name(), amount(claim, measure)?);
        Some(Panel { head, axis, claimed, rows })
    };
    MeasureKind::ways().filter_map(panel).collect()
}

fn row(axis: Axis, name: &str, known: &KnownFinding) -> Row {
    let (finding, was) = match known {
        KnownFinding::Found { finding, .. } => (Some(*finding), ""),
        KnownFinding::Stale(before) => match &**before {
            KnownFinding::Found { finding, .. } => (Some(*finding), "was "),
            _ => (None, ""),
        },
        _ => (None, ""),
    };
    let detail = finding.map_or(String::new(), |it| format!("{was}{}", axis.amount(it)));
    Row { name: name.to_owned(), sign: Sign::of(known), detail, finding }
}

/// A picture of invented findings, judged as real ones are.
fn legend() -> String {
    let claimed = [Some(1.1), Some(1.2)];
    let rows = [("inside", 1.15, 0.03), ("apart", 0.98, 0.04), ("across", 1.1, 0.15)];
    let row = |(name, value, error): (&str, f64, f64)| {
        let finding = Finding { value, interval: [value - error, value + error] };
        let outcome = judge(claimed, finding, 1.0);
        row(Axis::Times, name, &KnownFinding::Found { outcome, finding, text: String::new() })
    };
    let head = "An example: claimed 1.1 to 1.2 times as fast".to_owned();
    let rows = rows.map(row).into();
    let panel = Panel { head, axis: Axis::Times, claimed, rows };
    let scales = picture::scales([&panel]);
    picture::draw(LEGEND, "How to read the pictures: an example", &[panel], &scales)
}

/// The heading of a claim, its quote, its picture and its measurements in words.
fn claim_text(
    claim: &Claim,
    chapter: &Chapter<'_>,
    file: &ClaimsFile,
    known: &KnownFindings,
    panels: &[Panel],
) -> String {
    let mut text = format!("#### {}: {}\n\n", claim.id, markdown_text(&claim.claim));
    if let Some(quote) = &claim.quote {
        let by = chapter.by().map_or(String::new(), |by| format!(" — {}", markdown_text(&by)));
        push(&mut text, format_args!("> “{}”{by}\n\n", markdown_text(quote)));
    }
    if let Some(why) = &claim.not {
        push(&mut text, format_args!("Not measured: {}.\n\n", markdown_text(why)));
    }
    if let Some(elsewhere) = &claim.elsewhere {
        text += &elsewhere_text(elsewhere);
    }
    if panels.is_empty() {
        return text;
    }
    let alt = format!("{}. {}", claim.id, picture::description(panels));
    push(
        &mut text,
        format_args!(
            "<img src=\"{PICTURES}/{}.svg\" alt=\"{}\">\n\n",
            HtmlText(&claim.id),
            HtmlText(&alt)
        ),
    );
    let said = MeasureKind::ways()
        .filter_map(|it| Some(format!("{}, {}", Axis::of(it).name(), taken_as(claim, it)?)));
    let said = markdown_text(&said.collect::<Vec<_>>().join("; "));
    push(&mut text, format_args!("Then: {said}. Now:\n\n"));
    for (measurement, known) in measurements(claim, file, known) {
        text += &measurement_text(&measurement, known);
    }
    text.push('\n');
    text
}

fn measurement_text(measurement: &Measurement<'_>, known: &KnownFinding) -> String {
    let name = match known {
        KnownFinding::NotYet => format!("`{}`", measurement.personality),
        _ => format!("[`{}`]({})", measurement.personality, measurement.name()),
    };
    let what = match measurement.measure {
        MeasureKind::More => "more games of the match",
        measure => Axis::of(measure).name(),
    };
    let told = match known {
        KnownFinding::Stale(before) => before.text().map(|text| format!("was {text}")),
        other => other.text().map(str::to_owned),
    };
    let told = told.map_or(String::new(), |text| format!(": {}", markdown_text(&text)));
    format!("- {name}, {what}: {}{told}\n", Sign::of(known).markdown())
}

fn elsewhere_text(elsewhere: &Elsewhere) -> String {
    let Elsewhere { outcome, found, file } = elsewhere;
    let (sign, file) = (Sign::of_outcome(*outcome).markdown(), file.display());
    format!("{sign}, in another way: {} ([{file}](../../{file}))\n\n", markdown_text(found))
}
