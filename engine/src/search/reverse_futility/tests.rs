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
        let cut = worker.reverse_futility((alpha, beta), depth, 1, value, false);
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

/// A hanging knight of the side to move raises the margin by three pawns.
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
