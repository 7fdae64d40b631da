//! The values of the command line that clap cannot read by itself. Every error says what was
//! expected.

use std::fmt;
use std::num::NonZeroU64;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::game::{DrawRule, Limit, ResignRule, TimeControl};

/// Written `256KiB`, `16MB` or `1GiB`; both kinds of units are powers of 1024, as engines mean
/// them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Size(pub u64);

const UNITS: [(&str, u64); 3] = [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)];

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Size, String> {
        let expected = || format!("expected a size like 256KiB, 16MB or 1GiB, found '{text}'");
        let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let unit = text[digits.len()..].to_ascii_lowercase();
        let number: u64 = digits.trim_end().parse().map_err(|_| expected())?;
        let factor = match unit.as_str() {
            // Bytes here, megabytes to other programs: neither is what everybody means.
            "" => {
                return Err(format!(
                    "expected a size with its unit, like {number}MB, found '{text}'"
                ));
            }
            "b" => 1,
            "k" | "kb" | "kib" => 1 << 10,
            "m" | "mb" | "mib" => 1 << 20,
            "g" | "gb" | "gib" => 1 << 30,
            _ => return Err(expected()),
        };
        number.checked_mul(factor).map(Size).ok_or_else(expected)
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let whole = |(_, unit): &&(&str, u64)| self.0 >= *unit && self.0.is_multiple_of(*unit);
        match UNITS.iter().find(whole) {
            Some((name, unit)) => write!(f, "{}{name}", self.0 / unit),
            None => write!(f, "{}", self.0),
        }
    }
}

impl TryFrom<String> for Size {
    type Error = String;

    /// As recorded: also bytes without a unit.
    fn try_from(text: String) -> Result<Size, String> {
        match text.parse() {
            Ok(bytes) => Ok(Size(bytes)),
            Err(_) => text.parse(),
        }
    }
}

impl From<Size> for String {
    fn from(size: Size) -> String {
        size.to_string()
    }
}

/// Reads `100ms`, `0.5s`, `2m`, `8h`, several of them with the longest first as in `1h30m` or
/// `1h 30m`, or seconds without a unit.
fn duration(text: &str) -> Result<Duration, String> {
    let expected = || format!("expected a time like 100ms, 0.5s, 2m or 1h30m, found '{text}'");
    let (mut time, mut last_unit) = (0.0, f64::INFINITY);
    let mut rest = text.trim();
    while !rest.is_empty() || last_unit.is_infinite() {
        let (number, unit);
        (number, rest) = split_while(rest, |c| c.is_ascii_digit() || c == '.');
        (unit, rest) = split_while(rest, |c| c.is_ascii_alphabetic());
        let seconds = match unit {
            "ms" => 0.001,
            "s" => 1.0,
            "m" | "min" => 60.0,
            "h" => 3600.0,
            "" if rest.is_empty() && last_unit.is_infinite() => 1.0,
            _ => return Err(expected()),
        };
        if seconds >= last_unit {
            return Err(expected());
        }
        last_unit = seconds;
        time += seconds * number.parse::<f64>().map_err(|_| expected())?;
    }
    // A year: beyond that a time is a slip of the pen, and clocks must not overflow.
    const LONGEST: f64 = 366.0 * 86_400.0;
    if (0.0..=LONGEST).contains(&time) {
        Ok(Duration::from_millis((time * 1000.0).round() as u64))
    } else {
        Err(expected())
    }
}

/// The rest is without the blanks before it.
fn split_while(text: &str, holds: impl Fn(char) -> bool) -> (&str, &str) {
    let (head, rest) = text.split_at(text.find(|c| !holds(c)).unwrap_or(text.len()));
    (head, rest.trim_start())
}

/// Reads `100ms`, `0.5s`, `8h` or `0`. Other programs have such times in milliseconds or hours, so
/// a number alone is refused.
pub fn duration_with_unit(text: &str) -> Result<Duration, String> {
    let time = duration(text)?;
    let text = text.trim();
    if time.is_zero() || text.ends_with(|c: char| c.is_ascii_alphabetic()) {
        Ok(time)
    } else {
        Err(format!(
            "expected a time with its unit, like {text}h, {text}s or {text}ms, found '{text}'"
        ))
    }
}

/// Reads `100ms`.
pub fn movetime(text: &str) -> Result<Limit, String> {
    let time = duration_with_unit(text).map_err(|error| match text.trim().parse::<f64>() {
        Ok(_) if !text.trim().starts_with('-') => {
            format!("expected a time with its unit, like {text}ms or {text}s, found '{text}'")
        }
        _ => error,
    });
    match time? {
        Duration::ZERO => Err("expected at least 1ms a move".into()),
        time => Ok(Limit::MovetimeMs(time.as_millis() as u64)),
    }
}

/// Reads `1+0.01`, `40/60`, `40/60+0.5`, `2:30+1`.
pub fn time_control(text: &str) -> Result<Limit, String> {
    let expected =
        || format!("expected a time control like 1+0.01, 40/60 or 2:30+1, found '{text}'");
    let (moves, rest) = match text.split_once('/') {
        Some((moves, rest)) => {
            let moves: u32 = moves.parse().map_err(|_| expected())?;
            (Some(moves).filter(|&n| n > 0).ok_or_else(expected).map(Some)?, rest)
        }
        None => (None, text),
    };
    let (base, increment) = rest.split_once('+').map_or((rest, None), |(b, i)| (b, Some(i)));
    let (minutes, seconds) = base.split_once(':').unwrap_or(("0", base));
    let minutes: u64 = minutes.parse().map_err(|_| expected())?;
    let base = duration(seconds).map_err(|_| expected())?
        + duration(&format!("{minutes}m")).map_err(|_| expected())?;
    let increment = increment.map_or(Ok(Duration::ZERO), duration).map_err(|_| expected())?;
    if base.is_zero() {
        return Err(format!("{}: no time to begin with", expected()));
    }
    Ok(Limit::Clock(TimeControl {
        moves,
        base_ms: base.as_millis() as u64,
        increment_ms: increment.as_millis() as u64,
        nodes_per_ms: None,
    }))
}

/// Reads `nodes=3000`, `depth=6`, `movetime=100ms` or `tc=1+0.01`.
pub fn limit(text: &str) -> Result<Limit, String> {
    let expected =
        || format!("expected nodes=N, depth=N, movetime=100ms or tc=1+0.01, found '{text}'");
    let (kind, value) = text.split_once('=').ok_or_else(expected)?;
    let positive = |text: &str| text.parse().ok().filter(|&number: &u64| number > 0);
    match kind {
        "nodes" => positive(value).map(Limit::Nodes).ok_or_else(expected),
        "depth" => {
            let plies = positive(value).and_then(|plies| u32::try_from(plies).ok());
            plies.map(Limit::Depth).ok_or_else(expected)
        }
        "movetime" => movetime(value),
        "tc" => time_control(value),
        _ => Err(expected()),
    }
}

pub fn pairs(text: &str) -> Result<NonZeroU64, String> {
    let expected = || {
        format!(
            "expected at least 1, found '{text}'; a rule that ends a match early needs many to choose \
             from, like --pairs 20000 --rule sprt=0,5"
        )
    };
    text.parse().map_err(|_| expected())
}

pub fn nodes_per_ms(text: &str) -> Result<NonZeroU64, String> {
    /// The most that engines take.
    const MOST: u64 = 10_000;
    let nodes = text.parse().ok().filter(|&nodes| nodes <= MOST).and_then(NonZeroU64::new);
    nodes.ok_or_else(|| format!("expected 1 to {MOST} nodes a millisecond, found '{text}'"))
}

/// Reads `Name=value`.
pub fn option(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => {
            Ok((name.trim().to_owned(), value.trim().to_owned()))
        }
        _ => Err(format!("expected Name=value, found '{text}'")),
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OrOff<T> {
    On(T),
    Off,
}

impl<T> OrOff<T> {
    pub fn into_option(self) -> Option<T> {
        match self {
            OrOff::On(value) => Some(value),
            OrOff::Off => None,
        }
    }
}

fn or_off<T>(text: &str, read: impl FnOnce(&str) -> Result<T, String>) -> Result<OrOff<T>, String> {
    if text == "off" { Ok(OrOff::Off) } else { read(text).map(OrOff::On) }
}

/// Reads `movenumber=40,movecount=8,score=10` or `off`; what is left out keeps its default.
pub fn draw_rule(text: &str) -> Result<OrOff<DrawRule>, String> {
    const EXPECTED: &str = "expected off or movenumber=N,movecount=N,score=CENTIPAWNS";
    or_off(text, |text| {
        let mut rule = DrawRule::default();
        for part in text.split(',') {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            let number = value.parse().map_err(|_| format!("{EXPECTED}, found '{part}'"))?;
            match name {
                "movenumber" => rule.move_number = number,
                "movecount" if number > 0 => rule.move_count = number,
                "score" => rule.score = number,
                _ => return Err(format!("{EXPECTED}, found '{part}'")),
            }
        }
        Ok(rule)
    })
}

/// Reads `movecount=3,score=500[,twosided]` or `off`; what is left out keeps its default, but
/// without `twosided` the loser's word is enough.
pub fn resign_rule(text: &str) -> Result<OrOff<ResignRule>, String> {
    const EXPECTED: &str = "expected off or movecount=N,score=CENTIPAWNS[,twosided]";
    or_off(text, |text| {
        let mut rule = ResignRule { two_sided: false, ..ResignRule::default() };
        for part in text.split(',') {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            let wrong = || format!("{EXPECTED}, found '{part}'");
            match (name, value) {
                ("twosided", "" | "true") => rule.two_sided = true,
                ("twosided", "false") => rule.two_sided = false,
                ("movecount" | "score", value) => {
                    let number = value.parse().map_err(|_| wrong())?;
                    if number == 0 {
                        return Err(wrong());
                    }
                    *if name == "score" { &mut rule.score } else { &mut rule.move_count } = number;
                }
                _ => return Err(wrong()),
            }
        }
        Ok(rule)
    })
}

pub fn max_moves(text: &str) -> Result<OrOff<u32>, String> {
    or_off(text, |text| match text.parse() {
        Ok(moves) if moves > 0 => Ok(moves),
        _ => Err(format!("expected off or a number of moves, found '{text}'")),
    })
}

/// Reads `10%` or `off` as a share from 0 to 1.
pub fn percentage(text: &str) -> Result<OrOff<f64>, String> {
    let expected = |_| format!("expected off or a percentage like 10%, found '{text}'");
    or_off(text, |text| share(text).map_err(expected))
}

/// Reads `10%` as a share from 0 to 1.
pub fn share(text: &str) -> Result<f64, String> {
    let expected = || format!("expected a percentage like 10%, found '{text}'");
    let number: f64 = text.trim_end_matches('%').parse().map_err(|_| expected())?;
    if (0.0..=100.0).contains(&number) { Ok(number / 100.0) } else { Err(expected()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        for (text, bytes, shown) in [
            ("256KiB", 262_144, "256KiB"),
            ("16MB", 16 << 20, "16MiB"),
            ("1g", 1 << 30, "1GiB"),
            ("1000b", 1000, "1000"),
        ] {
            let size: Size = text.parse().unwrap();
            assert_eq!((size.0, size.to_string().as_str()), (bytes, shown), "{text}");
            let recorded = serde_json::to_string(&size).unwrap();
            assert_eq!(serde_json::from_str::<Size>(&recorded).unwrap(), size, "{recorded}");
        }
        let error = "16".parse::<Size>().unwrap_err();
        assert_eq!(error, "expected a size with its unit, like 16MB, found '16'");
        for text in ["", "MB", "-1MB", "1.5MB", "1TB", "99999999999GiB"] {
            assert!(text.parse::<Size>().is_err(), "{text}");
        }
    }

    /// What is milliseconds elsewhere is not taken for seconds.
    #[test]
    fn a_time_for_a_move_has_its_unit() {
        assert_eq!(duration("5"), Ok(Duration::from_secs(5)));
        for (text, ms) in [("5ms", 5), ("0.5s", 500), ("0", 0), ("2 m", 120_000)] {
            assert_eq!(duration_with_unit(text), Ok(Duration::from_millis(ms)), "{text}");
        }
        let error = duration_with_unit("50").unwrap_err();
        assert!(error.contains("like 50h, 50s or 50ms, found '50'"), "{error}");
    }

    #[test]
    fn times_of_several_units() {
        for (text, seconds) in [
            ("1h30m", 5400.0),
            ("90m", 5400.0),
            ("1h 30m", 5400.0),
            (" 1 h 30 min ", 5400.0),
            ("1h30m15.5s", 5415.5),
            ("1h5s", 3605.0),
            ("2s500ms", 2.5),
            ("1.5h", 5400.0),
            ("7", 7.0),
            ("0.25", 0.25),
        ] {
            assert_eq!(duration(text), Ok(Duration::from_secs_f64(seconds)), "{text}");
        }
        assert_eq!(duration_with_unit("1m 30s"), Ok(Duration::from_secs(90)));
        for text in [
            "", " ", "h", "1h30", "30m1h", "1h1h", "1m1min", "1h-5m", "1h,30m", "1d", "1hm",
            "1.2.3s", "5-", "07:00", "inf", "nan", "-1h", "1e99", "9999h", "1h½m",
        ] {
            let error = duration(text).unwrap_err();
            assert!(error.contains("1h30m") && error.contains(&format!("'{text}'")), "{error}");
        }
    }

    #[test]
    fn time_controls() {
        for (text, moves, base_ms, increment_ms) in [
            ("1+0.01", None, 1000, 10),
            ("40/60", Some(40), 60_000, 0),
            ("40/60+0.5", Some(40), 60_000, 500),
            ("2:30+1", None, 150_000, 1000),
            ("0.1", None, 100, 0),
        ] {
            let control = TimeControl { moves, base_ms, increment_ms, nodes_per_ms: None };
            assert_eq!(time_control(text), Ok(Limit::Clock(control)), "{text}");
        }
        for text in
            ["", "0", "0+1", "40/", "0/60", "x/60", "1+", "1+x", "-1", "1+-1", "nan", "1e99"]
        {
            assert!(time_control(text).is_err(), "{text}");
        }
    }

    #[test]
    fn limits_by_their_words() {
        assert_eq!(limit("nodes=5000"), Ok(Limit::Nodes(5000)));
        assert_eq!(limit("depth=6"), Ok(Limit::Depth(6)));
        assert_eq!(limit("movetime=0.1s"), Ok(Limit::MovetimeMs(100)));
        assert_eq!(limit("tc=1+0.01"), time_control("1+0.01"));
        for text in ["", "5000", "nodes=", "nodes=0", "depth=9999999999", "tc=0", "st=3"] {
            assert!(limit(text).is_err(), "{text}");
        }
        assert!(nodes_per_ms("0").is_err() && nodes_per_ms("10001").is_err());
        assert_eq!(option(" Hash = 16"), Ok(("Hash".into(), "16".into())));
        assert!(option("=16").is_err() && option("Hash").is_err());
    }

    #[test]
    fn move_times() {
        assert_eq!(movetime("100ms"), Ok(Limit::MovetimeMs(100)));
        assert_eq!(movetime("0.25s"), Ok(Limit::MovetimeMs(250)));
        for text in ["0ms", "0.1ms", "-5ms", "ms", "5d", "inf", "-5"] {
            assert!(movetime(text).is_err(), "{text}");
        }
        assert!(movetime("50").unwrap_err().contains("like 50ms or 50s, found '50'"));
    }

    #[test]
    fn adjudication() {
        assert_eq!(draw_rule("off"), Ok(OrOff::Off));
        let rule = DrawRule { move_number: 30, move_count: 4, score: 15 };
        assert_eq!(draw_rule("movenumber=30,movecount=4,score=15"), Ok(OrOff::On(rule)));
        assert!(draw_rule("movecount=0").is_err());
        assert!(draw_rule("moves=3").is_err());
        let rule = ResignRule { move_count: 4, score: 600, two_sided: true };
        assert_eq!(resign_rule("movecount=4,score=600,twosided"), Ok(OrOff::On(rule)));
        let one_sided = ResignRule { two_sided: false, ..rule };
        assert_eq!(resign_rule("score=600,movecount=4"), Ok(OrOff::On(one_sided)));
        assert!(resign_rule("score=0").is_err());
        assert!(resign_rule("twosided=maybe").is_err());
        assert_eq!(max_moves("200"), Ok(OrOff::On(200)));
        assert!(max_moves("0").is_err());
        assert_eq!(percentage("10%"), Ok(OrOff::On(0.1)));
        assert!(percentage("101%").is_err());
    }
}
