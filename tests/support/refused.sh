# SPDX-License-Identifier: BSL-1.0
# For tests FOLDER LAUNCHER...: programs in FOLDER refuse what they cannot work with.
folder=$1
shift
launch=("$@")
checked=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# refused PATTERN RANKS PROGRAM ARGUMENTS...: exit status 2, nothing on standard output, and one line "PROGRAM: PATTERN..."
refused() {
    local pattern=$1 ranks=$2 program=$3 status=0
    shift 3
    [ -x "$folder/$program" ] || return 0
    "${launch[@]}" "$ranks" "$folder/$program" "$@" >"$work/out" 2>"$work/err" || status=$?
    if [ "$status" -ne 2 ] || [ -s "$work/out" ] || [ "$(grep -c "^$program: " "$work/err")" -ne 1 ] ||
        ! grep -q -- "^$program: $pattern" "$work/err" || grep -q 'terminate called\|MPI_Abort\|Signal' "$work/err"; then
        echo "FAILED: $program $*: status $status"
        cat "$work/out" "$work/err"
        exit 1
    fi
    checked=$((checked + 1))
}
