#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# site.sh ROOT WORK: the site can be built without a warning, all its links lead somewhere, a public entity without a comment would be an
# error, and a browser shows the site's pictures and finds what is searched for.
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

# Entities called silent have no comment, others have one or need none.
cat >"$work/bad.hpp" <<'END'
/// @file
/// A header.
namespace topo {
/// A class.
class documented {
public:
    documented(const documented&);
    void silent_member();
    /// A function.
    void member();
    friend bool operator==(const documented&, const documented&);

private:
    struct internal {};
};
struct silent_empty {};
struct silent_struct {
    int number; ///< A number.
};
/// Values.
enum class values { silent_value, one /**< A value. */ };
template <class T>
concept silent_concept = true;
int silent_function(int number);
}
END
(cd "$root" && { cat docs/site/Doxyfile && echo "INPUT = $work/bad.hpp
OUTPUT_DIRECTORY = $work/bad
WARN_LOGFILE = $work/warnings"; } | doxygen - && python3 docs/site/source.py problems "$work/warnings" "$work/bad/xml" >"$work/problems") && {
    echo 'FAILED: entities without a comment are no error'
    exit 1
}
said=$(grep -o 'silent_[a-z]*' "$work/problems" | sort -u | tr '\n' ' ')
[ "$said" = 'silent_concept silent_empty silent_function silent_member silent_struct silent_value ' ] && ! grep -v silent_ "$work/problems" || {
    echo "FAILED: not what is wrong: $said"
    cat "$work/problems"
    exit 1
}

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
