# SPDX-License-Identifier: BSL-1.0
# shellcheck shell=bash
# scripts/bench local: Open MPI and MPICH on this machine. Ours and the MPI's own alternate in one run of the program, so
# that what else the machine does meets both.

# Verbs with long messages are called less often.
repetitions_of() { # BYTES
    if [[ $is_quick == yes ]]; then echo 5; elif (($1 > 131072)); then echo 7; else echo 31; fi
}

# The missing sizes of a verb, each a run of the program: LAUNCH... is what stands before it.
measure_verb() { # PLATFORM MPI VERB LAUNCH...
    local platform=$1 mpi=$2 verb=$3 size file code
    shift 3
    for size in $(sizes_of "$verb"); do
        file=$results/samples/$platform.$mpi.$verb.$size.jsonl
        points_done=$((points_done + 1))
        [[ ! -s $file ]] || continue
        code=0
        "$@" "$program" --verbs "$verb" --bytes "$size" --repetitions "$(repetitions_of "$size")" \
            --output "$file.part" "${notes[@]}" --note "platform=$platform" --note "selector=$mpi" \
            </dev/null >"$file.log" 2>&1 || code=$?
        ((code != 77)) || die 1 "$(grep -m 1 skipped "$file.log" || echo "$where cannot run here")"
        if ((code == 0)) && [[ -s $file.part ]]; then
            mv "$file.part" "$file"
            rm -f "$file.log"
        else
            rm -f "$file.part"
            say "$platform $mpi $verb $size FAILED (code $code): $file.log"
            failures+="{\"benchmark\":\"$benchmark\",\"verb\":\"$verb\",\"by\":\"mpi\",\"bytes\":$size,\"where\":\"$where\",\"platform\":\"$platform\",\"selector\":\"$mpi\",\"failed\":\"stopped\"}"$'\n'
        fi
    done
    local used=$((SECONDS - begin))
    say "$points_done of $points_total: $platform $mpi $verb, $used s so far, about" \
        "$((used * (points_total - points_done) / points_done)) s to go"
}

count_points() { # RUNS of all verbs
    local verb size
    points_done=0 points_total=0
    for verb in ${verbs//,/ }; do
        for size in $(sizes_of "$verb"); do points_total=$((points_total + $1)) && : "$size"; done
    done
}

# MPICH's ranks wait without giving their core up, which more ranks than cores would wait for: a library makes them.
build_both() {
    failures=''
    mkdir -p "$results/samples"
    build release release
    openmpi_program=$program
    build mpich bench-mpich -DTOPOMP_BUILD_BENCHMARKS=TRUE -DTOPOMP_BUILD_TESTS=FALSE -DTOPOMP_BUILD_EXAMPLES=FALSE \
        -DTOPOMP_BUILD_TOOLS=FALSE '-DCMAKE_CXX_FLAGS_RELEASE=-O3 -DNDEBUG'
    mpich_program=$program
    mpich_yield=$builds/bench-mpich/libmpich_yield.so
    c++ -std=c++20 -O2 -shared -fPIC tests/support/mpich_yield.cpp -o "$mpich_yield" -ldl
}

collect_samples() {
    local platform verb size file
    for platform in ${platforms//,/ }; do
        for verb in ${verbs//,/ }; do
            for size in $(sizes_of "$verb"); do
                for file in "$results/samples/$platform".*."$verb.$size.jsonl"; do
                    [[ ! -s $file ]] || cat "$file"
                done
            done
        done
    done >"$results/samples.jsonl"
    printf '%s' "$failures" >>"$results/samples.jsonl"
}

measure_all() {
    build_both
    local names=(${platforms//,/ }) platform verb ranks
    count_points $((2 * ${#names[@]}))
    begin=$SECONDS
    local mpirun mpiexec
    mpirun=$(command -v mpirun.openmpi || command -v mpirun)
    mpiexec=$(command -v mpiexec.mpich || command -v mpiexec.hydra)
    for platform in "${names[@]}"; do
        ranks=$(nproc)
        [[ $platform != twice ]] || ranks=$((2 * ranks))
        for verb in ${verbs//,/ }; do
            program=$openmpi_program
            measure_verb "$platform" openmpi "$verb" env OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 \
                timeout --kill-after=5 "$limit" "$mpirun" --oversubscribe --bind-to none --mca mpi_yield_when_idle 1 \
                --mca btl_vader_single_copy_mechanism none -n "$ranks"
            program=$mpich_program
            measure_verb "$platform" mpich "$verb" timeout --kill-after=5 "$limit" "$mpiexec" -n "$ranks" \
                env "LD_PRELOAD=$mpich_yield"
        done
    done
    collect_samples
}
