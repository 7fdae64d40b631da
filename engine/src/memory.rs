//! Large tables: room for them, and the processor's caches.

/// A table of `count` cells, or of half, a quarter … as many if the machine has no more.
pub(crate) fn filled<T: Clone>(mut count: usize, value: T) -> Vec<T> {
    let mut cells = Vec::new();
    while cells.try_reserve_exact(count).is_err() && count > 1 {
        count /= 2;
    }
    cells.resize(count, value);
    cells
}

/// Reads an item of every line of memory, so that the processor's caches hold all of them.
pub(crate) fn touch<T: Copy>(items: &[T]) {
    const LINE: usize = 64;
    let step = (LINE / size_of::<T>().max(1)).max(1);
    for item in items.iter().step_by(step) {
        std::hint::black_box(*item);
    }
}
