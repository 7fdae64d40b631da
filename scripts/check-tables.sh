#!/usr/bin/env bash
# Plays 200 games of our own engine, counts them with `verdict tables` and with the slow script
# (python-chess), and fails if any number differs. Without python-chess it says so, and checks nothing.
# Usage: scripts/check-tables.sh            our own games
#        scripts/check-tables.sh GAMES.pgn  these, as they are
# VERDICT is a verdict that is built already.
set -euo pipefail
games=${1:+$(realpath "$1")}
cd "$(dirname "$0")/.."

if ! python3 -c 'import chess' 2>/dev/null && ! python3 -m pip install --quiet chess==1.11.2 2>/dev/null; then
  echo "check-tables: not checked: python-chess is missing (pip install chess)" >&2
  exit 0
fi
verdict=${VERDICT:-}
if [ -z "$verdict" ]; then
  cargo build --quiet --release --package harness --bin verdict
  verdict=${CARGO_TARGET_DIR:-target}/release/verdict
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ -z "$games" ]; then
  status=0
  "$verdict" match --pairs 100 --nodes 60 --seed 1 --quiet --out "$work/run" >"$work/log" 2>&1 || status=$?
  # Reject and undecided are results; faults and trouble are not.
  [ "$status" -le 2 ] || { cat "$work/log" >&2; exit "$status"; }
  games=$work/run/games.pgn
fi
"$verdict" tables count "$games" --mit --pst --openings 15 --resolve both --quiet --out "$work/counts" --json "$work/counts.json"
scripts/check-tables.py "$games" "$work/counts.json"
