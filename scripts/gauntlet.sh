#!/usr/bin/env bash
# Plays the engine as a UCI program against public engines, and writes a table of all that was played
# so far: 100 pairs each at 100 ms a move with 16 MB of hash, the shipped book. About twenty minutes
# an opponent on two processors; finished matches are skipped, interrupted ones are
# resumed. mutineer's Move Overhead is 0, as the others keep no time back (glaurung and toga2 take
# 103 to 106 ms).
# Usage: scripts/gauntlet.sh PERSONALITY OPPONENT ...
#        an opponent is PATH, xboard:PATH, or PATH@ELO, which sets UCI_LimitStrength and UCI_Elo
#        PAIRS=… LIMIT='--tc 1+0.01' … change the conditions, FOLDER=… where they go;
#        MUTINEER=target/fast/release/mutineer plays with what scripts/fast-engine.sh has built.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/keep-match.sh

[ $# -ge 2 ] || { sed -n '2,9s/^# //p' "$0" >&2; exit 64; }
personality=$1
shift
pairs=${PAIRS:-100}
limit=${LIMIT:---movetime 100ms}
folder=${FOLDER:-results/gauntlet}
cargo build --quiet --release --workspace
bin=${CARGO_TARGET_DIR:-target}/release
verdict=$bin/verdict
mutineer=${MUTINEER:-$bin/mutineer}
# A program does not say of which commit it is; its name in the records does.
named="mutineer $personality $(git rev-parse --short=10 HEAD)"
[ -z "$(git status --porcelain -- engine Cargo.toml Cargo.lock)" ] || named=$named-dirty
[ -x "$mutineer" ] || { echo "gauntlet: MUTINEER=$mutineer is no program" >&2; exit 1; }

for opponent in "$@"; do
  case $opponent in *:*) ;; *) opponent=uci:$opponent ;; esac
  elo=${opponent##*@}
  spec=${opponent%@*}
  path=${spec#*:}
  name=$(basename "$path")
  [ -x "$path" ] || { echo "gauntlet: $path is missing; see scripts/install-opponents.sh" >&2; exit 1; }
  if [ "$elo" != "$opponent" ]; then
    name=$name-$elo
    spec=$spec,UCI_LimitStrength=true,UCI_Elo=$elo
  fi
  # shellcheck disable=SC2086 # the limit is an option and its value
  keep_match "$folder/$personality-v-$name" --base "$spec" \
    --test "uci:$mutineer,Personality=$personality,Move Overhead=0" --test-name "$named" $limit --time-margin 250ms --hash 16MB \
    --pairs "$pairs" --seed 1
done

# The opponents on one rough scale, measured on a machine of this class.
scale='{"phalanx": 2380, "glaurung": 2930, "toga2": 3044, "ethereal-chess": 3234}'
{
  echo "# mutineer against public engines"
  echo
  echo "Elo of mutineer minus the opponent. The scale is rough: phalanx 2380, glaurung 2930, toga2 3044,"
  echo "ethereal-chess 3234 and stockfish by its own UCI_Elo; the last column puts mutineer on it, and"
  echo "means little where one side won almost everything. Written by \`scripts/gauntlet.sh\`; each folder"
  echo "holds the plan with all conditions, the games and the summary."
  echo
  echo "\"Kept back\" is what mutineer did not use of its time a move (Move Overhead). Neither side loses on"
  echo "time before a move takes 250 ms more than it may."
  echo
  echo "\"Nodes a move\" are thousands, mutineer's and the opponent's: they tell how fast the machine was."
  echo
  echo "| mutineer as | opponent | by | limit | kept back | nodes a move | W–D–L | Elo ± 95 % | LOS | faults | on the scale |"
  echo "|---|---|---|---|---|---|---|---|---|---|---|"
  for summary in "$folder"/*/summary.json; do
    match=$(basename "$(dirname "$summary")")
    back=$(jq -r '.test.options["Move Overhead"] // 10' "$(dirname "$summary")/run.json")
    jq -r --arg match "$match" --arg back "$back ms" --argjson scale "$scale" '
      ($match | split("-v-")) as [$us, $them]
      | ($scale[$them] // ($them | split("-") | last | tonumber? // null)) as $rating
      | def thousands: .nodes_per_move / 1000 | round;
        [$us, $them, (.test.alias // "?" | split(" ") | last[:7]), .test.limit, $back,
         "\(.test | thousands), \(.base | thousands)", "\(.wdl.win)–\(.wdl.draw)–\(.wdl.loss)", .elo, .elo_error95,
         ([.los * 100, 99.99] | min), .faults.total, (if $rating then $rating + .elo | round else "?" end)] | @tsv
    ' "$summary"
  done | sort -t$'\t' -k1,1 -k12,12n | awk -F'\t' \
    '{printf "| %s | %s | %s | %s | %s | %s | %s | %+.1f ± %.1f | %.2f %% | %s | %s |\n", $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12}'
} >"$folder/README.md"
echo "$folder/README.md"
