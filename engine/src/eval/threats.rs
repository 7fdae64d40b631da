//! Who controls what, and which men stand to be lost: the first thing worked out of a position, and
//! what the search now and then wants to know without the rest.

use std::ops::Index;

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
    pub hanging: HangingMen,
}

/// The men of each colour that stand to be lost (EVA-07), unless no rule asks for them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HangingMen(Option<ByColor<HangingList>>);

impl HangingMen {
    /// The list of one colour, if lists were made.
    #[inline]
    pub(crate) fn of(&self, color: Color) -> Option<&HangingList> {
        self.0.as_ref().map(|lists| &lists[color])
    }
}

/// For rules that make the search list them. Without lists it panics in builds with debug
/// assertions; in others every list is empty then.
impl Index<Color> for HangingMen {
    type Output = HangingList;

    #[inline]
    fn index(&self, color: Color) -> &HangingList {
        static NONE: HangingList = HangingList::NONE;
        let list = self.of(color);
        debug_assert!(list.is_some(), "hanging men are read and were not listed");
        list.unwrap_or(&NONE)
    }
}

impl Evaluator {
    /// The threats of a position.
    #[inline]
    #[must_use]
    pub fn threats(&self, position: &Position) -> Threats {
        let attacks = self.attacks(position);
        let list = |color| HangingList::of(position, color, &attacks, &self.status);
        let hanging = HangingMen(self.lists_hanging.then(|| ByColor::new_with(list)));
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
