#!/usr/bin/env bash
# Checks the live page in headless Chromium: that it grows while a match is played, without errors and
# within its window at 1280 and 390 pixels; a game on its board by keyboard; the state without a script;
# that it goes on after verdict was stopped and resumed; that markup in names stays text; that the page of
# `verdict serve` grows while two workers play, also after its broker was killed; and how long 100,000
# recorded games take. Figures and the places of the pictures are printed.
# Usage: scripts/page-check.sh [-o PICTURES]
#        PICTURES is the folder for the pictures, target/page-pictures unless given. VERDICT=PATH is the
#        program to use, built with --features fleet.
set -euo pipefail
here=$PWD
cd "$(dirname "$0")/.."

usage() { sed -n '2,9s/^# \{0,1\}//p' "$0" >&2; exit 64; }
target=${CARGO_TARGET_DIR:-$PWD/target}
pictures=$target/page-pictures
while getopts o: flag; do
  case $flag in
    o) case $OPTARG in /*) pictures=$OPTARG ;; *) pictures=$here/$OPTARG ;; esac ;;
    *) usage ;;
  esac
done
shift $((OPTIND - 1))
[ $# -eq 0 ] || usage

missing() { echo "page-check: $1 is missing; $2" >&2; exit 1; }
chromium=
for name in chromium chromium-browser google-chrome; do
  if command -v "$name" >/dev/null; then chromium=$name; break; fi
done
[ -n "$chromium" ] || missing chromium "on Debian: apt-get install chromium"
command -v python3 >/dev/null || missing python3 "on Debian: apt-get install python3"
verdict=${VERDICT:-}
case $verdict in "" | /*) ;; *) verdict=$here/$verdict ;; esac
for built in "$target/release/verdict" "$target/debug/verdict"; do
  if [ -z "$verdict" ] && [ -x "$built" ]; then verdict=$built; fi
done
[ -x "$verdict" ] || missing verdict "cargo build --release --features fleet"
mkdir -p "$pictures"
exec python3 scripts/page-check.py "$chromium" "$verdict" "$pictures"
