//! mutineer as a process of its own: its protocols, nothing else.

use std::io::{BufReader, stdin};

fn main() {
    engine::protocol::run(BufReader::new(stdin()));
}
