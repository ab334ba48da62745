# SPDX-License-Identifier: BSL-1.0
# Samples, slurped, to points: one object for each platform, verb and number of bytes, with the medians of ours and of
# the others. In a simulation ours runs on Open MPI's rules; on one machine it runs on the MPI that is the better one, and on
# a cluster on the better one of Open MPI's default and HAN, with which it took turns. 'bound' is what no algorithm can beat;
# 'copies', on one machine, what a memcpy takes of all that has to be copied at least; 'predicted' what the models say of
# what ours does.
def median: sort | if length % 2 == 1 then .[(length - 1) / 2] else (.[length / 2 - 1] + .[length / 2]) / 2 end;
def medians: group_by(.selector) | map({key: .[0].selector, value: (map(.seconds) | median)}) | from_entries;

group_by([.where, .platform, .verb, .bytes])
| map((map(select(.failed == null))) as $good
      | ($good | map(select(.by == "mpi")) | medians) as $others
      | ($good | map(select(.by == "topomp")) | medians) as $ours
      | ($others | to_entries | map(select(.key != "mpich" or $where != "cluster"))
         | if . == [] then null else min_by(.value) end) as $best
      | (if $where == "sim" then "ompi" else $best.key end) as $base
      | {where: .[0].where, platform: .[0].platform, verb: .[0].verb, bytes: .[0].bytes,
         copies: (if $where != "local" then null
                  else ([$good[] | select(.selector == $base) | .copies | select(. != null)]
                        | if . == [] then null else median end) end),
         bound: ([$good[] | .bound | select(. != null)] | first),
         predicted: ([$good[] | .predicted | select(. != null)] | first),
         ours: (if $base == null then null else $ours[$base] end), ours_on: $ours, others: $others,
         best: ($best | if . == null then null else .key end),
         ratio: (if $best != null and $ours[$base] != null then $best.value / $ours[$base] else null end),
         not_available: (map(select(.failed != null and .by == "mpi") | .selector) | unique),
         stopped: (map(select(.failed != null and .by == "topomp")) | length > 0)})
