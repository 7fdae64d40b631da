#!/usr/bin/env bash
# Positions with a teacher's scores from games and from self-play, and the fit of the evaluation to them.
# Two million positions took 50 minutes to label and 33 to fit, on two busy processors. Finished parts are skipped, an interrupted one goes on.
# Usage: scripts/labelled-set.sh FOLDER GAMES.pgn:PER_GAME …     FOLDER gets a list for each file, self.txt, and fit/
#        TEACHER=… NODES=… SELF_PLAY=… change the teacher, its nodes and the games of self-play; FIT=no ends before the fit;
#        with VERDICT=… nothing is built
set -euo pipefail
[ $# -ge 1 ] || { sed -n '2,7s/^# //p' "$0" >&2; exit 64; }
folder=$1
shift
mkdir -p "$folder"
teacher=${TEACHER:-uci:/usr/games/stockfish}
nodes=${NODES:-1000}
if [ -z "${VERDICT:-}" ]; then
  cargo build --quiet --release --manifest-path "$(dirname "$0")/../Cargo.toml"
  VERDICT=${CARGO_TARGET_DIR:-$(dirname "$0")/../target}/release/verdict
fi

lists=()
label() {
  local list=$folder/$1.txt
  shift
  lists+=("$list")
  [ -f "$list" ] || "$VERDICT" label "$@" --by "$teacher" --nodes "$nodes" --out "$list"
}

for source in "$@"; do
  games=${source%:*}
  name=$(basename "$games")
  label "${name%%.*}" "$games" --per-game "${source##*:}" --seed 11
done
[ "${SELF_PLAY:-12000}" = 0 ] ||
  label self --self-play "${SELF_PLAY:-12000}" --play-nodes 200..2000 --plies 9 --per-game 30 --seed 5
[ "${FIT:-yes}" = yes ] || exit 0

# All terms of full boards, and what they stand on.
weights="material.*,pst.*,bishop_pair.pawns,castling.*,piece_mobility.*,king_danger.*,king_shelter.*"
weights+=",piece_threats.*,minor_pieces.*,heavy_pieces.*,pawn_ranks.*,passers.*,space.*,tempo.*,winnable.*,scale.*"
"$VERDICT" tune texel "${lists[@]}" --weights "$weights" --lambda 0.2 --rounds 2 --rate 1 --l2 1e-9 --out "$folder/fit"
