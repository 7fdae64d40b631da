#!/usr/bin/env bash
# Builds a commit as OpenBench's worker does, from a plain folder without git, and compares its bench with
# the last "Bench: N" in the commit's history. A release build: some minutes.
# Usage: scripts/openbench-check.sh [COMMIT]
set -euo pipefail
cd "$(dirname "$0")/.."

commit=$(git rev-parse --verify "${1:-HEAD}^{commit}")
# All of the log is read: one that loses its reader ends with an error.
stated=$(git log --format=%B "$commit" | awk '/^Bench: [0-9]+$/ && !found {found = $2} END {print found}')
if [ -z "$stated" ]; then
  echo "openbench-check: expected a line 'Bench: N' in the history of $commit, found none" >&2
  exit 1
fi
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
git archive --prefix=source/ "$commit" | tar -x -C "$place"

name=mutineer-$(printf %.8s "$commit" | tr a-f A-F)
cd "$place/source/engine"
# Not into a target folder of the user's: a worker has none.
env -u CARGO_TARGET_DIR make -j "EXE=$name" CXX=g++ "EVALFILE=$place/network" >make.log 2>&1 || {
  tail -n 40 make.log >&2
  echo "openbench-check: make failed" >&2
  exit 1
}
found=$("./$name" bench 2>&1 | tail -n 1)
echo "$found"
case $found in
  "$stated nodes "*" nps") echo "openbench-check: $commit has the bench that its history states" ;;
  *)
    echo "openbench-check: expected '$stated nodes N nps', found '$found'" >&2
    exit 1
    ;;
esac
