# SPDX-License-Identifier: BSL-1.0
# Points to the table: cells with tabs between them, which are aligned later, and lines without.
def two: (. * 100 | round) as $n | "\($n / 100 | floor).\("0\($n % 100)"[-2:])";
def geomean: map(log) | add / length | exp;
def ratios: map(.ratio | select(. != null));
def row($sizes): . as $points
  | [$sizes[] as $b | $points | map(select(.bytes == $b)) | .[0] | if . == null then "" elif .ratio == null then "-" else (.ratio | two) end];
def closing: ratios as $r
  | if $r == [] then "geomean -  min -  points 0  not available \(map(.not_available | length) | add)"
    else "geomean \($r | geomean | two)  min \($r | min | two)  points \($r | length)  not available \(map(.not_available | length) | add)" end;
def totals: ratios | if . == [] then ["-", "-"] else [(geomean | two), (min | two)] end;
# What an algorithm that takes no longer than the bound would reach.
def most: map(select(.bound != null and .ratio != null) | .ratio * .ours / .bound) | if . == [] then "-" else (geomean | two) end;
# The share of memcpy's speed that is reached where there is much to copy.
def memcpy: map(select(.copies != null and .ours != null and .bytes >= 32768) | .copies / .ours)
  | if . == [] then "-" else (geomean | two) end;
def microseconds: . * 1e7 | round / 10 | tostring;
def bound_by_physics: map(select(.bound != null and .ratio != null and .ratio * .ours / .bound < 1.5))
  | if . == [] then empty else
      "",
      "bound by physics: no algorithm is 1.5 times as fast as the best other",
      (["verb", "bytes", "bound us", "ours", "best"] | join("\t")),
      (.[] | [.verb, (.bytes | tostring), (.bound | microseconds), (.ours / .bound | two), (.ratio * .ours / .bound | two)] | join("\t"))
    end;
def in_order: ["barrier", "broadcast", "reduce", "all_reduce", "gather", "scatter", "all_gather", "all_to_all", "reduce_scatter"];
def by_verb: . as $points | in_order[] as $v | $points | map(select(.verb == $v)) | select(. != []);

. as $points
| (map(.platform) | unique | length > 1) as $has_several
| (map(.bytes) | unique) as $sizes
| (group_by(.platform)[]
   | (map(.bound | select(. != null)) != []) as $has_bounds
   | (map(.copies | select(. != null)) != []) as $has_copies
   | "\(.[0].platform): the best other's time over ours, by bytes",
     ((["verb"] + ($sizes | map(tostring)) + ["geomean", "min"] + (if $has_bounds then ["most"] else [] end)
      + (if $has_copies then ["memcpy"] else [] end)) | join("\t")),
     (by_verb | ([.[0].verb] + row($sizes) + totals + (if $has_bounds then [most] else [] end)
      + (if $has_copies then [memcpy] else [] end)) | join("\t")),
     ([by_verb] | add | bound_by_physics),
     (if $has_several then closing else empty end), ""),
  (if $has_several then
     "all platforms",
     (["verb", "geomean", "min", "points"] | join("\t")),
     ($points | by_verb | ([.[0].verb] + totals + [(ratios | length | tostring)]) | join("\t"))
   else empty end),
  ($points | map(select(.stopped)) | if . == [] then empty else
     "topomp stopped at: \(map("\(.platform) \(.verb) \(.bytes)") | join(", "))" end),
  ($points | closing)
