#!/usr/bin/env bash
# Sweeps and tunes a simulated engine whose best parameters are known, many times over, and writes how
# near the tools came into results/synthetic-truth/README.md. Nothing is played.
# Usage: scripts/tuning-proof.sh [RUNS]      200 runs a line unless told; VERDICT=PATH is the program.
set -euo pipefail
cd "$(dirname "$0")/.."
verdict=${VERDICT:-}
if [ -z "$verdict" ]; then
  cargo build --quiet --release --package harness --bin verdict
  verdict=${CARGO_TARGET_DIR:-target}/release/verdict
fi
exec python3 scripts/tuning-proof.py "$verdict" "${1:-200}" results/synthetic-truth
