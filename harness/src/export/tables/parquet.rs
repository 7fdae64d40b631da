//! Tables as Parquet: every column may be empty, text is UTF-8, times are UTC in milliseconds, pages
//! are packed with Snappy.

use std::io::Write;
use std::mem;
use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, TimeUnit, Type as Physical};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;

use super::cell::{Cell, Column, ColumnKind};
use super::sink::Sink;
use process::Error;

/// Rows that are held in memory: some 70 MB with all tables.
const ROWS_IN_A_GROUP: usize = 1 << 16;

enum Values {
    Text(Vec<ByteArray>),
    Integer(Vec<i64>),
    Real(Vec<f64>),
    Flag(Vec<bool>),
}

/// The rows of a column that are not written yet.
struct Buffer {
    values: Values,
    /// For each row whether it has a value: 1 or 0.
    levels: Vec<i16>,
}

pub(super) struct ParquetSink<W: Write + Send> {
    /// None once it is finished.
    writer: Option<SerializedFileWriter<W>>,
    buffers: Vec<Buffer>,
    rows: usize,
}

fn cannot_write(error: ParquetError) -> Error {
    Error::input_output(error).context("cannot write")
}

fn field(column: &Column) -> Result<Type, ParquetError> {
    let (physical, logical) = match column.kind {
        ColumnKind::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
        ColumnKind::Integer => (Physical::INT64, None),
        ColumnKind::Real => (Physical::DOUBLE, None),
        ColumnKind::Flag => (Physical::BOOLEAN, None),
        ColumnKind::Time => (Physical::INT64, Some(LogicalType::timestamp(true, TimeUnit::MILLIS))),
    };
    Type::primitive_type_builder(column.name, physical)
        .with_logical_type(logical)
        .with_repetition(Repetition::OPTIONAL)
        .build()
}

fn buffer(kind: ColumnKind) -> Buffer {
    let values = match kind {
        ColumnKind::Text => Values::Text(Vec::new()),
        ColumnKind::Integer | ColumnKind::Time => Values::Integer(Vec::new()),
        ColumnKind::Real => Values::Real(Vec::new()),
        ColumnKind::Flag => Values::Flag(Vec::new()),
    };
    Buffer { values, levels: Vec::new() }
}

impl<W: Write + Send> ParquetSink<W> {
    pub(super) fn new(name: &str, columns: &[Column], out: W) -> Result<ParquetSink<W>, Error> {
        let writer = || {
            let fields = columns.iter().map(|column| field(column).map(Arc::new));
            let schema = Type::group_type_builder(name)
                .with_fields(fields.collect::<Result<_, _>>()?)
                .build()?;
            let properties = WriterProperties::builder()
                .set_compression(Compression::SNAPPY)
                .set_created_by(concat!("verdict ", env!("CARGO_PKG_VERSION")).to_owned())
                .build();
            SerializedFileWriter::new(out, Arc::new(schema), Arc::new(properties))
        };
        let buffers = columns.iter().map(|column| buffer(column.kind)).collect();
        Ok(ParquetSink { writer: Some(writer().map_err(cannot_write)?), buffers, rows: 0 })
    }

    fn write_group(&mut self) -> Result<(), ParquetError> {
        let Some(writer) = self.writer.as_mut().filter(|_| self.rows > 0) else { return Ok(()) };
        let mut group = writer.next_row_group()?;
        for buffer in &mut self.buffers {
            let Some(mut column) = group.next_column()? else { break };
            let levels = mem::take(&mut buffer.levels);
            let levels = Some(&levels[..]);
            match &mut buffer.values {
                Values::Text(values) => {
                    let values = mem::take(values);
                    column.typed::<ByteArrayType>().write_batch(&values, levels, None)?;
                }
                Values::Integer(values) => {
                    let values = mem::take(values);
                    column.typed::<Int64Type>().write_batch(&values, levels, None)?;
                }
                Values::Real(values) => {
                    let values = mem::take(values);
                    column.typed::<DoubleType>().write_batch(&values, levels, None)?;
                }
                Values::Flag(values) => {
                    let values = mem::take(values);
                    column.typed::<BoolType>().write_batch(&values, levels, None)?;
                }
            }
            column.close()?;
        }
        group.close()?;
        self.rows = 0;
        Ok(())
    }
}

impl<W: Write + Send> Sink for ParquetSink<W> {
    fn row(&mut self, cells: &[Cell<'_>]) -> Result<(), Error> {
        for (buffer, cell) in self.buffers.iter_mut().zip(cells) {
            let has_value = match (&mut buffer.values, cell) {
                (Values::Text(values), Cell::Text(text)) => {
                    values.push(ByteArray::from(text.as_bytes().to_vec()));
                    true
                }
                (Values::Integer(values), Cell::Integer(value) | Cell::Time(value)) => {
                    values.push(*value);
                    true
                }
                (Values::Real(values), Cell::Real(value)) => {
                    values.push(*value);
                    true
                }
                (Values::Flag(values), Cell::Flag(value)) => {
                    values.push(*value);
                    true
                }
                _ => false,
            };
            buffer.levels.push(has_value.into());
        }
        self.rows += 1;
        match self.rows {
            ROWS_IN_A_GROUP => self.write_group().map_err(cannot_write),
            _ => Ok(()),
        }
    }

    fn finish(&mut self) -> Result<(), Error> {
        self.write_group().map_err(cannot_write)?;
        match self.writer.take() {
            Some(writer) => writer.close().map(|_| ()).map_err(cannot_write),
            None => Ok(()),
        }
    }
}
