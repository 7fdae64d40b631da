#!/usr/bin/env bash
# Makes the pictures of results/gallery by the commands in its README.md: reports of a recorded match, of
# a sweep and tuners on a simulated engine (nothing is played), and squares counted in the match's games.
# Takes some seconds, and headless Chromium (Debian: apt-get install chromium).
# Usage: scripts/gallery.sh        VERDICT=PATH is the program to use.
set -euo pipefail
cd "$(dirname "$0")/.."
verdict=${VERDICT:-}
if [ -z "$verdict" ]; then
  cargo build --quiet --release --package harness --bin verdict
  verdict=${CARGO_TARGET_DIR:-target}/release/verdict
fi
chromium=
for name in chromium chromium-browser google-chrome; do
  if command -v "$name" >/dev/null; then chromium=$name; break; fi
done
[ -n "$chromium" ] || { echo "gallery: chromium is missing" >&2; exit 1; }
out=results/gallery
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$out"

# The upper part of a page.
picture() { # PAGE HEIGHT NAME
  local sandbox=()
  [ "$(id -u)" != 0 ] || sandbox=(--no-sandbox)
  "$chromium" --headless "${sandbox[@]}" --disable-gpu --no-first-run --hide-scrollbars \
    --user-data-dir="$work/profile" --window-size="1000,$2" --screenshot="$work/$3.png" \
    "file://$1" 2>>"$work/log"
  mv "$work/$3.png" "$out/$3.png"
  echo "$out/$3.png"
}

run=results/2026-11-22-texel-weights
"$verdict" report "$run" --out "$work/match.html" >/dev/null
picture "$work/match.html" 1500 match
"$verdict" sweep lazy.margin=16:512:16 --truth lazy.margin=160:64 --pairs 2000 --quiet \
  --out "$work/sweep" >/dev/null
picture "$work/sweep/report.html" 760 sweep
"$verdict" sweep lazy.margin=64:256:32 lmr.min_move=2..8 --truth lazy.margin=160:64 \
  --truth lmr.min_move=6:2:15 --pairs 1000 --quiet --out "$work/map" >/dev/null
picture "$work/map/report.html" 760 sweep-map
"$verdict" tune spsa --param lazy.margin:48 --param 'king_safety.table[*]:15' \
  --truth lazy.margin=400:200:30 --truth 'king_safety.table[*]=150:50:30' --pairs 20000 --quiet \
  --out "$work/spsa" >/dev/null
picture "$work/spsa/report.html" 760 spsa
"$verdict" tune clop lazy.margin=0..1024 lmr.min_move=0..30 --truth lazy.margin=400:200:30 \
  --truth lmr.min_move=12:8:30 --pairs 4000 --quiet --out "$work/clop" >/dev/null
picture "$work/clop/report.html" 1150 clop
"$verdict" export "$run" --as pgn --out "$work/games.pgn" >/dev/null
"$verdict" tables pst "$work/games.pgn" --quiet --out "$work/pst" >/dev/null
cp "$work/pst/pst.png" "$out/squares.png"
echo "$out/squares.png"
