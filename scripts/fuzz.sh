#!/usr/bin/env bash
# Fuzzes all that reads what others wrote, each target for some time, one after another; stops at
# the first finding, whose input is named. Needs a nightly compiler and cargo-fuzz
# (cargo install cargo-fuzz). New inputs stay outside of the committed corpus.
# Usage: scripts/fuzz.sh [SECONDS [TARGET ...]]        60 seconds, all targets
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${1:-60}
[ $# -eq 0 ] || shift
if [ $# -eq 0 ]; then
  set -- $(sed -n 's/^name = "\([a-z]*\)"$/\1/p' harness/fuzz/Cargo.toml)
fi
grown=${CARGO_TARGET_DIR:-target}/fuzz-corpus
for target in "$@"; do
  mkdir -p "$grown/$target"
  echo "== $target: $seconds s"
  cargo +nightly fuzz run --fuzz-dir harness/fuzz "$target" "$grown/$target" \
    "harness/fuzz/corpus/$target" -- \
    -max_total_time="$seconds" -max_len=8192 -timeout=10 -rss_limit_mb=2048 -malloc_limit_mb=3000 -print_final_stats=1
done
