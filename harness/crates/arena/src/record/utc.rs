//! Dates as run.json and PGN write them, by UTC and to the second.

use jiff::Timestamp;
use jiff::tz::Offset;

/// `2026-11-22`.
pub fn today() -> String {
    Timestamp::now().strftime("%F").to_string()
}

/// RFC 3339: `2025-03-09T17:05:00Z`.
pub(super) fn now() -> String {
    Timestamp::now().strftime("%FT%TZ").to_string()
}

/// PGN's date and time of so many milliseconds since 1970: `2025.03.09` and `17:05:00`.
pub(super) fn pgn(milliseconds: u64) -> [String; 2] {
    let at = i64::try_from(milliseconds).ok().and_then(|ms| Timestamp::from_millisecond(ms).ok());
    let at = at.unwrap_or(Timestamp::MAX);
    let at = Offset::UTC.to_datetime(at);
    [
        format!("{:04}.{:02}.{:02}", at.year(), at.month(), at.day()),
        format!("{:02}:{:02}:{:02}", at.hour(), at.minute(), at.second()),
    ]
}

#[cfg(test)]
mod tests {
    #[test]
    fn dates() {
        for (seconds, date, time) in [
            (0, "1970.01.01", "00:00:00"),
            (951_782_399, "2000.02.28", "23:59:59"),
            (951_782_400, "2000.02.29", "00:00:00"),
            (951_868_800, "2000.03.01", "00:00:00"),
            (1_735_689_599, "2024.12.31", "23:59:59"),
            (1_741_539_900, "2025.03.09", "17:05:00"),
            (4_107_542_400, "2100.03.01", "00:00:00"),
            (u64::MAX / 1_000 - 1, "9999.12.30", "22:00:00"),
        ] {
            assert_eq!(super::pgn(seconds * 1_000 + 999), [date, time]);
        }
        let now = super::now();
        assert_eq!((now.len(), &now[..10], &now[19..]), (20, &*super::today(), "Z"));
    }
}
