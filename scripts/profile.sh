#!/usr/bin/env bash
# Where the engine's time goes: the ten hottest functions of `mutineer bench`, by perf, into
# results/profile.md. What is inlined counts for the function it is inlined into.
# Usage: scripts/profile.sh [DEPTH]
set -euo pipefail
cd "$(dirname "$0")/.."
depth=${1:-15}
cargo build --quiet --release -p engine
mutineer=${CARGO_TARGET_DIR:-target}/release/mutineer
# Before the file that it names is written over.
commit=$(git describe --always --dirty --abbrev=7)
data=$(mktemp)
trap 'rm -f "$data"' EXIT
total=$(perf record --quiet --freq 999 --output "$data" "$mutineer" bench "$depth" | tail -1)
{
  echo "# Where the time goes"
  echo
  echo "\`mutineer bench $depth\` ($total) of commit $commit, by perf:"
  echo "the ten hottest functions, inlined ones counted for those that they are inlined into. Written by"
  echo "\`scripts/profile.sh\`."
  echo
  echo "| share | function |"
  echo "|---|---|"
  perf report --input "$data" --stdio --no-children --sort symbol 2>/dev/null |
    sed -n 's/^ *\([0-9.]*\)% *\[\.\] *\(.*\)$/\1\t\2/p' |
    sed -E 's/::<impl ([^>]*(<[^>]*>)?[^>]*)>//; s/engine:://g; s/( +-)* *$//' |
    awk -F'\t' 'NR <= 10 {printf "| %s %% | `%s` |\n", $1, $2}'
} >results/profile.md
echo results/profile.md
