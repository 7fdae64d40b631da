//! What is one player's own.

use serde::{Deserialize, Serialize};

use super::{EMBEDDED_HASH, Size};
use crate::is_default;
use crate::{game::Limit, player::spec::PlayerSpec};

/// What is a player's own, where it differs from what holds for both: odds, mostly.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SideOverrides {
    /// What it is called in tables and PGN.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// How long it thinks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<Limit>,
    /// Its hash.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hash: Option<Size>,
    /// Forgiven at every move of its, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_margin_ms: Option<u64>,
    /// Whether every game has a fresh process of it, though the other's goes on.
    #[serde(default, skip_serializing_if = "is_default")]
    pub restart: bool,
}

impl SideOverrides {
    /// The same with the embedded engine's usual hash, should the player be one and have none by what
    /// holds for `both`.
    pub fn with_hash_beside(self, both: Option<Size>, player: &PlayerSpec) -> SideOverrides {
        let needs_one = both.is_none() && player.is_embedded();
        SideOverrides { hash: self.hash.or(needs_one.then_some(EMBEDDED_HASH)), ..self }
    }
}
