//! Dates from milliseconds since 1970, as run.json and PGN write them.

use std::fmt;
use std::time::{SystemTime, UNIX_EPOCH};

/// UTC, to the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Utc {
    year: u64,
    month: u64,
    day: u64,
    second_of_day: u64,
}

/// By UTC: `2026-11-22`.
pub fn today() -> String {
    Utc::now().to_string().chars().take(10).collect()
}

impl Utc {
    /// 1970 when the machine's clock stands before it.
    pub(super) fn now() -> Utc {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Utc::from_seconds(since.as_secs())
    }

    pub(super) fn from_seconds(seconds: u64) -> Utc {
        // Years that begin in March put the leap day last; 719,468 days lead from 1 March of
        // year 0 to 1970, and 146,097 days make 400 years.
        let days = seconds / 86_400 + 719_468;
        let (era, day_of_era) = (days / 146_097, days % 146_097);
        let year_of_era =
            (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let march_month = (5 * day_of_year + 2) / 153;
        let month = if march_month < 10 { march_month + 3 } else { march_month - 9 };
        Utc {
            year: era * 400 + year_of_era + u64::from(month <= 2),
            month,
            day: day_of_year - (153 * march_month + 2) / 5 + 1,
            second_of_day: seconds % 86_400,
        }
    }

    /// `2025.03.09`.
    pub(super) fn pgn_date(self) -> String {
        format!("{:04}.{:02}.{:02}", self.year, self.month, self.day)
    }

    /// `17:05:00`.
    pub(super) fn time(self) -> String {
        let s = self.second_of_day;
        format!("{:02}:{:02}:{:02}", s / 3_600, s / 60 % 60, s % 60)
    }
}

impl fmt::Display for Utc {
    /// RFC 3339: `2025-03-09T17:05:00Z`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}T{}Z", self.year, self.month, self.day, self.time())
    }
}

#[cfg(test)]
mod tests {
    use super::Utc;

    #[test]
    fn dates() {
        for (seconds, expected) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (951_868_800, "2000-03-01T00:00:00Z"),
            (1_735_689_599, "2024-12-31T23:59:59Z"),
            (1_741_539_900, "2025-03-09T17:05:00Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] {
            assert_eq!(Utc::from_seconds(seconds).to_string(), expected);
        }
        assert_eq!(Utc::from_seconds(1_741_539_900).pgn_date(), "2025.03.09");
    }
}
