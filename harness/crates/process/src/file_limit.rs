//! A limit on the size of files (`ulimit -f`): met like a full disk, not by a signal that kills.

/// Makes writing beyond the limit an ordinary error, in this process and in those that it starts.
pub fn is_an_error() {
    // SAFETY: a system call; ignoring a signal runs no code of ours.
    unsafe {
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
    }
}
