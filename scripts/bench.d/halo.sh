# SPDX-License-Identifier: BSL-1.0
# shellcheck shell=bash
# scripts/bench halo: MPI_Cart_create and node_cart in turn in one run of the program, for each platform and verb.

# The stencil's meshes, 4 x 4 to 256 x 256 cells a rank: what paper 3's 4096 processes had, and what these have.
meshes_of() { # RANKS
    local root=1 mesh list=''
    while ((root * root < $1)); do root=$((2 * root)); done
    for mesh in 4 8 16 32 64 128 256; do
        [[ $is_quick == no || $mesh == 16 ]] && list+=,$((mesh * root))
    done
    echo "${list#,}"
}
doubles() {
    local each list=''
    for each in ${bytes//,/ }; do list+=,$((each / 8)); done
    echo "${list#,}"
}

keep() { # CODE FILE WHAT: a file that is complete
    if (($1 == 0)) && [[ -s $2.part ]]; then
        mv "$2.part" "$2"
        rm -f "$2.log"
    else
        rm -f "$2.part"
        say "$3 FAILED (code $1): $2.log"
    fi
}

# Topomp finds its nodes with all-reduces and broadcasts, for which SimGrid's rules of Open MPI first send n^2 messages.
# Few sweeps are as good as many: a simulation repeats itself exactly.
simulate() { # PLATFORM VERB FILE
    local network=${1%_*} ranks=${1##*_} slots=16 scratch host code=0
    [[ $network == fat_tree ]] || slots=32
    scratch=$(mktemp -d)
    for ((host = 0; host < ranks / slots; ++host)); do echo "node$host:$slots"; done >"$scratch/hosts"
    (
        cd "$scratch" # smpirun leaves files behind when it fails
        # Memory that is given back to the system at once costs more than half of the time.
        export GLIBC_TUNABLES=glibc.malloc.mmap_threshold=33554432:glibc.malloc.trim_threshold=8589934592
        exec timeout --foreground --kill-after=5 3600 smpirun -np "$ranks" -platform "$folder/$network.xml" \
            -hostfile hosts --log=root.thresh:critical --cfg=smpi/simulate-computation:no \
            --cfg=smpi/coll-selector:ompi --cfg=smpi/allreduce:rdb --cfg=smpi/bcast:binomial_tree \
            --cfg="smpi/tmpdir:$scratch" "$program" --machine "node:$((ranks / slots))_core:$slots" --verbs "$2" \
            --doubles "$(doubles)" --mesh "$(meshes_of "$ranks")" --sweeps 4 --output "$3.part" "${notes[@]}" \
            --note "platform=$1" --note selector=ompi
    ) >"$3.log" 2>&1 || code=$?
    rm -rf "$scratch"
    keep "$code" "$3" "$1 $2"
}

on_cluster() { # PLATFORM VERB FILE
    local rate=(--rate 1gbit) code=0 repetitions=20
    [[ $1 == shaped ]] || rate=()
    [[ $is_quick == no ]] || repetitions=3
    scripts/cluster ${rate[@]+"${rate[@]}"} --timeout 600 "$program" --verbs "$2" --doubles "$(doubles)" \
        --mesh "$(meshes_of 16)" --sweeps 8 --repetitions "$repetitions" --output "$3.part" "${notes[@]}" \
        --note "platform=$1" --note selector=openmpi </dev/null >"$3.log" 2>&1 || code=$?
    ((code != 77)) || die 1 "$(grep -m 1 skipped "$3.log" || echo 'the cluster cannot run here')"
    keep "$code" "$3" "$1 $2"
}

measure_all() {
    folder=$PWD/benchmarks/platforms
    mkdir -p "$results/samples"
    local platform verb file done=0 names=(${platforms//,/ }) wanted=(${verbs//,/ })
    if [[ $where == sim ]]; then build smpi smpi; else build release release; fi
    for platform in "${names[@]}"; do
        for verb in "${wanted[@]}"; do
            file=$results/samples/$platform.$verb.$bytes.$is_quick.jsonl
            if [[ ! -s $file ]]; then
                if [[ $where == sim ]]; then
                    simulate "$platform" "$verb" "$file"
                else
                    on_cluster "$platform" "$verb" "$file"
                fi
            fi
            done=$((done + 1))
            say "$done of $((${#names[@]} * ${#wanted[@]})): $platform $verb, $((SECONDS - begin)) s so far"
        done
    done
    for platform in "${names[@]}"; do
        for verb in "${wanted[@]}"; do
            file=$results/samples/$platform.$verb.$bytes.$is_quick.jsonl
            [[ ! -s $file ]] || cat "$file"
        done
    done >"$results/samples.jsonl"
}
