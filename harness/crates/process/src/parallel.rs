//! Work on a list by several threads, in the list's order.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;

/// The wanted number of threads; by default one for each processor.
pub fn threads(wanted: Option<NonZeroUsize>) -> NonZeroUsize {
    wanted.or(thread::available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN)
}

/// A larger number is a typing error.
const MOST_THREADS: usize = 1024;

pub fn read_threads(text: &str) -> Result<NonZeroUsize, String> {
    let number = text.parse().ok().filter(|number: &NonZeroUsize| number.get() <= MOST_THREADS);
    number.ok_or_else(|| format!("expected 1 to {MOST_THREADS} threads"))
}

/// Sums of `work` over all numbers below `count`, one sum for each thread, so that memory does not
/// grow. Which thread gets which number is left to chance.
pub fn sums<S: Default + Send>(
    count: u64,
    threads: NonZeroUsize,
    work: impl Fn(&mut S, u64) + Sync,
) -> Vec<S> {
    let next = AtomicU64::new(0);
    let worker = || {
        let mut sum = S::default();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= count {
                return sum;
            }
            work(&mut sum, number);
        }
    };
    on_each(threads, worker)
}

/// The results of `worker` on this many threads.
fn on_each<T: Send>(threads: NonZeroUsize, worker: impl Fn() -> T + Sync) -> Vec<T> {
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.get()).map(|_| scope.spawn(&worker)).collect();
        let joined = workers.into_iter().map(|worker| worker.join());
        joined.map(|done| done.unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
    })
}

/// Results of `work` for each item, in order. Each thread has a state of its own, made by `begin`.
/// Results must not depend on the state's history.
pub fn map<T: Sync, S, R: Send>(
    items: &[T],
    threads: NonZeroUsize,
    begin: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, &T) -> R + Sync,
) -> Vec<R> {
    map_ending(items, threads, begin, drop, work)
}

/// As [`map`]; `end` gets the state of each thread that has done its part.
fn map_ending<T: Sync, S, R: Send>(
    items: &[T],
    threads: NonZeroUsize,
    begin: impl Fn() -> S + Sync,
    end: impl Fn(S) + Sync,
    work: impl Fn(&mut S, &T) -> R + Sync,
) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut state = begin();
        let mut done = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(index) else {
                end(state);
                return done;
            };
            done.push((index, work(&mut state, item)));
        }
    };
    let threads = threads.min(NonZeroUsize::new(items.len()).unwrap_or(NonZeroUsize::MIN));
    let mut done: Vec<(usize, R)> = match threads {
        NonZeroUsize::MIN => worker(),
        threads => on_each(threads, worker).into_iter().flatten().collect(),
    };
    done.sort_unstable_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, result)| result).collect()
}

/// States that are costly to make: threads leave them for the lists that follow.
#[derive(Debug)]
pub struct States<S>(Mutex<Vec<S>>);

impl<S> Default for States<S> {
    fn default() -> States<S> {
        States(Mutex::default())
    }
}

impl<S: Send> States<S> {
    /// As [`map`]; `begin` makes only the states that are not there yet.
    pub fn map<T: Sync, R: Send>(
        &self,
        items: &[T],
        threads: NonZeroUsize,
        begin: impl Fn() -> S + Sync,
        work: impl Fn(&mut S, &T) -> R + Sync,
    ) -> Vec<R> {
        let kept = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let take = || {
            let state = kept().pop();
            state.unwrap_or_else(&begin)
        };
        map_ending(items, threads, take, |state| kept().push(state), work)
    }
}

/// As [`map`], but each result goes to `take`, in order, as soon as it and all before it are there.
///
/// # Errors
/// The first error of `take`; no item is begun after it.
pub fn stream<T: Sync, S, R: Send, E>(
    items: &[T],
    threads: NonZeroUsize,
    begin: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, &T) -> R + Sync,
    mut take: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E> {
    let next = AtomicUsize::new(0);
    let (sender, results) = mpsc::channel();
    let worker = |sender: mpsc::Sender<(usize, R)>| {
        let mut state = begin();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(index) else { return };
            if sender.send((index, work(&mut state, item))).is_err() {
                return;
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..threads.get().min(items.len()) {
            let (worker, sender) = (&worker, sender.clone());
            scope.spawn(move || worker(sender));
        }
        drop(sender);
        let (mut early, mut due) = (BTreeMap::new(), 0);
        for (index, result) in results {
            early.insert(index, result);
            while let Some(result) = early.remove(&due) {
                take(result)?;
                due += 1;
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_added_once() {
        for threads in [1, 3, 8] {
            let threads = NonZeroUsize::new(threads).unwrap();
            let sums = sums(1000, threads, |sum: &mut u64, number| *sum += number);
            assert_eq!(sums.len(), threads.get());
            assert_eq!(sums.iter().sum::<u64>(), 499_500);
        }
    }

    #[test]
    fn threads_have_a_bound() {
        assert_eq!(read_threads("1024").map(NonZeroUsize::get), Ok(1024));
        for text in ["0", "1025", "18446744073709551615", "1e9", "-1"] {
            assert!(read_threads(text).unwrap_err().contains("1 to 1024"), "{text}");
        }
    }

    #[test]
    fn states_are_made_once() {
        let (states, made) = (States::default(), AtomicU64::new(0));
        let begin = || made.fetch_add(1, Ordering::Relaxed);
        for threads in [1, 2, 2, 1, 2] {
            let threads = NonZeroUsize::new(threads).unwrap();
            let found = states.map(&[1, 2, 3], threads, begin, |_, item| item * 2);
            assert_eq!(found, [2, 4, 6]);
        }
        assert!((1..=2).contains(&made.load(Ordering::Relaxed)), "{made:?}");
    }

    #[test]
    fn results_keep_the_order() {
        let items: Vec<u32> = (0..1000).collect();
        for threads in [1, 3, 8] {
            let threads = NonZeroUsize::new(threads).unwrap();
            let squares = map(&items, threads, || (), |(), &item| item * item);
            assert!(squares.iter().zip(&items).all(|(square, item)| *square == item * item));
            assert_eq!(squares.len(), items.len());
            let mut streamed = Vec::new();
            let all = stream(
                &items,
                threads,
                || (),
                |(), &item| item * item,
                |square| {
                    streamed.push(square);
                    if square < 900 * 900 { Ok(()) } else { Err(square) }
                },
            );
            assert_eq!((all, streamed.as_slice()), (Err(900 * 900), &squares[..=900]));
        }
    }
}
