//! The match that confirms what a sweep or a tuner has found.

use serde::{Deserialize, Serialize};

use arena::plan::{LedgerTerms, Plan};
use stats::Rule;

/// The confirmation match's folder inside the experiment's.
pub const CONFIRM_FOLDER: &str = "confirm";

/// How the confirmation match is played.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Confirm {
    pub rule: Rule,
    /// As in [`Plan`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ledger: Option<LedgerTerms>,
    /// At most.
    pub pairs: u64,
}

impl Confirm {
    /// `plan` as the confirmation match: by its rule, in openings behind those of `plan`.
    pub fn of(self, mut plan: Plan) -> Plan {
        plan.openings.offset = plan.openings.offset.saturating_add(plan.pairs);
        Plan { rule: self.rule, ledger: self.ledger, pairs: self.pairs, ..plan }
    }
}
