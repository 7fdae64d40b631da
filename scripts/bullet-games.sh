#!/usr/bin/env bash
# How many games are enough (TST-01)? 10,000 bullet games between two builds of `default`, judged once, at the
# end, by LOS 95 %, and what LOS would have said after fewer: into results/bullet-games. 0.2 seconds and 2 ms a
# move on two processors take two hours. Ctrl-C stops; the next call goes on.
# Usage: scripts/bullet-games.sh OLD NEW      revisions of git
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/keep-match.sh
if [ $# -ne 2 ]; then
  echo "expected two revisions, as in: scripts/bullet-games.sh 7c6f3ced HEAD" >&2
  exit 64
fi
folder=results/bullet-games
cargo build --quiet --release -p harness
verdict=${CARGO_TARGET_DIR:-target}/release/verdict

keep_match "$folder" --base "git:$1" --test "git:$2" --build 'cargo build --release -p engine' \
  --binary target/release/mutineer --tc 0.2+0.002 --hash 16MiB --rule los=95,pairs=5000 --seed 2026
[ -f "$folder/games.jsonl" ] || exit 0
"$verdict" stats "$folder" --at 100,500,1000,2000,5000,10000 | tee "$folder/looks.txt"
"$verdict" report "$folder"
