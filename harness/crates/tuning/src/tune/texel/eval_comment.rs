//! Players' scores in the comments of PGN.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EvalComment {
    /// `+0.35/12 …`, as match programs write it: the mover's score of the position before the move,
    /// in hundredths of a pawn; `None`: a mate.
    Before(Option<i32>),
    /// `[%eval 0.35]`, as servers write it: the position after the move, White's view; `None`: a
    /// mate.
    After(Option<i32>),
}

impl EvalComment {
    /// `None` for a comment of neither form.
    pub(super) fn of(comment: &[u8]) -> Option<EvalComment> {
        let text = std::str::from_utf8(comment).ok()?.trim();
        if let Some((_, behind)) = text.split_once("[%eval ") {
            let (value, _) = behind.split_once([']', ','])?;
            let value = value.trim();
            let score = if value.starts_with('#') { None } else { Some(hundredths(value)?) };
            return Some(EvalComment::After(score));
        }
        let (value, depth) = text.split_once('/')?;
        if !depth.starts_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        let is_mate = value.trim_start_matches(['+', '-']).starts_with('M');
        Some(EvalComment::Before(if is_mate { None } else { Some(hundredths(value)?) }))
    }
}

/// Pawns with a decimal point, as hundredths.
fn hundredths(text: &str) -> Option<i32> {
    let is_number =
        text.contains('.') && text.bytes().all(|b| b.is_ascii_digit() || b"+-.".contains(&b));
    let pawns: f64 = text.parse().ok().filter(|_| is_number)?;
    (pawns.abs() < 1e6).then_some((pawns * 100.0).round() as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_of_all_kinds() {
        for (text, expected) in [
            ("+0.60/3 0.000s n=300", Some(EvalComment::Before(Some(60)))),
            ("-1.05/12 0.1s", Some(EvalComment::Before(Some(-105)))),
            ("0.00/1", Some(EvalComment::Before(Some(0)))),
            ("+M5/12 0.02s", Some(EvalComment::Before(None))),
            ("-M4/9", Some(EvalComment::Before(None))),
            ("[%eval 0.25] [%clk 0:01:00]", Some(EvalComment::After(Some(25)))),
            ("[%eval -3.1,18]", Some(EvalComment::After(Some(-310)))),
            ("[%eval #-3]", Some(EvalComment::After(None))),
            ("book", None),
            ("and/or", None),
            ("1/2-1/2", None),
            ("White wins by adjudication", None),
        ] {
            assert_eq!(EvalComment::of(text.as_bytes()), expected, "{text}");
        }
    }
}
