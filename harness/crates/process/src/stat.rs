//! What the kernel says about a process in `/proc/PID/stat`.

use std::fs;
use std::time::Duration;

/// Of the processor times in `/proc`: always 100 a second.
pub(crate) const TICK: Duration = Duration::from_millis(10);

pub(crate) struct Stat {
    pub(crate) ended: bool,
    pub(crate) group: i32,
    /// User and system time.
    pub(crate) processor: Duration,
    /// In ticks since the system's start.
    pub(crate) start: u64,
}

impl Stat {
    /// `None` when the process is gone, and where the kernel has no `/proc`.
    pub(crate) fn of(pid: i32) -> Option<Stat> {
        Stat::parse(&fs::read_to_string(format!("/proc/{pid}/stat")).ok()?)
    }

    /// Parsed after the program's name, which may contain any characters.
    fn parse(text: &str) -> Option<Stat> {
        let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
        let ticks = |at: usize| fields.get(at)?.parse::<u32>().ok();
        Some(Stat {
            ended: matches!(*fields.first()?, "Z" | "X"),
            group: fields.get(2)?.parse().ok()?,
            processor: TICK * ticks(11)?.checked_add(ticks(12)?)?,
            start: fields.get(19)?.parse().ok()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_kernel_says_is_read() {
        let line = "4711 (a) Z (b) S 1 4700 4699 0 -1 4194560 93 0 0 0 7 5 0 0 20 0 1 0 12345 2 3";
        let stat = Stat::parse(line).unwrap();
        assert_eq!((stat.ended, stat.group, stat.start), (false, 4700, 12345));
        assert_eq!(stat.processor, 12 * TICK);
        assert!(Stat::parse(&line.replace(") S ", ") Z ")).unwrap().ended);
        assert!(Stat::parse("4711 (a").is_none());
        #[cfg(target_os = "linux")]
        assert!(
            Stat::of(i32::try_from(std::process::id()).unwrap()).is_some_and(|own| own.start > 0)
        );
    }
}
