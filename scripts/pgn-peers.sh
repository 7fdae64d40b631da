#!/usr/bin/env bash
# Readers of PGN side by side: processor time (user and system) over the same files, plain ones, one thread each.
# Readers take turns, round after round; the best round of each counts, since whoever else uses the machine only ever
# adds time. Readers that are not on the machine are left out, and named on stderr.
# Usage: scripts/pgn-peers.sh FILE.pgn…
#        PGN_READER=DIR      checkout of niklasf/shakmaty: pgn-reader's examples `stats` and `validate` are built
#        CHESS_LIBRARY=DIR   checkout of Disservin/chess-library: its example is built
#        pgn-extract, python3 with python-chess and tkscid (Debian: pgn-extract, python3-chess, scid) are found on PATH
#        ROUNDS=… PYTHON_BYTES=…    rounds; bytes of each file that python-chess reads, since it takes minutes
set -euo pipefail
[ $# -gt 0 ] || { sed -n '2,10s/^# //p' "$0" >&2; exit 64; }
for file in "$@"; do
  [ -f "$file" ] || { echo "pgn-peers: $file: expected a plain PGN file" >&2; exit 66; }
done
mapfile -t files < <(realpath "$@")
here=$(cd "$(dirname "$0")/.." && pwd)
PATH=$PATH:/usr/games
rounds=${ROUNDS:-3}
python_bytes=${PYTHON_BYTES:-2000000}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# As this repository is built.
level="-C target-cpu=x86-64-v3"

cd "$here"
[ -n "${VERDICT:-}" ] || cargo build --quiet --release -p harness
verdict=$(realpath "${VERDICT:-${CARGO_TARGET_DIR:-target}/release/verdict}")
ways=(count check) version=$(git rev-parse --short HEAD)
declare -A names=([count]="verdict tables count --mit --pst" [check]="verdict openings check") versions=() checks=()
versions[count]=$version versions[check]=$version
checks[count]="tokens, legality; counts material and squares of every position, hash of the text"
checks[check]="tokens, legality; compares the last position of every game with all others, SHA-256 of the file"
# Adds a reader: key, name, version, what it checks.
add() { ways+=("$1") names[$1]=$2 versions[$1]=$3 checks[$1]=$4; }
if [ -n "${PGN_READER:-}" ]; then
  (cd "$PGN_READER" && RUSTFLAGS=$level cargo build --quiet --release -p pgn-reader --example stats --example validate)
  examples=$(realpath "$PGN_READER/target/release/examples")
  version=$(sed -n 's/^version = "\([^"]*\)".*/\1/p' "$PGN_READER/pgn-reader/Cargo.toml" | head -n 1)
  add stats "pgn-reader, example stats" "$version" "tokens, in variations too; none is looked up on a board"
  add validate "pgn-reader, example validate" "$version" "tokens, legality; nothing is counted"
else
  echo "left out: pgn-reader (PGN_READER names no checkout)" >&2
fi
if [ -n "${CHESS_LIBRARY:-}" ]; then
  g++ -O3 -march=x86-64-v3 -std=c++17 -o "$work/library" "$CHESS_LIBRARY/example/main.cpp"
  version=$(git -C "$CHESS_LIBRARY" rev-parse --short HEAD)
  add library "chess-library, its example" "$version" "tokens, legality of standard chess; a game ends at its first illegal move"
else
  echo "left out: chess-library (CHESS_LIBRARY names no checkout)" >&2
fi
if command -v pgn-extract >/dev/null; then
  version=$(pgn-extract --version 2>&1 | awk 'NR == 1 {print $2}')
  add extract "pgn-extract -r" "$version" "tokens, legality, results against final positions; nothing is written"
else
  echo "left out: pgn-extract (not on PATH)" >&2
fi
if python3 -c 'import chess.pgn' 2>/dev/null; then
  cat >"$work/read.py" <<'PYTHON'
import sys
import chess.pgn


class Count(chess.pgn.BaseVisitor):
    """Counts legal moves of main lines; the least that python-chess can do and still check them."""

    def begin_game(self):
        self.moves = 0

    def begin_variation(self):
        return chess.pgn.SKIP

    def visit_move(self, board, move):
        self.moves += 1

    def handle_error(self, error):
        pass

    def result(self):
        return self.moves


with open(sys.argv[1], encoding="latin-1") as text:
    while chess.pgn.read_game(text, Visitor=Count) is not None:
        pass
PYTHON
  version=$(python3 -c 'import chess; print(chess.__version__)')
  add python "python-chess, a visitor that counts moves" "$version" "tokens, legality (first $python_bytes bytes only)"
else
  echo "left out: python-chess (python3 does not know chess.pgn)" >&2
fi
if command -v tkscid >/dev/null; then
  cat >"$work/import.tcl" <<'TCL'
set base [sc_base create SCID4 [lindex $argv 0]]
sc_base import $base [lindex $argv 1]
sc_base close $base
TCL
  version=$(dpkg-query -W -f '${Version}' scid 2>/dev/null || echo "?")
  add scid "scid, import into a new database" "$version" "tokens, legality; stores every game with its tags"
else
  echo "left out: scid (tkscid is not on PATH)" >&2
fi

# Runs a reader on a file.
run() {
  case $1 in
    count) "$verdict" tables count "$2" --mit --pst --threads 1 --out "$work/a.counts" ;;
    # Games with mistakes are a finding, told by the exit code.
    check) "$verdict" openings check "$2" || [ $? -le 2 ] ;;
    stats) "$examples/stats" "$2" ;;
    validate) "$examples/validate" "$2" || [ $? -eq 1 ] ;;
    library) "$work/library" "$2" ;;
    extract) pgn-extract -s -r "$2" ;;
    python) python3 "$work/read.py" "$2" ;;
    scid) tkscid "$work/import.tcl" "$work/base" "$2" ;;
  esac
}
for file in "${files[@]}"; do
  head -c "$python_bytes" "$file" >"$work/front.pgn"
  : >"$work/all"
  for round in $(seq "$rounds"); do
    for way in "${ways[@]}"; do
      text=$file
      # Minutes for what one round tells as well.
      [ "$way" = python ] && text=$work/front.pgn
      rm -rf "$work"/base* "$work"/a.counts*
      TIMEFORMAT='%U %S'
      if ! { time run "$way" "$text" >"$work/log" 2>&1; } 2>"$work/time"; then
        tail -n 3 "$work/log" >&2
        echo "$way failed on $text" >&2
        continue
      fi
      echo "$way $(tail -n 1 "$work/time") $(wc -c <"$text") $(grep -c '^\[Event ' "$text")" >>"$work/all"
    done
  done
  printf '\n%s: %s bytes, %s games\n\n' "$(basename "$file")" "$(wc -c <"$file")" "$(grep -c '^\[Event ' "$file")"
  printf '| reader | version | processor s | MB/s | games/s | checks |\n|---|---|---|---|---|---|\n'
  for way in "${ways[@]}"; do
    awk -v way="$way" '$1 == way {print $2 + $3, $4, $5}' "$work/all" | sort -n | head -n 1 |
      awk -v name="${names[$way]}" -v version="${versions[$way]}" -v checks="${checks[$way]}" \
        '{s = $1 > 0 ? $1 : 0.001
          printf "| %s | %s | %.2f | %.1f | %.0f | %s |\n", name, version, s, $2 / 1e6 / s, $3 / s, checks}'
  done
done
