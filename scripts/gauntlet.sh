#!/usr/bin/env bash
# Plays the engine as a UCI program against public engines at 1+0.01: 100 pairs each, no
# adjudication of draws or resignations. What matters here is that no game ends by a fault of ours.
# Usage: scripts/gauntlet.sh [PAIRS] [ENGINE ...]     (an engine is PATH or xboard:PATH)
set -euo pipefail
cd "$(dirname "$0")/.."

pairs=${1:-100}
shift || true
[ $# -gt 0 ] || set -- /usr/games/glaurung /usr/games/stockfish
cargo build --quiet --release --workspace
bin=${CARGO_TARGET_DIR:-target}/release
for opponent in "$@"; do
  case $opponent in *:*) ;; *) opponent=uci:$opponent ;; esac
  path=${opponent#*:}
  name=$(basename "$path")
  [ -x "$path" ] || { echo "gauntlet: $path is missing; see scripts/install-opponents.sh" >&2; exit 1; }
  "$bin/verdict" match --base "$opponent" --test "uci:$bin/mutineer" \
    --tc 1+0.01 --pairs "$pairs" --seed 1 --draw off --resign off \
    --out "results/$(date +%Y-%m-%d)-gauntlet-$name" || status=$?
  # Reject and undecided are results; faults and trouble are not.
  [ "${status:-0}" -le 2 ] || exit "$status"
  status=0
done
