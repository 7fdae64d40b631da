#!/usr/bin/env bash
# Makes the tables within mutineer again, engine/data/*.mit and *.openings, from PGN files. They are the
# same byte for byte but for the lines "date" and "program" in their heads. Under a minute on two
# processors.
# Usage: scripts/built-in-tables.sh FOLDER    with human_2500.pgn.zst, engine_tcec.pgn.zst and
#                                             engine_ccc.pgn.zst (sources: engine/data/README.md)
#        VERDICT=… names another verdict than target/release/verdict.
set -euo pipefail
[ $# -eq 1 ] || { sed -n '2,7s/^# //p' "$0" >&2; exit 64; }
root=$(realpath "$(dirname "$0")/..")
verdict=$(realpath "${VERDICT:-${CARGO_TARGET_DIR:-$root/target}/release/verdict}")
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
# Commands stand in the heads as they are typed: inputs and results have no folders before them.
for file in human_2500 engine_tcec engine_ccc; do
  ln -s "$(realpath "$1")/$file.pgn.zst" "$made/"
done
cd "$made"
engines="github.com/TCEC-Chess/tcecgames, github.com/ianrastall/ccc-archive"
people="public collections, mostly pgnmentor.com's files of players"

"$verdict" tables mit human_2500.pgn.zst engine_tcec.pgn.zst engine_ccc.pgn.zst --quiet \
  --source "$people; $engines" --out all
for elo in 2800 2900 3000 3100; do
  "$verdict" tables mit engine_tcec.pgn.zst engine_ccc.pgn.zst --min-elo "$elo" --quiet \
    --source "$engines" --out "$elo"
done
"$verdict" tables openings human_2500.pgn.zst --min-elo 2600 --moves 25 --min-games 10 --quiet \
  --source "$people" --out 2600.keys --pack 2600.openings

for table in all 2800 2900 3000 3100; do
  cp "$table/material.mit" "$root/engine/data/$table.mit"
done
cp 2600.openings "$root/engine/data/"
