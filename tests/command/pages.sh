#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# Without MPI: man pages and completions have every option of every subcommand, man reads the pages without a warning, and
# bash completes words.
. "$(dirname "${BASH_SOURCE[0]}")/support.sh"

run "$topomp" describe --output "$work/pages"
[ "$status" -eq 0 ] && [ ! -s "$work/err" ] || fail describe
commands=$("$topomp" | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\)  .*/\1/p')
[ "$(wc -w <<<"$commands")" -ge 6 ] || fail "which commands are there? $commands"
bash -n "$work/pages/bash/topomp" || fail 'bash does not read its completions'
if command -v zsh >/dev/null; then zsh -n "$work/pages/zsh/_topomp" || fail 'zsh does not read its completions'; fi
for command in $commands; do
    page=$work/pages/man1/topomp-$command.1
    [ "$(head -c 5 "$page" | head -c 3)" = '.\"' ] || fail "$page is no page"
    grep -qF "$command" "$work/pages/man1/topomp.1" || fail "topomp.1 does not name $command"
    options=$("$topomp" "$command" --help | grep -o '^  -[^ ]*\( --[^ ]*\)\?' | tr -d ',')
    for option in $options; do
        grep -qF -- "\\fB${option//-/\\-}\\fR" "$page" || fail "the page of $command has no $option"
        grep -qF -- "'$option[" "$work/pages/zsh/_topomp" || fail "zsh knows no $option"
        checked=$((checked + 1))
    done
done
if command -v man >/dev/null; then
    for page in "$work"/pages/man1/*; do
        said=$(MANWIDTH=100 man --warnings -E UTF-8 -l "$page" 2>&1 >"$work/out")
        [ -z "$said" ] || fail "man warns of $page: $said"
        grep -q '^NAME' "$work/out" || fail "man does not format $page"
        checked=$((checked + 1))
    done
fi

# completes "WORDS" EXPECTED...: bash offers exactly these for the last word.
. "$work/pages/bash/topomp"
completes() {
    local line=$1
    shift
    read -ra COMP_WORDS <<<"$line"
    [[ $line != *' ' ]] || COMP_WORDS+=('')
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    _topomp || true # false where nothing completes the word
    [ "$(printf '%s\n' "${COMPREPLY[@]}" | sort)" = "$(printf '%s\n' "$@" | sort)" ] ||
        fail "'$line' is completed to: ${COMPREPLY[*]}"
    checked=$((checked + 1))
}
# shellcheck disable=SC2086 # one word a command
completes 'topomp ' $commands --help -h --version
completes 'topomp sh' show
completes 'topomp show --form' --format
completes 'topomp show --format ' text json dot svg
completes 'topomp show --machine x --format s' svg
completes 'topomp map --emit ' rankfile mpich slurm
completes 'topomp show --xml two_pack' two_packages.xml
completes 'topomp measure --seconds ' ''
completes 'topomp run --report -- two_pa' ''
completes 'topomp run -- mpirun two_pa' two_packages.xml
