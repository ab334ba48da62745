#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# pictures.sh ROOT TOPOMP: the pictures of the pages are those that scripts/pictures draws now.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$1/scripts/pictures" "$2" "$work"
diff -r "$1/docs/pictures" "$work" || { echo "run scripts/pictures and commit"; exit 1; }
