//! A program that is built without fleets: the first command of the README builds no more than before.

use std::process::Command;

#[test]
fn the_first_build_has_no_broker_in_it() {
    let tree = Command::new(env!("CARGO"))
        .args([
            "tree",
            "--offline",
            "--edges",
            "normal",
            "--package",
            "harness",
            "--prefix",
            "none",
        ])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    let tree = String::from_utf8(tree.stdout).unwrap();
    let has = |name: &str| tree.lines().any(|line| line.split(' ').next() == Some(name));
    assert!(has("tokio") && !tree.is_empty(), "{tree}");
    for absent in ["async-nats", "axum", "futures-util", "rustls", "rcgen", "parquet"] {
        assert!(!has(absent), "{absent} is built by the README's first command");
    }
}
