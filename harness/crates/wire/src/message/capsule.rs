//! The capsule of a fault, sent on `v1.capsule.RUN.NAME.INSTANCE`.

use arena::player::program::Capsule;
use process::Error;

use super::packed::{pack_bytes, unpack_bytes};
use super::{Refused, within};

/// Most bytes of a packed capsule.
pub const CAPSULE_BYTES: usize = 768 << 10;
/// Most bytes of an unpacked capsule.
const UNPACKED: usize = 32 << 20;
/// Marks where a text was cut.
const CUT: &str = "\n[cut here, since it was too long to be sent]\n";

/// Packs a capsule as JSON. If it is too large, the middle of the transcript is cut out, then that
/// of the input.
pub fn pack_capsule(capsule: &Capsule) -> Result<Vec<u8>, Error> {
    let mut capsule = capsule.clone();
    let mut keep = UNPACKED / 2;
    loop {
        let json = serde_json::to_vec(&capsule).map_err(std::io::Error::from)?;
        if json.len() <= UNPACKED {
            let packed = pack_bytes(&json)?;
            if packed.len() <= CAPSULE_BYTES {
                return Ok(packed);
            }
        }
        if keep < 1 << 10 {
            return Err(Error::fault("what is kept of a fault is too large to be sent"));
        }
        // Halves the length: how well a text compresses is not known before.
        keep = keep.min(capsule.transcript.len().max(capsule.input.len())) / 2;
        capsule.transcript = without_middle(&capsule.transcript, keep);
        if keep < CAPSULE_BYTES {
            capsule.input = without_middle(&capsule.input, keep);
            capsule.stderr = without_middle(&capsule.stderr, keep);
        }
    }
}

pub fn unpack_capsule(packed: &[u8]) -> Result<Capsule, Refused> {
    within(packed.len(), CAPSULE_BYTES)?;
    let json = unpack_bytes(packed, UNPACKED)?;
    serde_json::from_slice(&json).map_err(|error| Refused::Json(error.to_string()))
}

/// The first and the last `keep` / 2 bytes.
fn without_middle(text: &str, keep: usize) -> String {
    if text.len() <= keep {
        return text.to_owned();
    }
    let boundary = |at: usize| (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    let (head, tail) = (boundary(keep / 2), boundary(text.len() - keep / 2));
    format!("{}{CUT}{}", &text[..head], &text[tail..])
}

#[cfg(test)]
mod tests {
    use arena::player::program::Protocol;

    use super::*;

    fn capsule(transcript: String) -> Capsule {
        Capsule {
            protocol: Protocol::Uci,
            command: "./engine".to_owned(),
            input: "uci\n".to_owned(),
            transcript,
            stderr: String::new(),
            exit_status: None,
        }
    }

    /// Digits that do not compress well.
    fn noise(bytes: usize) -> String {
        let mut state = 1_u64;
        let digits = std::iter::repeat_with(|| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            char::from(33 + (state >> 58) as u8)
        });
        digits.take(bytes).collect()
    }

    #[test]
    fn a_short_capsule_arrives_as_it_was() {
        let sent = capsule("> uci\n< uciok\n".to_owned());
        assert_eq!(unpack_capsule(&pack_capsule(&sent).unwrap()), Ok(sent));
    }

    #[test]
    fn a_long_one_loses_its_middle() {
        let text = format!("begin {} end", noise(4 << 20));
        let packed = pack_capsule(&capsule(text)).unwrap();
        assert!(packed.len() <= CAPSULE_BYTES);
        let found = unpack_capsule(&packed).unwrap();
        assert!(found.transcript.starts_with("begin ") && found.transcript.ends_with(" end"));
        assert!(found.transcript.contains(CUT) && found.transcript.len() > CAPSULE_BYTES / 2);
        assert_eq!(found.input, "uci\n");
    }

    #[test]
    fn garbage_is_no_capsule() {
        assert!(matches!(unpack_capsule(b"garbage"), Err(Refused::Packing(_))));
        let bomb = pack_bytes(&vec![b' '; UNPACKED + 1]).unwrap();
        assert_eq!(unpack_capsule(&bomb), Err(Refused::Bomb(UNPACKED)));
    }
}
