#!/usr/bin/env bash
# Profile-guided build (PGO) of mutineer, with the bench as training run. Same moves, 1.08 to 1.12
# times the nps. Needs llvm-tools (`rustup component add llvm-tools`).
# Usage: scripts/fast-engine.sh      leaves target/fast/release/mutineer
set -euo pipefail
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-target}/fast
profiles=$(mktemp -d)
trap 'rm -rf "$profiles"' EXIT

host=$(rustc -vV | sed -n 's/^host: //p')
merge=$(rustc --print sysroot)/lib/rustlib/$host/bin/llvm-profdata
[ -x "$merge" ] || { echo "fast-engine: $merge is missing: rustup component add llvm-tools" >&2; exit 69; }
# RUSTFLAGS take the place of those in .cargo/config.toml.
flags=${RUSTFLAGS-$([ "${host%%-*}" != x86_64 ] || echo "-C target-cpu=x86-64-v3")}
build() {
  RUSTFLAGS="$flags $1" cargo build --quiet --release --config 'profile.release.lto="fat"' --package engine --target-dir "$target"
}

build "-C profile-generate=$profiles"
# What is fast for one personality should not be slow for the others.
for run in "10 default" "5 rebel" "6 prodeo"; do
  LLVM_PROFILE_FILE=$profiles/%p.profraw "$target/release/mutineer" bench "${run% *}" --personality "${run#* }" >/dev/null
done
"$merge" merge -o "$profiles/merged" "$profiles"/*.profraw
build "-C profile-use=$profiles/merged"
"$target/release/mutineer" bench | tail -n 1
echo "$target/release/mutineer"
