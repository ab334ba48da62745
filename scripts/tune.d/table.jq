# SPDX-License-Identifier: BSL-1.0
# Samples of scripts/tune, slurped, to the text of policy/detail/tuned_table.hpp. For each verb the choices along the sizes that
# together are least behind the best one, where each change of the choice counts as much as 5 % at one size. Between what is
# as good the other platform decides: what a choice is behind there counts a hundredth. On many nodes only short messages are
# measured; longer ones go as on few.
def change: 0.05;
def elsewhere: 0.01;
def verbs: ["barrier", "broadcast", "reduce", "all_reduce", "gather", "scatter", "all_gather", "all_to_all", "reduce_scatter"];
def keeps_order: test("^(postal|nomial|linear|chain_chain|chain_linear|ordered)");
def pipelines: test("chain");
# What is split stays whole up to so many bytes.
def whole_bytes: 512;

# Points of one verb to how far each is behind the best, as a logarithm.
def behind:
    group_by(.bytes) | map((map(.seconds) | min) as $best | .[] | {key: "\(.bytes) \(.policy)", value: (.seconds / $best | log)})
    | from_entries;

# Points of one verb to [{bytes, policy, seconds, best}], by ascending bytes. $other: how far behind they are on the other platform
def path($other):
    sort_by(.bytes) | group_by(.bytes)
    | map({bytes: .[0].bytes, best: (map(.seconds) | min), times: (map({key: .policy, value: .seconds}) | from_entries)})
    | reduce .[] as $size ([];
        . as $before
        | [$size.times | to_entries[] | . as $now
           | ($before | map({cost: (.cost + if .policy == $now.key then 0 else change end), path: .path})
              | if . == [] then {cost: 0, path: []} else min_by(.cost) end)
           | {policy: $now.key, cost: (.cost + ($now.value / $size.best | log) + elsewhere * ($other["\($size.bytes) \($now.key)"] // 0)),
              path: (.path + [{bytes: $size.bytes, policy: $now.key, seconds: $now.value, best: $size.best}])}])
    | if . == [] then [] else min_by(.cost).path end;

# Half way, as factors go, from the last size of one choice to the first of the next.
def between($from; $to): if $to == 2 * $from then 1.5 * $from else ($from * $to | sqrt | floor) end;
# The nearest of 1, 1.5, 2, 3, 4, 6, 8 ...
def rounded: . as $x | [range(0; 40) | pow(2; .) | ., 1.5 * .] | min_by(. / $x | log | fabs) | floor;

# From how many nodes on a platform of so many counts, and not one of so few: half way, as factors go.
def many_nodes($few; $many): $few * $many | sqrt | round;

# A path to rows: from so many bytes and so many for each rank on, of the platform on which a size was measured.
def rows($verb):
    reduce .[] as $point ([];
        if length > 0 and .[-1].policy == $point.policy then .[-1].points += [$point]
        else . + [{policy: $point.policy, points: [$point]}] end)
    | . as $rows
    | [range(0; length) | . as $i | $rows[$i]
       | . + (if $i == 0 then {bytes: 0, each: 0} else
           between($rows[$i - 1].points[-1].bytes; .points[0].bytes) as $from
           | if $verb == "reduce_scatter" then {bytes: 0, each: $from}
             # What is worth while depends on how much there is for each rank, if more ranks are a longer way or smaller parts.
             elif (.policy | pipelines) or ($from > whole_bytes and ($rows[$i - 1].policy | startswith("splitting")) and
                                            (.policy | startswith("splitting") | not))
             then {bytes: 0, each: ($from / .points[0].ranks | rounded)}
             else {bytes: $from, each: 0} end end)];

def microseconds: . * 1e7 | round / 10 | tostring;
def percent: (. - 1) * 100 | round | tostring;
# The least and the greatest, in the words of f.
def least_to_most(f): [min, max] | map(f) | unique_by(tonumber) | join(" to ");
def comment($verb):
    if .points == [] then "    // as on fewer nodes" else
    "    // " + (if $verb == "barrier" then "" else "\(.points | map(.bytes) | least_to_most(tostring)) bytes: " end)
    + "\(.points | map(.seconds) | least_to_most(microseconds)) us, "
    + (.points | map(.seconds / .best) | least_to_most(percent) | if . == "0" then "the best" else "\(.) % behind the best" end) end;
def row_text($verb; $nodes):
    comment($verb), "    tuned_row{verb::\($verb), \($nodes), \(.bytes), \(.each), tuned_choice::\(.policy)},";
# The best path of a verb, each point with the ranks of its platform.
def best_path($verb; $other):
    ($other | map(select(.verb == $verb)) | behind) as $behind
    | map(select(.verb == $verb)) | (.[0].ranks // 0) as $ranks | path($behind) | map(. + {ranks: $ranks});
# Rows for any number of nodes, and for many, if other ones are better there.
def verb_text($verb; $other; $many; $nodes):
    . as $points | best_path($verb; $other) as $path | ($path | rows($verb)) as $rows
    | ($many | best_path($verb; $points)) as $short
    | ($short + ($path | map(select(.bytes > ($short[-1].bytes // 0)))) | rows($verb)) as $rows_of_many
    | ($rows[] | row_text($verb; 0)),
      if $short == [] or ($rows | map(del(.points))) == ($rows_of_many | map(del(.points))) then empty else
          $rows_of_many[] | .points |= map(select(.bytes <= $short[-1].bytes)) | row_text($verb; $nodes) end;
def table($name; $what; $other; $many; $nodes):
    . as $points | "/// \($what)",
    "inline constexpr std::array \($name){",
    (verbs[] as $verb | $points | verb_text($verb; $other; $many; $nodes)), "};", "";
def in_order: map(select(.verb == "reduce" and (.policy | keeps_order)));
def ordered($name; $what; $other; $many; $nodes):
    "/// \($what)",
    "inline constexpr std::array \($name){",
    (in_order | verb_text("reduce"; $other | in_order; $many | in_order; $nodes)), "};", "";

(map(select(.platform == "ntw10e5"))) as $nodes
| (map(select(.platform == "smp20e7"))) as $parts
| (map(select(.platform == "ntw32x16"))) as $many
| many_nodes(10; 32) as $from
| (map(.date) | unique | [.[0], .[-1]] | unique | join(" to ")) as $dates
| (map(.simgrid) | unique | join(" and ")) as $simgrid
| "// SPDX-License-Identifier: BSL-1.0",
  "/// @file",
  "/// What `automatic` chooses where a machine has parts. Written by scripts/tune: do not edit.",
  "///",
  "/// Measured \($dates) with SimGrid \($simgrid): \(length) points of benchmarks/policies.cpp.",
  "/// Times are those of the slowest rank; then comes how far they are behind the best of the policies that were",
  "/// tried. A message costs its sender and its receiver 0.3 us each, about what scripts/calibrate measures; see",
  "/// benchmarks/platforms/ntw10e5.xml, ntw32x16.xml and smp20e7.xml. Other platforms were not looked at.",
  "#pragma once", "",
  "#include <topomp/decide/detail/tuned_choice.hpp>",
  "#include <topomp/decide/detail/tuned_row.hpp>",
  "#include <topomp/policy/detail/way.hpp>", "",
  "#include <array>", "",
  "namespace topo::detail {", "",
  ($nodes | select(. != [])
   | table("tuned_between_nodes";
           "Where ranks are on several nodes: ntw10e5, 10 nodes of \(.[0].ranks / 10) ranks"
           + if $many == [] then "." else "; from \($from) nodes on ntw32x16,\n/// 32 nodes of \($many[0].ranks / 32) ranks." end; $parts; $many; $from),
     ordered("tuned_between_nodes_in_order"; "The same for what must keep the order of ranks."; $parts; $many; $from)),
  ($parts | select(. != [])
   | table("tuned_inside_machine"; "In one machine of parts in parts: smp20e7, 20 NUMA nodes of \(.[0].ranks / 20) ranks."; $nodes; []; 0),
     ordered("tuned_inside_machine_in_order"; "The same for what must keep the order of ranks."; $nodes; []; 0)),
  "} // namespace topo::detail"
