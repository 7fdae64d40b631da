//! verdict's command line.
fn main() {}
