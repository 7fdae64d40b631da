//! The capsule of a fault, which is sent with its game.

use arena::player::program::Capsule;

/// Most bytes of a capsule's texts.
pub const CAPSULE_BYTES: usize = 3 << 20;

/// Bytes of all texts of a capsule.
pub(super) fn size(capsule: &Capsule) -> usize {
    let Capsule { command, input, transcript, stderr, exit_status, .. } = capsule;
    let ending = exit_status.as_ref().map_or(0, String::len);
    command.len() + input.len() + transcript.len() + stderr.len() + ending
}

/// Cuts the middle out of long texts, so that all of them have at most `most` bytes.
pub fn shorten(capsule: &mut Capsule, most: usize) {
    if size(capsule) <= most {
        return;
    }
    let Capsule { command, input, transcript, stderr, exit_status, .. } = capsule;
    let shares = [(Some(command), 16), (exit_status.as_mut(), 16), (Some(stderr), 8)];
    let shares = shares.into_iter().chain([(Some(input), 4), (Some(transcript), 2)]);
    for (text, share) in shares {
        if let Some(text) = text {
            *text = without_middle(text, most / share);
        }
    }
}

/// At most `most` bytes. The words in the middle are those of a transcript that was not kept whole,
/// by which `verdict replay` knows it.
fn without_middle(text: &str, most: usize) -> String {
    /// Bytes of the words in the middle.
    const WORDS: usize = 64;
    if text.len() <= most {
        return text.to_owned();
    }
    let keep = most.saturating_sub(WORDS) / 2;
    let boundary = |at: usize| (at..=text.len()).find(|at| text.is_char_boundary(*at));
    let head = (0..=keep).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    let tail = boundary(text.len() - keep).unwrap_or(text.len());
    format!("{}\n… {} bytes left out …\n{}", &text[..head], tail - head, &text[tail..])
}

#[cfg(test)]
mod tests {
    use arena::player::program::Protocol;

    use super::*;

    #[test]
    fn long_texts_lose_their_middle() {
        let long = |word: &str| format!("begin {} end", word.repeat(1 << 20));
        let mut capsule = Capsule {
            protocol: Protocol::Uci,
            command: long("x"),
            input: long("ä"),
            transcript: long("…"),
            stderr: "short".to_owned(),
            exit_status: Some(long("y")),
        };
        let whole = capsule.clone();
        shorten(&mut capsule, usize::MAX);
        assert_eq!(capsule, whole);
        for most in [CAPSULE_BYTES, 100_000, 1 << 10] {
            shorten(&mut capsule, most);
            assert!((most / 2..=most).contains(&size(&capsule)), "{} of {most}", size(&capsule));
            let Capsule { input, transcript, .. } = &capsule;
            for text in [input, transcript] {
                assert!(text.starts_with("begin ") && text.ends_with(" end"), "{most}");
                assert!(text.contains(" bytes left out …\n"), "{most}");
            }
        }
    }
}
