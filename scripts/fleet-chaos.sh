#!/usr/bin/env bash
# 2,000 games on a fleet on this machine in which everybody dies: a worker is killed every second, the
# broker is killed five times and once stopped for a minute, the coordinator is killed and resumed ten
# times, and engines misbehave. Games and verdict have to be those of one machine; what differs is said.
# Half an hour on two busy processors. Needs nats-server and bubblewrap; results/fleet-chaos has the output of a run.
# Usage: scripts/fleet-chaos.sh [SEED]
set -euo pipefail
cd "$(dirname "$0")/.."

seed=${1:-1}
echo "scripts/fleet-chaos.sh $seed; commit $(git describe --always --dirty)"
VERDICT_BROKER=1 CHAOS_SEED=$seed cargo test --quiet -p harness --test all fleet::chaos:: -- --ignored --nocapture --test-threads 1
