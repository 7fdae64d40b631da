#!/usr/bin/env bash
# Two tournaments of the engine with itself, into results/personalities and results/march-2007:
# - the six personalities, round robin, 8,000 nodes a move;
# - Mediocre's tournament of March 2007 (004, "Evaluating new features", CLM-50..60): v0.241b, and what
#   its author tried on top of it, as switches of `mediocre`. One of them concerns the clock, so this
#   one is played with a clock that counts nodes (reproducible games):
#   0.6 s and 6 ms a move, at 500 nodes the millisecond.
# 100 pairs a pairing, 1,000 and 1,500 pairs; half an hour each on two processors; may be stopped and
# started again.
# Usage: scripts/tournaments.sh [personalities] [march-2007]       PAIRS=… changes the number
set -euo pipefail
cd "$(dirname "$0")/.."
pairs=${PAIRS:-100}
cargo build --quiet --release --workspace
verdict=${CARGO_TARGET_DIR:-target}/release/verdict
[ $# -gt 0 ] || set -- personalities march-2007

# keep_tournament FOLDER OPTION … plays it, resumes an interrupted one and skips a finished
# one; the hashes of its games are kept in their place.
keep_tournament() {
  local folder=$1 status=0
  shift
  [ ! -f "$folder/games.sha256" ] || return 0
  if [ -f "$folder/tournament.json" ]; then
    "$verdict" resume "$folder" || status=$?
  else
    "$verdict" tournament "$@" --pairs "$pairs" --seed 1 --out "$folder" || status=$?
  fi
  # To end without a verdict on every pairing is no failure; faults and trouble are.
  [ "$status" -eq 0 ] || return "$status"
  (cd "$folder" && sha256sum ./*/games.jsonl >games.sha256)
}

for which; do
  case $which in
    personalities)
      players=()
      for name in default rebel printed prodeo mediocre winglet; do
        players+=(--player "$name=embedded:$name")
      done
      keep_tournament results/personalities "${players[@]}" --nodes 8000
      ;;
    march-2007)
      no_see=order.see=false,qsearch.see_order=false,qsearch.see_prune=false
      keep_tournament results/march-2007 --tc 0.6+0.006 --nodes-clock 500 \
        --player "v0.25b-clmr-ss-qsp=embedded:mediocre" \
        --player "v0.25b-clmr-ss=embedded:mediocre,qsearch.see_order=false,qsearch.see_prune=false" \
        --player "v0.25b-clmr-ss-qs=embedded:mediocre,qsearch.see_prune=false" \
        --player "v0.25b-clmr-ss-qsp-nt=embedded:mediocre,time.nt=true" \
        --player "v0.25b-plmr=embedded:mediocre,lmr.spare_checks=false,lmr.spare_evasions=true,$no_see" \
        --player "v0.241b=embedded:mediocre,lmr.on=false,$no_see"
      ;;
    *)
      echo "unknown tournament '$which', expected personalities or march-2007" >&2
      exit 64
      ;;
  esac
done
