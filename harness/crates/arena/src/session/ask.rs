//! Asks a program which options it has.

use tokio::runtime::Handle;

use super::SessionError;
use super::settings::settings;
use crate::plan::Plan;
use crate::player::Fault;
use crate::player::external::External;
use crate::player::program::options::Declared;
use crate::player::program::{EngineIdentity, ProgramHost, ProgramSettings, ProgramSpec};
use crate::record::Side;
use crate::runner::Stops;

/// What a program says of itself.
#[derive(Debug, Clone)]
pub struct AskedProgram {
    pub identity: EngineIdentity,
    /// All that it declares, in its order.
    pub declared: Vec<Declared>,
}

/// Starts a side's program, hears its options and ends it. To be called inside of a multi-threaded
/// runtime. Fails where the side has no program, or the program does not start.
pub fn ask(plan: &Plan, side: Side, stops: &Stops) -> Result<AskedProgram, SessionError> {
    let spec = ProgramSpec::parse(&plan.player(side).to_string())?;
    let settings = ProgramSettings { all_options: true, ..settings(plan, side) };
    let host = ProgramHost::new(settings, Handle::current(), stops.now_token())?;
    let player = External::start(&spec, &host).map_err(|error| match error.fault {
        Fault::Lack(lack) => SessionError::Lack(lack),
        fault => SessionError::Program { who: plan.called(side), reason: fault.to_string() },
    })?;
    let asked =
        AskedProgram { identity: player.identity().clone(), declared: player.declared().to_vec() };
    player.quit();
    Ok(asked)
}
