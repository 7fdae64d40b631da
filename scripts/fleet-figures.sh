#!/usr/bin/env bash
# Measures fleets on this machine in about ten minutes: how soon results are acknowledged, how busy workers
# are, how soon chunks of dead workers come back, how soon a run stops, and what the coordinator costs.
# Real processes of verdict with a real broker; simulated workers where many are needed. The table is
# printed; results/fleet-figures has one of a quiet machine.
# Usage: scripts/fleet-figures.sh [-o FILE] [--quick] [--only FIGURE,…]
#        FILE gets a line of JSON for each figure, target/fleet-figures.jsonl unless given. --quick: small
#        numbers, which show that everything works. FIGURE: acknowledgement, efficiency, returning,
#        stopping, throughput or engines.
set -euo pipefail
here=$PWD
cd "$(dirname "$0")/.."

usage() { sed -n '2,9s/^# \{0,1\}//p' "$0" >&2; exit 64; }
target=${CARGO_TARGET_DIR:-$PWD/target}
data=$target/fleet-figures.jsonl
words=()
while [ $# -gt 0 ]; do
  case $1 in
    -o)
      [ $# -gt 1 ] || usage
      case $2 in /*) data=$2 ;; *) data=$here/$2 ;; esac
      shift 2
      ;;
    --quick) words+=("$1"); shift ;;
    --only) [ $# -gt 1 ] || usage; words+=("$1" "$2"); shift 2 ;;
    *) usage ;;
  esac
done
command -v nats-server >/dev/null || [ -x /usr/sbin/nats-server ] || {
  echo "fleet-figures: nats-server is missing; on Debian: apt-get install nats-server" >&2
  exit 1
}
cargo build --release -p harness -p fleet --features harness/fleet,fleet/on --bin verdict --example fleet_figures
mkdir -p "$(dirname "$data")"
echo "| figure | asked | found | |"
echo "|---|---|---|---|"
"$target/release/examples/fleet_figures" --verdict "$target/release/verdict" \
  ${words[@]+"${words[@]}"} 2>&1 >"$data"
