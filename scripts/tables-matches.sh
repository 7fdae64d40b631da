#!/usr/bin/env bash
# Elo of tables made from games: each against the engine without, 1,000 pairs at 5,000 nodes
# a move, and one table of them all. Material by the built-in table; piece squares by tables that
# are made here from PGN files, for the evaluation and for the order of moves; the bonus for positions
# of strong games (PRO-19) after openings of 5 and of 10 moves from games. Some ten minutes a match on
# two processors; finished ones are skipped, so it can be stopped and started again.
# Usage: scripts/tables-matches.sh FOLDER     with human_2500.pgn.zst, engine_tcec.pgn.zst and
#                                             engine_ccc.pgn.zst (sources: engine/data/README.md)
#        PAIRS=… NODES=… change the conditions.
set -euo pipefail
[ $# -eq 1 ] || { sed -n '2,10s/^# //p' "$0" >&2; exit 64; }
games=$(realpath "$1")
cd "$(dirname "$0")/.."
. scripts/keep-match.sh
pairs=${PAIRS:-1000}
nodes=${NODES:-5000}
folder=results/tables
cargo build --quiet --release --workspace
bin=${CARGO_TARGET_DIR:-target}/release
verdict=$bin/verdict

made=$folder/made
mkdir -p "$made"
squares() {
  local name=$1
  shift
  [ -f "$made/$name/evaluation.json" ] || "$verdict" tables pst "$@" --fit --quiet --out "$made/$name"
}
squares human-2600 "$games/human_2500.pgn.zst" --min-elo 2600
squares engine-2800 "$games/engine_tcec.pgn.zst" "$games/engine_ccc.pgn.zst" --min-elo 2800

matches=(
  "material-crude mit=all,imbalance.mode=1"
  "material-safe mit=all,imbalance.mode=2"
  "material-partial mit=all,imbalance.mode=3"
  "material-reliable mit=all,imbalance.mode=4"
  "squares-human-evaluation file=$made/human-2600/evaluation.json"
  "squares-engine-evaluation file=$made/engine-2800/evaluation.json"
  "squares-human-order file=$made/human-2600/ordering.json,order.pst=true"
  "squares-engine-order file=$made/engine-2800/ordering.json,order.pst=true"
)
for match in "${matches[@]}"; do
  read -r name change <<<"$match"
  keep_hash_of_match "$folder/$name" --base embedded:default --test "embedded:default,$change" \
    --pairs "$pairs" --nodes "$nodes" --seed 2026
done

# Every fiftieth game that has tags and so many moves: what a PGN book may hold.
book() {
  zstd -dc "$games/human_2500.pgn.zst" | tr -d '\r' | awk -v RS= -v moves="$1" '
    /^\[/ {tags = $0; next}
    tags != "" && /^1\./ && index($0, " " moves + 1 ".") && ++n % 50 == 0 {print tags "\n\n" $0 "\n"}
    {tags = ""}'
}
[ -f "$made/human-2600.openings" ] || "$verdict" tables openings "$games/human_2500.pgn.zst" \
  --min-elo 2600 --quiet --out "$made/human-2600.openings"
for moves in 5 10; do
  [ -f "$made/openings-$moves.pgn" ] || book "$moves" >"$made/openings-$moves.pgn"
  keep_hash_of_match "$folder/opening-bonus-after-$moves-moves" --base "uci:$bin/mutineer" \
    --test "uci:$bin/mutineer,OpeningTable=$made/human-2600.openings,opening.on=true" \
    --book "$made/openings-$moves.pgn" --opening-plies $((2 * moves)) \
    --pairs "$pairs" --nodes "$nodes" --seed 2026
done

{
  echo "# What tables from games are worth"
  echo
  echo "Elo of \`default\` with the table, minus \`default\`: material by the table \`all\` and the paper's"
  echo "modes (PRO-02..05), squares (PRO-21) in place of the fitted ones or in the order of moves, the opening"
  echo "bonus (PRO-19; programs over UCI, openings and table from the same games of people). Written by"
  echo "\`scripts/tables-matches.sh\`, which says the conditions and repeats every game but those of the opening bonus, whose program is known by its hash only: each folder holds the"
  echo "plan, the summary and the hash of the games. Pairs that repeat an earlier one say nothing new: Elo, LOS"
  echo "and the pentanomial are of the others. Accepted is what LOS ≥ 95 % supports."
  echo
  echo "| match | Elo ± 95 % | LOS | pairs | of them repeats | pentanomial of the others | commit |"
  echo "|---|---|---|---|---|---|---|"
  for summary in "$folder"/*/summary.json; do
    jq -r --arg name "$(basename "$(dirname "$summary")")" \
      '[$name, .elo, .elo_error95, .los, .games / 2, .twins.repeated_pairs,
        (.details.effective_ptnml | join("-")),
        (.base.commit // "program \(.base.build)" | sub("(?<head>[0-9a-f]{7})[0-9a-f]+$"; "\(.head)"))] | @tsv' "$summary"
  done | awk -F'\t' '
    $2 == "" {printf "| %s | undefined | | %d | %d | %s | %s |\n", $1, $5, $6, $7, $8; next}
    {printf "| %s | %+.1f ± %.1f | %.1f %% | %d | %d | %s | %s |\n", $1, $2, $3, 100 * $4, $5, $6, $7, $8}'
} >"$folder/README.md"
echo "$folder/README.md"
