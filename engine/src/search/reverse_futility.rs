//! Reverse futility pruning: if the evaluation is above beta by a margin, return it without a search.

use super::statistics::Statistics;
use super::worker::Worker;
use crate::types::{Depth, Value};

impl<S: Statistics> Worker<'_, S> {
    /// `value` if it is above beta by the margin, else `None`.
    pub(super) fn reverse_futility(
        &mut self,
        (alpha, beta): (Value, Value),
        depth: Depth,
        ply: usize,
        value: Value,
        improving: bool,
    ) -> Option<Value> {
        let params = &self.setup.params.static_cut;
        let plies = depth.to_plies();
        if !params.reverse
            || plies > params.reverse_depth
            || !self.may_cut_statically(alpha, beta, ply)
        {
            return None;
        }
        let less = if improving { params.improving } else { 0 };
        let margin = Value::new((params.reverse_margin * plies - less).max(0));
        let threat = if params.threat { self.threat_against_us(ply) } else { Value::ZERO };
        (value - margin - threat >= beta).then_some(value)
    }

    /// Whether a node may be decided by its evaluation. Not at the root, not if alpha or beta is a mate score,
    /// not while a null move is verified.
    pub(super) fn may_cut_statically(&self, alpha: Value, beta: Value, ply: usize) -> bool {
        ply > 0 && !self.buffers.stack[ply].no_null && !alpha.is_decided() && !beta.is_decided()
    }
}

#[cfg(test)]
mod tests;
