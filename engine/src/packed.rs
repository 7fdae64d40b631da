//! Packed tables: a head of text that says where the table comes from, and a body of numbers.
//!
//! The first line names the kind of table; then one `name: value` a line, an empty line, and the body: whole
//! numbers as LEB128, seven bits a byte, the low ones first.

use std::fmt;

/// Where a table comes from: names and values in the order of its file, such as `source`, `games`, `filter`,
/// `command`, `date`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Provenance(Vec<(String, String)>);

impl Provenance {
    /// Adds a line. What would end it is replaced by a blank.
    #[must_use]
    pub fn with(mut self, name: &str, value: &str) -> Provenance {
        let line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        self.0.push((line(name).replace(':', " "), line(value)));
        self
    }

    /// The value of a name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }
}

/// One `name: value` a line.
impl fmt::Display for Provenance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|(name, value)| writeln!(f, "{name}: {value}"))
    }
}

/// What is wrong with a packed table, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PackedError {
    /// In the head.
    #[error("line {line}: {reason}")]
    Line {
        /// From 1.
        line: usize,
        /// What was expected.
        reason: String,
    },
    /// In the body.
    #[error("byte {byte}: {reason}")]
    Byte {
        /// From 0, of the file.
        byte: usize,
        /// What was expected.
        reason: String,
    },
}

/// Takes a head off: its provenance and the body behind it. `kind` is the first line.
///
/// # Errors
/// The line that is not as expected.
pub(crate) fn open<'a>(
    kind: &str,
    bytes: &'a [u8],
) -> Result<(Provenance, Numbers<'a>), PackedError> {
    let (mut place, mut provenance) = (0, Provenance::default());
    for number in 1.. {
        let wrong = |reason: String| PackedError::Line { line: number, reason };
        let Some(length) = bytes[place..].iter().position(|&byte| byte == b'\n') else {
            let found = shown(&bytes[place..]);
            return Err(wrong(match number {
                1 => format!("expected '{kind}', found {found}"),
                _ => format!("expected a line with an end, found {found}"),
            }));
        };
        let line = &bytes[place..place + length];
        place += length + 1;
        if number == 1 {
            if line != kind.as_bytes() {
                return Err(wrong(format!("expected '{kind}', found {}", shown(line))));
            }
            continue;
        }
        if line.is_empty() {
            break;
        }
        let pair = std::str::from_utf8(line).ok().and_then(|line| line.split_once(": "));
        let (name, value) = pair.ok_or_else(|| {
            wrong(format!("expected 'name: value' or an empty line, found {}", shown(line)))
        })?;
        provenance.0.push((name.to_owned(), value.to_owned()));
    }
    Ok((provenance, Numbers { bytes, place }))
}

/// The bytes of a head.
pub(crate) fn head(kind: &str, provenance: &Provenance) -> Vec<u8> {
    format!("{kind}\n{provenance}\n").into_bytes()
}

/// As much of a line as an error shows.
fn shown(line: &[u8]) -> String {
    /// More helps nobody; it may be of any file.
    const SHOWN: usize = 40;
    let text = String::from_utf8_lossy(&line[..line.len().min(SHOWN)]);
    format!("'{}'", text.escape_debug())
}

/// Appends a number.
pub(crate) fn push(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// The numbers of a body.
pub(crate) struct Numbers<'a> {
    bytes: &'a [u8],
    place: usize,
}

impl Numbers<'_> {
    /// Whether all are read.
    pub(crate) fn is_empty(&self) -> bool {
        self.place == self.bytes.len()
    }

    /// There should be no more.
    pub(crate) fn too_many(&self) -> PackedError {
        let reason = "expected the file's end, found more".to_owned();
        PackedError::Byte { byte: self.place, reason }
    }

    /// The next number, from `min` to `max`; `what` names it in the error.
    ///
    /// # Errors
    /// The byte at which there is no such number.
    pub(crate) fn next(&mut self, what: &str, min: u64, max: u64) -> Result<u64, PackedError> {
        let (start, mut number) = (self.place, 0_u64);
        let wrong = |found: &str| PackedError::Byte {
            byte: start,
            reason: format!("expected {what}, {min} to {max}, found {found}"),
        };
        for shift in (0..u64::BITS).step_by(7) {
            let byte = *self.bytes.get(self.place).ok_or_else(|| wrong("the file's end"))?;
            self.place += 1;
            let bits = u64::from(byte & 0x7F);
            number |= bits << shift;
            if bits << shift >> shift != bits {
                break;
            }
            if byte & 0x80 == 0 {
                let fits = (min..=max).contains(&number);
                return fits.then_some(number).ok_or_else(|| wrong(&number.to_string()));
            }
        }
        Err(wrong("a larger one"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIND: &str = "some numbers 1";

    fn table(head: &str, numbers: &[u64]) -> Vec<u8> {
        let mut bytes = head.as_bytes().to_vec();
        numbers.iter().for_each(|&number| push(&mut bytes, number));
        bytes
    }

    fn refused(bytes: &[u8]) -> String {
        open(KIND, bytes).err().map(|error| error.to_string()).unwrap_or_default()
    }

    #[test]
    fn what_is_written_reads_back() {
        let provenance = Provenance::default()
            .with("source", "a: b\nc")
            .with("games", "12")
            .with("odd:name", "x");
        let numbers = [0, 1, 127, 128, 1 << 40, u64::MAX];
        let head = String::from_utf8(head(KIND, &provenance)).expect("text");
        assert_eq!(head, format!("{KIND}\nsource: a: b c\ngames: 12\nodd name: x\n\n"));
        let bytes = table(&head, &numbers);
        let (read, mut body) = open(KIND, &bytes).expect("a table");
        assert_eq!((&read, read.get("games")), (&provenance, Some("12")));
        for number in numbers {
            assert_eq!(body.next("a number", 0, u64::MAX), Ok(number));
        }
        assert!(body.is_empty());
    }

    #[test]
    fn heads_are_refused_with_their_line() {
        assert_eq!(refused(b""), format!("line 1: expected '{KIND}', found ''"));
        assert!(
            refused(b"other 1\n\n").starts_with("line 1: expected 'some numbers 1', found 'oth")
        );
        let broken = refused(format!("{KIND}\na: b\nc\n\n").as_bytes());
        assert_eq!(broken, "line 3: expected 'name: value' or an empty line, found 'c'");
        assert!(refused(format!("{KIND}\na: b").as_bytes()).starts_with("line 2: expected a line"));
        assert!(refused(b"some numbers 1\n\xff: \xff\n\n").starts_with("line 2: "));
    }

    #[test]
    fn numbers_are_refused_with_their_byte() {
        let head = format!("{KIND}\n\n");
        let next = |bytes: &[u8]| {
            let bytes = [head.as_bytes(), bytes].concat();
            let (_, mut numbers) = open(KIND, &bytes).expect("a head");
            numbers.next("a thing", 1, 200).map_err(|error| error.to_string())
        };
        assert_eq!(next(&[0xC8, 1]), Ok(200));
        for (bytes, found) in [
            (&[][..], "the file's end"),
            (&[0x80], "the file's end"),
            (&[0], "0"),
            (&[0xC9, 1], "201"),
            (&[0xFF; 12], "a larger one"),
        ] {
            let told = format!("byte {}: expected a thing, 1 to 200, found {found}", head.len());
            assert_eq!(next(bytes), Err(told), "{bytes:?}");
        }
    }
}
