//! Large tables: room for them, and the processor's caches.

mod room;

pub(crate) use room::{Room, check_room};

/// A table of `count` empty cells, or of half, a quarter … as many if the machine has no more.
pub(crate) fn filled<T>(mut count: usize, empty: impl Fn() -> T) -> Vec<T> {
    let mut cells = Vec::new();
    while cells.try_reserve_exact(count).is_err() && count > 1 {
        count /= 2;
    }
    large_pages(cells.spare_capacity_mut());
    cells.resize_with(count, empty);
    cells
}

/// Asks the system for large pages, before the memory is used: a table is read all over the place,
/// and the processor remembers where few pages are. A system that has none plays with small ones.
#[cfg(target_os = "linux")]
fn large_pages<T>(room: &mut [T]) {
    /// What a large page holds; smaller tables gain nothing.
    const LARGE: usize = 2 << 20;
    const PAGE: usize = 4096;
    if size_of_val(room) < LARGE {
        return;
    }
    let room = room.as_mut_ptr_range();
    let start = room.start.addr().next_multiple_of(PAGE);
    let length = (room.end.addr() - start) / PAGE * PAGE;
    // SAFETY: the range lies within `room`, and the advice changes no contents.
    unsafe {
        libc::madvise(room.start.with_addr(start).cast(), length, libc::MADV_HUGEPAGE);
    }
}

#[cfg(not(target_os = "linux"))]
fn large_pages<T>(_room: &mut [T]) {}

/// Reads an item of every line of memory, so that the processor's caches hold all of them.
pub(crate) fn touch<T: Copy>(items: &[T]) {
    touch_by(items, |item| *item);
}

/// The same for items that are read in a way of their own.
pub(crate) fn touch_by<T, R>(items: &[T], read: impl Fn(&T) -> R) {
    const LINE: usize = 64;
    let step = (LINE / size_of::<T>().max(1)).max(1);
    for item in items.iter().step_by(step) {
        std::hint::black_box(read(item));
    }
}

/// Asks the processor's caches for an item that will be read soon; nothing waits for it.
#[inline]
pub(crate) fn prefetch<T>(item: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: the instruction changes nothing but the caches, and every x86-64 processor has it.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(item).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = item;
}
