//! Razoring: if the evaluation is below alpha by a margin, quiescence replaces the search, provided that it
//! fails low too.

use super::alpha_beta::Visit;
use super::statistics::Statistics;
use super::worker::Worker;
use crate::types::{Depth, Value};

impl<S: Statistics> Worker<'_, S> {
    /// The quiescence value, if `value` is below alpha by the margin and quiescence does not exceed alpha.
    pub(super) fn razoring(
        &mut self,
        (alpha, beta): (Value, Value),
        depth: Depth,
        ply: usize,
        value: Value,
    ) -> Option<Value> {
        let params = &self.setup.params.static_cut;
        let plies = depth.to_plies();
        if !params.razor || plies > params.razor_depth || !self.may_cut_statically(alpha, beta, ply)
        {
            return None;
        }
        let margin = Value::new(params.razor_margin * plies);
        if value + margin > alpha {
            return None;
        }
        let found = self.quiescence(alpha, alpha + Value::new(1), ply, Visit::Again);
        (found <= alpha || self.stopped).then_some(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Params;
    use crate::search::testing::{QUIET, after};

    /// Whether a node `below` alpha by that much is razored with `plies` left.
    fn is_given_up(params: &Params, plies: i32, below: i32) -> bool {
        after(params.clone(), QUIET, &[], |worker, _| {
            *worker.ply(1) = *worker.ply(0);
            let value = Value::ZERO;
            let alpha = value + Value::new(below);
            let window = (alpha, alpha + Value::new(1));
            let found = worker.razoring(window, Depth::plies(plies), 1, value);
            assert!(found.is_none_or(|found| found <= alpha));
            found.is_some()
        })
    }

    #[test]
    fn far_below_alpha() {
        let mut params = Params::default();
        params.static_cut.razor = false;
        assert!(!is_given_up(&params, 1, 9999), "off");
        params.static_cut.razor = true;
        let (margin, depth) = (params.static_cut.razor_margin, params.static_cut.razor_depth);
        for plies in 1..=depth {
            let at = |below| is_given_up(&params, plies, below);
            assert_eq!([at(margin * plies), at(margin * plies - 1)], [true, false], "{plies}");
        }
        assert!(!is_given_up(&params, depth + 1, 9999), "too deep");
    }
}
