//! What a draw is worth (ROT-06).

use super::statistics::Statistics;
use super::worker::Worker;
use crate::types::Value;

impl<S: Statistics> Worker<'_, S> {
    /// The value of a draw on `ply` for the side to move there: a little less than nought for the
    /// side at the root, whatever its colour, as much more for its opponent (AMB-73).
    ///
    /// Values in the hash table hold the contempt of the side that searched: who thinks for both
    /// sides with one engine and contempt should clear it in between.
    #[inline]
    pub(super) fn draw_value(&self, ply: usize) -> Value {
        let contempt = Value::new(self.setup.params.contempt.value);
        if ply.is_multiple_of(2) { -contempt } else { contempt }
    }
}
