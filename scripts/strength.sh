#!/usr/bin/env bash
# Measures the levels of UCI_Elo: ten steps from 800 to 2600, each against those up to three steps away, all rated
# together, into results/strength-on-demand. Four round robins of four steps, 150 pairs a pairing: 7,200 games, which
# repeat exactly; 16 minutes on two busy processors. Finished ones are skipped, an interrupted one is resumed.
# The table of levels is in engine/src/search/strength.rs.
# Usage: scripts/strength.sh             PAIRS=… changes the number, FOLDER=… where they go;
#        with VERDICT=… and MUTINEER=… nothing is built
set -euo pipefail
cd "$(dirname "$0")/.."
pairs=${PAIRS:-150}
folder=${FOLDER:-results/strength-on-demand}
[ -n "${VERDICT:-}" ] && [ -n "${MUTINEER:-}" ] || cargo build --quiet --release --workspace
bin=${CARGO_TARGET_DIR:-target}/release
verdict=${VERDICT:-$bin/verdict}
mutineer=${MUTINEER:-$bin/mutineer}

runs=()
for first in 800 1200 1600 2000; do
  run=$folder/from-$first
  runs+=("$run")
  [ ! -f "$run/ratings.json" ] || continue
  if [ -f "$run/tournament.json" ]; then
    "$verdict" resume "$run"
    continue
  fi
  players=()
  for elo in $(seq "$first" 200 $((first + 600))); do
    players+=(--player "$elo=uci:$mutineer,UCI_LimitStrength=true,UCI_Elo=$elo")
  done
  # The nodes of a level are fewer than this limit, which is there so that no clock counts.
  "$verdict" tournament "${players[@]}" --nodes 1000000 --hash 1MiB --pairs "$pairs" --seed "$first" --out "$run"
done
"$verdict" ratings "${runs[@]}" --mean 1700 --markdown >"$folder/ratings.md"
echo "$folder/ratings.md"
