//! Which games count, by their tags, result and length.

mod condition;
mod tags;

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

pub use condition::Condition;
use pgn::Outcome;
pub use tags::Tags;

/// Whose Elo counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[derive(strum::Display, strum::EnumString, strum::EnumIter, strum::EnumMessage)]
#[derive(strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
#[serde(rename_all = "lowercase")]
pub enum EloOf {
    /// Both players.
    #[default]
    Both,
    /// At least one player.
    Either,
}

/// Compares a date to a bound by the parts that both have; `None` where the date has none.
fn compare_dates(date: &str, bound: &str) -> Option<Ordering> {
    let parts = |text: &str| -> Vec<u32> {
        text.split(['.', '-', '/']).map_while(|part| part.parse().ok()).collect()
    };
    let (known, bound) = (parts(date), parts(bound));
    let shared = bound.len().min(known.len());
    (shared > 0).then(|| known[..shared].cmp(&bound[..shared]))
}

/// What a game must be like. An unset field lets all games pass; a missing tag fulfils no demand.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Filter {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_elo: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_elo: Option<u32>,
    pub elo_of: EloOf,
    /// Allowed results; empty: any, also none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub results: Vec<Outcome>,
    /// A part of the event's name, case-insensitive.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event: Option<String>,
    /// First date, as `2024`, `2024.05` or `2024.05.31`; `to` is the last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// A part of the time control, like `60+1`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_control: Option<String>,
    /// Plies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_plies: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_plies: Option<u32>,
    #[serde(rename = "where", skip_serializing_if = "Option::is_none")]
    pub condition: Option<Condition>,
    /// Count equal games once.
    pub dedup: bool,
}

impl Filter {
    /// Whether it looks at any tag.
    pub fn reads_tags(&self) -> bool {
        self.min_elo.is_some()
            || self.max_elo.is_some()
            || self.event.is_some()
            || self.from.is_some()
            || self.to.is_some()
            || self.time_control.is_some()
            || self.condition.is_some()
    }

    /// Whether a game with these tags counts, as far as tags tell.
    pub fn accepts(&self, tags: &Tags) -> bool {
        if !self.reads_tags() {
            return true;
        }
        let holds = |part: &Option<String>, tag: &str| match part {
            None => true,
            Some(part) => tags
                .get(tag)
                .is_some_and(|value| value.to_lowercase().contains(&part.to_lowercase())),
        };
        self.accepts_elo(tags)
            && holds(&self.event, "Event")
            && holds(&self.time_control, "TimeControl")
            && self.accepts_date(tags)
            && self.condition.as_ref().is_none_or(|condition| condition.holds(tags))
    }

    fn accepts_elo(&self, tags: &Tags) -> bool {
        if self.min_elo.is_none() && self.max_elo.is_none() {
            return true;
        }
        let fits = |tag| {
            let elo = tags.get(tag).and_then(|value| value.trim().parse::<u32>().ok());
            elo.is_some_and(|elo| {
                self.min_elo.is_none_or(|min| elo >= min)
                    && self.max_elo.is_none_or(|max| elo <= max)
            })
        };
        match self.elo_of {
            EloOf::Both => fits("WhiteElo") && fits("BlackElo"),
            EloOf::Either => fits("WhiteElo") || fits("BlackElo"),
        }
    }

    /// Unknown parts of a date, as in `2024.??.??`, may be any.
    fn accepts_date(&self, tags: &Tags) -> bool {
        if self.from.is_none() && self.to.is_none() {
            return true;
        }
        let Some(date) = tags.get("Date").or_else(|| tags.get("UTCDate")) else { return false };
        let ordering = |bound: &str| compare_dates(&date, bound);
        let fits = |bound: &Option<String>, is: fn(Ordering) -> bool| {
            bound.as_deref().is_none_or(|bound| ordering(bound).is_some_and(is))
        };
        fits(&self.from, Ordering::is_ge) && fits(&self.to, Ordering::is_le)
    }

    pub(super) fn accepts_length(&self, plies: u32) -> bool {
        self.min_plies.is_none_or(|min| plies >= min)
            && self.max_plies.is_none_or(|max| plies <= max)
    }

    /// `None`: a game without a result.
    pub(super) fn accepts_result(&self, result: Option<&Outcome>) -> bool {
        self.results.is_empty() || result.is_some_and(|outcome| self.results.contains(outcome))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tags(list: &[(&str, &str)]) -> Tags {
        let mut tags = Tags::default();
        for (name, value) in list {
            tags.add(name.as_bytes(), value.as_bytes());
        }
        tags
    }

    #[test]
    fn elo_of_both_or_either() {
        let game = tags(&[("WhiteElo", "2805"), ("BlackElo", "2790")]);
        let mut filter = Filter { min_elo: Some(2800), ..Filter::default() };
        assert!(!filter.accepts(&game));
        filter.elo_of = EloOf::Either;
        assert!(filter.accepts(&game));
        filter.max_elo = Some(2804);
        assert!(!filter.accepts(&game), "each player by both bounds");
        assert!(!filter.accepts(&tags(&[("WhiteElo", "?")])));
    }

    #[test]
    fn dates_known_in_part() {
        let filter = |from: &str, to: &str| Filter {
            from: Some(from.to_owned()),
            to: Some(to.to_owned()),
            ..Filter::default()
        };
        let date = |date| tags(&[("Date", date)]);
        assert!(filter("2020", "2021").accepts(&date("2021.12.31")));
        assert!(!filter("2020", "2021.11").accepts(&date("2021.12.31")));
        assert!(filter("2020.06", "2021").accepts(&date("2020.??.??")));
        assert!(!filter("2020", "2021").accepts(&date("????.??.??")));
        assert!(filter("2020", "2021").accepts(&tags(&[("UTCDate", "2020.01.01")])));
    }

    #[test]
    fn parts_of_names() {
        let filter = Filter { event: Some("tcec".to_owned()), ..Filter::default() };
        assert!(filter.accepts(&tags(&[("Event", "TCEC Season 20")])));
        assert!(!filter.accepts(&tags(&[("Site", "TCEC")])));
    }
}
