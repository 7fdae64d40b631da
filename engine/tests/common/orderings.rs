//! Ways of ordering moves, for what must hold whatever the order.

use engine::Params;

/// One mechanism each, and all of them.
const SWITCHES: &[&[(&str, &str)]] = &[
    &[("order.staged", "true")],
    &[("order.hanging", "true")],
    &[("order.hanging", "true"), ("order.staged", "true")],
    &[("order.see", "false")],
    &[("order.mate_threat", "true")],
    &[("order.give_away", "true"), ("order.escape", "true")],
    &[("order.checks", "20")],
    &[("killers.on", "false")],
    &[("killers.mate", "true"), ("killers.historic", "true")],
    &[("killers.counter", "true"), ("killers.older", "false"), ("killers.raise", "false")],
    &[("history.piece_to", "true"), ("history.gravity", "false")],
    &[("history.reply", "true"), ("history.follow_up", "true")],
    &[("history.captures", "true"), ("history_reduction.on", "true")],
    &[("history_pst.on", "true"), ("history_pst.clear_hash", "true")],
    &[("history_pst.on", "true"), ("history_pst.each_iteration", "true")],
    &[("unsorted.on", "true")],
    &[("unsorted.on", "true"), ("unsorted.step", "1")],
    &[("iid.on", "true")],
    &[
        ("order.staged", "true"),
        ("order.hanging", "true"),
        ("order.mate_threat", "true"),
        ("order.give_away", "true"),
        ("order.escape", "true"),
        ("killers.mate", "true"),
        ("killers.historic", "true"),
        ("killers.counter", "true"),
        ("history.reply", "true"),
        ("history_pst.on", "true"),
        ("history_pst.cumulative", "true"),
        ("unsorted.on", "true"),
        ("iid.on", "true"),
    ],
];

/// Their names and parameters, REBEL's among them.
pub(crate) fn orderings() -> impl Iterator<Item = (String, Params)> {
    let switched = SWITCHES.iter().map(|switches| {
        let mut params = Params::default();
        for (name, value) in *switches {
            params.set(name, value).expect(name);
        }
        (format!("{switches:?}"), params)
    });
    let rebel = ("rebel".to_owned(), Params::personality("rebel").expect("known"));
    switched.chain([rebel])
}
