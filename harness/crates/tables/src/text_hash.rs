//! Which text was counted: its hash tells it from others. It guards against counting a text twice by
//! mistake, not against forgery, so it is one that costs nearly nothing.

use serde::{Deserialize, Serialize};
use twox_hash::XxHash3_128;

/// XXH3 of a piece of a text, in two halves, the high one first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PieceHash([u64; 2]);

impl PieceHash {
    pub(super) fn of(piece: &[u8]) -> PieceHash {
        let hash = XxHash3_128::oneshot(piece);
        PieceHash([(hash >> 64) as u64, hash as u64])
    }
}

/// The hash of a text: XXH3 of 128 bits over the hashes of its pieces, in 32 hexadecimal digits.
pub(super) fn text_hash(pieces: &[PieceHash]) -> String {
    let bytes: Vec<u8> = pieces.iter().flat_map(|hash| hash.0).flat_map(u64::to_be_bytes).collect();
    format!("{:032x}", XxHash3_128::oneshot(&bytes))
}

/// Whether two texts of the same length may be one. Counts from before December 2026 have SHA-256 in 64
/// digits: such a hash says nothing of a newer one.
pub(super) fn may_be_same(hash: &str, other: &str) -> bool {
    hash == other || hash.len() != other.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_tells_texts_apart() {
        let hash = |pieces: &[&str]| {
            text_hash(
                &pieces.iter().map(|piece| PieceHash::of(piece.as_bytes())).collect::<Vec<_>>(),
            )
        };
        // Of no bytes, as the xxHash library has it.
        assert_eq!(hash(&[]), "99aa06d3014798d86001c324468d497f");
        assert_eq!(hash(&["1. e4 *"]), hash(&["1. e4 *"]));
        assert_ne!(hash(&["1. e4 *"]), hash(&["1. d4 *"]));
        assert_ne!(hash(&["a", "b"]), hash(&["b", "a"]));
        assert!(may_be_same(&hash(&["a"]), &hash(&["a"])));
        assert!(!may_be_same(&hash(&["a"]), &hash(&["b"])));
        assert!(may_be_same(&hash(&["a"]), &"0".repeat(64)), "of another kind");
    }
}
