//! Counts of games and of pairs, from the test engine's viewpoint.

use std::fmt;
use std::ops::{Add, AddAssign};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::why::{Defined, Why};

/// Counts of results by score: [`Wdl`] or [`Pentanomial`].
///
/// The statistics are written once for both: the score of outcome `i` among `k` is `i / (k − 1)`.
pub trait Counts: Copy {
    /// Games in one counted unit: 1 for games, 2 for pairs.
    const GAMES: u32;

    /// The counts in ascending order of the test engine's score.
    fn low_to_high(&self) -> impl AsRef<[u64]>;

    /// The games, one by one. Undefined for pairs: they do not tell two draws from a win and a
    /// loss.
    fn games(&self) -> Defined<Wdl>;
}

/// Games won, drawn and lost by the test engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Wdl {
    pub win: u64,
    pub draw: u64,
    pub loss: u64,
}

impl Wdl {
    pub fn games(&self) -> u64 {
        saturating_sum(&[self.loss, self.draw, self.win])
    }

    /// From the base engine's viewpoint.
    pub fn mirrored(&self) -> Wdl {
        Wdl { win: self.loss, draw: self.draw, loss: self.win }
    }

    /// Adds one game by the test engine's half points; anything above 1 counts as a win.
    pub fn add_game(&mut self, half_points: u8) {
        let count = match half_points {
            0 => &mut self.loss,
            1 => &mut self.draw,
            _ => &mut self.win,
        };
        *count = count.saturating_add(1);
    }
}

impl Counts for Wdl {
    const GAMES: u32 = 1;

    fn low_to_high(&self) -> impl AsRef<[u64]> {
        [self.loss, self.draw, self.win]
    }

    fn games(&self) -> Defined<Wdl> {
        Ok(*self)
    }
}

impl AddAssign for Wdl {
    fn add_assign(&mut self, other: Wdl) {
        self.win = self.win.saturating_add(other.win);
        self.draw = self.draw.saturating_add(other.draw);
        self.loss = self.loss.saturating_add(other.loss);
    }
}

impl Add for Wdl {
    type Output = Wdl;

    fn add(mut self, other: Wdl) -> Wdl {
        self += other;
        self
    }
}

/// Written `W,D,L`.
impl fmt::Display for Wdl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{},{}", self.win, self.draw, self.loss)
    }
}

/// Read from `W,D,L`.
impl FromStr for Wdl {
    type Err = String;

    fn from_str(text: &str) -> Result<Wdl, String> {
        let [win, draw, loss] = parse(text, "three counts W,D,L")?;
        Ok(Wdl { win, draw, loss })
    }
}

/// Pairs by the test engine's score: two games, the same opening, colours swapped.
///
/// In JSON the array `[LL, LD, DD+WL, WD, WW]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(from = "[u64; 5]", into = "[u64; 5]")]
pub struct Pentanomial {
    /// Both lost: 0 points.
    pub ll: u64,
    /// One lost, one drawn: ½ point.
    pub ld: u64,
    /// Two draws, or one win and one loss: 1 point.
    pub dd_wl: u64,
    /// One won, one drawn: 1½ points.
    pub wd: u64,
    /// Both won: 2 points.
    pub ww: u64,
}

impl Pentanomial {
    pub fn pairs(&self) -> u64 {
        saturating_sum(&self.to_array())
    }

    pub fn games(&self) -> u64 {
        self.pairs().saturating_mul(2)
    }

    pub fn to_array(&self) -> [u64; 5] {
        [self.ll, self.ld, self.dd_wl, self.wd, self.ww]
    }

    /// From the base engine's viewpoint.
    pub fn mirrored(&self) -> Pentanomial {
        let [ll, ld, dd_wl, wd, ww] = self.to_array();
        Pentanomial { ll: ww, ld: wd, dd_wl, wd: ld, ww: ll }
    }

    /// Adds one pair by the test engine's half points in both games; above 4 counts as 4.
    pub fn add_pair(&mut self, half_points: u8) {
        let count = match half_points {
            0 => &mut self.ll,
            1 => &mut self.ld,
            2 => &mut self.dd_wl,
            3 => &mut self.wd,
            _ => &mut self.ww,
        };
        *count = count.saturating_add(1);
    }
}

impl Counts for Pentanomial {
    const GAMES: u32 = 2;

    fn low_to_high(&self) -> impl AsRef<[u64]> {
        self.to_array()
    }

    fn games(&self) -> Defined<Wdl> {
        Err(Why::GamesUnknown)
    }
}

impl From<[u64; 5]> for Pentanomial {
    fn from([ll, ld, dd_wl, wd, ww]: [u64; 5]) -> Pentanomial {
        Pentanomial { ll, ld, dd_wl, wd, ww }
    }
}

impl From<Pentanomial> for [u64; 5] {
    fn from(pairs: Pentanomial) -> [u64; 5] {
        pairs.to_array()
    }
}

impl AddAssign for Pentanomial {
    fn add_assign(&mut self, other: Pentanomial) {
        self.ll = self.ll.saturating_add(other.ll);
        self.ld = self.ld.saturating_add(other.ld);
        self.dd_wl = self.dd_wl.saturating_add(other.dd_wl);
        self.wd = self.wd.saturating_add(other.wd);
        self.ww = self.ww.saturating_add(other.ww);
    }
}

impl Add for Pentanomial {
    type Output = Pentanomial;

    fn add(mut self, other: Pentanomial) -> Pentanomial {
        self += other;
        self
    }
}

/// Written `LL,LD,DD+WL,WD,WW`, numbers only.
impl fmt::Display for Pentanomial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [ll, ld, dd_wl, wd, ww] = self.to_array();
        write!(f, "{ll},{ld},{dd_wl},{wd},{ww}")
    }
}

/// Read from `LL,LD,DD+WL,WD,WW`.
impl FromStr for Pentanomial {
    type Err = String;

    fn from_str(text: &str) -> Result<Pentanomial, String> {
        parse(text, "five counts LL,LD,DD+WL,WD,WW").map(Pentanomial::from)
    }
}

/// The maximal sum of counts: far more pairs than are ever played, and few enough for every number
/// shown of them.
const MOST: u64 = 1_000_000_000;

fn parse<const N: usize>(text: &str, expected: &str) -> Result<[u64; N], String> {
    let count = |field: &str| {
        let field = field.trim();
        field.parse::<u64>().map_err(|_| {
            format!("expected {expected}, each a whole number from 0, found {field:?}")
        })
    };
    let counts: Vec<u64> = text.split(',').map(count).collect::<Result<_, _>>()?;
    let all: u128 = counts.iter().map(|&count| u128::from(count)).sum();
    if all > u128::from(MOST) {
        return Err(format!("expected counts of at most {MOST} in all, found {all}"));
    }
    let found = counts.len();
    counts.try_into().map_err(|_| format!("expected {expected}, found {found} of them in {text:?}"))
}

/// Saturates, so that absurd input gives a large number instead of a panic.
fn saturating_sum(counts: &[u64]) -> u64 {
    counts.iter().fold(0, |sum, &count| sum.saturating_add(count))
}
