//! Pinning of threads and programs to processors. Errors are ignored: a match plays the same games
//! on any processor.

use std::io;

/// The processors that this process may use.
pub fn processors() -> io::Result<Vec<usize>> {
    let mut set = empty();
    // SAFETY: the set lives, and its size is given.
    let done = unsafe { libc::sched_getaffinity(0, size_of_val(&set), &raw mut set) };
    if done != 0 {
        return Err(io::Error::last_os_error());
    }
    let most = usize::try_from(libc::CPU_SETSIZE).unwrap_or(0);
    // SAFETY: every number is below the size of the set.
    Ok((0..most).filter(|&number| unsafe { libc::CPU_ISSET(number, &set) }).collect())
}

/// Pins the calling thread, and the programs that it starts.
pub fn pin_thread(processor: usize) {
    pin(0, processor);
}

/// Pins all threads of a program, its child processes (an engine inside a sandbox), and what these
/// start.
pub fn pin_process(pid: i32, processor: usize) {
    let mut pids = vec![pid];
    let mut at = 0;
    while let Some(&pid) = pids.get(at) {
        pin_threads(pid, processor);
        pids.extend(children(pid));
        at += 1;
    }
}

fn children(pid: i32) -> Vec<i32> {
    let lists = threads(pid).filter_map(|thread| {
        std::fs::read_to_string(format!("/proc/{pid}/task/{thread}/children")).ok()
    });
    lists
        .flat_map(|list| list.split_whitespace().flat_map(str::parse).collect::<Vec<_>>())
        .collect()
}

fn pin_threads(pid: i32, processor: usize) {
    pin(pid, processor);
    // A thread that is not pinned yet may start another; the next pass finds it.
    const LOOKS: usize = 8;
    let mut pinned = vec![pid];
    for _ in 0..LOOKS {
        let new: Vec<i32> = threads(pid).filter(|thread| !pinned.contains(thread)).collect();
        if new.is_empty() {
            return;
        }
        new.iter().for_each(|&thread| pin(thread, processor));
        pinned.extend(new);
    }
}

fn threads(pid: i32) -> impl Iterator<Item = i32> {
    let tasks = std::fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    tasks.filter_map(|task| task.file_name().to_str()?.parse().ok())
}

fn pin(pid: i32, processor: usize) {
    let mut set = empty();
    // SAFETY: the number came from a set of this size, which lives during the call.
    unsafe {
        libc::CPU_SET(processor, &mut set);
        libc::sched_setaffinity(pid, size_of_val(&set), &raw const set);
    }
}

fn empty() -> libc::cpu_set_t {
    // SAFETY: a set of processors is plain bits, and no bits are the empty set.
    unsafe { std::mem::zeroed() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pinned_thread_has_one_processor() {
        let pinned = std::thread::spawn(|| {
            let first = processors().unwrap()[0];
            pin_thread(first);
            (first, processors().unwrap())
        });
        let (first, left) = pinned.join().unwrap();
        assert_eq!(left, [first]);
    }
}
