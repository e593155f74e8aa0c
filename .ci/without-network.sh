#!/usr/bin/env bash
# Runs a command in a network namespace of its own in which only the loopback interface exists.
set -euo pipefail
exec unshare -n sh -c 'ip link set lo up && exec "$@"' sh "$@"
