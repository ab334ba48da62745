#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# commands.sh TOPOMP MPI MPICC ROOT WORK LAUNCHER...: every command line of the pages works in a fresh clone.
#
# Command lines are the lines of blocks marked sh, lines that start with '$ ' in blocks without a mark, and code between
# backquotes that starts with the name of a command. Blocks are run as one script each, from the first page to the last, in one
# clone; of code between backquotes, scripts/NAME and topomp VERB are asked whether they know the options. What cannot run has
# an entry in not_run.txt with a reason, and with what is run instead. quotes.sh runs '$ topomp ...' and compares its output.
#
# With MPI=mpich only lines that end with '# MPICH' are run, and these only there. For lines to run here, some commands stand in
# for the real ones: they compile nothing, but take TOPOMP, and install nothing (TOPOMP_COMPILE=1: they compile); they
# let ranks share cores.
set -euo pipefail
topomp=$1 mpi=$2 mpicc=$3 root=$4 work=$5
launcher=("${@:6}")
unset 'launcher[-1]' # -n
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
built=$(cd "$(dirname "$topomp")/.." && pwd)
rm -rf "$work"
mkdir -p "$work/clone" "$work/bin"
clone=$work/clone
entries=$root/tests/docs/not_run.txt
[ -e "$entries" ] || entries=/dev/null

# What a clone would hold if what is added was committed as it is now.
cd "$root"
if git rev-parse --git-dir >/dev/null 2>&1; then
    git ls-files -cz
else
    find . -type f -not -path './build/*' -not -path './results/*' -not -path './.git/*' -print0
fi | while IFS= read -rd '' file; do [ ! -e "$file" ] || printf '%s\0' "$file"; done |
    tar --null -T - -c | tar -x -C "$clone"
cd "$clone"
shopt -s nullglob
pages=([!C]*.md C[!H]*.md docs/*.md) # what the changelog tells of may be gone

stand_in() { # NAME, and its text on stdin
    cat >"$work/bin/$1"
    chmod +x "$work/bin/$1"
}
ln -s "$topomp" "$work/bin/topomp"
stand_in cmake <<END
#!/usr/bin/env bash
set -euo pipefail
[ "\${1:-}" = --build ] && [[ " \$* " != *" --list-presets "* ]] && [ -z "\${TOPOMP_COMPILE:-}" ] || exec '$(command -v cmake)' "\$@"
'$(command -v cmake)' "\$@" -- -n >/dev/null # all targets are known
folder=\$2
[ "\$2" != --preset ] || folder=build/\$3
for file in tools/topomp tools/preload/libtopomp-preload.so \$(cd '$built' && echo benchmarks/apps/*_* examples/12_tutorial); do
    if [ -e "$built/\$file" ] && [ -e "\$folder/build.ninja" ]; then install -D "$built/\$file" "\$folder/\$file"; fi
done
END
stand_in mpirun <<END
#!/usr/bin/env bash
words=($(printf '%q ' "${launcher[@]}")) arguments=()
[[ " \$* " != *" --bind-to core "* ]] || words=('${launcher[0]}' --allow-run-as-root --oversubscribe)
for each; do
    [ "\$each" != core ] || [ '$mpi' = mpich ] || each=core:overload-allowed
    arguments+=("\$each")
done
exec "\${words[@]}" "\${arguments[@]}"
END
cp "$work/bin/mpirun" "$work/bin/mpiexec"
stand_in srun <<'END'
#!/usr/bin/env bash
while [[ ${1:-} == -* ]]; do shift; done
exec mpirun -n 4 "$@"
END
for name in apt-get sudo; do stand_in "$name" <<<'#!/bin/sh'; done
PATH=$work/bin:$PATH
"$mpicc" -o program "$here/program.c"
cp program your_program
cp "$here/../install/consumer/boost_only.cpp" your_program.cpp

# One line a command: page, line, kind (block, quoted, inline, unmarked), number of its block, command.
awk '
    function emit(line, kind, text) {
        gsub(/[ \t\n]+/, " ", text); sub(/^ /, "", text); sub(/ $/, "", text)
        if (text != "" && text !~ /^#/) printf "%s\t%d\t%s\t%d\t%s\n", FILENAME, line, kind, block, text
    }
    function emit_inline(    parts, n, i, line) {
        n = split(prose, parts, "`")
        line = prose_at
        for (i = 1; i <= n; ++i) {
            if (i % 2 == 0) emit(line, "inline", parts[i])
            line += gsub(/\n/, "\n", parts[i])
        }
        prose = ""
    }
    BEGIN {
        command = "^([A-Z_]+=[^ ]+ )*(cmake|ctest|ccache|ninja|make|mpirun|mpiexec|mpi(cc|cxx|fort)[^ ]*|pkg-config|srun|sbatch|git|" \
            "apt-get|sudo|bash|sh|export|cd|topomp|clang-format-14|(\\./|scripts/|build/)[^ ]+)( |$)"
    }
    FNR == 1 { inside = 0 }
    /^ *```/ {
        inside = !inside
        if (inside) { emit_inline(); ++block; mark = $0; gsub(/[ `]/, "", mark) } else { prose_at = FNR }
        next
    }
    !inside && /^ *$/ { emit_inline(); next }
    !inside { if (prose == "") prose_at = FNR; prose = prose $0 "\n"; next }
    { line = $0; sub(/^ +/, "", line) }
    mark == "sh" {
        if (held == "") held_at = FNR
        if (sub(/\\$/, "", line)) { held = held line; next }
        emit(held_at, "block", held line); held = ""
        next
    }
    mark == "" && sub(/^\$ /, "", line) { if (line !~ /^topomp /) emit(FNR, "block", line); next }
    mark == "" && line ~ command { emit(FNR, "unmarked", line) }
    END { emit_inline() }
' "${pages[@]}" |
    awk -F '\t' -v OFS='\t' '
        $3 != "inline" || $5 ~ /^([A-Z_]+=[^ ]+ )*(cmake|ctest|mpirun|mpiexec|mpi(cc|cxx|fort)[^ ]*|pkg-config|srun|sbatch|topomp|scripts\/[^ ]+|build\/[^ ]+ [^ ]+) / ||
        $5 ~ /^scripts\/[a-z0-9-]+$/' >"$work/commands"

failed=0
complain() { # WHERE COMMAND PROBLEM
    printf '%s: %s\n    %s\n' "$1" "$3" "$2"
    failed=$((failed + 1))
}

# Whether a script of ours, or topomp, knows the options and the words in front of them. Without a process for each word or line, of which
# there are hundreds.
declare -A help_of
knows() { # COMMAND
    local words known after_option= line=${1//[\[\]]/}
    read -ra words <<<"${line//|/ }"
    while [[ ${words[0]} == *=* ]]; do words=("${words[@]:1}"); done
    if [ "${words[0]}" = topomp ]; then
        [ -n "${help_of[${words[1]}]:-}" ] || help_of[${words[1]}]=$(topomp "${words[1]}" --help) || return
        known=${help_of[${words[1]}]}
        words=("${words[@]:2}")
    else
        [ -x "${words[0]}" ] || return
        known=$(<"${words[0]}")
        words=("${words[@]:1}")
    fi
    for word in "${words[@]}"; do
        word=${word%...}
        [ "$word" != -- ] || return 0
        if [[ $word == -* || ( -z $after_option && $word =~ ^[a-z][a-z0-9-]*$ ) ]]; then
            [[ $known == *"$word"* ]] || { echo "$word is not known"; return 1; }
        fi
        [[ $word == -* ]] && after_option=yes || after_option=
    done
}

# Sets instead to what is run in place of COMMAND, if there is an entry for it.
patterns=() replacements=()
while IFS= read -r line; do
    case $line in
        '#'* | '') ;;
        '    because '*) reason=$line ;;
        '    instead '*) [ -n "$reason" ] && patterns+=("$pattern") replacements+=("${line#    instead }") ;;
        ' '*) echo "$entries: neither 'because' nor 'instead': $line"; exit 1 ;;
        *) pattern=$line reason= ;;
    esac
done <"$entries"
declare -A entry_used
find_entry() { # COMMAND
    instead=
    local i
    for i in "${!patterns[@]}"; do
        # shellcheck disable=SC2053 # it is a pattern
        if [[ $1 == ${patterns[$i]} ]]; then
            instead=${replacements[$i]}
            entry_used[$i]=yes
            return 0
        fi
    done
    return 1
}

script=$work/block.sh
limit=400
[ -z "${TOPOMP_COMPILE:-}" ] || limit=4000
run_block() {
    [ -s "$script" ] || return 0
    printf 'docs: %s\n' "$block_at"
    if ! timeout -k 5 "$limit" bash -euo pipefail "$script" >"$work/log" 2>&1 </dev/null; then
        cat "$work/log"
        complain "$block_at" "$(grep -a '^+ ' "$work/log" | tail -n 1)" 'this command line fails in a fresh clone:'
    fi
    : >"$script"
}
: >"$script"

only_mpich=
[ "$mpi" != mpich ] || only_mpich=yes
ran=0 asked=0 elsewhere=0 last_block=
declare -A seen
while IFS=$'\t' read -r page line kind block text; do
    where=$page:$line
    if [ "$block" != "$last_block" ] || [ "$kind" = inline ]; then run_block; fi
    last_block=$block
    of_mpich=
    [[ ! $text =~ '# MPICH'$ ]] || of_mpich=yes
    [ "$of_mpich" = "$only_mpich" ] || { elsewhere=$((elsewhere + 1)); continue; }
    command=${text%%' # '*} # emit has left single spaces
    if [ "$kind" = unmarked ]; then
        complain "$where" "$command" 'this looks like a command line: mark its block with sh behind the backquotes'
        continue
    elif find_entry "$command"; then
        if [ "$instead" = knows ]; then
            asked=$((asked + 1))
            knows "$command" || complain "$where" "$command" 'the script does not know this:'
            continue
        fi
    elif [ "$kind" = inline ] && [[ $command =~ ^([A-Z_a-z]+=[^ ]+ )*(topomp|scripts/) ]]; then
        [ -z "${seen[$command]:-}" ] || continue
        seen[$command]=yes
        asked=$((asked + 1))
        knows "$command" || complain "$where" "$command" 'the command does not know this:'
        continue
    else
        instead=$command
    fi
    ran=$((ran + 1))
    [ -s "$script" ] || block_at=$where
    if [[ $instead == *PREFIX* || $instead == */path/* ]]; then
        instead=$(sed -E "s#\\bPREFIX\\b#$work/prefix#g; s#/path/libtopomp-preload.so#$built/tools/preload/libtopomp-preload.so${LD_PRELOAD:+:$LD_PRELOAD}#g" <<<"$instead")
    fi
    printf 'echo + %q\n%s\n' "$command" "$instead" >>"$script"
done <"$work/commands"
run_block

if [ "$mpi" != mpich ]; then
    for i in "${!patterns[@]}"; do
        [ -n "${entry_used[$i]:-}" ] || complain "$entries" "${patterns[$i]}" 'no page has this command line any more:'
    done
fi
echo "$ran command lines run, $asked looked up, $elsewhere left to another MPI, $failed wrong"
if [ "$failed" -gt 0 ]; then
    cat <<END
How to add a command line to a page: put it into a block marked sh (or write '\$ ' in front, if its output follows); it is run as it
stands, from the root of a clone, after those above it, with PREFIX and /path/ replaced by folders. A line that ends with '# MPICH'
is run by the preset mpich. If it cannot run in a test, add three lines to tests/docs/not_run.txt, and say there why:

the command line, without comment; it may be a shell pattern
    because REASON
    instead OTHER COMMAND LINE, or the word 'knows', by which the script or 'topomp VERB' is asked whether it knows the options
END
fi
[ "$ran" -gt 0 ] && [ "$failed" -eq 0 ]
