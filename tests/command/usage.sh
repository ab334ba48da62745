#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# Without MPI: what the command says of itself, and colours for terminals only.
. "$(dirname "${BASH_SOURCE[0]}")/support.sh"

run "$topomp"
[ "$status" -eq 0 ] && [ ! -s "$work/err" ] || fail 'without arguments'
for word in show measure tune predict map run doctor; do
    grep -q "^  $word  " "$work/out" || fail "without arguments: no $word"
    checked=$((checked + 1))
done
! grep -q '^  describe ' "$work/out" || fail 'without arguments: what is only for the build'
cp "$work/out" "$work/alone"
run "$topomp" --help
cmp "$work/out" "$work/alone" || fail '--help is not what it says without arguments'
run env COLUMNS=200 "$topomp" show --help
[ "$status" -eq 0 ] || fail 'show --help'
for words in '--machine TEXT' '--format text|json|dot|svg' '--xml FILE' '--ranks NUMBER' 'if not given: core' \
    'with --tree' 'not with --machine' 'Examples:'; do
    grep -qF -- "$words" "$work/out" || fail "show --help: no '$words'"
    checked=$((checked + 1))
done
[ "$(COLUMNS=80 "$topomp" show --help | grep -v '^  *mpirun\|^  *topomp' | wc -L)" -le 80 ] || fail 'lines of more than 80 columns'

# script(1) makes a terminal.
in_terminal() { env -u NO_COLOR TERM=xterm "$@" script -qec "'$topomp' --help" /dev/null </dev/null | tr -d '\r'; }
escape=$(printf '\033')
in_terminal >"$work/out"
grep -q "${escape}\[1mCommands:" "$work/out" || fail 'no colours in a terminal'
for setting in NO_COLOR=1 TERM=dumb; do
    in_terminal "$setting" >"$work/out"
    grep -q Commands: "$work/out" || fail "$setting: no help"
    ! grep -q "$escape" "$work/out" || fail "colours with $setting"
    checked=$((checked + 1))
done
# Open MPI gives its ranks a terminal whatever their output goes to.
in_terminal OMPI_COMM_WORLD_SIZE=1 LD_PRELOAD= >"$work/out" || true
! grep -q "${escape}\[1mCommands:" "$work/out" || fail 'colours under a launcher'
! grep -q "$escape" "$work/alone" || fail 'colours in a file'
checked=$((checked + 1))
