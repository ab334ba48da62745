# SPDX-License-Identifier: BSL-1.0
# Points of results once per node to the table: cells with tabs between them, which are aligned later, and lines without.
def two: (. * 100 | round) as $n | "\($n / 100 | floor).\("0\($n % 100)"[-2:])";
def geomean: map(log) | add / length | exp;
def microseconds: . * 1e7 | round / 10 | tostring;
def or_dash(f): if . == null then "-" else f end;
def over(name): if .others[name] == null then null else .others[name] / .ours end;
def row: [(.bytes | tostring), (.ours | microseconds), (.others["topomp, buffers"] | or_dash(microseconds)),
  (.others["paper 2"] | or_dash(microseconds)), (.others.mpi | microseconds), (over("paper 2") | or_dash(two)),
  (over("mpi") | two)];
def means: if . == [] then "no points" else "geomean \(geomean | two)  min \(min | two)" end;
def closing: map(select(.ratio != null)) | if . == [] then "points 0" else
    "over paper 2: \(map(over("paper 2") | select(. != null)) | means)   over the MPI: \(map(over("mpi")) | means)"
    + "   points \(length)" end;

(group_by([.platform, .verb])[]
 | "\(.[0].platform), \(.[0].verb), \(.[0].ranks) ranks: microseconds",
   (["bytes", "topomp", "buffers", "paper 2", "MPI", "/ paper 2", "/ MPI"] | join("\t")),
   (sort_by(.bytes)[] | select(.ratio != null) | row | join("\t")), ""),
(group_by(.platform)[] | "\(.[0].platform): \(closing)")
