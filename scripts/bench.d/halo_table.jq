# SPDX-License-Identifier: BSL-1.0
# Points of grids to the table: cells with tabs between them, which are aligned later, and lines without.
#
# Beside them what paper 3 prints in numbers: table 5, a 3D halo on 1024 processes, default mapping; table 4, a stencil on
# 4096, which stands where the part of the mesh that a process has is as large. Its figures 4 to 9 are pictures.
def two: (. * 100 | round) as $n | "\($n / 100 | floor).\("0\($n % 100)"[-2:])";
def short: if . >= 100 then round | tostring else (. * 10 | round) as $n | "\($n / 10 | floor).\($n % 10)" end;
def geomean: map(log) | add / length | exp;
def table_5: {"128": [98, 138], "256": [224, 266], "512": [260, 318], "1024": [489, 616], "2048": [483, 616],
    "4096": [477, 606], "8192": [469, 584], "16384": [456, 579], "32768": [461, 580], "65536": [398, 508]};
def table_4: {"256": [30.1, 32.4], "512": [118, 121], "1024": [432, 491], "2048": [1550, 1670], "4096": [3170, 3370],
    "8192": [4400, 4710], "16384": [5960, 6170]};
def in_paper:
  if .verb == "halo_3d" and .ranks == 1024 then table_5["\(.size)"]
  elif .verb == "stencil" then table_4["\(.size * (4096 / .ranks | sqrt) | round)"]
  else null end;
def row: (if .verb == "stencil" then 1e9 else 1e6 end) as $unit
  | [(.size | tostring), (.bytes | tostring), (.work / .others.Cart / $unit | short), (.work / .ours / $unit | short),
     (.ratio | two)] + (in_paper | if . == null then [] else [(.[0] | short), (.[1] | short), (.[1] / .[0] | two)] end);
def closing: map(select(.ratio != null)) | group_by(.verb)[]
  | "\(.[0].verb): geomean \(map(.ratio) | geomean | two)  min \(map(.ratio) | min | two)  points \(length)";

. as $points
| (map(.platform) | unique | length > 1) as $has_several
| (group_by([.platform, .verb])[]
   | .[0] as $first
   | "\($first.platform), \($first.verb), \($first.ranks) ranks, \($first.grid): \(if $first.verb == "stencil" then "GFLOP/s of all ranks" else "MB/s a process" end)",
     "partners on the node \($first.on_node.mpi | two) and \($first.on_node.topomp | two) in the mean, greatest load of a node \($first.jmax.mpi) and \($first.jmax.topomp)",
     ([(if $first.verb == "stencil" then "mesh" else "doubles" end), "bytes", "Cart", "node_cart", "ratio"]
      + (if map(in_paper) | any then ["paper: Cart", "Nodecart", "ratio"] else [] end) | join("\t")),
     (sort_by(.size)[] | select(.ratio != null) | row | join("\t")),
     (if $has_several then closing | sub("^[^:]*: "; "") else empty end), ""),
  closing
