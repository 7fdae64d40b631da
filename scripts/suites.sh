#!/usr/bin/env bash
# How many positions of the public test suites each personality solves, as results/suites.md. The
# suites do not ship; results/suites/README.md has their sources and file names.
# Usage: scripts/suites.sh FOLDER      (the suites, and folders of suites in it)
#        NODES="100000 1000000" PERSONALITIES="default rebel" THREADS=… OUT=… change the conditions.
#        KEPT=1 searches nothing and writes the stored results, each column by its commit.
#        A personality takes at most 3,300 million nodes at a million a position. May be stopped and
#        started again: what a personality of the same sources has solved of the same files is kept in
#        results/suites, a file for each personality and limit.
set -euo pipefail
cd "$(dirname "$0")/.."

folder=${1:?usage: scripts/suites.sh FOLDER}
[ -d "$folder" ] || { echo "suites: $folder is no folder" >&2; exit 74; }
suites=(wac bk sts_bm eret lapuce2 eet iq4 kaufman cpw_null_move zugts hardzugs
  mate_in_1 mate_in_2 mate_in_3 mate_in_4 mate_in_5 mate_in_6 mate_in_7 mate_in_8)
read -ra nodes <<<"${NODES:-100000 1000000}"
read -ra personalities <<<"${PERSONALITIES:-$(basename -s .json engine/personalities/*.json | xargs)}"
out=${OUT:-results/suites.md}

files=()
for suite in "${suites[@]}"; do
  file=$(find "$folder" -name "$suite.epd" | sort | head -n 1)
  [ -n "$file" ] || { echo "suites: $suite.epd is missing in $folder" >&2; exit 74; }
  grep -q "$(sha256sum "$file" | cut -d' ' -f1)" results/suites/README.md ||
    echo "suites: $file is not the file that results/suites/README.md means" >&2
  files+=("$file")
done
cargo build --quiet --release --package engine
mutineer=${CARGO_TARGET_DIR:-target}/release/mutineer
kept=results/suites
mkdir -p "$kept"
suites_hash=$(cat "${files[@]}" | sha256sum | cut -c-10)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

[ -z "$(git status --porcelain -- engine)" ] ||
  { echo "suites: commit what engine/ has changed: a column names the commit that searched it" >&2; exit 1; }
commit=$(git rev-parse --short=10 HEAD)
bench_depth=8
# A bench that is as before does not say that every search is: what counts are the sources.
engine=$(git rev-parse HEAD:engine/src HEAD:engine/Cargo.toml HEAD:Cargo.lock | sha256sum | cut -c-10)

# Whether a kept column is of these files, and by these sources of the engine if they are given.
fits() {
  [ -f "$kept/$1.json" ] && jq -e --arg suites "$suites_hash" --arg player "${2:-}" \
    '.suites == $suites and ($player == "" or .player == $player)' "$kept/$1.json" >/dev/null
}

columns=()
headings=
for limit in "${nodes[@]}"; do
  for personality in "${personalities[@]}"; do
    column=$personality-$limit
    player=$engine-$(git rev-parse --short=10 "HEAD:engine/personalities/$personality.json")
    [ -z "${KEPT:-}" ] || fits "$column" || continue
    columns+=("$column")
    headings+=" $personality, $limit nodes |"
    [ -z "${KEPT:-}" ] || continue
    ! fits "$column" "$player" || continue
    bench=$("$mutineer" bench --personality "$personality" "$bench_depth" | awk 'END {print $1}')
    "$mutineer" suite --json --nodes "$limit" --personality "$personality" \
      ${THREADS:+--threads "$THREADS"} "${files[@]}" >"$work/whole"
    jq --arg commit "$commit" --arg player "$player" --arg suites "$suites_hash" --arg bench "$bench" \
      '{$commit, $bench, $player, $suites, conditions, total, solved, median_solution_nodes,
        files: [.files[] | {total, solved}]}' "$work/whole" >"$work/column"
    mv "$work/column" "$kept/$column.json"
  done
done

# A row: its name, then what jq says of each column.
row() {
  printf '| %s |' "$1"
  for column in "${columns[@]}"; do
    printf ' %s |' "$(jq -r "$2" "$kept/$column.json")"
  done
  echo
}

{
  echo "# Test suites"
  echo
  echo "Positions solved, by personality and nodes a position; a mate counts when it is announced in"
  echo "the moves that it takes, by the right move. Written by \`scripts/suites.sh\`."
  echo
  echo "- $("$mutineer" --version), hash $(jq -r '.conditions | capture("hash (?<mib>.*)").mib' "$kept/${columns[0]}.json") a position, cleared before each; one thread each"
  echo "- deterministic: the same commit and the same files give the same figures on every machine"
  echo
  echo "| suite | of |$headings"
  printf '|---|---:|'
  printf -- '---:|%.0s' "${columns[@]}"
  echo
  for index in "${!suites[@]}"; do
    of=$(jq ".files[$index].total" "$kept/${columns[0]}.json")
    row "${suites[index]} | $of" ".files[$index].solved"
  done
  row "all | $(jq .total "$kept/${columns[0]}.json")" .solved
  row "median nodes to the solution |" .median_solution_nodes
  row "\`bench $bench_depth\` of the personality |" .bench
  row "commit |" .commit
  echo
  echo "| file | sha256 |"
  echo "|---|---|"
  for file in "${files[@]}"; do
    echo "| \`$(basename "$file")\` | \`$(sha256sum "$file" | cut -d' ' -f1)\` |"
  done
} >"$work/suites.md"
mv "$work/suites.md" "$out"
echo "$out"
