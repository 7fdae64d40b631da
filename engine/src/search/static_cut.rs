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
            let threat = if params.threat { self.threat_against_us(ply) } else { Value::ZERO };
            if value - margin - threat >= beta {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Params;
    use crate::search::testing::{QUIET, after};

    /// Whether a node with a value so far `above` beta is cut off at so many plies.
    fn cuts(params: &Params, fen: &str, plies: i32, above: i32) -> bool {
        after(params.clone(), fen, &[], |worker, _| {
            let beta = Value::ZERO;
            let value = beta + Value::new(above);
            // Any ply but the root's; its evaluation is the root's.
            *worker.ply(1) = *worker.ply(0);
            let depth = Depth::plies(plies);
            let alpha = beta - Value::new(1);
            let cut = worker.static_cut(alpha, beta, depth, 1, value, false);
            assert!(cut.is_none_or(|cut| cut == value));
            cut.is_some()
        })
    }

    #[test]
    fn far_above_beta() {
        let mut params = Params::default();
        assert!(!cuts(&params, QUIET, 1, 9999), "off");
        params.static_cut.reverse = true;
        let margin = params.static_cut.reverse_margin;
        for plies in [1, 3, 8] {
            let at = |above| cuts(&params, QUIET, plies, above);
            assert_eq!([at(margin * plies), at(margin * plies - 1)], [true, false], "{plies}");
        }
        assert!(!cuts(&params, QUIET, 9, 9999), "too deep");
    }

    /// A knight of the side to move hangs: three pawns more are asked for.
    #[test]
    fn threats_count() {
        let mut params = Params::default();
        params.static_cut.reverse = true;
        let fen = "4k3/8/3p4/4N3/8/8/4P3/4K3 w - - 0 1";
        let margin = params.static_cut.reverse_margin;
        assert!(cuts(&params, fen, 1, margin));
        params.static_cut.threat = true;
        let at = |above| cuts(&params, fen, 1, above);
        assert_eq!([at(margin + 3 * 256), at(margin + 3 * 256 - 1)], [true, false]);
    }
}
