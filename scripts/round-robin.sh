#!/usr/bin/env bash
# Every player against every other, and one table of them all: the score of the row's player in per
# cent against the column's, and its Elo against all together. Done pairings are kept, so it can be
# stopped and started again.
# Usage: scripts/round-robin.sh FOLDER TITLE NAME=SPEC NAME=SPEC [NAME=SPEC ...]
#        PAIRS=… NODES=… SEED=… change the conditions.
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# -ge 4 ] || { sed -n '2,6s/^# //p' "$0"; exit 64; }
folder=$1 title=$2
shift 2
players=("$@")
pairs=${PAIRS:-100}
nodes=${NODES:-5000}
seed=${SEED:-1}
cargo build --quiet --release --workspace
verdict=${CARGO_TARGET_DIR:-target}/release/verdict

for ((first = 0; first < ${#players[@]}; first++)); do
  for ((second = first + 1; second < ${#players[@]}; second++)); do
    run=$folder/${players[first]%%=*}-${players[second]%%=*}
    [ -f "$run/summary.json" ] && continue
    status=0
    if [ -f "$run/run.json" ]; then
      "$verdict" resume "$run" --quiet >/dev/null || status=$?
    else
      "$verdict" match --test "${players[first]#*=}" --base "${players[second]#*=}" --pairs "$pairs" \
        --nodes "$nodes" --seed "$seed" --quiet --out "$run" >/dev/null || status=$?
    fi
    # Accept, reject and undecided are results; faults and trouble are not.
    [ "$status" -le 2 ] || exit "$status"
    sha256sum "$run/games.jsonl" | cut -d' ' -f1 >"$run/games.sha256"
  done
done

# Points of the first of two names in their games, and the number of games.
score() {
  if [ -f "$folder/$1-$2/summary.json" ]; then
    jq -r '"\(.wdl.win + .wdl.draw / 2) \(.games)"' "$folder/$1-$2/summary.json"
  else
    jq -r '"\(.wdl.loss + .wdl.draw / 2) \(.games)"' "$folder/$2-$1/summary.json"
  fi
}

{
  echo "# $title"
  echo
  echo "$pairs pairs of games a pairing, $nodes nodes a move, seed $seed, shipped book; engine of"
  echo "commit $(git rev-parse --short HEAD). Written by \`scripts/round-robin.sh\`; each folder holds"
  echo "the plan, the summary and the hash of the games. Elo: of the whole score against all others"
  echo "together, ± what chance alone moves it in 19 of 20 cases, games taken as independent."
  echo
  printf '| player |'; for player in "${players[@]}"; do printf ' %s |' "${player%%=*}"; done
  echo ' score | games | Elo |'
  printf '|---|'; for _ in "${players[@]}"; do printf -- '---|'; done
  echo '---|---|---|'
  for row in "${players[@]}"; do
    points=0 games=0 line="| \`${row%%=*}\` |"
    for column in "${players[@]}"; do
      if [ "$row" = "$column" ]; then line+=" – |"; continue; fi
      read -r won played < <(score "${row%%=*}" "${column%%=*}")
      line+=" $(awk -v w="$won" -v n="$played" 'BEGIN { printf "%.1f %%", 100 * w / n }') |"
      points=$(awk -v a="$points" -v b="$won" 'BEGIN { print a + b }')
      games=$((games + played))
    done
    awk -v line="$line" -v w="$points" -v n="$games" 'BEGIN {
      p = w / n; if (p <= 0) p = 0.5 / n; if (p >= 1) p = 1 - 0.5 / n
      elo = -400 * log(1 / p - 1) / log(10)
      error = 1.96 * sqrt(p * (1 - p) / n) * 400 / log(10) / (p * (1 - p))
      printf "%s %s | %d | %+.0f ± %.0f |\n", line, w, n, elo, error }'
  done
  echo
  echo "Players:"
  echo
  for player in "${players[@]}"; do echo "- \`${player%%=*}\`: \`${player#*=}\`"; done
} >"$folder/README.md"
echo "$folder/README.md"
