//! Options of two players, as rows of a table.

use std::collections::BTreeSet;

use super::Identity;
use super::run_file::plain;
use charts::numbers::counted;

/// Options of two players as rows of a table: names that are `shown`, with both values. Cells of
/// the engine's tables, `name[cell]`, come by the hundred and are only counted.
pub(crate) fn option_rows(
    players: [&Identity; 2],
    is_shown: impl Fn(&str) -> bool,
) -> Vec<(String, [String; 2])> {
    let options = players.map(|player| &player.options);
    let names = options.iter().flat_map(|options| options.keys()).filter(|name| is_shown(name));
    let names: BTreeSet<&String> = names.collect();
    let table_of = |name: &str| name.split_once('[').map(|(table, _)| table.to_owned());
    let tables: BTreeSet<String> = names.iter().filter_map(|name| table_of(name)).collect();
    let default = || "default".to_owned();
    let single = names.into_iter().filter(|name| !name.contains('[')).map(|name| {
        (name.clone(), options.map(|options| options.get(name).map_or_else(default, plain)))
    });
    let tables = tables.into_iter().map(|table| {
        let cells = options.map(|options| {
            match options.keys().filter(|cell| table_of(cell).as_ref() == Some(&table)).count() {
                0 => default(),
                cells => format!("{} changed, see run.json", counted(cells as u64, "cell")),
            }
        });
        (table, cells)
    });
    single.chain(tables).collect()
}
