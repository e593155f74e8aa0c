#!/usr/bin/env bash
# The sandbox in which external programs run, so that its tests do; nothing when it is there already.
set -euo pipefail
command -v bwrap >/dev/null || {
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends bubblewrap >/dev/null
}
bwrap --unshare-all --die-with-parent --ro-bind / / --proc /proc --dev /dev true
command -v bwrap
