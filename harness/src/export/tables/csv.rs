//! Tables as CSV: RFC 4180, with a line feed behind each row. Nothing is an empty field, empty text
//! is `""`.

use std::io::{BufWriter, Write};

use jiff::Timestamp;

use super::cell::{Cell, Column};
use super::sink::Sink;
use process::{Context as _, Error};

pub(super) struct CsvSink<W: Write> {
    out: BufWriter<W>,
    line: String,
}

impl<W: Write> CsvSink<W> {
    /// Writes the header.
    pub(super) fn new(columns: &[Column], out: W) -> Result<CsvSink<W>, Error> {
        let mut sink = CsvSink { out: BufWriter::with_capacity(1 << 16, out), line: String::new() };
        let names: Vec<Cell<'_>> = columns.iter().map(|column| column.name.into()).collect();
        sink.row(&names)?;
        Ok(sink)
    }
}

impl<W: Write> Sink for CsvSink<W> {
    fn row(&mut self, cells: &[Cell<'_>]) -> Result<(), Error> {
        self.line.clear();
        for (at, cell) in cells.iter().enumerate() {
            if at > 0 {
                self.line.push(',');
            }
            match cell {
                Cell::None => (),
                Cell::Text(text) => append_text(&mut self.line, text),
                Cell::Integer(number) => self.line += &number.to_string(),
                // With a point always, so that whole numbers are read as the others are.
                Cell::Real(number) => self.line += &format!("{number:?}"),
                Cell::Flag(flag) => self.line += if *flag { "true" } else { "false" },
                Cell::Time(milliseconds) => self.line += &in_words(*milliseconds),
            }
        }
        self.line.push('\n');
        self.out.write_all(self.line.as_bytes()).context("cannot write")
    }

    fn finish(&mut self) -> Result<(), Error> {
        self.out.flush().context("cannot write")
    }
}

fn append_text(line: &mut String, text: &str) {
    let is_plain = !text.is_empty() && !text.contains([',', '"', '\n', '\r']);
    if is_plain {
        line.push_str(text);
    } else {
        line.push('"');
        line.push_str(&text.replace('"', "\"\""));
        line.push('"');
    }
}

/// RFC 3339: `2025-03-09T17:05:00.250Z`.
fn in_words(milliseconds: i64) -> String {
    let at = Timestamp::from_millisecond(milliseconds).unwrap_or(Timestamp::MAX);
    at.strftime("%FT%T.%3fZ").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::tables::cell::ColumnKind;

    fn written(rows: &[&[Cell<'_>]]) -> String {
        let columns = ["a", "b"].map(|name| Column::new(name, ColumnKind::Text, ""));
        let mut out = Vec::new();
        let mut sink = CsvSink::new(&columns, &mut out).unwrap();
        rows.iter().for_each(|row| sink.row(row).unwrap());
        sink.finish().unwrap();
        drop(sink);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn text_is_quoted_where_it_must_be() {
        for (text, expected) in [
            ("plain text", "plain text"),
            ("a,b", "\"a,b\""),
            ("say \"no\"", "\"say \"\"no\"\"\""),
            ("two\nlines", "\"two\nlines\""),
            ("two\r\nlines", "\"two\r\nlines\""),
            ("", "\"\""),
            (" spaces ", " spaces "),
            ("é", "é"),
        ] {
            let row = [Cell::from(text), Cell::None];
            assert_eq!(written(&[&row]), format!("a,b\n{expected},\n"));
        }
    }

    #[test]
    fn other_values() {
        let rows: [&[Cell<'_>]; 3] = [
            &[Cell::Real(1.0), Cell::Real(0.5)],
            &[Cell::from(u64::MAX), Cell::from(-3)],
            &[Cell::Flag(true), Cell::Time(1_741_539_900_250)],
        ];
        let expected = "a,b\n1.0,0.5\n9223372036854775807,-3\ntrue,2025-03-09T17:05:00.250Z\n";
        assert_eq!(written(&rows), expected);
    }
}
