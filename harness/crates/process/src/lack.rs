//! Lack of resources: file descriptors, processes, threads, memory or disk space for starting a
//! player or talking to it. That is no fault of a player.

use std::io;

use libc::{EAGAIN, EDQUOT, EMFILE, ENFILE, ENOBUFS, ENOMEM, ENOSPC};

/// Error numbers of [`io::Error::raw_os_error`] that mean a lack.
pub const ERRORS: [i32; 7] = [EMFILE, ENFILE, EAGAIN, ENOMEM, ENOBUFS, ENOSPC, EDQUOT];

/// Words by which programs and their loader report a lack, in lower case. The loader of glibc has
/// no words for the first two.
const WORDS: [(&str, i32); 13] = [
    ("shared object file: error 24", EMFILE),
    ("shared object file: error 23", ENFILE),
    ("too many open files in system", ENFILE),
    ("too many open files", EMFILE),
    ("resource temporarily unavailable", EAGAIN),
    ("cannot fork", EAGAIN),
    ("cannot allocate memory", ENOMEM),
    ("failed to allocate", ENOMEM),
    ("memory allocation of ", ENOMEM),
    ("bad_alloc", ENOMEM),
    ("out of memory", ENOMEM),
    ("no space left on device", ENOSPC),
    ("disk quota exceeded", EDQUOT),
];

/// A lack of something. The text says what it was needed for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what}: {}", self.error())]
pub struct Lack {
    what: String,
    errno: i32,
}

impl Lack {
    /// The lack that an error reports; `None` for other errors.
    pub fn of(what: &str, error: &io::Error) -> Option<Lack> {
        let errno = error.raw_os_error().filter(|errno| ERRORS.contains(errno))?;
        Some(Lack { what: what.to_owned(), errno })
    }

    /// The lack that a program reports in its last words, when it ended before it was ready.
    pub fn from_words_at_start(what: &str, words: &str) -> Option<Lack> {
        Lack::from_words(what, words, |_| true)
    }

    /// As [`Lack::from_words_at_start`], for a program that ended during a game. Only EAGAIN
    /// counts: descriptors and memory are limited for each process, but threads and processes for
    /// all together.
    pub fn from_words_in_game(what: &str, words: &str) -> Option<Lack> {
        Lack::from_words(what, words, |errno| errno == EAGAIN)
    }

    /// The kernel killed a program because memory ran out.
    pub fn of_memory(what: &str) -> Lack {
        Lack { what: what.to_owned(), errno: ENOMEM }
    }

    fn from_words(what: &str, words: &str, counts: impl Fn(i32) -> bool) -> Option<Lack> {
        let words = words.to_ascii_lowercase();
        let told = WORDS.iter().find(|(word, errno)| counts(*errno) && words.contains(word));
        told.map(|(_, errno)| Lack { what: what.to_owned(), errno: *errno })
    }

    pub fn error(&self) -> io::Error {
        io::Error::from_raw_os_error(self.errno)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_the_system_are_told_from_those_of_a_program() {
        for errno in ERRORS {
            let lack = Lack::of("cannot start x", &io::Error::from_raw_os_error(errno)).unwrap();
            assert_eq!(lack.error().raw_os_error(), Some(errno));
            assert!(lack.to_string().starts_with("cannot start x: "), "{lack}");
        }
        for errno in [libc::ENOENT, libc::EACCES, libc::ENOEXEC, libc::EPIPE] {
            assert_eq!(Lack::of("x", &io::Error::from_raw_os_error(errno)), None);
        }
        assert_eq!(Lack::of("x", &io::Error::other("EMFILE")), None);
    }

    #[test]
    fn programs_tell_of_it_in_their_own_words() {
        for (words, errno, in_game) in [
            (
                "e: error while loading shared libraries: libm.so.6: cannot open shared object \
                 file: Error 24",
                EMFILE,
                false,
            ),
            ("libc.so.6: cannot map zero-fill pages: Cannot allocate memory", ENOMEM, false),
            ("OSError: [Errno 23] Too many open files in system", ENFILE, false),
            (
                "failed to spawn thread: Os { code: 11, message: \"Resource temporarily unavailable\" }",
                EAGAIN,
                true,
            ),
            ("sh: 1: Cannot fork", EAGAIN, true),
            ("terminate called after throwing 'std::bad_alloc'", ENOMEM, false),
            ("log.txt: No space left on device (os error 28)", ENOSPC, false),
        ] {
            let lack = Lack::from_words_at_start("x", words);
            assert_eq!(lack, Some(Lack { what: "x".to_owned(), errno }), "{words}");
            assert_eq!(Lack::from_words_in_game("x", words).is_some(), in_game, "{words}");
        }
        for words in
            ["", "no such vice", "e: cannot open shared object file: No such file or directory"]
        {
            assert_eq!(Lack::from_words_at_start("x", words), None, "{words}");
        }
    }
}
