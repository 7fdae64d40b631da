//! Progress of long work.

pub trait Progress: Sync {
    /// Work begins. `steps`: their number, if known.
    fn begin(&self, what: &str, steps: Option<u64>);

    fn advance(&self, steps: u64);
}

/// Shows no progress.
#[derive(Debug, Clone, Copy)]
pub struct Unseen;

impl Progress for Unseen {
    fn begin(&self, _what: &str, _steps: Option<u64>) {}

    fn advance(&self, _steps: u64) {}
}
