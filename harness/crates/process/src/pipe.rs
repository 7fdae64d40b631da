//! Pipes to and from a child process.

use std::fs::{File, OpenOptions};
use std::io::{self, PipeReader, PipeWriter, Write as _};
use std::os::fd::{AsFd, AsRawFd};
use std::os::unix::fs::OpenOptionsExt as _;
use std::time::Duration;

use crate::lack::Lack;

/// A second handle of the same pipe.
pub fn duplicate(pipe: &impl AsFd) -> io::Result<File> {
    pipe.as_fd().try_clone_to_owned().map(File::from)
}

/// Makes a write to a full pipe fail with [`io::ErrorKind::WouldBlock`].
pub fn set_nonblocking(pipe: &PipeWriter) -> io::Result<()> {
    // SAFETY: plain system calls on a descriptor that is open.
    let done = unsafe {
        let flags = libc::fcntl(pipe.as_raw_fd(), libc::F_GETFL);
        libc::fcntl(pipe.as_raw_fd(), libc::F_SETFL, flags | libc::O_NONBLOCK)
    };
    if done == -1 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// Waits until a pipe takes bytes, at most `limit`.
pub fn wait_writable(pipe: &PipeWriter, limit: Duration) {
    let mut poll = libc::pollfd { fd: pipe.as_raw_fd(), events: libc::POLLOUT, revents: 0 };
    let limit = i32::try_from(limit.as_millis()).unwrap_or(i32::MAX);
    // SAFETY: one initialised entry, whose descriptor is open.
    unsafe { libc::poll(&mut poll, 1, limit) };
}

/// Bytes that can be read without waiting. Not by `poll`: after one poll a pipe wakes its reader at
/// each write, even if the last one was not read yet.
pub fn unread(pipe: &impl AsRawFd) -> usize {
    let mut count: libc::c_int = 0;
    // SAFETY: FIONREAD writes one int.
    let done = unsafe { libc::ioctl(pipe.as_raw_fd(), libc::FIONREAD, &mut count) };
    if done == 0 { usize::try_from(count).unwrap_or(0) } else { 0 }
}

/// Wakes a reader of a pipe that others keep open, by writing to the pipe. False if resources for
/// that are missing.
pub fn wake_reader(pipe: &PipeReader) -> bool {
    let path = format!("/proc/self/fd/{}", pipe.as_raw_fd());
    let opened = OpenOptions::new().write(true).custom_flags(libc::O_NONBLOCK).open(path);
    match opened {
        Ok(mut pipe) => {
            let _ = pipe.write(b"\n");
            true
        }
        Err(error) => Lack::of("", &error).is_none(),
    }
}
