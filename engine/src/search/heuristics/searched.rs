//! The moves of a node that were searched and did not cut.

use crate::types::Move;

/// The first quiet moves and captures of a node that did not cut; more than these need no
/// punishment.
#[derive(Debug)]
pub(in crate::search) struct Searched {
    quiets: [Move; 32],
    captures: [Move; 16],
    lengths: [u8; 2],
}

impl Default for Searched {
    #[inline]
    fn default() -> Searched {
        Searched { quiets: [Move::NONE; 32], captures: [Move::NONE; 16], lengths: [0; 2] }
    }
}

impl Searched {
    /// Adds a move; a promotion without capture is of no interest.
    #[inline]
    pub(in crate::search) fn push(&mut self, mv: Move) {
        let [quiets, captures] = &mut self.lengths;
        let (moves, length) = if mv.is_quiet() {
            (&mut self.quiets[..], quiets)
        } else if mv.is_capture() {
            (&mut self.captures[..], captures)
        } else {
            return;
        };
        if let Some(place) = moves.get_mut(usize::from(*length)) {
            *place = mv;
            *length += 1;
        }
    }

    pub(super) fn quiets(&self) -> &[Move] {
        &self.quiets[..usize::from(self.lengths[0])]
    }

    pub(super) fn captures(&self) -> &[Move] {
        &self.captures[..usize::from(self.lengths[1])]
    }
}
