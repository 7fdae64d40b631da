//! `REBEL.md` is whole and true: a row for every item, parameters that exist, files that are there,
//! claims and figures as they stand where they come from.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use engine::params::{ParamSpec, SPECS};
use serde_json::Value as Json;

const DOCUMENT: &str = include_str!("../REBEL.md");

/// The area of claims, which have a column instead of rows.
const CLAIM: &str = "CLM";

/// A row of the tables.
struct Row {
    /// `AREA-NN`; `—` of what the papers do not have.
    id: &'static str,
    parameters: BTreeSet<&'static str>,
    places: &'static str,
    claims: BTreeSet<&'static str>,
    measured: &'static str,
}

impl Row {
    /// A line of a table; `None` of any other line, and of a table's head.
    fn of(line: &'static str) -> Option<Row> {
        let line = line.strip_prefix("| ")?.strip_suffix(" |")?;
        let cells: Vec<&str> = line.split(" | ").collect();
        let &[id, _, parameters, places, claims, measured] = cells.as_slice() else { return None };
        (id != "id").then(|| Row {
            id,
            parameters: code_spans(parameters).collect(),
            places,
            claims: claims.split(", ").filter(|claim| *claim != "—").collect(),
            measured,
        })
    }
}

fn rows() -> Vec<Row> {
    DOCUMENT.lines().filter_map(Row::of).collect()
}

/// What stands between backticks.
fn code_spans(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// The text without what stands between backticks, in which brackets are no links.
fn without_code(text: &str) -> String {
    text.split('`').step_by(2).collect()
}

/// A reference's label and target, from the end of the document.
fn definition(line: &str) -> Option<(&str, &str)> {
    line.strip_prefix('[')?.split_once("]: ")
}

fn definitions() -> BTreeMap<&'static str, &'static str> {
    DOCUMENT.lines().filter_map(definition).collect()
}

/// A link: its text, and the label or target behind it.
#[derive(Debug, PartialEq)]
enum Link<'a> {
    Reference(&'a str, &'a str),
    Inline(&'a str),
}

/// The links of a text without code: `[text][label]`, `[label]`, `[text](target)`.
fn links(text: &str) -> Vec<Link<'_>> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some((_, after)) = rest.split_once('[') {
        let Some((name, after)) = after.split_once(']') else { break };
        rest = after;
        let behind = |open, close| after.strip_prefix(open)?.split_once(close);
        if let Some((label, after)) = behind('[', ']') {
            found.push(Link::Reference(name, label));
            rest = after;
        } else if let Some((target, after)) = behind('(', ')') {
            found.push(Link::Inline(target));
            rest = after;
        } else {
            found.push(Link::Reference(name, name));
        }
    }
    found
}

fn folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The file that a link of the document leads to.
fn file(target: &str) -> PathBuf {
    folder().join(target.split('#').next().unwrap_or(target))
}

/// The ids that a text names, ranges such as `PAW-01..PAW-10` as all that lies within.
fn ids(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '.'));
    words.flat_map(range).collect()
}

fn range(word: &str) -> Vec<String> {
    let word = word.trim_end_matches('.');
    let (first, last) = word.split_once("..").unwrap_or((word, word));
    match (id_parts(first), id_parts(last)) {
        (Some((area, first)), Some((_, last))) => {
            (first..=last).map(|number| format!("{area}-{number:02}")).collect()
        }
        _ => Vec::new(),
    }
}

/// Area and number of an id.
fn id_parts(text: &str) -> Option<(&str, u32)> {
    let (area, number) = text.split_once('-')?;
    let is_area = (2..=4).contains(&area.len()) && area.bytes().all(|b| b.is_ascii_uppercase());
    let digits = number.len() == 2 && number.bytes().all(|b| b.is_ascii_digit());
    (is_area && digits).then(|| number.parse().ok().map(|number| (area, number)))?
}

#[test]
fn the_readers_of_this_test() {
    assert_eq!(
        links("[a/b.rs], [-1.0 ± 2][c] (x) [d](e)"),
        [Link::Reference("a/b.rs", "a/b.rs"), Link::Reference("-1.0 ± 2", "c"), Link::Inline("e")]
    );
    let found: Vec<String> = ids("PAW-09..PAW-11: 8.00, see AB-1, GEN-07.").into_iter().collect();
    assert_eq!(found, ["GEN-07", "PAW-09", "PAW-10", "PAW-11"]);
}

/// Each area is counted from 1 on without a gap, each item once.
#[test]
fn every_item_has_a_row() {
    let mut last: BTreeMap<&str, u32> = BTreeMap::new();
    for row in rows().iter().filter(|row| row.id != "—") {
        let (area, number) = id_parts(row.id).unwrap_or_else(|| panic!("'{}' is no id", row.id));
        let before = last.insert(area, number).unwrap_or(0);
        assert_eq!(number, before + 1, "{}: out of order, twice or missing before", row.id);
    }
    let counts: Vec<(&str, u32)> = last.into_iter().collect();
    let wanted = [
        ("AMB", 88),
        ("ASP", 6),
        ("END", 12),
        ("EVA", 17),
        ("EXT", 18),
        ("FUT", 4),
        ("GEN", 22),
        ("HOR", 4),
        ("HSH", 10),
        ("KSF", 12),
        ("LAZ", 12),
        ("LMR", 11),
        ("MISS", 36),
        ("MOB", 10),
        ("ORD", 26),
        ("PAR", 5),
        ("PAS", 13),
        ("PAW", 11),
        ("PCE", 16),
        ("PRO", 24),
        ("QS", 14),
        ("RED", 19),
        ("ROT", 9),
        ("SEE", 20),
        ("SEL", 18),
        ("TST", 14),
        ("UCI", 5),
    ];
    assert_eq!(counts, wanted);
}

/// Every name in the column of parameters is one, and every parameter is in it somewhere.
#[test]
fn parameters_are_those_of_the_table() {
    let rows = rows();
    let named: BTreeSet<&str> = rows.iter().flat_map(|row| row.parameters.clone()).collect();
    let real: BTreeSet<&str> = SPECS.iter().map(|spec| spec.name).collect();
    assert_eq!(named.difference(&real).collect::<Vec<_>>(), Vec::<&&str>::new(), "no parameters");
    assert_eq!(real.difference(&named).collect::<Vec<_>>(), Vec::<&&str>::new(), "not in REBEL.md");
}

/// A parameter stands in the row of every item that its source names; a claim that the source names
/// stands in one of the parameter's rows.
#[test]
fn parameters_stand_where_their_source_says() {
    let rows = rows();
    let have = |spec: &ParamSpec, id: &str| {
        let mut own = rows.iter().filter(|row| row.parameters.contains(spec.name));
        if id_parts(id).is_some_and(|(area, _)| area == CLAIM) {
            own.any(|row| row.claims.iter().any(|claim| claim.starts_with(id)))
        } else {
            own.any(|row| row.id == id)
        }
    };
    for spec in SPECS.iter() {
        for id in ids(spec.source) {
            assert!(have(spec, &id), "`{}` belongs into the row of {id}", spec.name);
        }
    }
}

/// Every link leads to a file, every reference is defined and every definition used.
#[test]
fn links_lead_somewhere() {
    let definitions = definitions();
    let text: Vec<&str> = DOCUMENT.lines().filter(|line| definition(line).is_none()).collect();
    let text = without_code(&text.join("\n"));
    let mut used = BTreeSet::new();
    for link in links(&text) {
        let target = match link {
            Link::Inline(target) => target,
            Link::Reference(_, label) => {
                used.insert(label);
                definitions.get(label).unwrap_or_else(|| panic!("[{label}] is not defined"))
            }
        };
        assert!(target.starts_with('#') || file(target).is_file(), "{target}: no such file");
    }
    for label in definitions.keys() {
        assert!(used.contains(label), "[{label}] is not used");
    }
}

/// The contents lead to the headings.
#[test]
fn the_contents_are_complete() {
    let anchor = |heading: &str| -> String {
        let kept = heading.chars().filter(|c| c.is_ascii_alphanumeric() || " -".contains(*c));
        kept.map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect()
    };
    let areas = DOCUMENT.split("\n## ").skip(1).filter(|section| section.contains("\n| id |"));
    for section in areas {
        let heading = section.lines().next().unwrap_or_default();
        assert!(DOCUMENT.contains(&format!("](#{})", anchor(heading))), "{heading}");
    }
}

/// Whatever a row lets one set, one of its files reads: it names the parameter's field.
#[test]
fn files_read_the_parameters() {
    let definitions = definitions();
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    for row in rows() {
        let places = links(row.places).into_iter().filter_map(|link| match link {
            Link::Reference(_, label) => definitions.get(label),
            Link::Inline(_) => None,
        });
        let texts: Vec<String> =
            places.map(|target| fs::read_to_string(file(target)).expect(target)).collect();
        let words: BTreeSet<&str> =
            texts.iter().flat_map(|text| text.split(|c| !is_word(c))).collect();
        for parameter in &row.parameters {
            let field = parameter.split_once('.').map(|(_, field)| field);
            let is_read = field.is_some_and(|field| words.contains(field));
            assert!(is_read, "{}: no file of {} reads `{parameter}`", row.id, row.places);
        }
    }
}

/// A search for an id finds its code: of the areas that are kept so, one file of each row names it, and
/// where two places do the same, both.
#[test]
fn files_name_their_items() {
    let definitions = definitions();
    for row in rows() {
        let Some(("HSH" | "ROT" | "TST" | "UCI", _)) = id_parts(row.id) else { continue };
        let files: Vec<&str> = links(row.places)
            .into_iter()
            .filter_map(|link| match link {
                Link::Reference(_, label) => definitions.get(label).copied(),
                Link::Inline(_) => None,
            })
            .collect();
        let names =
            |target: &&str| ids(&fs::read_to_string(file(target)).expect(target)).contains(row.id);
        let enough = match row.id {
            "HSH-02" | "ROT-07" | "TST-05" | "TST-11" => files.iter().all(names),
            _ => files.is_empty() || files.iter().any(names),
        };
        assert!(enough, "{} is not named in {}", row.id, row.places);
    }
}

/// Claims are those that the harness measures, each in the rows of its mechanisms.
#[test]
fn claims_are_those_of_the_harness() {
    let path = folder().join("../harness/claims/claims.json");
    let text = fs::read_to_string(&path).expect("the claims");
    let file: Json = serde_json::from_str(&text).expect("JSON");
    let claims = file["claims"].as_array().expect("a list");
    let rows = rows();
    let mut known = BTreeSet::new();
    for claim in claims {
        let id = claim["id"].as_str().expect("an id");
        known.insert(id);
        assert!(rows.iter().any(|row| row.claims.contains(id)), "{id} has no row");
        for mechanism in claim["mechanisms"].as_array().expect("a list") {
            let row = rows.iter().find(|row| Some(row.id) == mechanism.as_str());
            assert!(row.is_some_and(|row| row.claims.contains(id)), "{id} belongs to {mechanism}");
        }
    }
    for row in &rows {
        for claim in &row.claims {
            assert!(known.contains(claim), "{}: {claim} is no claim", row.id);
        }
    }
}

/// A figure stands in the file that it links to; with a switch before it, in a line with that switch.
#[test]
fn figures_are_copied() {
    let definitions = definitions();
    let mut checked = 0;
    for row in rows() {
        for part in row.measured.split("; ") {
            let switches: Vec<&str> = code_spans(part).filter(|code| code.contains('=')).collect();
            for link in links(&without_code(part)) {
                let Link::Reference(figure, label) = link else { continue };
                if !figure.contains(['±', '%']) {
                    continue;
                }
                let text = fs::read_to_string(file(definitions[label])).expect(label);
                let mut lines = text.lines().filter(|line| line.contains(figure));
                let agrees = |line: &str| switches.iter().all(|switch| line.contains(switch));
                assert!(lines.any(agrees), "{}: {part} is not in {}", row.id, definitions[label]);
                checked += 1;
            }
        }
    }
    assert!(checked > 80, "only {checked} figures found");
}
