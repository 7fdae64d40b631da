//! Who controls what, and which men stand to be lost: the first thing worked out of a position, and
//! what the search now and then wants to know without the rest.

use super::Evaluator;
use super::attack_map::AttackMap;
use super::hanging::HangingList;
use crate::position::Position;
use crate::types::{ByColor, Color};

/// The threats of a position.
#[derive(Debug, Clone, Copy)]
pub struct Threats {
    /// The papers' WB and BB (EVA-03).
    pub(super) attacks: ByColor<AttackMap>,
    /// Men of each colour that stand to be lost (EVA-07).
    pub hanging: ByColor<HangingList>,
}

impl Evaluator {
    /// The threats of a position.
    #[inline]
    #[must_use]
    pub fn threats(&self, position: &Position) -> Threats {
        let attacks = self.attacks(position);
        let hanging =
            ByColor::new_with(|color| HangingList::of(position, color, &attacks, &self.status));
        Threats { attacks, hanging }
    }

    /// The men of one colour that stand to be lost, where nothing else is asked.
    #[must_use]
    pub fn hanging(&self, position: &Position, color: Color) -> HangingList {
        HangingList::of(position, color, &self.attacks(position), &self.status)
    }

    #[inline]
    fn attacks(&self, position: &Position) -> ByColor<AttackMap> {
        let xray = self.params.hanging.xray;
        ByColor::new_with(|color| AttackMap::of(position, color, xray))
    }
}
