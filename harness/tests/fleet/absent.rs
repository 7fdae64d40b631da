//! Who says nothing for half a minute is taken for gone. These scenes wait for that, so they run at once.

use std::thread;

use super::{outages, partition, poison, tune};

static SCENES: [fn(); 6] = [
    outages::a_worker_is_killed,
    outages::what_is_drawn_anew_is_counted,
    outages::the_store_is_wiped,
    partition::a_connection_that_a_router_forgets_is_made_again,
    poison::what_has_killed_four_workers_is_given_to_nobody_and_told,
    tune::a_worker_that_dies_and_a_coordinator_that_does,
];

#[test]
fn who_is_silent_for_half_a_minute() {
    thread::scope(|scope| SCENES.iter().for_each(|scene| drop(scope.spawn(scene))));
}
