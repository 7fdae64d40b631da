//! `--scale-to`: the machine is measured before the first game.

use arena::pace;
use arena::plan::Plan;

/// Makes the times of plans suit this machine, which is measured once: their slots are the same.
pub(super) fn scale(plans: &mut [Plan], say: &dyn Fn(&str)) {
    let mut here = None;
    for plan in &mut *plans {
        plan.scale_by(|slots| {
            *here.get_or_insert_with(|| {
                say("measuring the speed of this machine");
                pace::nodes_per_second(slots)
            })
        });
    }
    if let Some(scale) = plans.first().and_then(|plan| plan.scale) {
        say(&scale.to_string());
    }
}
