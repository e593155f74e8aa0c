#!/usr/bin/env bash
# Debian's text recognition, for scanned documents; nothing when it is there already.
set -euo pipefail
command -v tesseract >/dev/null && exit 0
apt-get update -qq
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends tesseract-ocr tesseract-ocr-eng tesseract-ocr-osd >/dev/null
command -v tesseract
