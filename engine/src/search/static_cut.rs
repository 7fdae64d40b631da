//! Nodes that their evaluation alone decides: so far above beta that nothing will bring it down, or
//! so far below alpha that only captures could lift it.

use super::alpha_beta::Visit;
use super::statistics::Statistics;
use super::worker::Worker;
use crate::types::{Depth, Value};

impl<S: Statistics> Worker<'_, S> {
    /// A value that settles the node without its moves; `value` is its evaluation.
    pub(super) fn static_cut(
        &mut self,
        alpha: Value,
        beta: Value,
        depth: Depth,
        ply: usize,
        value: Value,
        improving: bool,
    ) -> Option<Value> {
        let params = &self.setup.params.static_cut;
        let plies = depth.to_plies();
        let verifies = self.buffers.stack[ply].no_null;
        if ply == 0 || verifies || alpha.is_mate() || beta.is_mate() {
            return None;
        }
        if params.reverse && plies <= params.reverse_depth {
            let less = if improving { params.improving } else { 0 };
            let margin = Value::new((params.reverse_margin * plies - less).max(0));
            if value - margin >= beta {
                return Some(value);
            }
        }
        let margin = Value::new(params.razor_margin * plies);
        if params.razor && plies <= params.razor_depth && value + margin <= alpha {
            let found = self.quiescence(alpha, alpha + Value::new(1), ply, Visit::Again);
            if found <= alpha || self.stopped {
                return Some(found);
            }
        }
        None
    }
}
