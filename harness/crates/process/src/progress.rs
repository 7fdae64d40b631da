//! How far long work is, told to whoever shows it.

pub trait Progress: Sync {
    /// Work begins, of so many steps where that is known.
    fn begin(&self, what: &str, steps: Option<u64>);

    fn advance(&self, steps: u64);
}

/// Shows nothing.
#[derive(Debug, Clone, Copy)]
pub struct Unseen;

impl Progress for Unseen {
    fn begin(&self, _what: &str, _steps: Option<u64>) {}

    fn advance(&self, _steps: u64) {}
}
