//! The tags of one game, in memory that is used again for the next.

use std::borrow::Cow;

#[derive(Debug, Clone, Default)]
pub struct Tags {
    bytes: Vec<u8>,
    /// Where each name ends, and each value; a name begins where the value before ended.
    ends: Vec<(usize, usize)>,
}

impl Tags {
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
    }

    pub fn add(&mut self, name: &[u8], value: &[u8]) {
        self.bytes.extend_from_slice(name);
        let name_end = self.bytes.len();
        self.bytes.extend_from_slice(value);
        self.ends.push((name_end, self.bytes.len()));
    }

    /// The first value of a name, case-insensitive: UTF-8, or else Latin-1.
    pub(super) fn get(&self, name: &str) -> Option<Cow<'_, str>> {
        let mut begin = 0;
        for &(name_end, value_end) in &self.ends {
            if self.bytes[begin..name_end].eq_ignore_ascii_case(name.as_bytes()) {
                let value = &self.bytes[name_end..value_end];
                return Some(match std::str::from_utf8(value) {
                    Ok(text) => Cow::Borrowed(text),
                    Err(_) => value.iter().map(|&byte| char::from(byte)).collect(),
                });
            }
            begin = value_end;
        }
        None
    }
}
