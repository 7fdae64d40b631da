//! When a night ends.

use std::time::{Duration, SystemTime};

use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan as _, ZonedDateTime};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deadline(pub SystemTime);

impl Deadline {
    pub fn after(time: Duration) -> Deadline {
        Deadline(SystemTime::now() + time)
    }

    /// How long it is until then; zero when it has passed.
    pub fn left(self) -> Duration {
        self.0.duration_since(SystemTime::now()).unwrap_or_default()
    }

    pub fn has_passed(self) -> bool {
        self.left().is_zero()
    }
}

/// The next moment at which the clock on the wall shows a time like `07:00`.
pub fn next_time(text: &str) -> Result<Deadline, String> {
    let expected = || format!("expected a time of the day like 07:00, found '{text}'");
    let (hours, minutes) = text.split_once(':').ok_or_else(expected)?;
    let number = |text: &str, below: i8| {
        let plain = !text.is_empty() && text.bytes().all(|digit| digit.is_ascii_digit());
        text.parse().ok().filter(|&number: &i8| plain && number < below).ok_or_else(expected)
    };
    let (hours, minutes) = (number(hours, 24)?, number(minutes, 60)?);
    let now = ZonedDateTime::now();
    // A day later the clock may have been put forward or back: the calendar knows.
    let at = |days: i8| {
        let day = now.date().checked_add(days.days()).ok()?;
        day.at(hours, minutes, 0, 0).to_zoned_datetime(now.time_zone().clone()).ok()
    };
    let next = [at(0), at(1)].into_iter().flatten().find(|at| *at > now);
    Ok(Deadline(next.and_then(|at| at.try_into().ok()).ok_or_else(expected)?))
}

/// The day on which the night of a moment began, by the clock on the wall: `2026-11-22`. Nights
/// change at noon, so that one which goes on after midnight is still that of the evening.
pub fn night_of(moment: SystemTime) -> String {
    let moment = Timestamp::try_from(moment).unwrap_or_default();
    let evening = moment.saturating_sub(12.hours()).unwrap_or(moment);
    evening.to_zoned_datetime(TimeZone::system()).date().to_string()
}

#[cfg(test)]
mod tests {
    use std::time::UNIX_EPOCH;

    use super::*;

    #[test]
    fn the_next_time_is_within_a_day() {
        for text in ["07:00", "0:00", "23:59", "12:30"] {
            let left = next_time(text).unwrap().left();
            // A day may have an hour more.
            assert!(left <= Duration::from_secs(25 * 3600), "{text}: {left:?}");
        }
    }

    #[test]
    fn no_times() {
        for text in ["", "7", "24:00", "07:60", "-1:00", "+7:00", "07:00:00", "noon", "7: 0"] {
            assert!(next_time(text).unwrap_err().contains("07:00"), "{text}");
        }
    }

    #[test]
    fn a_night_has_the_name_of_its_evening() {
        let evening = next_time("23:30").unwrap().0;
        let hours = |count: u64| Duration::from_secs(count * 3600);
        assert_eq!(night_of(evening), night_of(evening + hours(1)));
        assert_eq!(night_of(evening), night_of(evening + hours(10)));
        // The same day by the calendar, and the night before.
        assert_ne!(night_of(evening - hours(22)), night_of(evening));
        assert_ne!(night_of(evening), night_of(evening + hours(24)));
    }

    #[test]
    fn a_passed_deadline() {
        assert!(Deadline(UNIX_EPOCH).has_passed());
        assert!(!Deadline(SystemTime::now() + Duration::from_secs(60)).has_passed());
    }
}
