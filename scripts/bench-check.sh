#!/usr/bin/env bash
# Compares the engine's bench with the newest "Bench: N" in the history: equal, or the last change
# of playing behaviour was committed without saying so.
# MUTINEER is a mutineer that is built already: every build has the same bench.
set -euo pipefail
cd "$(dirname "$0")/.."

stated=$(git log --format=%B | grep -m1 -oP '^Bench: \K[0-9]+$' || true)
if [ -z "$stated" ]; then
  echo "bench-check: no 'Bench: N' in the history" >&2
  exit 1
fi
mutineer=${MUTINEER:-}
if [ -z "$mutineer" ]; then
  cargo build --quiet --release --package engine
  mutineer=${CARGO_TARGET_DIR:-target}/release/mutineer
fi
measured=$("$mutineer" bench | awk 'END {print $1}')
if [ "$measured" != "$stated" ]; then
  echo "bench-check: bench is $measured, the history says $stated" >&2
  echo "A change of playing behaviour carries 'Bench: $measured' in its commit message." >&2
  exit 1
fi
echo "bench-check: $measured"
