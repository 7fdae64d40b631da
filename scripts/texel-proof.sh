#!/usr/bin/env bash
# Fits the evaluation to results that known weights have drawn, many times over, and writes how near
# Texel's method comes, and whether its errors keep their word, into results/synthetic-truth/texel.md.
# Usage: scripts/texel-proof.sh [FITS]      20 unless told, and a quarter as many of the most positions
set -euo pipefail
cd "$(dirname "$0")/.."
fits=${1:-20}
cargo build --quiet --release --package harness --bin verdict --example texel_truth
built=${CARGO_TARGET_DIR:-target}/release
games=$(mktemp -d)
trap 'rm -rf "$games"' EXIT
pairs=4000
"$built/verdict" match --test embedded,search.pvs=false --nodes 300 --pairs $pairs --rule los=95,pairs=$pairs \
  --quiet --out "$games/run" >"$games/log" 2>&1 || true
out=results/synthetic-truth/texel.md
cat >"$out" <<TEXT
# Texel's method on a known truth

Quiet positions of $((2 * pairs)) games (\`verdict match --test embedded,search.pvs=false --nodes 300 --pairs
$pairs\`, book and seed as usual), whose results are drawn, each by itself, from what known weights make of
them: all linear weights of \`default\`, each moved by up to six steps of the parameter table, at a scale of
0.003 by 1/256 pawn. \`verdict tune texel --l2-to start\` begins at \`default\`. Made by
\`scripts/texel-proof.sh $fits\`.

"Weights": those that count in at least 500 positions. "Off": how far they lie from the truth, the root of
the mean square in steps, before and after. "Within": true weights that lie within the 95 % interval that is
stated: too often where positions are few, since it has in it how far a weight would still go. "Held out":
mean squared error of positions that were not fitted.

| positions | fits | weights | off | within | held out |
|---:|---:|---:|---:|---:|---:|
TEXT
for of in "20000 $fits" "200000 $(((fits + 3) / 4))"; do
  read -r limit times <<<"$of"
  "$built/examples/texel_truth" "$games/run" "$times" "$limit" | tee -a "$out"
done
