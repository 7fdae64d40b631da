//! When a night ends.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deadline(pub SystemTime);

impl Deadline {
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
    let number = |text: &str, below: i32| {
        let plain = !text.is_empty() && text.bytes().all(|digit| digit.is_ascii_digit());
        text.parse().ok().filter(|&number: &i32| plain && number < below).ok_or_else(expected)
    };
    let (hours, minutes) = (number(hours, 24)?, number(minutes, 60)?);
    let now = SystemTime::now();
    let seconds = now.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let seconds = libc::time_t::try_from(seconds).map_err(|_| expected())?;
    // A day later the clock may have been put forward or back: the calendar knows.
    let at = |day: i32| local(seconds, day, hours, minutes);
    let next = [at(0), at(1)].into_iter().flatten().find(|&at| at > seconds);
    let next = next.and_then(|at| u64::try_from(at).ok()).ok_or_else(expected)?;
    Ok(Deadline(UNIX_EPOCH + Duration::from_secs(next)))
}

/// The day on which the night of a moment began, by the clock on the wall: `2026-11-22`. Nights
/// change at noon, so that one which goes on after midnight is still that of the evening.
pub fn night_of(moment: SystemTime) -> String {
    const HALF_A_DAY: u64 = 12 * 60 * 60;
    let seconds = moment.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let evening = libc::time_t::try_from(seconds.saturating_sub(HALF_A_DAY)).unwrap_or_default();
    // SAFETY: plain bits, for which zero is a value; the call gets pointers that live.
    let time = unsafe {
        let mut time: libc::tm = std::mem::zeroed();
        libc::localtime_r(&raw const evening, &raw mut time);
        time
    };
    format!("{:04}-{:02}-{:02}", time.tm_year + 1900, time.tm_mon + 1, time.tm_mday)
}

/// The second at which the local clock shows that time, so many days after that of `now`.
fn local(now: libc::time_t, days: i32, hours: i32, minutes: i32) -> Option<libc::time_t> {
    // SAFETY: plain bits, for which zero is a value; both calls get pointers that live.
    unsafe {
        let mut time: libc::tm = std::mem::zeroed();
        if libc::localtime_r(&raw const now, &raw mut time).is_null() {
            return None;
        }
        time.tm_mday += days;
        (time.tm_hour, time.tm_min, time.tm_sec, time.tm_isdst) = (hours, minutes, 0, -1);
        Some(libc::mktime(&raw mut time)).filter(|&at| at != -1)
    }
}

#[cfg(test)]
mod tests {
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
