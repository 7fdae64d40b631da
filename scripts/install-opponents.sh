#!/usr/bin/env bash
# Installs the public engines that scripts/gauntlet.sh plays against (Debian packages).
set -euo pipefail
[ "$(id -u)" = 0 ] || exec sudo "$0"
apt-get update -qq
apt-get install -y --no-install-recommends ethereal-chess glaurung phalanx stockfish toga2
