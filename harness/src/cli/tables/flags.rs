//! Flags shared by all `verdict tables` commands that read games.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, ValueHint};

use crate::cli::choices::one_of;
use pgn::Outcome;
use process::{Error, parallel};
use tables::{Condition, CountSettings, EloOf, Filter, MinePlan, Resolver, Scratch};

/// Which games count.
#[derive(Debug, Args)]
#[command(next_help_heading = "Which games count")]
pub(super) struct FilterFlags {
    /// Minimum Elo of the players.
    #[arg(long, value_name = "ELO")]
    min_elo: Option<u32>,
    /// Maximum Elo of the players.
    #[arg(long, value_name = "ELO")]
    max_elo: Option<u32>,
    /// Which player the Elo limits apply to.
    #[arg(long, value_parser = one_of::<EloOf>(), default_value_t, value_name = "WHO")]
    elo_of: EloOf,
    /// Results: 1-0, 0-1, 1/2-1/2; several are separated by commas [default: any, or none].
    #[arg(long, value_name = "RESULT", value_delimiter = ',', value_parser = outcome)]
    result: Vec<Outcome>,
    /// Text that the event's name contains.
    #[arg(long, value_name = "TEXT")]
    event: Option<String>,
    /// Range of dates: 2020..2024.06, 2020.., ..2019.12.31.
    #[arg(long, value_name = "FROM..TO", value_parser = dates)]
    date: Option<OpenRange<String>>,
    /// Range of the game length in plies: 20..300, 20.., ..300.
    #[arg(long, value_name = "MIN..MAX", value_parser = lengths)]
    plies: Option<OpenRange<u32>>,
    /// Text that the time control contains, like 60+1.
    #[arg(long, value_name = "TEXT")]
    time_control: Option<String>,
    /// Expression on PGN tags, with == != < <= > >= ~ (contains) && || ! and parentheses, like
    /// 'WhiteElo>=2800 && BlackElo>=2800'.
    #[arg(long = "where", value_name = "EXPRESSION")]
    condition: Option<Condition>,
    /// Count duplicate games (same start position, moves and result) once. Needs 20 to 40 bytes of memory per
    /// game.
    #[arg(long)]
    dedup: bool,
}

/// A range of which either end may be open.
type OpenRange<T> = (Option<T>, Option<T>);

fn range<T>(
    text: &str,
    end: impl Fn(&str) -> Option<T>,
    in_order: impl Fn(&T, &T) -> bool,
) -> Option<OpenRange<T>> {
    let (from, to) = text.split_once("..")?;
    let end = |text: &str| if text.is_empty() { Some(None) } else { end(text).map(Some) };
    let (from, to) = (end(from)?, end(to)?);
    let ends = from.as_ref().zip(to.as_ref());
    ends.is_none_or(|(from, to)| in_order(from, to)).then_some((from, to))
}

fn dates(text: &str) -> Result<OpenRange<String>, String> {
    let date = |text: &str| {
        let parts: Vec<u16> =
            text.split('.').map(|part| part.parse().ok()).collect::<Option<_>>()?;
        let is_year = text.split('.').next().is_some_and(|year| year.len() == 4);
        let good = match parts[..] {
            [_] => true,
            [_, month] => (1..=12).contains(&month),
            [_, month, day] => (1..=days(month)).contains(&day),
            _ => false,
        };
        (good && is_year).then(|| text.to_owned())
    };
    // A year alone is all of that year.
    let in_order = |from: &String, to: &String| {
        let number = |part: &str| part.parse::<u16>().ok();
        let (from, to) = (from.split('.').map(number), to.split('.').map(number));
        from.zip(to).find(|(from, to)| from != to).is_none_or(|(from, to)| from < to)
    };
    range(text, date, in_order)
        .ok_or_else(|| "expected dates in order like 2020..2024.06 or 2020.01.31..".to_owned())
}

/// The most days of a month; none where there is no such month.
fn days(month: u16) -> u16 {
    match month {
        2 => 29,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => 0,
    }
}

fn lengths(text: &str) -> Result<OpenRange<u32>, String> {
    range(text, |text| text.parse().ok(), |from, to| from <= to)
        .ok_or_else(|| "expected numbers in order like 20..300".to_owned())
}

fn outcome(text: &str) -> Result<Outcome, String> {
    match text {
        "1-0" => Ok(Outcome::White),
        "0-1" => Ok(Outcome::Black),
        "1/2-1/2" => Ok(Outcome::Draw),
        _ => Err("expected 1-0, 0-1 or 1/2-1/2".to_owned()),
    }
}

impl FilterFlags {
    /// An error where no game can pass it.
    pub(super) fn filter(&self) -> Result<Filter, Error> {
        if let (Some(min), Some(max)) = (self.min_elo, self.max_elo)
            && min > max
        {
            return Err(Error::usage(format!(
                "expected --min-elo to be at most --max-elo, found {min} and {max}"
            )));
        }
        let (from, to) = self.date.clone().unwrap_or_default();
        let (min_plies, max_plies) = self.plies.unwrap_or_default();
        Ok(Filter {
            min_elo: self.min_elo,
            max_elo: self.max_elo,
            elo_of: self.elo_of,
            results: self.result.clone(),
            event: self.event.clone(),
            from,
            to,
            time_control: self.time_control.clone(),
            min_plies,
            max_plies,
            condition: self.condition.clone(),
            dedup: self.dedup,
        })
    }
}

/// How games are read.
#[derive(Debug, Args)]
#[command(next_help_heading = "How games are read")]
pub(super) struct ReadingFlags {
    /// Threads that read games; as many more decompress [default: all processors].
    #[arg(long, value_name = "N", value_parser = parallel::read_threads)]
    threads: Option<NonZeroUsize>,
    /// How SAN moves are resolved. masks is the fast way; both compares two ways and reports differences
    /// as bad games, and reads the games a second time with the library pgn-reader.
    #[arg(long, value_parser = one_of::<Resolver>(), default_value_t, value_name = "HOW")]
    resolve: Resolver,
    /// List all bad games in this file. Without it the first 20 are printed.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(super) errors: Option<PathBuf>,
    /// Resume a run that was stopped by Ctrl-C, from its checkpoint.
    #[arg(long)]
    pub(super) resume: bool,
    /// Print neither progress nor bad games.
    #[arg(long)]
    pub(super) quiet: bool,
}

impl ReadingFlags {
    pub(super) fn threads(&self) -> NonZeroUsize {
        parallel::threads(self.threads)
    }

    pub(super) fn plan(&self, wants: CountSettings, filter: Filter, scratch: Scratch) -> MinePlan {
        MinePlan { wants, filter, threads: self.threads(), resolver: self.resolve, scratch }
    }
}

/// How a balance of material is counted.
#[derive(Debug, Args)]
#[command(next_help_heading = "How material is counted")]
pub(super) struct MitFlags {
    /// Count a material balance only if it lasted N positions in a row [default: 1].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) consecutive: Option<u32>,
    /// Use only quiet positions: not in check, and neither the move before nor the move after is a capture
    /// or promotion.
    #[arg(long)]
    pub(super) quiet_positions: bool,
}

/// How men on squares are counted.
#[derive(Debug, Args)]
#[command(next_help_heading = "How squares are counted")]
pub(super) struct PstFlags {
    /// A position counts as middle game if its phase is above LIMIT [default: 26]. The phase is the
    /// sum over both sides' pieces: knight 3, bishop 3, rook 5, queen 9; 62 at the start.
    #[arg(long, value_name = "LIMIT")]
    pub(super) phase_limit: Option<i32>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges() {
        assert_eq!(lengths("20.."), Ok((Some(20), None)));
        assert!(lengths("20").is_err() && lengths("a..b").is_err() && lengths("10..5").is_err());
        assert!(lengths("5..5").is_ok() && dates("2022..2020").is_err());
        assert!(dates("2020.02.29..2020.12.31").is_ok());
        for none in
            ["2021.02.30..", "2020.13..", "2020.04.31..", "2020.1.0..", "2020.1.1.1..", "20.."]
        {
            assert!(dates(none).is_err(), "{none}");
        }
        assert!(dates("2020.9..2020.10").is_ok() && dates("2020.10..2020.9").is_err());
        assert!(dates("2020..2020.05").is_ok() && dates("2020.05..2020").is_ok());
        assert!(dates("2020..2021.06.01").is_ok());
        assert!(dates("20..21").is_err() && dates("2020.a..").is_err());
    }
}
