//! Lines of a UCI engine, as a fuzzer writes them.

use super::report::{best_move, info};
use crate::player::program::options::Declared;
use crate::player::program::{LineBuffer, ProgramReport};

/// Reads `data` as an engine's output, in pieces whose size the first byte gives.
pub fn output(data: &[u8]) {
    let Some((&size, data)) = data.split_first() else { return };
    let mut lines = LineBuffer::new();
    let mut report = ProgramReport::default();
    let mut rest = data;
    while !rest.is_empty() {
        let space = lines.space(|retired| report = report.then(retired, info));
        let count = rest.len().min(space.len()).min(usize::from(size).max(1));
        space[..count].copy_from_slice(&rest[..count]);
        assert_eq!(lines.filled(count), &rest[..count]);
        rest = &rest[count..];
        while let Some(line) = lines.next() {
            let line = lines.get(line);
            assert!(!line.contains(&b'\n'));
            let text = String::from_utf8_lossy(line).into_owned();
            if let Some(Ok(best)) = best_move(line) {
                assert_eq!(best_move(format!("bestmove {best}").as_bytes()), Some(Ok(best)));
            }
            if let Some(Some(option)) = text.trim().strip_prefix("option ").map(Declared::uci) {
                let _ = (option.accept(&option.nearest(16)), option.accept(&text));
            }
            report = report.then(lines.handed_out(), info);
            lines.forget();
        }
    }
}
