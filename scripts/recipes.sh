#!/usr/bin/env bash
# Runs the recipes of harness/docs/export.md with duckdb, pandas and polars, which it installs into a folder
# of their own (400 MB). The test alone leaves out recipes whose package is missing.
set -euo pipefail
cd "$(dirname "$0")/.."

place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
python3 -m venv "$place/python"
"$place/python/bin/pip" install --quiet --disable-pip-version-check duckdb pandas polars
RECIPES_PYTHON=$place/python/bin/python cargo test --quiet -p harness --test all recipes::
