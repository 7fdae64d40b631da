//! The settings of a plan's programs.

use std::time::Duration;

use crate::plan::Plan;
use crate::player::program::ProgramSettings;
use crate::record::Side;

/// The times granted to a program, and the options that both have.
pub fn settings(plan: &Plan, side: Side) -> ProgramSettings {
    let default = ProgramSettings::default();
    let limit = plan.limits().of(side);
    let hang = Duration::from_millis(plan.hang_ms);
    let startup = plan.startup_ms.map(Duration::from_millis);
    ProgramSettings {
        startup: startup.unwrap_or_else(|| hang.min(default.startup)),
        ready: startup.unwrap_or_else(|| hang.min(default.ready)),
        hang,
        hash_mib: plan.hash(side).map(|size| (size.0 >> 20).max(1)),
        threads: Some(1),
        nodes_per_ms: limit.control().and_then(|control| control.nodes_per_ms).map(u64::from),
        ponder: plan.ponder,
        details: plan.details,
        traffic: plan.traffic.clone(),
        // A player may overstep by the margin and still be in time.
        margin: plan.time_margin(side) + default.margin,
        ..default
    }
}
