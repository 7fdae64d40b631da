//! What a finding says of its claim: a sign, a word and a colour.

use crate::claims::finding::ClaimOutcome;
use crate::claims::known_finding::KnownFinding;

/// None of the three is needed to understand the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Sign {
    glyph: &'static str,
    pub word: &'static str,
    /// The colour, by the name that the style has for it.
    pub class: &'static str,
}

impl Sign {
    pub(super) fn of(known: &KnownFinding) -> Sign {
        let (glyph, word, class) = match known {
            KnownFinding::Alike => ("=", "no difference", "ink"),
            KnownFinding::Stale(_) => ("~", "out of date", "old"),
            KnownFinding::NotYet | KnownFinding::Nothing => ("…", "not yet measured", "old"),
            KnownFinding::Found { .. } | KnownFinding::Undefined(_) => {
                return Sign::of_outcome(known.outcome().unwrap_or(ClaimOutcome::Unclear));
            }
        };
        Sign { glyph, word, class }
    }

    pub(super) fn of_outcome(outcome: ClaimOutcome) -> Sign {
        let (glyph, word, class) = match outcome {
            ClaimOutcome::Confirmed => ("✓", "confirmed", "test"),
            ClaimOutcome::Contradicted => ("✗", "contradicted", "base"),
            ClaimOutcome::Unclear => ("?", "unclear", "even"),
            ClaimOutcome::Open => ("•", "measured", "ink"),
        };
        Sign { glyph, word, class }
    }

    pub(super) fn text(self) -> String {
        format!("{} {}", self.glyph, self.word)
    }

    pub(super) fn markdown(self) -> String {
        format!("{} **{}**", self.glyph, self.word)
    }
}
