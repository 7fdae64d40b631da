//! Escaped processes: those that an engine has started and that left its process group, for example
//! by `setsid`. They are found by an environment variable, which all descendants inherit. (Their
//! parent changes when one ends.) A process that removes the variable is not found here.
//!
//! The code that kills them is safe between fork and exec, because the [guard](super::guard)
//! runs it after our end.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

/// The variable. Its value is that of [`run`], a number for the engine, and a point.
const VARIABLE: &str = "VERDICT_ENGINE";
/// How often processes are searched again: one that is killed may just have started another, and
/// one that is between two programs cannot be recognized yet.
#[cfg(target_os = "linux")]
const PASSES: usize = 20;

/// The mark of all descendants of one engine, or of all engines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// `VARIABLE=VALUE`, or the beginning that all engines have in common.
    entry: String,
}

impl Mark {
    /// A new mark, for one engine.
    pub fn of_one() -> Mark {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        Mark { entry: format!("{VARIABLE}={}{number}.", run()) }
    }

    /// The common mark of all our engines.
    pub fn of_all() -> Mark {
        Mark { entry: format!("{VARIABLE}={}", run()) }
    }

    pub fn variable(&self) -> (&str, &str) {
        self.entry.split_once('=').unwrap_or((&self.entry, ""))
    }

    #[cfg(target_os = "linux")]
    pub fn kill(&self) {
        for _ in 0..PASSES {
            if linux::kill(self.entry.as_bytes()) == 0 {
                return;
            }
            linux::pause();
        }
    }

    /// Only Linux shows the environment of other processes.
    #[cfg(not(target_os = "linux"))]
    pub fn kill(&self) {}
}

/// Distinguishes this process's engines from those of all other processes of the machine.
fn run() -> &'static str {
    static RUN: OnceLock<String> = OnceLock::new();
    RUN.get_or_init(|| {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        format!("{}-{:x}.", std::process::id(), since.as_nanos())
    })
}

#[cfg(target_os = "linux")]
mod linux {
    /// Offset of the entry's length in the kernel's `linux_dirent64`.
    const LENGTH: usize = std::mem::offset_of!(libc::dirent64, d_reclen);
    const NAME: usize = std::mem::offset_of!(libc::dirent64, d_name);
    /// Pause between two passes, in which a process usually becomes its new program.
    const PAUSE: libc::timespec = libc::timespec { tv_sec: 0, tv_nsec: 5_000_000 };
    /// After three empty reads of `environ` a process counts as unmarked.
    const LOOKS: usize = 3;

    enum ProcessMark {
        Marked,
        Other,
        /// It has no environment yet: it is becoming a new program.
        Unclear,
    }

    /// Kills all processes with a variable that begins with `entry`. Returns how many there were,
    /// with those that were unclear.
    pub(super) fn kill(entry: &[u8]) -> usize {
        let mut left = 0;
        // The kernel needs aligned entries.
        let mut buffer = [0_u64; 1024];
        // SAFETY: system calls on our own descriptors and memory; the kernel says how many bytes of
        // the buffer it has filled.
        unsafe {
            let flags = libc::O_RDONLY | libc::O_DIRECTORY | libc::O_CLOEXEC;
            let processes = libc::open(c"/proc".as_ptr(), flags);
            if processes < 0 {
                return 0;
            }
            loop {
                let (start, size) = (buffer.as_mut_ptr(), size_of_val(&buffer));
                let filled = libc::syscall(libc::SYS_getdents64, processes, start, size);
                let Some(filled @ 1..) = usize::try_from(filled).ok() else { break };
                let mut rest = std::slice::from_raw_parts(start.cast::<u8>(), filled.min(size));
                while let Some((name, behind)) = next_entry(rest) {
                    rest = behind;
                    let Some(pid) = number(name) else { continue };
                    match look(name, entry) {
                        ProcessMark::Marked => {
                            libc::kill(pid, libc::SIGKILL);
                            left += 1;
                        }
                        ProcessMark::Unclear => left += 1,
                        ProcessMark::Other => {}
                    }
                }
            }
            libc::close(processes);
        }
        left
    }

    pub(super) fn pause() {
        // SAFETY: a system call that only reads our memory; a signal may end it early.
        unsafe { libc::nanosleep(&PAUSE, std::ptr::null_mut()) };
    }

    /// Name of the first directory entry, and the rest.
    fn next_entry(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
        let length = [*bytes.get(LENGTH)?, *bytes.get(LENGTH + 1)?];
        let length = usize::from(u16::from_ne_bytes(length));
        let name = bytes.get(NAME..length)?.split(|byte| *byte == 0).next()?;
        Some((name, bytes.get(length..)?))
    }

    /// A process id. Not 0 and 1, which `kill` would read as groups.
    fn number(name: &[u8]) -> Option<i32> {
        let digits = name.iter().try_fold(0_i32, |number, byte| {
            let digit = byte.is_ascii_digit().then(|| i32::from(byte - b'0'))?;
            number.checked_mul(10)?.checked_add(digit)
        });
        digits.filter(|number| *number > 1)
    }

    /// Whether a process has the variable. Processes of other users can be neither read nor killed.
    fn look(process: &[u8], entry: &[u8]) -> ProcessMark {
        for _ in 0..LOOKS {
            let mut search = EntryScan::default();
            match read(process, b"/environ\0", |byte| search.finds(entry, byte)) {
                Some(TextSearch::Found) => return ProcessMark::Marked,
                Some(TextSearch::Without) | None => return ProcessMark::Other,
                // No environment: between two programs a process has neither environment nor
                // arguments.
                Some(TextSearch::Empty) => {}
            }
            if !matches!(read(process, b"/cmdline\0", |_| true), Some(TextSearch::Found)) {
                return if has_program(process) {
                    ProcessMark::Unclear
                } else {
                    ProcessMark::Other
                };
            }
        }
        ProcessMark::Other
    }

    /// Result of searching one of a process's files.
    enum TextSearch {
        Empty,
        Without,
        Found,
    }

    /// Reads a process's file byte by byte until `found` returns true; `None` if it cannot be
    /// opened.
    fn read(process: &[u8], file: &[u8], mut found: impl FnMut(u8) -> bool) -> Option<TextSearch> {
        let mut text = TextSearch::Empty;
        let mut bytes = [0_u8; 4096];
        // SAFETY: system calls on our own descriptors and memory; the path ends with 0.
        unsafe {
            let flags = libc::O_RDONLY | libc::O_CLOEXEC;
            let file = libc::open(path(process, file).as_ptr().cast(), flags);
            if file < 0 {
                return None;
            }
            loop {
                let count = libc::read(file, bytes.as_mut_ptr().cast(), bytes.len());
                let Some(count @ 1..) = usize::try_from(count).ok() else { break };
                text = TextSearch::Without;
                if bytes.iter().take(count).any(|byte| found(*byte)) {
                    text = TextSearch::Found;
                    break;
                }
            }
            libc::close(file);
        }
        Some(text)
    }

    /// Kernel threads and ended processes have no program.
    fn has_program(process: &[u8]) -> bool {
        let mut program = [0_u8; 1];
        // SAFETY: a system call on our own memory; the path ends with 0.
        unsafe {
            let path = path(process, b"/exe\0");
            libc::readlink(path.as_ptr().cast(), program.as_mut_ptr().cast(), program.len()) > 0
        }
    }

    /// The path of a process's file; `file` ends with 0. A process id has at most ten digits.
    fn path(process: &[u8], file: &[u8]) -> [u8; 32] {
        let mut path = [0_u8; 32];
        let parts = b"/proc/".iter().chain(process).chain(file);
        path.iter_mut().zip(parts).for_each(|(to, from)| *to = *from);
        path
    }

    /// Searches a list of entries, each ended by 0, byte by byte.
    #[derive(Default)]
    struct EntryScan {
        /// Length of the current entry's match.
        matched: usize,
        differs: bool,
    }

    impl EntryScan {
        /// Takes one more byte. True when an entry that begins with `wanted` is complete.
        fn finds(&mut self, wanted: &[u8], byte: u8) -> bool {
            if byte == 0 {
                *self = EntryScan::default();
            } else if !self.differs {
                self.differs = wanted.get(self.matched) != Some(&byte);
                self.matched += 1;
            }
            !self.differs && self.matched == wanted.len()
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn entries_are_found_by_how_they_begin() {
            let found = |text: &[u8]| {
                let mut search = EntryScan::default();
                text.iter().any(|byte| search.finds(b"E=1.2.", *byte))
            };
            for text in [&b"E=1.2."[..], b"A=b\0E=1.2.\0C=", b"E=1.\0E=1.2.7.\0", b"E\0\0E=1.2.\0"]
            {
                assert!(found(text), "{text:?}");
            }
            for text in
                [&b""[..], b"E=1.2", b"E=1.23.\0", b"E=1.\x002.\0", b"XE=1.2.\0", b"E=1.E=1.2."]
            {
                assert!(!found(text), "{text:?}");
            }
        }

        #[test]
        fn processes_are_numbers_above_1() {
            let names = [&b"2"[..], b"4194304", b"1", b"0", b"self", b"7x", b"", b"99999999999"];
            let numbers = [Some(2), Some(4_194_304), None, None, None, None, None, None];
            assert_eq!(names.map(number), numbers);
        }
    }
}

#[cfg(target_os = "linux")]
#[cfg(test)]
mod tests {
    use std::io::Read as _;
    use std::os::unix::process::ExitStatusExt as _;
    use std::process::{Child, Command, Stdio};
    use std::time::Duration;

    use super::*;

    /// A shell with the mark that has reported that it runs. Before that it may still show our own
    /// environment.
    fn marked(mark: &Mark, script: &str) -> Child {
        let (name, value) = mark.variable();
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("echo; {script}"), script]).env(name, value);
        let mut shell = shell.stdout(Stdio::piped()).spawn().unwrap();
        shell.stdout.as_mut().unwrap().read_exact(&mut [0]).unwrap();
        shell
    }

    #[test]
    fn who_has_the_mark_is_killed_and_nobody_else() {
        let [one, other] = [Mark::of_one(), Mark::of_one()];
        let (mut first, mut second) = (marked(&one, "sleep 60"), marked(&other, "sleep 60"));
        one.kill();
        assert_eq!(first.wait().unwrap().signal(), Some(libc::SIGKILL));
        assert!(second.try_wait().unwrap().is_none());
        other.kill();
        assert_eq!(second.wait().unwrap().signal(), Some(libc::SIGKILL));
        // Not the common mark: other tests have engines, too.
        assert!(one.entry.starts_with(&Mark::of_all().entry));
    }

    #[test]
    fn who_is_between_two_programs_is_killed() {
        // Each process ends itself if it is not killed.
        let script = r#"[ "$1" = 3000 ] || exec sh -c "$0" "$0" $(($1 + 1))"#;
        for delay in 0..150 {
            let mark = Mark::of_one();
            let mut restless = marked(&mark, script);
            std::thread::sleep(Duration::from_micros(20 * delay));
            mark.kill();
            assert_eq!(restless.wait().unwrap().signal(), Some(libc::SIGKILL));
        }
    }
}
