#!/usr/bin/env bash
# 2,000 games between engines that misbehave at random, the runner killed and resumed ten times;
# every game has to be accounted for exactly once. Some minutes on two processors.
# Usage: scripts/chaos.sh [SEED]
set -euo pipefail
cd "$(dirname "$0")/.."

CHAOS_SEED=${1:-1} cargo test --quiet -p harness --test all chaos:: -- --ignored --nocapture
