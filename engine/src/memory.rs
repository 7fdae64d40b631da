//! The processor's caches.

/// Reads an item of every line of memory, so that the processor's caches hold all of them.
pub(crate) fn touch<T: Copy>(items: &[T]) {
    const LINE: usize = 64;
    let step = (LINE / size_of::<T>().max(1)).max(1);
    for item in items.iter().step_by(step) {
        std::hint::black_box(*item);
    }
}
