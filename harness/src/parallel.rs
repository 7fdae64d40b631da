//! A list worked off by several threads, in the list's order.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// As many threads as asked for, or as this process has processors.
#[must_use]
pub fn threads(asked: Option<NonZeroUsize>) -> NonZeroUsize {
    asked.or(thread::available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN)
}

/// What `work` makes of each item, in order. Each thread works with a state of its own, made by
/// `begin`; results must not depend on what a state has seen before.
pub fn map<T: Sync, S, R: Send>(
    items: &[T],
    threads: NonZeroUsize,
    begin: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, &T) -> R + Sync,
) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut state = begin();
        let mut done = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(index) else { return done };
            done.push((index, work(&mut state, item)));
        }
    };
    let mut done: Vec<(usize, R)> = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.get()).map(|_| scope.spawn(worker)).collect();
        let joined = workers.into_iter().map(|worker| match worker.join() {
            Ok(done) => done,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        joined.flatten().collect()
    });
    done.sort_unstable_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_keep_the_order() {
        let items: Vec<u32> = (0..1000).collect();
        for threads in [1, 3, 8] {
            let threads = NonZeroUsize::new(threads).unwrap();
            let squares = map(&items, threads, || (), |(), &item| item * item);
            assert!(squares.iter().zip(&items).all(|(square, item)| *square == item * item));
            assert_eq!(squares.len(), items.len());
        }
    }
}
