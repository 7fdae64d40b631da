//! Numbers in LEB128: seven bits a byte, the low ones first.

use crate::count::SideWdl;

pub(super) fn push_leb128(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Reads numbers in sequence; `None` at the end of the bytes, within a number, or above 64 bits.
pub(super) struct NumberReader<'a> {
    bytes: &'a [u8],
}

impl<'a> NumberReader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> NumberReader<'a> {
        NumberReader { bytes }
    }

    pub(super) fn next(&mut self) -> Option<u64> {
        let mut number = 0_u64;
        for shift in (0..70).step_by(7) {
            let (&byte, rest) = self.bytes.split_first()?;
            self.bytes = rest;
            let bits = u64::from(byte & 0x7f);
            if shift == 63 && bits > 1 {
                return None;
            }
            number |= bits << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    pub(super) fn next_u32(&mut self) -> Option<u32> {
        self.next()?.try_into().ok()
    }

    pub(super) fn next_usize(&mut self) -> Option<usize> {
        self.next()?.try_into().ok()
    }

    pub(super) fn next_wdl(&mut self) -> Option<SideWdl> {
        Some(SideWdl { wins: self.next_u32()?, draws: self.next_u32()?, losses: self.next_u32()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        let list = [0, 1, 127, 128, 300, 1 << 35, u64::MAX];
        let mut bytes = Vec::new();
        list.iter().for_each(|&number| push_leb128(&mut bytes, number));
        let mut numbers = NumberReader::new(&bytes);
        for number in list {
            assert_eq!(numbers.next(), Some(number));
        }
        assert_eq!(numbers.next(), None);
        assert_eq!(NumberReader::new(&[0xff; 10]).next(), None, "beyond 64 bits");
        assert_eq!(NumberReader::new(&[0x80]).next(), None);
    }
}
