//! Bytes that readers look at. Tests count them: whatever the text, they grow no faster than its
//! length.

/// So many bytes were looked at.
#[inline(always)]
pub(super) fn looked_at(bytes: usize) {
    #[cfg(test)]
    LOOKED_AT.set(LOOKED_AT.get() + bytes as u64);
    #[cfg(not(test))]
    let _ = bytes;
}

/// Whether words are read by blocks. Tests compare this with reading them one by one.
#[inline(always)]
pub(super) fn reads_blocks() -> bool {
    #[cfg(test)]
    return READS_BLOCKS.get();
    #[cfg(not(test))]
    true
}

/// Reads as `read` does, without blocks.
#[cfg(test)]
pub(super) fn one_by_one<T>(read: impl FnOnce() -> T) -> T {
    READS_BLOCKS.set(false);
    let done = read();
    READS_BLOCKS.set(true);
    done
}

#[cfg(test)]
std::thread_local! {
    static READS_BLOCKS: std::cell::Cell<bool> = const { std::cell::Cell::new(true) };
    static LOOKED_AT: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

/// The bytes that `read` looks at.
#[cfg(test)]
pub(super) fn bytes_of(read: impl FnOnce()) -> u64 {
    LOOKED_AT.set(0);
    read();
    LOOKED_AT.get()
}
