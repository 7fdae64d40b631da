//! Expressions on tags: `WhiteElo >= 2800 && !(Event ~ "blitz")`.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::{Tags, compare_dates};

/// Deeper nesting is refused.
const MOST_NESTED: u32 = 64;

/// A condition on the tags of a game.
///
/// ```text
/// or   = and { "||" and }
/// and  = not { "&&" not }
/// not  = "!" not | "(" or ")" | TAG comparison value
/// comparison = "==" | "!=" | "<" | "<=" | ">" | ">=" | "~" (contains, in any case of letters)
/// value = number, word, or "text in quotes"
/// ```
///
/// If tag and value are numbers they are compared as such, above and below of dates (tags that end
/// in `Date`) part by part as far as both are known, all else as text. A missing tag is the empty
/// text, which is less than nothing and more than nothing: only `==` and `!=` look at it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Condition {
    text: String,
    root: Node,
}

#[derive(Debug, Clone, PartialEq)]
enum Node {
    Not(Box<Node>),
    And(Vec<Node>),
    Or(Vec<Node>),
    Compare { tag: String, by: Comparison, value: String, number: Option<f64> },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Comparison {
    Equal,
    Different,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Contains,
}

impl Condition {
    pub(crate) fn holds(&self, tags: &Tags) -> bool {
        self.root.holds(tags)
    }
}

impl Node {
    fn holds(&self, tags: &Tags) -> bool {
        match self {
            Node::Not(node) => !node.holds(tags),
            Node::And(nodes) => nodes.iter().all(|node| node.holds(tags)),
            Node::Or(nodes) => nodes.iter().any(|node| node.holds(tags)),
            Node::Compare { tag, by, value, number } => {
                let found = tags.get(tag).unwrap_or_default();
                let found = found.trim();
                let is_date = tag.to_ascii_lowercase().ends_with("date");
                match compare_dates(found, value) {
                    Some(ordering) if is_date && by.is_above_or_below() => {
                        by.accepts(Some(ordering))
                    }
                    _ => compare(found, *by, value, *number),
                }
            }
        }
    }
}

fn compare(found: &str, by: Comparison, value: &str, number: Option<f64>) -> bool {
    if by == Comparison::Contains {
        return found.to_lowercase().contains(&value.to_lowercase());
    }
    let found_number = number.and_then(|_| found.parse::<f64>().ok());
    let ordering = match (found_number, number) {
        (Some(found), Some(number)) => found.partial_cmp(&number),
        _ if matches!(by, Comparison::Equal | Comparison::Different) => Some(found.cmp(value)),
        // Words are neither above nor below a number.
        (None, Some(_)) => None,
        _ if found.is_empty() => None,
        _ => Some(found.cmp(value)),
    };
    by.accepts(ordering)
}

impl Comparison {
    fn is_above_or_below(self) -> bool {
        matches!(
            self,
            Comparison::Less
                | Comparison::LessOrEqual
                | Comparison::Greater
                | Comparison::GreaterOrEqual
        )
    }

    /// Whether a comparison with this result fulfils it; [`Comparison::Contains`] compares nothing.
    fn accepts(self, ordering: Option<Ordering>) -> bool {
        match self {
            Comparison::Equal => ordering == Some(Ordering::Equal),
            Comparison::Different => ordering != Some(Ordering::Equal),
            Comparison::Less => ordering == Some(Ordering::Less),
            Comparison::LessOrEqual => ordering.is_some_and(Ordering::is_le),
            Comparison::Greater => ordering == Some(Ordering::Greater),
            Comparison::GreaterOrEqual => ordering.is_some_and(Ordering::is_ge),
            Comparison::Contains => false,
        }
    }
}

/// As it was written.
impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for Condition {
    type Err = String;

    fn from_str(text: &str) -> Result<Condition, String> {
        let mut reader = Reader { text, rest: text, nested: 0 };
        let root = reader.or()?;
        if !reader.rest.trim_start().is_empty() {
            return Err(reader.wrong("expected '&&', '||' or the end"));
        }
        Ok(Condition { text: text.to_owned(), root })
    }
}

impl TryFrom<String> for Condition {
    type Error = String;

    fn try_from(text: String) -> Result<Condition, String> {
        text.parse()
    }
}

impl From<Condition> for String {
    fn from(condition: Condition) -> String {
        condition.text
    }
}

struct Reader<'a> {
    text: &'a str,
    rest: &'a str,
    nested: u32,
}

impl<'a> Reader<'a> {
    fn wrong(&self, expected: &str) -> String {
        let read = self.text.len() - self.rest.trim_start().len();
        let place = self.text[..read].chars().count() + 1;
        format!("{expected} at character {place} of '{}'", self.text)
    }

    fn eat(&mut self, word: &str) -> bool {
        match self.rest.trim_start().strip_prefix(word) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn or(&mut self) -> Result<Node, String> {
        let mut nodes = vec![self.and()?];
        while self.eat("||") {
            nodes.push(self.and()?);
        }
        Ok(if nodes.len() == 1 { nodes.remove(0) } else { Node::Or(nodes) })
    }

    fn and(&mut self) -> Result<Node, String> {
        let mut nodes = vec![self.not()?];
        while self.eat("&&") {
            nodes.push(self.not()?);
        }
        Ok(if nodes.len() == 1 { nodes.remove(0) } else { Node::And(nodes) })
    }

    fn not(&mut self) -> Result<Node, String> {
        self.nested += 1;
        if self.nested > MOST_NESTED {
            return Err(self.wrong("expected fewer than 64 conditions inside each other"));
        }
        let node = if self.eat("!") {
            Node::Not(Box::new(self.not()?))
        } else if self.eat("(") {
            let node = self.or()?;
            if !self.eat(")") {
                return Err(self.wrong("expected ')'"));
            }
            node
        } else {
            self.comparison()?
        };
        self.nested -= 1;
        Ok(node)
    }

    fn comparison(&mut self) -> Result<Node, String> {
        let tag = self.word(|c| c.is_ascii_alphanumeric() || c == '_');
        if tag.is_empty() {
            return Err(self.wrong("expected a tag's name, '!' or '('"));
        }
        const SIGNS: [(&str, Comparison); 7] = [
            ("==", Comparison::Equal),
            ("!=", Comparison::Different),
            ("<=", Comparison::LessOrEqual),
            (">=", Comparison::GreaterOrEqual),
            ("<", Comparison::Less),
            (">", Comparison::Greater),
            ("~", Comparison::Contains),
        ];
        let Some(&(_, by)) = SIGNS.iter().find(|(sign, _)| self.eat(sign)) else {
            return Err(self.wrong("expected one of == != < <= > >= ~"));
        };
        let value = self.value()?;
        // A text in quotes that looks like a number is compared like one: tags have no types.
        let number = value.parse::<f64>().ok().filter(|number| number.is_finite());
        Ok(Node::Compare { tag: tag.to_owned(), by, value, number })
    }

    fn value(&mut self) -> Result<String, String> {
        for quote in ['"', '\''] {
            if let Some(inside) = self.rest.trim_start().strip_prefix(quote) {
                let Some(end) = inside.find(quote) else {
                    return Err(self.wrong("expected a text with a quote at its end"));
                };
                self.rest = &inside[end + 1..];
                return Ok(inside[..end].to_owned());
            }
        }
        let word = self.word(|c| !c.is_whitespace() && !"()&|!<>=~\"'".contains(c));
        if word.is_empty() {
            return Err(self.wrong("expected a number, a word or a text in quotes"));
        }
        Ok(word.to_owned())
    }

    fn word(&mut self, is_inside: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest.trim_start();
        let end = rest.find(|c| !is_inside(c)).unwrap_or(rest.len());
        if end > 0 {
            self.rest = &rest[end..];
        }
        &rest[..end]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(condition: &str) -> bool {
        let mut tags = Tags::default();
        for (name, value) in [
            ("WhiteElo", "2850"),
            ("BlackElo", "?"),
            ("Event", "World Blitz"),
            ("White", "O'Kelly, \"Bert\""),
            ("Round", "1.2"),
            ("Date", "2021.05.??"),
            ("EventDate", "????.??.??"),
        ] {
            tags.add(name.as_bytes(), value.as_bytes());
        }
        condition.parse::<Condition>().expect(condition).holds(&tags)
    }

    #[test]
    fn comparisons() {
        for (condition, expected) in [
            ("WhiteElo>=2800 && BlackElo>=2800", false),
            ("WhiteElo>=2800 || BlackElo>=2800", true),
            ("WhiteElo > 900", true),
            ("!(WhiteElo < 900) && WhiteElo != 2800", true),
            ("BlackElo < 9999", false),
            ("whiteelo == 2850.0", true),
            ("Event ~ blitz", true),
            ("Event ~ 'rapid'", false),
            ("Event == \"World Blitz\"", true),
            ("White ~ \"O'K\" && Round == 1.2", true),
            ("Site == ''", true),
            ("Site < z", false),
            ("WhiteElo ~ 85", true),
            ("Date >= 2021 && Date <= 2021.06 && date < '2022.01.01'", true),
            ("Date >= 2021.06", false),
            ("Date == 2021", false),
            ("EventDate >= 1900", false),
            ("WhiteElo>1 && WhiteElo<2 || Event~world", true),
        ] {
            assert_eq!(holds(condition), expected, "{condition}");
        }
    }

    #[test]
    fn mistakes_are_placed() {
        for (text, place, expected) in [
            ("", 1, "a tag's name"),
            ("WhiteElo 2800", 10, "one of =="),
            ("WhiteElo>=", 11, "a number"),
            ("(WhiteElo>=1", 13, "')'"),
            ("WhiteElo>=1 WhiteElo<2", 13, "'&&'"),
            ("Event ~ 'x", 9, "a quote at its end"),
        ] {
            let error = text.parse::<Condition>().expect_err(text);
            assert!(error.contains(&format!("at character {place} of")), "{error}");
            assert!(error.contains(expected), "{error}");
        }
        assert!("!".repeat(100_000).parse::<Condition>().is_err());
        assert!("(".repeat(100_000).parse::<Condition>().is_err());
    }

    #[test]
    fn kept_as_written() {
        let text = "WhiteElo>=2800 && Event~'x'";
        let condition: Condition = text.parse().expect("a condition");
        let json = serde_json::to_string(&condition).expect("JSON");
        assert_eq!(serde_json::from_str::<Condition>(&json).expect("back"), condition);
        assert_eq!(String::from(condition), text);
    }
}
