//! What the system lets this process have.

/// Names a resource to the system.
#[cfg(any(target_env = "gnu", target_env = "uclibc"))]
pub type Which = libc::__rlimit_resource_t;
#[cfg(not(any(target_env = "gnu", target_env = "uclibc")))]
pub type Which = libc::c_int;

/// How much of a resource this process may have, and how much it may ask for.
pub fn of(which: Which) -> Option<libc::rlimit> {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: a plain system call on an initialised structure.
    let done = unsafe { libc::getrlimit(which, &mut limit) };
    (done == 0).then_some(limit)
}
