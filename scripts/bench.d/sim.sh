# SPDX-License-Identifier: BSL-1.0
# shellcheck shell=bash
# scripts/bench sim. A job is a platform, who is measured (topomp or one of the others' rules) and a verb; a simulation
# takes the sizes that are missing, one after the other, and each is kept as soon as it is there. Where a simulation
# stops, the size at which it did is tried once more by itself, so that nothing but what stops is not available; not so
# where a size took too long, as an all-to-all by rules that post all n^2 messages at once, for which SimGrid takes hours.
# Ours may take twice as long as another: one of the four that is missing is none of the best, a point of ours that is
# missing would hide a loss.

# A simulated host is a node, on the machines of one node a NUMA node: the others' rules see hosts.
declare -A machines=(
    [ntw10e5]='node:10_package:2_numa:2_core:6'
    [ntw24e5]='switch:4_node:6_package:2_numa:2_core:6'
    [smp20e7]='package:10_numa:2_core:8'
    [smp12e5]='package:6_numa:2_core:8'
    [dragonfly]='switch:4_switch:4_node:2_package:2_core:16'
    [ntw32x16]='switch:4_node:8_package:2_core:8'
)
declare -A hosts=([ntw10e5]=10 [ntw24e5]=24 [smp20e7]=20 [smp12e5]=12 [dragonfly]=32 [ntw32x16]=32)
declare -A slots=([ntw10e5]=24 [ntw24e5]=24 [smp20e7]=8 [smp12e5]=8 [dragonfly]=32 [ntw32x16]=16)
readonly most_bytes=$((1 << 33))         # of all ranks' buffers together
readonly most_memory=$((20 * (1 << 30))) # of all simulations together

# Bytes of all ranks' buffers together.
buffers() { # PLATFORM VERB BYTES
    local ranks=$((hosts[$1] * slots[$1]))
    case $2 in
        barrier) echo 0 ;;
        all_to_all) echo $((2 * ranks * ranks * $3)) ;;
        all_gather | reduce_scatter) echo $((ranks * (ranks + 1) * $3)) ;;
        *) echo $((2 * ranks * $3)) ;;
    esac
}

# Bytes of its simulation: some of what travels is held twice, operands in another order too, and a simulated rank takes
# a megabyte.
memory_of() { # PLATFORM VERB BYTES
    local quarters=7
    [[ $2 != reduce_scatter ]] || quarters=12
    echo $(($(buffers "$@") * quarters / 4 + (hosts[$1] * slots[$1] + 200) * (1 << 20)))
}

# About how long a point takes, in no unit.
weight() { # PLATFORM VERB BYTES
    local ranks=$((hosts[$1] * slots[$1]))
    case $2 in
        all_to_all | all_gather | reduce_scatter) echo $((ranks * ranks / 64 + ranks + $(buffers "$@") / 1000000)) ;;
        *) echo $((ranks + $(buffers "$@") / 1000000)) ;;
    esac
}

file_of() { # PLATFORM WHO VERB
    local key
    key=$(sha256sum "benchmarks/platforms/$1.xml")
    if [[ $2 == topomp ]]; then
        echo "$results/samples/$1-${key:0:6}.$3.jsonl"
    else
        echo "$root/others/$1-${key:0:6}.$2.$3.jsonl"
    fi
}

has_point() { # FILE BYTES
    [[ -s $1 ]] && grep -q "\"bytes\":$2,.*}$" "$1"
}

# A program on all ranks of a platform, within so many seconds of processor time. What a message costs is in the
# platform's file.
smpi() { # PLATFORM SECONDS COMMAND...: options of SimGrid, the program, its options
    local platform=$1 seconds=$2 scratch host code=0
    shift 2
    scratch=$(mktemp -d)
    for ((host = 0; host < hosts[$platform]; ++host)); do echo "node$host:${slots[$platform]}"; done >"$scratch/hosts"
    (
        cd "$scratch" # smpirun leaves files behind when it fails
        ulimit -t "$seconds" # of processor time, so that a busy machine changes nothing
        # Memory that is given back to the system at once costs more than half of the time.
        export GLIBC_TUNABLES=glibc.malloc.mmap_threshold=33554432:glibc.malloc.trim_threshold=8589934592
        # In the foreground, so that Ctrl-C reaches it.
        exec timeout --foreground --kill-after=5 "$((10 * seconds))" smpirun -np $((hosts[$platform] * slots[$platform])) \
            -platform "$folder/$platform.xml" -hostfile hosts --log=root.thresh:critical \
            --cfg=smpi/simulate-computation:no --cfg="smpi/tmpdir:$scratch" "$@"
    ) || code=$?
    rm -rf "$scratch"
    return "$code"
}

# What messages cost on a platform, of which follows what no algorithm can beat.
parameters_of() { # PLATFORM
    local key
    key=$(sha256sum "benchmarks/platforms/$1.xml" tools/measure*.cpp | sha256sum)
    echo "$root/parameters/$1-${key:0:6}"
}
measure_parameters() { # PLATFORM
    local file
    file=$(parameters_of "$1")
    [[ ! -s $file ]] || return 0
    smpi "$1" 1800 --cfg=smpi/coll-selector:ompi --cfg=smpi/allreduce:rdb --cfg=smpi/bcast:binomial_tree \
        "${program%/*}/measure" --machine "${machines[$1]}" --output "$file.part" >"$file.log" 2>&1 ||
        die 1 "the parameters of $1 could not be measured: $file.log"
    mv "$file.part" "$file"
    rm "$file.log"
}

# Simulates some sizes into a file. Topomp builds its hierarchy with all-reduces and broadcasts, for which SimGrid's
# rules of Open MPI first send n^2 messages in each communicator: where another verb is measured, others are taken.
simulate() { # PLATFORM WHO VERB SIZES FILE [OPTIONS OF SIMGRID]
    local platform=$1 who=$2 verb=$3 selector=$2 code=0 commas=${4//[^,]/} own=("${@:6}") options=(--by mpi) each=$limit
    if [[ $who == topomp ]]; then
        each=$((2 * limit)) selector=ompi
        options=(--by topomp --machine "${machines[$platform]}" --parameters "$(parameters_of "$platform")")
        [[ $verb == all_reduce ]] || own+=(--cfg=smpi/allreduce:rdb)
        [[ $verb == broadcast ]] || own+=(--cfg=smpi/bcast:binomial_tree)
    fi
    local TIMEFORMAT="$platform $who $verb $4: %U s and %S s in the system"
    time { smpi "$platform" $((each * (2 + ${#commas}))) --cfg="smpi/coll-selector:$selector" ${own[@]+"${own[@]}"} \
        "$program" "${options[@]}" --verbs "$verb" --bytes "$4" --limit "$each" --output "$5" "${notes[@]}" \
        --note "platform=$platform" --note "selector=$selector" >"$5.log" 2>&1; } || code=$?
    return "$code"
}

run_job() { # PLATFORM WHO VERB SIZES...
    local platform=$1 who=$2 verb=$3 file part size code selector=$2 by=mpi
    shift 3
    [[ $who != topomp ]] || selector=ompi by=topomp
    file=$(file_of "$platform" "$who" "$verb")
    part=$file.part
    local missing=("$@") is_first why tolerance=0 options=()
    while ((${#missing[@]} > 0)); do
        rm -f "$part"
        code=0
        local list="${missing[*]}"
        simulate "$platform" "$who" "$verb" "${list// /,}" "$part" ${options[@]+"${options[@]}"} 2>>"$root/costs.txt" || code=$?
        is_first=yes why=stopped
        ((code != 124 && code != 152)) || why='took too long' # and 137 is out of memory
        while ((${#missing[@]} > 0)) && has_point "$part" "${missing[0]}"; do
            grep "\"bytes\":${missing[0]},.*}$" "$part" >>"$file"
            missing=("${missing[@]:1}")
            is_first=no
        done
        if ((${#missing[@]} > 0)) && [[ $is_first == yes || $why != stopped ]]; then
            size=${missing[0]}
            # The solver of SimGrid itself, and no selector, may stop at rounding errors: it has a tolerance to set.
            if grep -q 'maxmin precision' "$part.log" && ((tolerance++ < 1)); then
                options=(--cfg=maxmin/precision:1e-3)
                continue
            fi
            missing=("${missing[@]:1}")
            printf '{"benchmark":"verbs","verb":"%s","by":"%s","bytes":%s,"where":"sim","platform":"%s","selector":"%s","failed":"%s"}\n' \
                "$verb" "$by" "$size" "$platform" "$selector" "$why" >>"$file"
            mv "$part.log" "$file.$size.log"
        fi
        tolerance=0 options=()
    done
    rm -f "$part" "$part.log"
}

# The jobs, one a line: memory, weight, platform, who, verb and the sizes that are missing. First those of which two do
# not fit into memory, so that one of them always runs beside others; then those that take long, so that at the end no
# core waits for another.
list_jobs() {
    local platform who verb size file memory
    for platform in ${platforms//,/ }; do
        for verb in ${verbs//,/ }; do
            for who in topomp ompi mpich mvapich2 impi; do
                file=$(file_of "$platform" "$who" "$verb")
                local missing=() largest=0 heavy=0
                for size in $(sizes_of "$verb"); do
                    (($(buffers "$platform" "$verb" "$size") <= most_bytes)) || continue
                    ! has_point "$file" "$size" || continue
                    missing+=("$size")
                    ((size <= largest)) || largest=$size
                    heavy=$((heavy + $(weight "$platform" "$verb" "$size")))
                done
                ((${#missing[@]} > 0)) || continue
                memory=$(memory_of "$platform" "$verb" "$largest")
                echo "$((memory > most_memory / 2)) $memory $heavy $platform $who $verb ${missing[*]}"
            done
        done
    done | sort -k 1,1nr -k 3,3nr | cut -d ' ' -f 2-
}

measure_all() {
    folder=$PWD/benchmarks/platforms
    mkdir -p "$results/samples" "$root/others" "$root/parameters"
    also=(benchmark_measure)
    build smpi smpi
    local name
    for name in ${platforms//,/ }; do
        [[ -s $(parameters_of "$name") ]] || say "measuring what messages cost on $name"
        measure_parameters "$name"
    done
    local jobs=() job total=0 done_weight=0 memory=0 line pid
    mapfile -t jobs < <(list_jobs)
    for line in ${jobs[@]+"${jobs[@]}"}; do
        read -r -a job <<<"$line"
        total=$((total + job[1]))
    done
    local number=${#jobs[@]}
    say "$number simulations to run"
    begin=$SECONDS
    local -A job_of=()
    local finished=0 used
    finish_one() {
        local ended
        wait -n -p pid "${!job_of[@]}" || true
        read -r -a ended <<<"${job_of[$pid]}"
        memory=$((memory - ended[0]))
        done_weight=$((done_weight + ended[1]))
        finished=$((finished + 1))
        unset "job_of[$pid]"
        used=$((SECONDS - begin))
        say "$finished of $number: ${ended[2]} ${ended[3]} ${ended[4]}, $used s so far, about" \
            "$((used * (total - done_weight) / (done_weight > 0 ? done_weight : 1))) s to go"
    }
    # The first that fits into memory beside those that run.
    start_one() {
        local i
        ((${#job_of[@]} < $(nproc))) || return 1
        for i in "${!jobs[@]}"; do
            read -r -a job <<<"${jobs[i]}"
            ((${#job_of[@]} == 0 || memory + job[0] <= most_memory)) || continue
            run_job "${job[@]:2}" &
            job_of[$!]=${jobs[i]} memory=$((memory + job[0]))
            unset "jobs[i]"
            return 0
        done
        return 1
    }
    while ((${#jobs[@]} > 0)); do start_one || finish_one; done
    while ((${#job_of[@]} > 0)); do finish_one; done

    # What this run asked for, of topomp as it is and of the others.
    local platform verb who file
    for platform in ${platforms//,/ }; do
        for verb in ${verbs//,/ }; do
            for who in topomp ompi mpich mvapich2 impi; do
                file=$(file_of "$platform" "$who" "$verb")
                [[ ! -s $file ]] || jq -c --arg bytes "$bytes" \
                    'select(.bytes as $b | $bytes | split(",") | map(tonumber) | index($b))' "$file"
            done
        done
    done >"$results/samples.jsonl"
}
