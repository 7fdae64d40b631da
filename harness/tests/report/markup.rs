//! What must hold of any page: sound markup, unique names, sound numbers, nothing from elsewhere.

use std::collections::{BTreeMap, BTreeSet};

/// A page that is sound.
pub(crate) struct Markup {
    pub(crate) text: String,
    /// The names of its elements that have one, with the kind of element.
    pub(crate) ids: BTreeMap<String, String>,
}

/// Elements without an end.
const VOID: [&str; 3] = ["meta", "br", "!DOCTYPE"];
/// What would make a page look elsewhere.
const FOREIGN: [&str; 8] =
    ["http:", "https:", "src=", "url(", "@import", "<link", "<img", "<iframe"];

impl Markup {
    #[track_caller]
    pub(crate) fn checked(text: String) -> Markup {
        for word in FOREIGN {
            assert!(!text.contains(word), "{word} in the page");
        }
        for word in ["NaN", "inf\"", "Infinity", "−0.0 "] {
            assert!(!text.contains(word), "{word} in {text}");
        }
        let ids = elements(&text);
        for attribute in ["aria-labelledby=\"", "href=\"#"] {
            for names in text.split(attribute).skip(1) {
                let names = names.split('"').next().unwrap();
                for name in names.split(' ') {
                    assert!(ids.contains_key(name), "{attribute}{name} leads nowhere");
                }
            }
        }
        for chart in text.split("<svg class=\"chart").skip(1) {
            let after = chart.split_once('>').unwrap().1;
            assert!(after.starts_with("<title id="), "a chart without a title");
            assert!(after.contains("</title><desc id="), "a chart without a description");
        }
        for head in text.split("<th").skip(1).filter(|rest| !rest.starts_with("ead")) {
            assert!(head.starts_with(" scope="), "a heading without its scope: {head:.40}");
        }
        for path in text.split("<path ").skip(1) {
            check_path(path.split(" d=\"").nth(1).unwrap().split('"').next().unwrap());
        }
        Markup { text, ids }
    }

    #[track_caller]
    pub(crate) fn has(&self, part: &str) {
        assert!(self.text.contains(part), "expected {part:?} in\n{}", self.text);
    }

    #[track_caller]
    pub(crate) fn lacks(&self, part: &str) {
        assert!(!self.text.contains(part), "{part:?} in\n{}", self.text);
    }

    /// The value and the note below it of a figure.
    #[track_caller]
    pub(crate) fn figure(&self, name: &str) -> [&str; 2] {
        let start = format!("<dt>{name}</dt><dd>");
        let rest = self.text.split(&start).nth(1).unwrap_or_else(|| panic!("no {name}"));
        let (value, rest) = rest.split_once("</dd><dd class=\"more\">").unwrap();
        [value, rest.split("</dd>").next().unwrap()]
    }
}

/// Walks over all elements, which must be nested; returns the names.
#[track_caller]
fn elements(text: &str) -> BTreeMap<String, String> {
    let mut open: Vec<&str> = Vec::new();
    let mut ids = BTreeMap::new();
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        rest = &rest[at + 1..];
        let (tag, after) = rest.split_once('>').unwrap();
        rest = after;
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "before {after:.80}");
            continue;
        }
        let name = tag.split([' ', '/']).next().unwrap();
        if let Some(id) = tag.split(" id=\"").nth(1) {
            let id = id.split('"').next().unwrap();
            let earlier = ids.insert(id.to_owned(), name.to_owned());
            assert_eq!(earlier, None, "two elements are called {id}");
        }
        if ["style", "script"].contains(&name) {
            rest = rest.split_once(&format!("</{name}>")).unwrap().1;
        } else if !tag.ends_with('/') && !VOID.contains(&name) {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "not closed: {open:?}");
    ids
}

/// Only commands and finite numbers, and no more points than can be seen.
#[track_caller]
fn check_path(data: &str) {
    let allowed: BTreeSet<char> = "MLhZ".chars().collect();
    let numbers = data.split(|c: char| allowed.contains(&c) || c == ' ');
    for number in numbers.filter(|number| !number.is_empty()) {
        let number: f64 = number.parse().unwrap_or_else(|_| panic!("{number:?} in {data}"));
        assert!(number.is_finite(), "{data}");
    }
    assert!(data.matches('L').count() < 1_000, "{} points", data.matches('L').count());
}
