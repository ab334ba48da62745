# SPDX-License-Identifier: BSL-1.0
# Samples of grids, slurped, to points: one object for each platform, verb and number of bytes. Of repetitions the
# fastest counts, as in paper 3.
def least($who): map(select(.by == $who) | .seconds) | min;

group_by([.where, .platform, .verb, .bytes])
| map(.[0] as $first | least("mpi") as $mpi | least("topomp") as $ours
      | {where: $first.where, platform: $first.platform, verb: $first.verb, bytes: $first.bytes, size: $first.size,
         ranks: $first.ranks, grid: $first.grid, ours: $ours, others: {Cart: $mpi},
         work: ($first.sent // $first.operations),
         on_node: {mpi: (map(select(.by == "mpi").on_node) | first), topomp: (map(select(.by == "topomp").on_node) | first)},
         jmax: {mpi: (map(select(.by == "mpi").jmax) | first), topomp: (map(select(.by == "topomp").jmax) | first)},
         ratio: (if $mpi != null and $ours != null then $mpi / $ours else null end)})
