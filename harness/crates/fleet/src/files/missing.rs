//! Why a run cannot be prepared at a worker.

use std::io::ErrorKind;
use std::path::Path;

use process::Error;
use process::lack::Lack;

/// Whether it is tried again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Again {
    /// It will not work on this machine.
    Never,
    /// After 1, 5 and 15 minutes, then every 15.
    Later,
    /// Every 10 seconds: the attempt costs nothing.
    Soon,
}

#[derive(Debug, thiserror::Error)]
#[error("{error}")]
pub(crate) struct Missing {
    pub(crate) error: Error,
    pub(crate) again: Again,
}

impl Missing {
    pub(crate) fn never(error: Error) -> Missing {
        Missing { error, again: Again::Never }
    }

    pub(crate) fn later(error: Error) -> Missing {
        Missing { error, again: Again::Later }
    }

    /// The disk of this folder has less room than is needed, both in bytes.
    pub(crate) fn room(folder: &Path, free: u64, needed: u64) -> Missing {
        let error = Error::input_output(format!(
            "no room in {}: {} MB are free, expected {} MB ({ROOM})",
            folder.display(),
            free >> 20,
            needed.div_ceil(1 << 20)
        ));
        Missing { error, again: Again::Soon }
    }

    /// What comes of an error while a file or a build was written into `folder`: it is tried again if
    /// the disk is full.
    pub(crate) fn of_writing(folder: &Path, error: Error, or: Again) -> Missing {
        if !is_full(&error) {
            return Missing { error, again: or };
        }
        Missing::later(error.context(format!("no room in {} ({ROOM})", folder.display())))
    }

    pub(crate) fn context(self, context: &str) -> Missing {
        Missing { error: self.error.context(context), ..self }
    }
}

/// What to do about it.
const ROOM: &str = "make room there, or start the worker with another folder in VERDICT_CACHE; it is \
                    tried again by itself";

/// Whether the disk, a quota or a limit of file sizes left no room. A build says it in words.
fn is_full(error: &Error) -> bool {
    let is_room = |kind| {
        use ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
        matches!(kind, StorageFull | QuotaExceeded | FileTooLarge)
    };
    let in_words = || Lack::from_words_at_start("", &error.to_string()).map(|it| it.error().kind());
    error.io_kind().or_else(in_words).is_some_and(is_room)
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    #[test]
    fn a_full_disk_is_no_reason_to_give_up() {
        let never = |error| Missing::of_writing(Path::new("/cache"), error, Again::Never);
        for kind in [ErrorKind::StorageFull, ErrorKind::QuotaExceeded, ErrorKind::FileTooLarge] {
            let error = Error::from(io::Error::from(kind)).context("engine");
            let Missing { error, again } = never(error);
            let said = error.to_string();
            assert_eq!(again, Again::Later, "{said}");
            assert!(said.contains("/cache") && said.contains("VERDICT_CACHE"), "{said}");
        }
        let words = Error::input_output("`make` failed\ncc: No space left on device");
        assert_eq!(never(words).again, Again::Later);
        for other in ["`make` failed", "out of memory"] {
            assert_eq!(never(Error::input_output(other)).again, Again::Never, "{other}");
        }
    }
}
