# SPDX-License-Identifier: BSL-1.0
# shellcheck shell=bash
# Tables, plots and comparisons of results folders: what is made of samples that are there.

has_results() { # FOLDER
    [[ -s $1/samples.jsonl ]] || die 2 "no samples in $1"
    jq -es 'length > 0 and all(.[]; (.verb | type) == "string" and (.bytes | type) == "number" and .where and .platform)' \
        "$1/samples.jsonl" >/dev/null 2>&1 || die 2 "$1/samples.jsonl: these are no samples of scripts/bench"
}

# Samples of verbs, of grids and of results once per node become points and tables in different ways.
benchmark_of() { # FOLDER
    head -n 1 "$1/samples.jsonl" | jq -r '.benchmark // "verbs"'
}
points_of() { # FOLDER
    local kind
    kind=$(benchmark_of "$1")
    if [[ $kind =~ ^(halo|hybrid)$ ]]; then
        jq -s -f "$parts/${kind}_points.jq" "$1/samples.jsonl"
    else
        jq -s --arg where "$(head -n 1 "$1/samples.jsonl" | jq -r .where)" -f "$parts/points.jq" "$1/samples.jsonl"
    fi
}

# Prints the table and leaves it in table.txt, the points in summary.json.
make_table() { # FOLDER
    has_results "$1"
    local table=table width=9 kind
    kind=$(benchmark_of "$1")
    [[ ! $kind =~ ^(halo|hybrid)$ ]] || table=${kind}_table width=12
    points_of "$1" >"$1/summary.json"
    jq -r -f "$parts/$table.jq" "$1/summary.json" |
        awk -F '\t' -v width="$width" \
            'NF < 2 { print; next } { for (i = 1; i <= NF; ++i) printf i == 1 ? "%-15s" : "%*s", i == 1 ? $i : width, $i; print "" }' |
        tee "$1/table.txt"
}

# Time against bytes, a picture for each platform and verb: ours beside every other.
make_plots() { # FOLDER
    local plots=$1/plots platform verb name data
    mkdir -p "$plots"
    while read -r platform verb; do
        name=$plots/$platform.$verb
        data=$name.dat
        # Columns: bytes, ours, the bound, the models' time, the others; what is not available is a question mark.
        jq -r --arg platform "$platform" --arg verb "$verb" '
            map(select(.platform == $platform and .verb == $verb)) | sort_by(.bytes)
            | (map(.others | keys) | add | unique) as $names
            | (["bytes", "topomp", "bound", "predicted"] + $names),
              (.[] | [.bytes, (.ours // "?"), (.bound // "?"), (.predicted // "?")] + [.others[$names[]] // "?"])
            | join(" ")' "$1/summary.json" >"$data"
        gnuplot -e "data='$data'; name='$name'; heading='$verb, $platform'" "$parts/plot.gp" 2>>"$plots/gnuplot.log"
    done < <(jq -r 'map(select(.verb != "barrier")) | unique_by([.platform, .verb])[] | "\(.platform) \(.verb)"' "$1/summary.json")
}

# Exit code 1 if a point got slower by more than the threshold.
compare() { # OLD NEW [--threshold PERCENT]
    local folders=() threshold='' where
    while (($# > 0)); do
        case $1 in
            --threshold)
                (($# > 1)) || usage_error '--threshold needs a value'
                [[ $2 =~ ^[0-9]{1,4}(\.[0-9]+)?$ ]] || usage_error "--threshold wants a number of percent, not '$2'"
                threshold=$2
                shift 2
                ;;
            -*) usage_error "unknown option: $1" ;;
            *) folders+=("$(from_here "$1")") && shift ;;
        esac
    done
    ((${#folders[@]} == 2)) || usage_error 'compare wants two results folders'
    local folder points=()
    for folder in "${folders[@]}"; do
        has_results "$folder"
        where=$(head -n 1 "$folder/samples.jsonl" | jq -r .where)
        points+=("$(points_of "$folder")")
    done
    if [[ -z $threshold ]]; then
        threshold=30
        [[ $where != sim ]] || threshold=2
    fi
    local text
    text=$(printf '%s\n' "${points[@]}" | jq -rs --argjson threshold "$threshold" -f "$parts/compare.jq")
    awk -F '\t' 'NF < 2 { print; next } { printf "%-12s %-15s %9s %14s %14s %9s %9s\n", $1, $2, $3, $4, $5, $6, $7 }' <<<"$text"
    [[ $text == *$'\nslower 0 '* || $text == 'slower 0 '* ]]
}
