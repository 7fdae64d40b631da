//! What the user sees while a match runs: bars on a terminal, a plain line now and then elsewhere.

mod both;
mod games;
mod progress;
mod ratings;
mod tournament;

pub use both::Both;
pub use games::say;
pub use progress::ProgressLine;
pub use tournament::{MatchWatch, TournamentScreen};

use std::fmt;
use std::num::NonZeroU64;

use indicatif::{MultiProgress, ProgressBar, ProgressState, ProgressStyle};

use arena::collector::MatchObserver;
use arena::record::{GameRecord, MatchState};
use games::GamesBar;
use process::terminal::bounded;
use stats::{Defined, Statistics, interval_in_words, percent_clamped};

/// The bar of a match. What time is left is said in the line below it, which knows the rule.
const BAR: &str = "{wide_bar} {pos}/{len} games  {rate}";

/// Shows a match on standard error.
pub struct MatchScreen {
    games: GamesBar,
    line: Option<ProgressBar>,
}

impl MatchScreen {
    /// A screen for a match; `quiet` shows nothing but a line after every `interval` games.
    pub fn new(match_state: &MatchState, quiet: bool, interval: Option<NonZeroU64>) -> MatchScreen {
        let games = [match_state.finished_games(), match_state.total_games()];
        let games = GamesBar::new(games, quiet, interval, BAR);
        let line = games.status_line().0.map(|bars| {
            let line = bars.add(ProgressBar::new_spinner()).with_style(style("{msg}"));
            line.set_message(live_line(match_state, 0.0));
            line
        });
        MatchScreen { games, line }
    }

    pub fn status_line(&self) -> StatusLine {
        self.games.status_line()
    }
}

impl Drop for MatchScreen {
    fn drop(&mut self) {
        if let Some(line) = &self.line {
            line.abandon();
        }
    }
}

impl MatchObserver for MatchScreen {
    fn game(&mut self, record: &GameRecord, match_state: &MatchState) {
        let finished = match_state.finished_games();
        let rate = self.games.rate(finished);
        let tail = || format!(" · {}", live_line(match_state, rate));
        self.games.game(finished, "", record, tail);
        if let Some(line) = &self.line {
            line.set_message(live_line(match_state, rate));
        }
    }

    fn warning(&mut self, what: &str) {
        self.status_line().print(what);
    }
}

/// Says lines on standard error without disturbing the bars.
#[derive(Clone)]
pub struct StatusLine(Option<MultiProgress>);

impl StatusLine {
    pub fn print(&self, line: &str) {
        match &self.0 {
            // Nobody is left to tell of a closed terminal.
            Some(bars) => drop(bars.println(bounded(line))),
            None => status!("{line}"),
        }
    }
}

pub fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or(ProgressStyle::default_bar())
}

/// Score, Elo, LOS and LLR of what counts, and what to expect of the rest at so many games a second
/// (0: not known yet), in one line.
pub fn live_line<T>(match_state: &MatchState<T>, games_per_s: f64) -> String {
    let wdl = match_state.wdl();
    let statistics = match_state.statistics();
    let Statistics { elo, anytime, los, llr, llr_bounds, .. } = &statistics;
    let mut line = format!(
        "test {}-{}-{} (won-drawn-lost) · Elo {} now, {} at every look · LOS {}",
        wdl.win,
        wdl.draw,
        wdl.loss,
        with_error(elo.elo, elo.error95),
        anytime.ends().map_or_else(|_| "–".into(), |ends| interval_in_words(ends, 1)),
        los.map_or_else(|_| "–".into(), percent_clamped),
    );
    if let (Ok(llr), Ok([lower, upper])) = (llr, llr_bounds) {
        line.push_str(&format!(" · LLR {llr:.2} ({lower:.2}, {upper:.2})"));
    }
    if let Some(evidence) = match_state.evidence() {
        line.push_str(&format!(" · {evidence}"));
    }
    if let Some(forecast) = match_state.forecast() {
        line.push_str(&format!(" · forecast: {forecast}"));
        if games_per_s > 0.0 {
            line.push_str(&format!(", {}", time_left(2.0 * forecast.pairs() / games_per_s)));
        }
    } else if games_per_s > 0.0 && match_state.judgement().verdict().is_none() {
        let left = match_state.total_games().saturating_sub(match_state.finished_games());
        line.push_str(&format!(" · at most {}", time_left(left as f64 / games_per_s)));
    }
    line
}

/// A bar's style that has `{rate}` for so many things a second.
pub(crate) fn with_rate(style: ProgressStyle, things: &'static str) -> ProgressStyle {
    style.with_key("rate", move |state: &ProgressState, out: &mut dyn fmt::Write| {
        // Writing to the terminal's line cannot fail.
        let _ = out.write_str(&rate_in_words(state.per_sec(), things));
    })
}

/// `3.2 games/s`: no more digits than mean something.
pub(crate) fn rate_in_words(per_second: f64, things: &str) -> String {
    let digits = match per_second {
        rate if rate < 1.0 => 2,
        rate if rate < 100.0 => 1,
        _ => 0,
    };
    format!("{per_second:.digits$} {things}/s")
}

/// So many seconds as a time that is left.
fn time_left(seconds: f64) -> String {
    match seconds / 3600.0 {
        hours if hours >= 1.0 => format!("{hours:.1} hours left"),
        hours => match (60.0 * hours).ceil() {
            1.0 => "1 minute left".to_owned(),
            minutes => format!("{minutes:.0} minutes left"),
        },
    }
}

/// `+3.2 ± 1.4`; what is undefined is a dash.
fn with_error(value: Defined, error: Defined) -> String {
    let value = value.map_or_else(|_| "–".into(), |value| format!("{value:+.1}"));
    let error = error.map_or_else(|_| "–".into(), |error| format!("{error:.1}"));
    format!("{value} ± {error}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena::record::{Side, sample};
    use pgn::Outcome;

    /// After 60 games, each of which White has won or nobody.
    fn match_state(rule: &str, pairs: u64, is_won: impl Fn(u64) -> bool) -> MatchState {
        let mut match_state = MatchState::new(rule.parse().unwrap(), pairs);
        for number in 0..60 {
            let result = if is_won(number) { Outcome::White } else { Outcome::Draw };
            let white = if number % 2 == 0 { Side::Test } else { Side::Base };
            let hash = format!("{number:016x}");
            let game = GameRecord { result, white, black: white.other(), hash, ..sample(number) };
            match_state.add(&game).unwrap();
        }
        match_state
    }

    #[test]
    fn rates_have_few_digits() {
        for (rate, words) in [
            (3.2362, "3.2 games/s"),
            (0.0372, "0.04 games/s"),
            (99.94, "99.9 games/s"),
            (3236.2, "3236 games/s"),
            (0.0, "0.00 games/s"),
        ] {
            assert_eq!(rate_in_words(rate, "games"), words);
        }
    }

    /// A bar and the line below it, side by side: the time that is left is said by one of them.
    #[test]
    fn one_time_is_left() {
        assert!(!BAR.contains("eta"), "{BAR}");
        // Before anything can be foretold, and afterwards.
        for pairs in [2030, 31] {
            let line = live_line(&match_state("los=95", pairs, |number| number % 3 == 0), 0.5);
            assert_eq!(line.matches(" left").count(), 1, "{line}");
        }
        let none: MatchState = MatchState::new("los=95".parse().unwrap(), 900);
        let line = live_line(&none, 0.5);
        assert!(line.ends_with(" · at most 1.0 hours left"), "{line}");
    }

    #[test]
    fn the_line_says_how_long_it_will_take() {
        let fixed = match_state("los=95", 2030, |number| number % 3 == 0);
        let line = live_line(&fixed, 0.5);
        assert!(line.ends_with(" to accept, 2000 pairs to go, 2.2 hours left"), "{line}");
        assert!(live_line(&fixed, 4.0).ends_with(", 17 minutes left"));
        assert_eq!(time_left(30.0), "1 minute left");
        assert_eq!(time_left(61.0), "2 minutes left");
        assert!(live_line(&fixed, 0.0).ends_with(" pairs to go"));

        // One pair in five is won by test, the others are drawn.
        let open = match_state("anytime=5%", 20_000, |number| number % 10 == 0);
        let line = live_line(&open, 0.5);
        assert!(line.contains(" a decision in about "), "{line}");
        assert!(line.ends_with(" minutes left"), "{line}");
    }
}
