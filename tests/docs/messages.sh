#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# messages.sh ROOT: the parts of messages that docs/faq.md has as headings are in the sources of the library or of its build.
set -euo pipefail
cd "$1"
checked=0 failed=0
while IFS= read -r text; do
    checked=$((checked + 1))
    if ! grep -rqF -- "$text" include cmake; then
        echo "docs/faq.md: nothing says: $text"
        failed=$((failed + 1))
    fi
done < <(sed -n 's/^### `\(.*\)`$/\1/p' docs/faq.md)
echo "$checked messages checked, $failed are not in the sources"
[ "$checked" -gt 0 ] && [ "$failed" -eq 0 ]
