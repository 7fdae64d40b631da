//! A limit on the size of files (`ulimit -f`): met like a full disk, not by a signal that kills.

/// From now on writing beyond the limit is an error like any other, in this process and in those that it
/// starts.
pub fn is_an_error() {
    // SAFETY: a system call; ignoring a signal runs no code of ours.
    unsafe {
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
    }
}
