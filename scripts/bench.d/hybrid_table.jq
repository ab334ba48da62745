# SPDX-License-Identifier: BSL-1.0
# Points of results once per node to the table: cells with tabs between them, which are aligned later, and lines without.
def two: (. * 100 | round) as $n | "\($n / 100 | floor).\("0\($n % 100)"[-2:])";
def geomean: map(log) | add / length | exp;
def microseconds: . * 1e7 | round / 10 | tostring;
def row: [(.bytes | tostring), (.ours | microseconds), (.others["topomp, buffers"] | microseconds),
  (.others["paper 2"] | microseconds), (.others.mpi | microseconds), (.others["paper 2"] / .ours | two),
  (.others.mpi / .ours | two)];
def closing: map(select(.ratio != null)) | if . == [] then "points 0" else
    "over paper 2: geomean \(map(.others["paper 2"] / .ours) | geomean | two)  min \(map(.others["paper 2"] / .ours) | min | two)"
    + "   over the MPI: geomean \(map(.others.mpi / .ours) | geomean | two)  min \(map(.others.mpi / .ours) | min | two)"
    + "   points \(length)" end;

(group_by([.platform, .verb])[]
 | "\(.[0].platform), \(.[0].verb), \(.[0].ranks) ranks: microseconds",
   (["bytes", "topomp", "buffers", "paper 2", "MPI", "/ paper 2", "/ MPI"] | join("\t")),
   (sort_by(.bytes)[] | select(.ratio != null) | row | join("\t")), ""),
(group_by(.platform)[] | "\(.[0].platform): \(closing)")
