#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# topomp tune without MPI: a file as a table and as rules of both MPIs, and bad input.
. "$(dirname "${BASH_SOURCE[0]}")/support.sh"

run "$topomp" tune --show four.tuning
same_as four.table 'tune --show'
run "$topomp" tune --export ompi four.tuning
same_as four.ompi 'tune --export ompi'
run "$topomp" tune --export mpich four.tuning --output "$work/rules"
[ "$status" -eq 0 ] && [ ! -s "$work/out" ] || fail 'tune --export mpich'
python3 - "$work/rules" <<'END' || fail 'not the rules that these times make'
import json, sys

rules = json.load(open(sys.argv[1]))


def algorithm(collective, **now):
    """Which algorithm MPICH takes: of each node the first condition that holds."""
    def holds(condition):
        name, _, value = condition.partition('<=' if '<=' in condition else '<' if '<' in condition else '=')
        if value == 'any' or name == 'comm_type':
            return value != 'inter'
        if value == 'pow2':
            size = now['comm_size']
            return now['count'] < size if '<' in condition else size & (size - 1) == 0
        if not value.isdigit():
            return now.get(name, 'no') == value
        return now[name] <= int(value) if '<=' in condition else now[name] < int(value)
    node = rules['collective=' + collective]
    while True:
        key = next(each for each in node if each.startswith('algorithm=') or holds(each))
        if key.startswith('algorithm='):
            return key.removeprefix('algorithm=MPIR_')
        node = node[key]


def check(found, expected):
    assert found == expected, (found, expected)


reduction = {'is_commutative': 'yes', 'is_op_built_in': 'yes', 'count': 1024}
check(algorithm('bcast', comm_size=4, avg_msg_size=511), 'Bcast_intra_binomial')
check(algorithm('bcast', comm_size=4, avg_msg_size=512), 'Bcast_intra_scatter_recursive_doubling_allgather')
check(algorithm('bcast', comm_size=5, avg_msg_size=1 << 20), 'Bcast_intra_binomial')
check(algorithm('bcast', comm_size=9, avg_msg_size=1 << 20), 'Bcast_intra_scatter_ring_allgather')
check(algorithm('allreduce', comm_size=4, avg_msg_size=8, **reduction), 'Allreduce_intra_recursive_doubling')
check(algorithm('allreduce', comm_size=4, avg_msg_size=8192, **reduction), 'Allreduce_intra_reduce_scatter_allgather')
check(algorithm('allreduce', comm_size=4, avg_msg_size=8192, **{**reduction, 'is_op_built_in': 'no'}),
      'Allreduce_intra_recursive_doubling')
check(algorithm('allgather', comm_size=4, total_msg_size=64), 'Allgather_intra_ring')
check(algorithm('allgather', comm_size=2, total_msg_size=64), 'Allgather_intra_recursive_doubling')
check(algorithm('reduce', comm_size=4, avg_msg_size=8, **reduction), 'Reduce_intra_binomial')
check(algorithm('reduce', comm_size=4, avg_msg_size=512, **reduction), 'Reduce_intra_reduce_scatter_gather')
check(algorithm('reduce', comm_size=4, avg_msg_size=512, **{**reduction, 'is_commutative': 'no'}), 'Reduce_intra_binomial')
check(algorithm('ibarrier', comm_size=4), 'Ibarrier_intra_sched_recursive_doubling')
assert len(rules) == 44, len(rules)  # MPICH's own choice of all others
END
checked=$((checked + 1))

# Of a file that was cut off the whole lines are shown, and one line says so.
head -c -40 four.tuning >"$work/cut"
run "$topomp" tune --show "$work/cut"
[ "$status" -eq 0 ] && grep -q '^broadcast' "$work/out" || fail 'a file that was cut off'
[ "$(wc -l <"$work/err")" -eq 1 ] && grep -q 'cut: 1 line is not used, line 22: it is cut off' "$work/err" || fail 'no word of the cut'

bad() { refused "$1" tune "${@:2}"; }
bad 'mpirun -n 4 topomp tune'
bad 'it wants a file' --show
bad 'it wants a file' --export ompi
bad '--export: foo not in' --export foo four.tuning
bad 'a file without --show or --export' four.tuning
bad 'excludes' --show --export ompi four.tuning
bad 'missing: No such file' --show missing
bad 'two.place, line 1' --show two.place
bad '/nowhere/file: No such file' --show four.tuning --output /nowhere/file
sed '1s/"topomp_tuning":1/"topomp_tuning":7/' four.tuning >"$work/seven"
bad 'its version is unknown' --show "$work/seven"
grep -v 'all_gather\|reduce\|broadcast' four.tuning >"$work/few"
bad 'of no verb an algorithm that Open MPI has is faster' --export ompi "$work/few"
bad 'of no verb an algorithm that MPICH has is faster' --export mpich "$work/few"
bad '--minutes' --minutes -1
