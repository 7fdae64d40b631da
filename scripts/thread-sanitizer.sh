#!/usr/bin/env bash
# Searches with several threads under ThreadSanitizer: fails if it reports a data race.
# Needs a nightly toolchain with the standard library's source:
#   rustup toolchain install nightly --component rust-src
# Usage: scripts/thread-sanitizer.sh [THREADS]      4 threads by default, two to five minutes
set -euo pipefail
cd "$(dirname "$0")/.."
threads=${1:-4}
[[ $threads =~ ^[1-9][0-9]?$ ]] || { echo "thread-sanitizer: expected 1 to 99 threads, found '$threads'" >&2; exit 64; }
source=$(rustc +nightly --print sysroot 2>/dev/null || true)/lib/rustlib/src/rust/library
[ -d "$source" ] || { echo "thread-sanitizer: missing: rustup toolchain install nightly --component rust-src" >&2; exit 69; }
host=$(rustc -vV | sed -n 's/^host: //p')
target=${CARGO_TARGET_DIR:-target}/thread-sanitizer
cpu=$([ "${host%%-*}" != x86_64 ] || echo "-C target-cpu=x86-64-v3")
# The standard library is built too: the sanitizer reports false races in code without its instrumentation.
RUSTFLAGS="-Zsanitizer=thread $cpu" cargo +nightly build --quiet --release -Zbuild-std \
  --target "$host" --target-dir "$target" --package engine
engine=$target/$host/release/mutineer
grep -q __tsan_write8 "$engine" || { echo "thread-sanitizer: $engine is not instrumented" >&2; exit 1; }

log=$(mktemp)
trap 'rm -f "$log"' EXIT
# Sends a line, or waits so many seconds.
talk() { for word; do case $word in [0-9]*) sleep "$word" ;; *) echo "$word" ;; esac; done; }
talk "setoption name Threads value $threads" "setoption name Hash value 4" "ucinewgame" \
  "position startpos" "go nodes 400000" 20 \
  "position startpos moves e2e4 c7c5" "go infinite" 5 "stop" \
  "go ponder wtime 8000 btime 8000" 2 "ponderhit" 5 \
  "setoption name Hash value 16" "ucinewgame" "go movetime 3000" 5 \
  "setoption name Threads value $((threads + 1))" "go depth 9" 20 "quit" |
  TSAN_OPTIONS=exitcode=66 "$engine" >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
if grep -q ThreadSanitizer "$log"; then
  cat "$log" >&2
  exit 1
fi
searches=$(grep -c '^bestmove' "$log")
[ "$searches" = 5 ] || { echo "thread-sanitizer: expected 5 searches, found $searches" >&2; exit 1; }
echo "no data race in $searches searches with $threads and $((threads + 1)) threads"
