#!/usr/bin/env bash
# Debian's browser for the browser tests; nothing when it is there already.
set -euo pipefail
command -v chromium >/dev/null && exit 0
apt-get update -qq
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium >/dev/null
command -v chromium
