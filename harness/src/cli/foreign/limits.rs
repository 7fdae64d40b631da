//! Limits as other runners write them.

use super::runner::Runner;
use arena::plan::read_limit;

/// A limit as our flags have it: `("tc", "10+0.1")`.
pub(super) type LimitFlag = (&'static str, String);

/// How long an engine thinks.
#[derive(Debug, Default)]
pub(super) struct Limits {
    pub(super) flag: Option<LimitFlag>,
    /// What cannot hold beside it.
    pub(super) notes: Vec<String>,
    /// What was typed and is no limit here: `tc=inf`.
    pub(super) none: Option<String>,
    /// What no runner understands.
    pub(super) wrong: Option<String>,
}

/// Whether it is an hourglass, which only cutechess-cli has.
pub(super) fn is_hourglass(text: &str) -> bool {
    text.rsplit('/').next().is_some_and(|rest| rest.starts_with("hg"))
}

/// A time control, `moves/minutes:seconds+increment`, as our flags have it; `None` for no clock.
pub(super) fn clock(text: &str, runner: Runner) -> Result<Option<String>, &'static str> {
    if ["inf", "infinite"].contains(&text) {
        return Ok(None);
    }
    let (moves, rest) = match text.split_once('/') {
        // So many moves as there are.
        Some(("0" | "inf" | "infinite", rest)) => (None, rest),
        Some((moves, rest)) => (Some(moves), rest),
        None => (None, text),
    };
    let (base, increment) = rest.split_once('+').unwrap_or((rest, "0"));
    let wrong = "expected moves/minutes:seconds+increment, like 8+0.08, 40/60 or 40/1:30+0.5";
    let (minutes, seconds) = base.split_once(':').unwrap_or(("0", base));
    let number = |text: &str| text.parse().ok().filter(|it: &f64| it.is_finite() && *it >= 0.0);
    // fastchess takes a unit behind seconds.
    let seconds_of = |text: &str| match runner {
        Runner::Fastchess if text.len() > 1 => number(text.strip_suffix('s').unwrap_or(text)),
        _ => number(text),
    };
    let base = number(minutes).zip(seconds_of(seconds)).map(|(min, s)| 60.0 * min + s);
    let (base, increment) = base.zip(seconds_of(increment)).ok_or(wrong)?;
    if base + increment == 0.0 {
        return Ok(None);
    }
    // The clocks begin with the increment there, and cannot be empty here.
    let base = if base == 0.0 { increment } else { base };
    let plain = |number: f64| (number * 1000.0).round() / 1000.0;
    let moves = moves.map_or(String::new(), |moves| format!("{moves}/"));
    let increment = match plain(increment) {
        0.0 => String::new(),
        increment => format!("+{increment}"),
    };
    let ours = format!("{moves}{}{increment}", plain(base));
    read_limit(&format!("tc={ours}")).map(|_| Some(ours)).map_err(|_| wrong)
}

/// Seconds for a move, as our flags have them; `None` for no such limit.
pub(super) fn movetime(text: &str) -> Option<String> {
    let seconds: f64 = text.strip_suffix('s').unwrap_or(text).parse().ok()?;
    (seconds > 0.0 && seconds.is_finite()).then(|| format!("{seconds}s"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks() {
        use Runner::{Cutechess, Fastchess};
        for (theirs, runner, ours) in [
            ("8+0.08", Fastchess, Some("8+0.08")),
            ("40/60", Cutechess, Some("40/60")),
            ("40/1:30+0.5", Cutechess, Some("40/90+0.5")),
            ("0:30", Cutechess, Some("30")),
            ("1.5:00", Cutechess, Some("90")),
            ("0/10+0.1", Cutechess, Some("10+0.1")),
            ("inf/10+0.1", Fastchess, Some("10+0.1")),
            ("10s+0.1s", Fastchess, Some("10+0.1")),
            ("0+1", Fastchess, Some("1+1")),
            ("4", Cutechess, Some("4")),
            ("inf", Cutechess, None),
            ("infinite", Fastchess, None),
            ("0", Fastchess, None),
        ] {
            assert_eq!(clock(theirs, runner), Ok(ours.map(str::to_owned)), "{theirs}");
        }
        for wrong in ["hg10", "x/10", "10+", "10+x", "1:2:3", "-1", "nan", "5/hg3", "40/"] {
            assert!(clock(wrong, Cutechess).is_err(), "{wrong}");
        }
    }

    #[test]
    fn times_a_move() {
        for (theirs, ours) in [
            ("1", Some("1s")),
            ("0.25", Some("0.25s")),
            ("1s", Some("1s")),
            ("0", None),
            ("x", None),
        ] {
            assert_eq!(movetime(theirs), ours.map(str::to_owned), "{theirs}");
        }
    }
}
