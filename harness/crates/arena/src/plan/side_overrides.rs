//! What is one player's own.

use serde::{Deserialize, Serialize};

use super::{EMBEDDED_HASH, Size};
use crate::game::Limit;
use crate::is_default;
use crate::player::spec::PlayerSpec;

/// Where a player differs from what holds for both.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SideOverrides {
    /// For tables and PGN.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<Limit>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hash: Option<Size>,
    /// Milliseconds forgiven at every move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_margin_ms: Option<u64>,
    /// A fresh process for every game.
    #[serde(default, skip_serializing_if = "is_default")]
    pub restart: bool,
}

impl SideOverrides {
    /// Gives an embedded player its usual hash if neither it nor `both` have one.
    pub fn with_hash_beside(self, both: Option<Size>, player: &PlayerSpec) -> SideOverrides {
        let needs_one = both.is_none() && player.is_embedded();
        SideOverrides { hash: self.hash.or(needs_one.then_some(EMBEDDED_HASH)), ..self }
    }
}
