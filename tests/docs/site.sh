#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# site.sh ROOT WORK: the site can be built without a warning, all its links lead somewhere, and a browser shows its pictures and finds
# what is searched for.
set -euo pipefail
root=$1 work=$2
check() { python3 "$root/tests/docs/site_check.py" "$@"; }
rm -rf "$work"
mkdir -p "$work"

"$root/scripts/site" "$work/site" >"$work/log" 2>&1 || {
    status=$?
    cat "$work/log"
    if [ "$status" -eq 2 ]; then
        echo "skipped: the site cannot be built here: $(sed 's/^site: //' "$work/log")"
        exit 0
    fi
    exit 1
}
check links "$work/site"

chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
if [ -z "$chromium" ]; then
    echo "skipped: there is no Chromium here, so that only the links were checked"
    exit 0
fi
browse() { # PAGE: the page as the browser has it when its scripts have run
    timeout 60 "$chromium" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --user-data-dir="$work/profile" \
        --virtual-time-budget=20000 --dump-dom "file://$work/site/$1" 2>"$work/chromium.log"
}
check pictures "$work/site" >"$work/site/pictures_of_all_pages.html"
browse pictures_of_all_pages.html >"$work/dom"
check images "$work/dom"
browse 'search.html?q=rabenseifner' >"$work/dom"
check search "$work/dom" rabenseifner collectives.html
browse 'search.html?q=node_cart' >"$work/dom"
check search "$work/dom" node_cart howto_halo.html
