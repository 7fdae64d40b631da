//! Child processes. Everything that they start ends with verdict.
//!
//! - `own`: the processes that verdict has started, until they are reaped.
//! - `guard`: a helper process that outlives verdict for a moment and kills what is left.
//! - `escaped`: processes that left their process group, found by a variable in their environment.
//! - `program`: starts one, sends it signals, says how it ended.
//! - `adopted`: processes whose parent ended, which Linux gave to verdict (their subreaper).
//! - `sandbox`: confines programs of others; `systemd`: by systemd; `confine`: resource limits.

pub mod adopted;
mod confine;
pub mod escaped;
pub mod guard;
mod own;
mod program;
pub mod sandbox;
mod systemd;

pub use adopted::Orphans;
pub use confine::Allowance;
pub use escaped::Mark;
pub use guard::Guarded;
pub use own::OwnChild;
pub use program::{Signal, ending, gave_up, is_killed, start_program, without_shell};
pub use sandbox::{Confinement, Sandbox, SandboxKind};
