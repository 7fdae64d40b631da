//! Gzip members that tell their length: those of bgzip, in an extra field `BC` of their header.

use std::io::{self, Read};

use super::whole::{Found, append};

/// Bytes of a header before its extra fields.
const HEADER: usize = 12;
/// The flag of extra fields.
const EXTRA: u8 = 4;

pub(super) fn measure(reader: &mut dyn Read, packed: &mut Vec<u8>) -> io::Result<Found> {
    let begin = packed.len();
    if !append(reader, HEADER, packed)? {
        return Ok(if packed.len() == begin { Found::End } else { Found::Unknown });
    }
    let [0x1f, 0x8b, 8, flags, .., low, high] = packed[begin..] else { return Ok(Found::Unknown) };
    let extra = usize::from(u16::from_le_bytes([low, high]));
    if flags & EXTRA == 0 || !append(reader, extra, packed)? {
        return Ok(Found::Unknown);
    }
    let header = HEADER + extra;
    match member_length(&packed[begin + HEADER..]).and_then(|len| len.checked_sub(header)) {
        Some(body) if append(reader, body, packed)? => Ok(Found::Whole),
        _ => Ok(Found::Unknown),
    }
}

/// The whole length that the extra fields tell.
fn member_length(mut fields: &[u8]) -> Option<usize> {
    while let [first, second, low, high, rest @ ..] = fields {
        let (value, after) = rest.split_at_checked(u16::from_le_bytes([*low, *high]).into())?;
        match ([first, second], value) {
            ([b'B', b'C'], &[low, high]) => {
                return Some(usize::from(u16::from_le_bytes([low, high])) + 1);
            }
            _ => fields = after,
        }
    }
    None
}
