# SPDX-License-Identifier: BSL-1.0
# Samples of results once per node, slurped, to points: one object for each platform, MPI, verb and number of bytes, with
# the medians of ours (operands in windows), of ours with operands in ordinary buffers, of paper 2's scheme and of the MPI. Verbs that the scheme does not have are beside the
# MPI alone.
def median: sort | if length % 2 == 1 then .[(length - 1) / 2] else (.[length / 2 - 1] + .[length / 2]) / 2 end;

group_by([.where, .platform, .selector, .verb, .bytes])
| map((map(select(.failed == null)) | group_by(.by) | map({key: .[0].by, value: (map(.seconds) | median)}) | from_entries) as $of
      | ($of | del(.topomp)) as $others
      | {where: .[0].where, platform: "\(.[0].platform)-\(.[0].selector)", verb: .[0].verb, bytes: .[0].bytes,
         ranks: .[0].ranks, bound: null, ours: $of.topomp, others: $others,
         best: ($others | del(.["topomp, buffers"]) | to_entries | min_by(.value).key),
         ratio: (if $of.topomp == null or $of.mpi == null then null
                 else ([$of["paper 2"], $of.mpi] | map(select(. != null)) | min) / $of.topomp end),
         not_available: (map(select(.failed != null) | .selector) | unique), stopped: false})
