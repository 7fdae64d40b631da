#!/usr/bin/env bash
# Elo of each term of the evaluation: a match with its switch inverted against the engine
# as it is, 500 pairs at 3,000 nodes a move each, and one table of them all. Takes some three
# minutes a term on two processors; finished terms are skipped, so it can be stopped and started again.
# Usage: scripts/evaluation-terms.sh [TERM=VALUE ...]     (without arguments: the list below)
#        PAIRS=… NODES=… change the conditions.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/keep-match.sh

terms=(
  king_safety.on=false shelter.shield=false shelter.rams=false castling.on=false
  opposite_kings.on=false mobility.on=false mobility.split=true minimum_mobility.knights=false
  minimum_mobility.bishops=false queen_mobility.on=true king_tropism.on=true
  pawns.formation=false pawns.weak=false pawns.weak_open=false pawns.doubled=false
  pawns.isolated_doubled=false isolated.on=true pressure.on=false
  passed.on=false passed.connected=false passed.potential=false passed.blocked=false
  passed.king_support=false passed.king_tropism=false passed.immobility=true
  passed.compelling=false quadrant.on=false pawn_ending.on=false
  bad_bishop.on=false bishop_pair.on=false bishop_pair.by_pawns=false bishop_pair.no_minors=false
  trapped_bishop.on=false bishop_v_knight.on=false
  strong_square.on=false strong_square.cover=true knight_blockade.on=false
  cooperative_knights.on=true centre.on=false
  pins.on=false pins.discovered=false pins.skewer=false
  rook_connection.on=false doubled_rooks.on=false rook_seventh.on=false rook_seventh.pawns=true
  rook_pin_eighth.on=false rook_ram.on=false rook_behind_pawn.on=false
  double_attack.on=false hanging.xray=true initiative.on=false shuffle.on=true mate_threat.on=false
  piece_mobility.on=false king_danger.on=false king_shelter.on=false piece_threats.on=false
  minor_pieces.on=false heavy_pieces.on=false pawn_ranks.on=false passers.on=false space.on=false
  tempo.on=false winnable.on=false scale.on=false
  endgame.on=false scaling.opposite_bishops=false scaling.fifty_moves=false phase.taper=false
)
[ $# -eq 0 ] || terms=("$@")
pairs=${PAIRS:-500}
nodes=${NODES:-3000}
folder=results/evaluation-terms
cargo build --quiet --release --workspace
verdict=${CARGO_TARGET_DIR:-target}/release/verdict

for term in "${terms[@]}"; do
  keep_hash_of_match "$folder/$term" --base embedded:default --test "embedded:default,$term" \
    --pairs "$pairs" --nodes "$nodes" --seed 1
done

commits=$(jq -r '.base.commit[0:7]' "$folder"/*/summary.json | sort -u | paste -sd' ')
rows=$(ls "$folder"/*/summary.json | wc -l)
{
  echo "# What each switch of the evaluation is worth"
  echo
  echo "Elo of the engine with the switch as named, minus the engine as it is (personality"
  echo "\`default\` of commit $commits), $nodes nodes a move, the shipped book: a negative figure speaks for the term where the switch turns it"
  echo "off. LOS is the likelihood that the engine with the switch as named is the stronger. Written by"
  echo "\`scripts/evaluation-terms.sh\`, which says the conditions and at that commit repeats every"
  echo "game: each folder holds the plan, the summary and the hash of the games. Of $rows rows about one"
  echo "in ten has a LOS beyond 95 % or below 5 % by chance alone: what is to be changed for one is"
  echo "matched again."
  echo
  echo "| switch | Elo ± 95 % | LOS | games | pentanomial |"
  echo "|---|---|---|---|---|"
  for summary in "$folder"/*/summary.json; do
    jq -r --arg term "$(basename "$(dirname "$summary")")" \
      '[$term, .elo, .elo_error95, .los, .games, (.ptnml | join("-"))] | @tsv' "$summary"
  done | sort -t$'\t' -k2,2g | awk -F'\t' '
    $2 == "" {printf "| `%s` | undefined | | %d | %s |\n", $1, $5, $6; next}
    {printf "| `%s` | %+.1f ± %.1f | %.1f %% | %d | %s |\n", $1, $2, $3, 100 * $4, $5, $6}'
} >"$folder/README.md"
echo "$folder/README.md"
