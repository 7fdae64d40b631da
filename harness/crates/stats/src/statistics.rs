//! Every number of a match in one value, as summaries and `verdict stats` show them.

use std::collections::BTreeMap;

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::anytime::{AnytimeElo, anytime_elo};
use super::counts::{Counts, Pentanomial, Wdl};
use super::display::{display_elo, display_los, display_nelo, enough};
use super::elo::{Elo, NormalizedElo};
use super::mixed::Mixed;
use super::rule::Verdict;
use super::sample::ScoreSample;
use super::sprt::Sprt;
use super::unbiased::Unbiased;
use super::why::{Defined, Why};

/// The statistics of a match, test minus base.
///
/// In JSON the keys `pairs, games, wdl, ptnml, elo, elo_error95, elo_anytime95, nelo, nelo_error95, los, llr,
/// llr_bounds, elo_unbiased, elo_unbiased_ci95, verdict`: what is undefined is `null`, and `why`
/// holds its reason under the same key. Fields without such a key are for display only.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Statistics {
    pub pairs: Defined<u64>,
    pub games: u64,
    pub wdl: Defined<Wdl>,
    /// By score of the test engine.
    pub ptnml: Defined<Pentanomial>,
    /// Mean score of the test engine a game, 0 to 1. Not in JSON.
    pub score: Defined,
    /// Share of drawn games; where only pairs are counted, of pairs of 1 point. Not in JSON.
    pub draw_ratio: Defined,
    /// Pairs of more than 1 point to pairs of less. Not in JSON.
    pub pair_ratio: Defined,
    /// Elo and its interval; `low95` and `high95` are not in JSON.
    pub elo: Elo,
    /// The interval that holds at every look; in JSON both ends, an open one as `null`.
    pub anytime: AnytimeElo,
    pub nelo: NormalizedElo,
    /// Likelihood of superiority, 0 to 1; of pairs where pairs are counted.
    pub los: Defined,
    pub llr: Defined,
    pub llr_bounds: Defined<[f64; 2]>,
    /// Elo without the bias that stopping an SPRT brings.
    pub unbiased: Defined<Unbiased>,
    /// What the rule decided; the constructors leave it open.
    pub verdict: Defined<Verdict>,
}

impl Statistics {
    /// Statistics of pairs, with the LLR of a test if there is one. `wdl` are the same games
    /// counted one by one, if known: pairs do not tell two draws from a win and a loss.
    pub fn of_pairs(pairs: &Pentanomial, wdl: Option<&Wdl>, sprt: Option<&Sprt>) -> Statistics {
        let units = pairs.pairs() as f64;
        let draw_ratio = match wdl {
            Some(wdl) => ratio(wdl.draw as f64, wdl.games() as f64, Why::NoGames),
            None => ratio(pairs.dd_wl as f64, units, Why::NoGames),
        };
        let better = pairs.wd as f64 + pairs.ww as f64;
        let worse = pairs.ld as f64 + pairs.ll as f64;
        let no_ratio = if units == 0.0 { Why::NoGames } else { Why::NoLostPairs };
        Statistics {
            pairs: Ok(pairs.pairs()),
            games: pairs.games(),
            wdl: wdl.copied().ok_or(Why::GamesUnknown),
            ptnml: Ok(*pairs),
            draw_ratio,
            pair_ratio: ratio(better, worse, no_ratio),
            llr: sprt.ok_or(Why::NoSprt).and_then(|sprt| sprt.llr_of_pairs(pairs, wdl)),
            ..Statistics::of_counts(pairs, sprt)
        }
    }

    /// Statistics of pairs and of games in none. `paired` are the games of the pairs. The games in
    /// none are taken for independent; without pairs, or where these have no spread, so are all.
    pub fn of_pairs_and_games(
        pairs: &Pentanomial,
        paired: &Wdl,
        single: &Wdl,
        sprt: Option<&Sprt>,
    ) -> Statistics {
        if single.games() == 0 {
            return Statistics::of_pairs(pairs, Some(paired), sprt);
        }
        let all = *paired + *single;
        let of_games = Statistics::of_games(&all, sprt);
        if pairs.pairs() == 0 {
            return of_games;
        }
        let told = Statistics { pairs: Ok(pairs.pairs()), ptnml: Ok(*pairs), ..of_games };
        let Some(mixed) = Mixed::new(*pairs, *single, all) else { return told };
        Statistics {
            elo: mixed.elo(),
            anytime: AnytimeElo::undefined(Why::SomeInNoPair),
            nelo: mixed.nelo(),
            los: mixed.los(),
            llr: sprt.ok_or(Why::NoSprt).and_then(|sprt| mixed.llr(sprt)),
            unbiased: Err(sprt.map_or(Why::NoSprt, |_| Why::SomeInNoPair)),
            ..told
        }
    }

    /// Statistics of games, with the LLR of a test if there is one. Games are taken for
    /// independent; those of a pair are not, so that pairs say more.
    pub fn of_games(wdl: &Wdl, sprt: Option<&Sprt>) -> Statistics {
        Statistics {
            games: wdl.games(),
            wdl: Ok(*wdl),
            draw_ratio: ratio(wdl.draw as f64, wdl.games() as f64, Why::NoGames),
            ..Statistics::of_counts(wdl, sprt)
        }
    }

    pub fn with_verdict(self, verdict: Option<Verdict>) -> Statistics {
        Statistics { verdict: verdict.ok_or(Why::NoVerdict), ..self }
    }

    /// What both kinds of counts have in common.
    fn of_counts<C: Counts>(counts: &C, sprt: Option<&Sprt>) -> Statistics {
        let (won, lost) = ScoreSample::new(counts).points();
        Statistics {
            pairs: Err(Why::PairsUnknown),
            games: 0,
            wdl: Err(Why::GamesUnknown),
            ptnml: Err(Why::PairsUnknown),
            score: ratio(won, won + lost, Why::NoGames),
            draw_ratio: Err(Why::GamesUnknown),
            pair_ratio: Err(Why::PairsUnknown),
            elo: display_elo(counts),
            anytime: anytime_elo(counts),
            nelo: display_nelo(counts),
            los: display_los(counts),
            llr: sprt.ok_or(Why::NoSprt).and_then(|sprt| sprt.llr(counts)),
            llr_bounds: sprt.ok_or(Why::NoSprt).map(Sprt::bounds),
            unbiased: sprt.ok_or(Why::NoSprt).and_then(|sprt| {
                enough(counts)?;
                sprt.unbiased(counts)
            }),
            verdict: Err(Why::NoVerdict),
        }
    }
}

fn ratio(part: f64, whole: f64, otherwise: Why) -> Defined {
    if whole > 0.0 { Ok(part / whole) } else { Err(otherwise) }
}

impl Serialize for Statistics {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut keys = KeyedNumbers { map: serializer.serialize_map(None)?, why: BTreeMap::new() };
        keys.put("pairs", &self.pairs)?;
        keys.put("games", &Ok(self.games))?;
        keys.put("wdl", &self.wdl)?;
        keys.put("ptnml", &self.ptnml)?;
        keys.put("elo", &self.elo.elo)?;
        keys.put("elo_error95", &self.elo.error95)?;
        keys.put("elo_anytime95", &self.anytime.ends())?;
        keys.put("nelo", &self.nelo.nelo)?;
        keys.put("nelo_error95", &self.nelo.error95)?;
        keys.put("los", &self.los)?;
        keys.put("llr", &self.llr)?;
        keys.put("llr_bounds", &self.llr_bounds)?;
        keys.put("elo_unbiased", &self.unbiased.and_then(|unbiased| unbiased.elo))?;
        keys.put("elo_unbiased_ci95", &self.unbiased.and_then(|it| it.interval()))?;
        keys.put("verdict", &self.verdict)?;
        let KeyedNumbers { mut map, why } = keys;
        if !why.is_empty() {
            map.serialize_entry("why", &why)?;
        }
        map.end()
    }
}

/// Values by key, and the reasons of missing ones.
struct KeyedNumbers<M> {
    map: M,
    why: BTreeMap<&'static str, String>,
}

impl<M: SerializeMap> KeyedNumbers<M> {
    fn put<T: Serialize>(&mut self, key: &'static str, value: &Defined<T>) -> Result<(), M::Error> {
        if let Err(why) = value {
            self.why.insert(key, why.to_string());
        }
        self.map.serialize_entry(key, &value.as_ref().ok())
    }
}
