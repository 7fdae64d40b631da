#!/usr/bin/env bash
# Games a second of verdict and of fastchess, side by side: the same engine against itself, the same
# openings in the same order, node limits, two games at a time, no adjudication. Runners take turns; the
# best of three rounds counts, since whoever else uses the machine only ever adds time. With this
# repository's engine also the embedded players, the same games again without processes.
# Usage: scripts/runner-speed.sh FASTCHESS ENGINE     programs; ENGINE speaks UCI
#        NODES="1000 5000" PAIRS=… ROUNDS=… change the conditions; AS_FIRST="chrt -f 10" runs all with it.
set -euo pipefail
[ $# -eq 2 ] || { sed -n '2,7s/^# //p' "$0" >&2; exit 64; }
fastchess=$(realpath "$1") engine=$(realpath "$2")
cd "$(dirname "$0")/.."
read -ra nodes <<<"${NODES:-1000 5000}"
read -ra first <<<"${AS_FIRST:-}"
pairs=${PAIRS:-50}
rounds=${ROUNDS:-3}
cargo build --quiet --release --workspace
bin=$(realpath "${CARGO_TARGET_DIR:-target}/release")
book=$PWD/openings/balanced_8ply.epd
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# Seconds of the command, and processor seconds of it with its engines.
timed() {
  local TIMEFORMAT='%R %U %S'
  # A verdict that is not ACCEPT is one all the same.
  { time "${first[@]}" "$@" >log 2>&1; } 2>&1 || [ $? -le 2 ] || { cat log >&2; exit 1; }
}
by_fastchess() {
  rm -f games.pgn
  timed "$fastchess" -engine cmd="$engine" name=base -engine cmd="$engine" name=test \
    -each nodes="$1" tc=inf option.Hash=16 option.Threads=1 -rounds "$pairs" -games 2 -repeat \
    -concurrency 2 -openings file="$book" format=epd order=sequential -pgnout file=games.pgn
  plies=$(grep -o '[0-9]s[,}]' games.pgn | wc -l)
}
by_verdict() {
  rm -rf run
  timed "$bin/verdict" match --base "$2" --test "$2" --nodes "$1" --hash 16MB --pairs "$pairs" \
    --order sequential --concurrency 2 --slots 2 --draw off --resign off --rule "los=95,pairs=$pairs" \
    --quiet --out run
  plies=$(jq -s 'map(.notes | length) | add' run/games.jsonl)
}

ways=("fastchess" "verdict, uci" "verdict, embedded")
[ "$(basename "$engine")" = mutineer ] || unset 'ways[2]'
printf '| nodes a move | runner | games/s | plies | wall s | processor µs a ply, engines among them |\n|---|---|---|---|---|---|\n'
for limit in "${nodes[@]}"; do
  for round in $(seq "$rounds"); do
    for way in "${!ways[@]}"; do
      case $way in
        0) by_fastchess "$limit" >times ;;
        1) by_verdict "$limit" "uci:$engine" >times ;;
        2) by_verdict "$limit" embedded >times ;;
      esac
      echo "$limit $way $(tail -n 1 times) $plies" >>all
    done
  done
  for way in "${!ways[@]}"; do
    awk -v limit="$limit" -v way="$way" '$1 == limit && $2 == way' all | sort -n -k 3 | head -n 1 |
      awk -v name="${ways[way]}" -v games=$((2 * pairs)) \
        '{printf "| %d | %s | %.1f | %d | %.2f | %.0f |\n", $1, name, games / $3, $6, $3, 1e6 * ($4 + $5) / $6}'
  done
done
