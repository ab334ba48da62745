# SPDX-License-Identifier: BSL-1.0
# shellcheck shell=bash
# scripts/bench cluster: 4 hosts of 4 ranks, made of network namespaces by scripts/cluster; with links of 1 Gbit/s
# (shaped) or as fast as the machine's memory (unshaped). Ours on Open MPI against the better of Open MPI's default and
# its HAN; MPICH, and ours on it, beside them.
# shellcheck source=SCRIPTDIR/local.sh
source "$parts/local.sh"

measure_all() {
    local probe code=0 names=(${platforms//,/ }) platform verb rate
    probe=$(scripts/cluster --rate 1gbit --timeout 30 hostname 2>&1) || code=$?
    ((code == 0)) || die 1 "cluster cannot run here: ${probe%%$'\n'*}"
    build_both
    count_points $((3 * ${#names[@]}))
    begin=$SECONDS
    for platform in "${names[@]}"; do
        rate=(--rate 1gbit)
        [[ $platform == shaped ]] || rate=()
        for verb in ${verbs//,/ }; do
            program=$openmpi_program
            measure_verb "$platform" openmpi "$verb" scripts/cluster ${rate[@]+"${rate[@]}"} --timeout "$limit"
            measure_verb "$platform" han "$verb" scripts/cluster ${rate[@]+"${rate[@]}"} --timeout "$limit" \
                --env OMPI_MCA_coll_han_priority=100
            program=$mpich_program
            # The library is for the ranks only: MPICH's launcher hangs with it.
            # shellcheck disable=SC2016 # the inner shell expands
            measure_verb "$platform" mpich "$verb" scripts/cluster ${rate[@]+"${rate[@]}"} --timeout "$limit" \
                --mpi mpich sh -c 'export LD_PRELOAD="$0 $LD_PRELOAD"; exec "$@"' "$mpich_yield"
        done
    done
    collect_samples
}
