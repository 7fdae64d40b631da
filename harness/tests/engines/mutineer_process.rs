//! mutineer as a process of its own: its protocols, nothing else.

use std::io::{BufReader, stdin};

use engine::protocol::{Listing, run};

fn main() {
    run(BufReader::new(stdin()), Listing::Usual);
}
