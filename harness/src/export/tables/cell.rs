//! What stands in a column of a table, and what a column is.

use std::borrow::Cow;

/// What a column's values are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnKind {
    Text,
    /// 64 bits with a sign.
    Integer,
    Real,
    Flag,
    /// Milliseconds since 1970, UTC.
    Time,
}

impl ColumnKind {
    /// The word in the documents.
    pub fn as_str(self) -> &'static str {
        match self {
            ColumnKind::Text => "text",
            ColumnKind::Integer => "integer",
            ColumnKind::Real => "real",
            ColumnKind::Flag => "flag",
            ColumnKind::Time => "time",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    pub name: &'static str,
    pub kind: ColumnKind,
    /// Unit and point of view, as the documents have it.
    pub meaning: &'static str,
}

impl Column {
    pub(super) const fn new(name: &'static str, kind: ColumnKind, meaning: &'static str) -> Column {
        Column { name, kind, meaning }
    }
}

/// One value, of its column's kind or none.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell<'a> {
    None,
    Text(Cow<'a, str>),
    Integer(i64),
    Real(f64),
    Flag(bool),
    /// Milliseconds since 1970, UTC.
    Time(i64),
}

impl Cell<'_> {
    /// A time of a record, which has 0 where it is not known.
    pub(super) fn time(milliseconds: u64) -> Self {
        match milliseconds {
            0 => Cell::None,
            known => Cell::Time(signed(known)),
        }
    }
}

/// Larger numbers, which nothing can have counted, become the largest.
fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

impl<'a> From<&'a str> for Cell<'a> {
    fn from(text: &'a str) -> Cell<'a> {
        Cell::Text(Cow::Borrowed(text))
    }
}

impl<'a> From<&'a String> for Cell<'a> {
    fn from(text: &'a String) -> Cell<'a> {
        text.as_str().into()
    }
}

impl From<u64> for Cell<'_> {
    fn from(number: u64) -> Self {
        Cell::Integer(signed(number))
    }
}

impl From<u32> for Cell<'_> {
    fn from(number: u32) -> Self {
        Cell::Integer(number.into())
    }
}

impl From<i32> for Cell<'_> {
    fn from(number: i32) -> Self {
        Cell::Integer(number.into())
    }
}

impl From<f64> for Cell<'_> {
    fn from(number: f64) -> Self {
        Cell::Real(number)
    }
}

impl From<bool> for Cell<'_> {
    fn from(flag: bool) -> Self {
        Cell::Flag(flag)
    }
}

impl<'a, T: Into<Cell<'a>>> From<Option<T>> for Cell<'a> {
    fn from(value: Option<T>) -> Cell<'a> {
        value.map_or(Cell::None, Into::into)
    }
}
