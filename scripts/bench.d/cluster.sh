# SPDX-License-Identifier: BSL-1.0
# shellcheck shell=bash
# scripts/bench cluster: 4 hosts of 4 ranks, made of network namespaces by scripts/cluster, each on one of the machine's
# cores; with links of 1 Gbit/s (shaped) or as fast as the machine's memory (unshaped). Ours against the better of Open
# MPI's default and its HAN; MPICH, and ours on it, beside them.
# shellcheck source=SCRIPTDIR/local.sh
source "$parts/local.sh"

launch() { # MPI PLATFORM ARGUMENTS...
    local mpi=$1 host=(scripts/cluster --bind --timeout "$limit")
    [[ $2 != shaped ]] || host+=(--rate 1gbit)
    shift 2
    case $mpi in
        openmpi) "${host[@]}" "$openmpi_program" "$@" ;;
        han) "${host[@]}" --env OMPI_MCA_coll_han_priority=100 "$openmpi_program" "$@" ;;
        # The library is for the ranks only: MPICH's launcher hangs with it.
        # shellcheck disable=SC2016 # the inner shell expands
        mpich) "${host[@]}" --mpi mpich sh -c 'export LD_PRELOAD="$0 $LD_PRELOAD"; exec "$@"' "$mpich_yield" \
            "$mpich_program" "$@" ;;
    esac
}

measure_all() {
    local probe code=0
    probe=$(scripts/cluster --rate 1gbit --timeout 30 hostname 2>&1) || code=$?
    ((code == 0)) || die 1 "cluster cannot run here: ${probe%%$'\n'*}"
    build_both
    measure_points openmpi han mpich
}
