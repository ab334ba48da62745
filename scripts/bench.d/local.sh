# SPDX-License-Identifier: BSL-1.0
# shellcheck shell=bash
# scripts/bench local: Open MPI and MPICH on this machine. Ours and the MPI's own alternate in one run of the program, the
# MPIs from run to run.

# Verbs with long messages are called less often. The first calls find nothing of them in the caches.
repetitions_of() { # BYTES
    if (($1 > 131072)); then
        echo 5
    elif [[ $where == local ]]; then
        echo 101
    else
        echo 41
    fi
}

# A point: a run of the program with each MPI, and that again and again, so that what else the machine does meets them
# alike. launch MPI PLATFORM ARGUMENTS... runs it.
measure_point() { # PLATFORM VERB SIZE MPI...
    local platform=$1 verb=$2 size=$3 mpi round file code wanted=''
    shift 3
    for mpi in "$@"; do
        file=$results/samples/$platform.$mpi.$verb.$size.jsonl
        [[ -s $file ]] || wanted+=" $mpi"
        rm -f "$file.part" "$file.log"
    done
    for ((round = 0; round < rounds; ++round)); do
        for mpi in $wanted; do
            file=$results/samples/$platform.$mpi.$verb.$size.jsonl code=0
            [[ ! -s $file.log ]] || continue # it failed
            launch "$mpi" "$platform" --verbs "$verb" --bytes "$size" --repetitions "$(repetitions_of "$size")" \
                --output "$file.run" "${notes[@]}" --note "platform=$platform" --note "selector=$mpi" \
                </dev/null >"$file.log" 2>&1 || code=$?
            ((code != 77)) || die 1 "$(grep -m 1 skipped "$file.log" || echo "$where cannot run here")"
            if ((code == 0)) && [[ -s $file.run ]]; then
                cat "$file.run" >>"$file.part"
                rm -f "$file.log"
            else
                echo "code $code" >>"$file.log"
                say "$platform $mpi $verb $size FAILED (code $code): $file.log"
                failures+="{\"benchmark\":\"$benchmark\",\"verb\":\"$verb\",\"by\":\"mpi\",\"bytes\":$size,\"where\":\"$where\",\"platform\":\"$platform\",\"selector\":\"$mpi\",\"failed\":\"stopped\"}"$'\n'
            fi
            rm -f "$file.run"
        done
    done
    for mpi in $wanted; do
        file=$results/samples/$platform.$mpi.$verb.$size.jsonl
        if [[ -s $file.log ]]; then rm -f "$file.part"; else mv "$file.part" "$file"; fi
    done
}

# All points, by these MPIs.
measure_points() { # MPI...
    local platform verb size names=(${platforms//,/ }) wanted=(${verbs//,/ }) points=0 finished=0 used
    rounds=3
    [[ $is_quick == no ]] || rounds=2
    for verb in "${wanted[@]}"; do
        for size in $(sizes_of "$verb"); do points=$((points + ${#names[@]})) && : "$size"; done
    done
    begin=$SECONDS
    for platform in "${names[@]}"; do
        for verb in "${wanted[@]}"; do
            for size in $(sizes_of "$verb"); do
                measure_point "$platform" "$verb" "$size" "$@"
                finished=$((finished + 1))
            done
            used=$((SECONDS - begin))
            say "$finished of $points points: $platform $verb, $used s so far, about" \
                "$((used * (points - finished) / finished)) s to go"
        done
    done
    collect_samples
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

# The MPIs as they come; Open MPI is told otherwise by OMPI_MCA_ variables of the environment. A rank for each core stays on
# it. More than these must give their cores up while they wait.
launch() { # MPI PLATFORM ARGUMENTS...
    local mpi=$1 ranks place
    ranks=$(nproc)
    place=(--bind-to core)
    if [[ $2 == twice ]]; then
        ranks=$((2 * ranks))
        place=(--bind-to none)
        [[ $mpi == mpich ]] || place+=(--oversubscribe --mca mpi_yield_when_idle 1)
        [[ $mpi == openmpi ]] || place+=(-genv LD_PRELOAD "$mpich_yield")
    fi
    shift 2
    if [[ $mpi == openmpi ]]; then
        OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 timeout --kill-after=5 "$limit" "$mpirun" \
            "${place[@]}" -n "$ranks" "$openmpi_program" "$@"
    else
        timeout --kill-after=5 "$limit" "$mpiexec" "${place[@]}" -n "$ranks" "$mpich_program" "$@"
    fi
}

measure_all() {
    build_both
    mpirun=$(command -v mpirun.openmpi || command -v mpirun)
    mpiexec=$(command -v mpiexec.mpich || command -v mpiexec.hydra)
    measure_points openmpi mpich
}
