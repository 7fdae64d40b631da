#!/usr/bin/env bash
# What each step that made `default` is worth in it: `default` against itself with that step undone, embedded,
# 5,000 nodes a move, the shipped book, as results/default-steps. Steps that once were taken on less than 95 %
# come first, with 1,000 pairs each; the others have 250. Some ten minutes and three a row on two processors;
# what is done is kept, what was broken off goes on.
# Usage: scripts/default-steps.sh [ROWS]      plays only so many rows
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/keep-match.sh

folder=results/default-steps
steps=(
  history.reply=false,history.follow_up=false
  check_ext.horizon=true
  futility.on=false
  lazy.on=false
  order.pst=true
  late_moves.count=false
  correction.on=false
  search.hash_value=false
  late_moves.see=false
  static_cut.reverse=false
  lmr.growing=false
  lmr.on=false
  iir.on=false
  selective.null_part=false
  search.mate_distance=false
)
doubtful=3
cargo build --quiet --release --workspace
verdict=${CARGO_TARGET_DIR:-target}/release/verdict

row=0
for undone in "${steps[@]:0:${1:-${#steps[@]}}}"; do
  pairs=250
  [ $((row += 1)) -gt $doubtful ] || pairs=1000
  keep_hash_of_match "$folder/$undone" --base "embedded:default,$undone" --test embedded:default \
    --nodes 5000 --rule "los=95,pairs=$pairs" --seed $((4000 + row))
done
{
  echo "# What the steps of \`default\` are worth in it"
  echo
  echo "Elo of \`default\` minus \`default\` with the step undone, 5,000 nodes a move, shipped book. Written by"
  echo "\`scripts/default-steps.sh\`; each folder holds the plan, the summary and the hash of the games."
  echo "That a check at the horizon is not extended is the paper's (HOR-01): where no difference is shown,"
  echo "\`default\` stays with it."
  echo
  echo "| undone | Elo ± 95 % | LOS | games |"
  echo "|---|---|---|---|"
  for undone in "${steps[@]}"; do
    summary="$folder/$undone/summary.json"
    [ ! -f "$summary" ] || jq -r --arg undone "$undone" \
      '[$undone, .elo, .elo_error95, ([.los * 100, 99.99] | min), .games] | @tsv' "$summary"
  done | awk -F'\t' '{printf "| `%s` | %+.1f ± %.1f | %.2f %% | %s |\n", $1, $2, $3, $4, $5}'
} >"$folder/README.md"
echo "$folder/README.md"
