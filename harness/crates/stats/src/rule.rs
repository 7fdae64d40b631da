//! Rules that turn counts into a verdict: LOS of 95 % is the old line (TST-02).

use std::fmt;

use serde::{Deserialize, Serialize};

use super::anytime::{Anytime, Bets, Course, Evidence};
use super::counts::{Pentanomial, Wdl};
use super::display::LEAST_PAIRS;
use super::los::{los, percent_clamped, strict_los};
use super::sprt::{Decision, Sprt};
use super::why::{Defined, Why};

/// What decides a match. Read from text such as `los=95,pairs=200`, `sprt=0,5,model=logistic` or
/// `anytime=5%`, and kept in JSON as that text. A recorded `anytime=5%` without `bets=` is an older
/// one, of [`Bets::Shares`].
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Rule {
    /// LOS, looked at once.
    Los(LosRule),
    /// A sequential test, looked at after every pair.
    Sprt(Sprt),
    /// A test that assumes neither a spread nor a least gain, looked at after every pair.
    Anytime(Anytime),
}

impl Default for Rule {
    fn default() -> Rule {
        Rule::Los(LosRule { percent: 95.0, pairs: None })
    }
}

/// Accepts when LOS, after a number of pairs fixed beforehand, is high enough; judged by
/// [`strict_los`](super::strict_los), so that few pairs do not accept more often than they should.
///
/// It is judged once: looking at LOS after every pair and stopping when it is high would accept a
/// change worth nothing far more often than 1 in 20.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LosRule {
    /// LOS in percent from which the test engine is accepted, above 50 and below 100; it is
    /// rejected at 100 minus this or less.
    pub percent: f64,
    /// Pairs after which to judge; `None`: at the end of the run.
    pub pairs: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, strum::Display)]
#[serde(rename_all = "UPPERCASE")]
#[strum(serialize_all = "UPPERCASE")]
pub enum Verdict {
    /// The test engine is stronger, as far as the rule asked.
    Accept = 0,
    Reject = 1,
    /// The games do not tell.
    Undecided = 2,
}

impl Verdict {
    pub fn exit_code(self) -> u8 {
        self as u8
    }
}

/// What a rule says of the pairs so far.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Judgement {
    Continue,
    Decided(Verdict, Reason),
}

impl Judgement {
    /// `None` while the match goes on.
    pub fn verdict(&self) -> Option<Verdict> {
        match self {
            Judgement::Continue => None,
            Judgement::Decided(verdict, _) => Some(*verdict),
        }
    }
}

/// The numbers behind a verdict.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Reason {
    Los {
        /// [`los`](super::los()), 0 to 1.
        los: f64,
        /// [`strict_los`](super::strict_los), by which the rule judges.
        strict: f64,
        percent: f64,
    },
    Llr {
        llr: f64,
        bounds: [f64; 2],
    },
    Evidence {
        /// As natural logarithms.
        evidence: Evidence,
        /// The log evidence at which the rule decides.
        bound: f64,
    },
    /// The run is shorter than the rule asks for.
    TooFewPairs {
        /// Of the whole run.
        played: u64,
        /// By the rule.
        wanted: u64,
    },
    /// Too few different pairs: LOS takes the mean for normal and would claim more than they prove.
    TooFewToJudge {
        /// Without those that repeat others.
        pairs: u64,
    },
    /// The number to judge by is undefined.
    Undefined(Why),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Los { los, strict, percent } => {
                let reject = short(100.0 - percent);
                let crosses = |los: f64| 100.0 * los >= *percent || 100.0 * los <= reject;
                write!(f, "LOS {}", percent_clamped(*los))?;
                if crosses(*los) && !crosses(*strict) {
                    write!(f, ", but {} by Student's t", percent_clamped(*strict))?;
                }
                write!(f, " (accept from {percent}%, reject to {reject}%)")
            }
            Reason::Llr { llr, bounds: [lower, upper] } => {
                write!(f, "LLR {llr:.2} (reject to {lower:.2}, accept from {upper:.2})")
            }
            Reason::Evidence { evidence, bound } => {
                write!(f, "{evidence} (decides from {:.2}×)", bound.exp())
            }
            Reason::TooFewPairs { played, wanted } => {
                write!(f, "the run has {played} pairs, the rule asks for {wanted}")
            }
            Reason::TooFewToJudge { pairs } => {
                write!(
                    f,
                    "{pairs} different pairs are too few for a verdict by LOS ({LEAST_PAIRS})"
                )
            }
            Reason::Undefined(why) => why.fmt(f),
        }
    }
}

impl Rule {
    /// Judges `played` pairs of a run of at most `total_pairs`. `course` leaves out pairs that
    /// repeat others; `games` are its games, needed by an SPRT in BayesElo. Call it after every pair,
    /// in schedule order: pairs behind the deciding one must not be in the course.
    pub fn judge(
        &self,
        course: &Course,
        games: Option<&Wdl>,
        played: u64,
        total_pairs: u64,
    ) -> Judgement {
        let ended = played >= total_pairs;
        let counts = &course.counts;
        match self {
            Rule::Los(rule) => rule.judge(counts, played, ended),
            Rule::Sprt(sprt) => judge_sprt(sprt, sprt.llr_of_pairs(counts, games), ended),
            Rule::Anytime(test) => judge_anytime(test, course, ended),
        }
    }

    /// Why it has not decided after `played` of at most `total` pairs, as text.
    pub fn waits(&self, played: u64, total: u64) -> String {
        let so_far = format!("{played} of {total} pairs are played");
        match self {
            Rule::Los(LosRule { pairs, .. }) => {
                let wanted = pairs.unwrap_or(total);
                format!("{so_far}, and the rule {self} judges LOS once, after {wanted} pairs")
            }
            Rule::Sprt(_) | Rule::Anytime(_) => {
                format!("{so_far}, and what they show is not enough for the rule {self}")
            }
        }
    }

    /// Only of [`Rule::Anytime`].
    pub fn evidence(&self, course: &Course) -> Option<Evidence> {
        match self {
            Rule::Anytime(test) => Some(test.evidence(course)),
            Rule::Los(_) | Rule::Sprt(_) => None,
        }
    }

    pub fn is_sequential(&self) -> bool {
        !matches!(self, Rule::Los(_))
    }

    pub fn sprt(&self) -> Option<&Sprt> {
        match self {
            Rule::Sprt(sprt) => Some(sprt),
            Rule::Los(_) | Rule::Anytime(_) => None,
        }
    }
}

impl LosRule {
    fn judge(&self, counts: &Pentanomial, played: u64, ended: bool) -> Judgement {
        let enough = self.pairs.map_or(ended, |wanted| played >= wanted);
        if !enough {
            return match self.pairs {
                Some(wanted) if ended => {
                    Judgement::Decided(Verdict::Undecided, Reason::TooFewPairs { played, wanted })
                }
                _ => Judgement::Continue,
            };
        }
        let pairs = counts.pairs();
        match los(counts).and_then(|los| Ok((los, strict_los(counts)?))) {
            Ok(_) if pairs < LEAST_PAIRS => {
                Judgement::Decided(Verdict::Undecided, Reason::TooFewToJudge { pairs })
            }
            Ok((los, strict)) => {
                let percent = self.percent;
                let verdict = if 100.0 * strict >= percent {
                    Verdict::Accept
                } else if 100.0 * strict <= 100.0 - percent {
                    Verdict::Reject
                } else {
                    Verdict::Undecided
                };
                Judgement::Decided(verdict, Reason::Los { los, strict, percent })
            }
            Err(why) => Judgement::Decided(Verdict::Undecided, Reason::Undefined(why)),
        }
    }
}

fn judge_sprt(sprt: &Sprt, llr: Defined, ended: bool) -> Judgement {
    let (verdict, reason) = match llr {
        Ok(llr) => {
            let verdict = match sprt.decide(llr) {
                Decision::H1 => Some(Verdict::Accept),
                Decision::H0 => Some(Verdict::Reject),
                Decision::Continue => None,
            };
            (verdict, Reason::Llr { llr, bounds: sprt.bounds() })
        }
        Err(why) => (None, Reason::Undefined(why)),
    };
    match verdict {
        Some(verdict) => Judgement::Decided(verdict, reason),
        None if ended => Judgement::Decided(Verdict::Undecided, reason),
        None => Judgement::Continue,
    }
}

fn judge_anytime(test: &Anytime, course: &Course, ended: bool) -> Judgement {
    let (evidence, bound) = (test.evidence(course), test.bound());
    let reason = Reason::Evidence { evidence, bound };
    if evidence.better >= bound {
        Judgement::Decided(Verdict::Accept, reason)
    } else if evidence.worse >= bound {
        Judgement::Decided(Verdict::Reject, reason)
    } else if ended {
        Judgement::Decided(Verdict::Undecided, reason)
    } else {
        Judgement::Continue
    }
}

/// A percentage without binary rounding digits: 0.1 and not 0.0999999999999943.
pub fn short(percent: f64) -> f64 {
    (percent * 1e9).round() / 1e9
}

/// A share as the percentage that reads back as it: 7 and not 7.000000000000001 for 0.07.
fn percent(share: f64) -> f64 {
    let full = 100.0 * share;
    let short = format!("{full:.12e}").parse().unwrap_or(full);
    let candidates = [short, full, full.next_up(), full.next_down()];
    candidates.into_iter().find(|percent| percent / 100.0 == share).unwrap_or(full)
}

impl Rule {
    /// As it is recorded: as written, but bets of fixed shares, which were once the only ones, have no
    /// name there.
    pub(super) fn recorded(&self) -> String {
        match self {
            Rule::Anytime(test) if test.bets() == Bets::Shares => {
                format!("anytime={}%", percent(test.alpha()))
            }
            rule => rule.to_string(),
        }
    }
}

/// As it is read.
impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Rule::Los(LosRule { percent, pairs: None }) => write!(f, "los={percent}"),
            Rule::Los(LosRule { percent, pairs: Some(pairs) }) => {
                write!(f, "los={percent},pairs={pairs}")
            }
            Rule::Anytime(test) => {
                write!(f, "anytime={}%,bets={}", percent(test.alpha()), test.bets())
            }
            Rule::Sprt(sprt) => {
                let (elo0, elo1, alpha) = (sprt.elo0(), sprt.elo1(), sprt.alpha());
                let (beta, model) = (sprt.beta(), sprt.model());
                write!(f, "sprt={elo0},{elo1},alpha={alpha},beta={beta},model={model}")
            }
        }
    }
}
