//! Move generators. They say which moves there are; which comes first is the search's business,
//! though the byte values that REBEL's generator stamps on moves are stamped here (GEN-03, GEN-04).

mod generate;
mod perft;
mod sink;
mod values;

pub use generate::Select;
pub use perft::{PERFT_MAX, divide, divide_until, perft, perft_unbulked};
pub use sink::{MoveCounter, MoveList, Sink};
pub(crate) use values::points;
pub use values::{MoveClass, OrderTable, ScoredMove, Stamp, Stamps};
