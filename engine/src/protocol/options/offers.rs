//! The options as a protocol lists them.

use super::parameters::{LISTED, OWN, OWN_TABLE};
use super::{
    DEFAULT_OVERHEAD_MS, MAX_MULTIPV, MAX_NODES_PER_MS, MAX_OVERHEAD_MS, MAX_PROBE_DEPTH, MAX_SEED,
    MAX_THREADS, Options,
};
use crate::params::{NO_LAZY, PERSONALITIES, PaperName, SELECTIVE_RANGE, SPECS, Shape};
use crate::search::{HashSize, Strength};
use crate::tablebase::MOST_MEN;

/// An option as a protocol lists it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::protocol) struct Offer {
    pub(in crate::protocol) name: String,
    pub(in crate::protocol) kind: OfferKind,
}

/// What an option takes, and its default.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::protocol) enum OfferKind {
    Check(bool),
    Spin {
        default: String,
        min: String,
        max: String,
    },
    /// One of these, the first by default.
    Combo(Vec<&'static str>),
    Button,
    Text(String),
}

impl Options {
    /// The usual options, and after them the parameters if they are to be listed. Tables are strings of
    /// numbers, and a single cell (`pst.knight_mg[e4]`) can be set though it is not listed.
    pub(in crate::protocol) fn offers(&self) -> Vec<Offer> {
        let offer = |name: &str, kind| Offer { name: name.to_owned(), kind };
        let spin = |default: u64, min: u64, max: u64| {
            let [default, min, max] = [default, min, max].map(|number| number.to_string());
            OfferKind::Spin { default, min, max }
        };
        // PAR-01, PAR-02: as the personality has it, until it is set.
        let of_rebel = |paper: PaperName, max: i32| {
            let (default, min) = (OWN.to_owned(), OWN.to_owned());
            offer(paper.name(), OfferKind::Spin { default, min, max: max.to_string() })
        };
        let table = |paper: PaperName| {
            let names = paper.names().unwrap_or_default().iter().copied();
            offer(paper.name(), OfferKind::Combo([OWN_TABLE].into_iter().chain(names).collect()))
        };
        let is_listed = self.parameters.is_listed();
        let max_elo = u64::from(Strength::MAX_ELO);
        let most_men = u64::from(MOST_MEN);
        let mut offers = vec![
            offer("Hash", spin(HashSize::DEFAULT_MIB as u64, 1, HashSize::MAX_MIB as u64)),
            offer("Clear Hash", OfferKind::Button),
            offer("Threads", spin(1, 1, MAX_THREADS)),
            offer("Ponder", OfferKind::Check(false)),
            offer("MultiPV", spin(1, 1, MAX_MULTIPV)),
            offer("Move Overhead", spin(DEFAULT_OVERHEAD_MS, 0, MAX_OVERHEAD_MS)),
            offer("nodestime", spin(0, 0, MAX_NODES_PER_MS)),
            offer("UCI_Chess960", OfferKind::Check(false)),
            offer("UCI_LimitStrength", OfferKind::Check(false)),
            offer("UCI_Elo", spin(max_elo, Strength::MIN_ELO.into(), max_elo)),
            offer("Strength Seed", spin(0, 0, MAX_SEED)),
            table(PaperName::Mit),
            offer("MIT File", OfferKind::Text(String::new())),
            table(PaperName::Openings),
            offer("OpeningTable", OfferKind::Text(String::new())),
            offer("SyzygyPath", OfferKind::Text(String::new())),
            offer("SyzygyProbeDepth", spin(1, 1, MAX_PROBE_DEPTH)),
            offer("SyzygyProbeLimit", spin(most_men, 0, most_men)),
            offer("Syzygy50MoveRule", OfferKind::Check(true)),
            offer("Statistics", OfferKind::Check(false)),
            offer("Personality", OfferKind::Combo(personalities())),
            of_rebel(PaperName::ChessKnowledge, NO_LAZY),
            of_rebel(PaperName::SelectiveSearch, SELECTIVE_RANGE.1),
            offer("Parameter File", OfferKind::Text(String::new())),
            offer("List Parameters", OfferKind::Check(is_listed)),
        ];
        if is_listed {
            offers.extend(parameters());
        }
        offers
    }
}

/// The names to choose from. `default` is a word of UCI's grammar that cannot be a choice, `Default`
/// can; capitals do not matter when it is chosen.
fn personalities() -> Vec<&'static str> {
    let shown = |(name, _): &(&'static str, _)| if *name == "default" { "Default" } else { *name };
    PERSONALITIES.iter().map(shown).collect()
}

/// The parameters.
fn parameters() -> impl Iterator<Item = Offer> {
    SPECS.iter().map(|spec| {
        let default = spec.text(&LISTED);
        let kind = match spec.shape {
            Shape::Switch => OfferKind::Check(default == "true"),
            Shape::Number => {
                let (min, max) = (spec.min.to_string(), spec.max.to_string());
                OfferKind::Spin { default, min, max }
            }
            Shape::Choice(names) => {
                let mut names = names.to_vec();
                names.sort_by_key(|&name| name != default);
                OfferKind::Combo(names)
            }
            Shape::Squares | Shape::List(_) => OfferKind::Text(default),
        };
        Offer { name: spec.name.to_owned(), kind }
    })
}
