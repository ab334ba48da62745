#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# links.sh ROOT [NAME.md]: every relative link of the project's pages, or of that one, leads to something.
set -euo pipefail
cd "$1"
pages=("${@:2}")
[ "${#pages[@]}" -gt 0 ] || pages=(*.md docs/*.md)

# What stands in parentheses behind brackets, but for code between backquotes.
links_of() {
    awk '/^```/ { code = !code } !code' "$1" | sed 's/`[^`]*`//g' | grep -oE '\]\([^) ]+\)' | sed 's/^](//; s/)$//' || true
}
anchors_of() {
    awk '/^```/ { code = !code } !code && /^#+ /' "$1" |
        sed 's/^#* *//; s/[^A-Za-z0-9 _-]//g; s/ /-/g' | tr '[:upper:]' '[:lower:]'
}

checked=0 failed=0
for page in "${pages[@]}"; do
    while read -r link; do
        case $link in http://* | https://* | mailto:*) continue ;; esac
        checked=$((checked + 1))
        file=${link%%#*}
        target=${file:+$(dirname "$page")/$file}
        target=${target:-$page}
        if [ ! -e "$target" ]; then
            echo "$page: no such file: $link"
            failed=$((failed + 1))
        elif [[ $link == *'#'* ]] && ! grep -qxF "${link#*#}" <<<"$(anchors_of "$target")"; then
            echo "$page: no such heading: $link"
            failed=$((failed + 1))
        fi
    done < <(links_of "$page")
done
echo "$checked links checked, $failed lead nowhere"
[ "$checked" -gt 0 ] && [ "$failed" -eq 0 ]
