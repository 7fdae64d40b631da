//! mutineer, the engine's command line.
fn main() {}
