#!/usr/bin/env bash
# Elo of each step that made `default`: `default` against itself with that step undone, embedded,
# 5,000 nodes a move, the shipped book, as results/default-steps. 250 pairs each, a minute or two on two processors;
# 1,000 of those that were taken on less than 95 % or that 250 left unclear. Finished matches are
# skipped, interrupted ones are resumed.
# Usage: scripts/default-steps.sh [ROWS]      plays only so many rows
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/keep-match.sh

folder=results/default-steps
# Pairs, and what undoes the step.
steps=(
  "1000 history.reply=false,history.follow_up=false"
  "1000 check_ext.horizon=true"
  "1000 futility.on=false"
  "250 lazy.on=false"
  "1000 order.pst=true"
  "250 late_moves.count=false"
  "1000 correction.on=false"
  "1000 search.hash_value=false"
  "250 late_moves.see=false"
  "250 static_cut.reverse=false"
  "1000 lmr.growing=false"
  "250 lmr.on=false"
  "250 iir.on=false"
  "250 selective.null_part=false"
  "1000 search.mate_distance=false"
  "1000 order.staged=false"
)
cargo build --quiet --release --workspace
verdict=${CARGO_TARGET_DIR:-target}/release/verdict

row=0
for step in "${steps[@]:0:${1:-${#steps[@]}}}"; do
  read -r pairs undone <<<"$step"
  keep_hash_of_match "$folder/$undone" --base "embedded:default,$undone" --test embedded:default \
    --nodes 5000 --rule "los=95,pairs=$pairs" --seed $((4000 + (row += 1)))
done
{
  echo "# What the steps of \`default\` are worth in it"
  echo
  echo "Elo of \`default\` minus \`default\` with the step undone, 5,000 nodes a move, shipped book. Written by"
  echo "\`scripts/default-steps.sh\`; each folder holds the plan, the summary and the hash of the games."
  echo "That a check at the horizon is not extended is the paper's (HOR-01): where no difference is shown,"
  echo "\`default\` stays with it. Cutting what no mate can better (\`search.mate_distance\`) changes few games; the"
  echo "correction of the evaluation was taken at +33.5 ± 25.6 (\`results/selective-search-steps\`); in the default of bb7986f"
  echo "it is worth nothing that 5,000 games show (-1.3 ± 8.4, \`results/2026-11-27-default-correction\`). Moves by stages"
  echo "(\`order.staged\`, GEN-15) are compared at equal nodes here: what they save in time is CLM-72 of \`results/claims\`."
  echo
  echo "| undone | Elo ± 95 % | LOS | games | commit |"
  echo "|---|---|---|---|---|"
  for step in "${steps[@]}"; do
    undone=${step#* }
    summary="$folder/$undone/summary.json"
    [ ! -f "$summary" ] || jq -r --arg undone "$undone" \
      '[$undone, .elo, .elo_error95, ([.los * 100, 99.99] | min), .games, .test.commit[:7]] | @tsv' "$summary"
  done | awk -F'\t' '{printf "| `%s` | %+.1f ± %.1f | %.2f %% | %s | %s |\n", $1, $2, $3, $4, $5, $6}'
} >"$folder/README.md"
echo "$folder/README.md"
