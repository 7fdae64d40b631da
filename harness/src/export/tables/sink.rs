//! What takes the rows of a table.

use super::cell::Cell;
use process::Error;

pub trait Sink {
    /// One cell for each column.
    fn row(&mut self, cells: &[Cell<'_>]) -> Result<(), Error>;

    /// Writes what is left, and the end of the file.
    fn finish(&mut self) -> Result<(), Error>;
}
