//! Every count of `data/perft.epd` up to a number of nodes, by both walks.

use engine::movegen::{divide, perft, perft_unbulked};
use engine::position::Position;

const DATA: &str = include_str!("data/perft.epd");

/// (line number, FEN, depth, nodes)
fn cases() -> impl Iterator<Item = (usize, &'static str, u32, u64)> {
    let lines = DATA.lines().enumerate().filter(|(_, line)| !line.starts_with('#'));
    lines.filter(|(_, line)| !line.trim().is_empty()).flat_map(|(number, line)| {
        let mut fields = line.split(';').map(str::trim);
        let fen = fields.next().expect("a line has a FEN");
        fields.filter(|field| !field.is_empty()).map(move |field| {
            let (depth, nodes) =
                field.strip_prefix('D').and_then(|field| field.split_once(' ')).unwrap_or_else(
                    || panic!("line {}: expected 'D1 20', found '{field}'", number + 1),
                );
            (
                number + 1,
                fen,
                depth.parse().expect("a depth"),
                nodes.trim().parse().expect("a count"),
            )
        })
    })
}

fn check(limit: u64, walk: impl Fn(&mut Position, u32) -> u64) -> (usize, u64) {
    let (mut checked, mut total) = (0, 0);
    for (line, fen, depth, expected) in cases().filter(|case| case.3 <= limit) {
        let mut position =
            Position::from_fen(fen).unwrap_or_else(|error| panic!("line {line}: {fen}: {error}"));
        let before = format!("{position:?}");
        assert_eq!(walk(&mut position, depth), expected, "line {line}: {fen} depth {depth}");
        assert_eq!(format!("{position:?}"), before, "line {line}: not restored");
        checked += 1;
        total += expected;
    }
    (checked, total)
}

#[test]
fn bulk_counts() {
    let (checked, _) = check(3_000_000, perft);
    assert_eq!(checked, 1778, "counts checked");
}

#[test]
fn walking_counts() {
    let (checked, _) = check(100_000, perft_unbulked);
    assert_eq!(checked, 1294, "counts checked");
}

/// The whole file, in minutes: `cargo test --release -p engine --test all perft -- --ignored`.
#[test]
#[ignore = "the whole file takes minutes in a release build"]
fn every_count() {
    let (checked, total) = check(u64::MAX, perft);
    println!("{checked} counts, {total} leaves");
}

#[test]
fn divide_adds_up() {
    let mut position = Position::startpos();
    let parts = divide(&mut position, 4);
    assert_eq!(parts.len(), 20);
    assert_eq!(parts.iter().map(|(_, nodes)| nodes).sum::<u64>(), 197_281);
}
