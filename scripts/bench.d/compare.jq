# SPDX-License-Identifier: BSL-1.0
# Points of two results folders to what has changed: what got slower first, then what got faster.
def two: (. * 100 | round) as $n | "\($n / 100 | floor).\("0\($n % 100)"[-2:])";
def microseconds: . * 1e7 | round / 10 | tostring;
def key: "\(.where) \(.platform) \(.verb) \(.bytes)";
def by_key: map(select(.ours != null) | {key: key, value: .}) | from_entries;
def heading: ["platform", "verb", "bytes", "old us", "new us", "new/old", "ratio"] | join("\t");
def line: [.platform, .verb, (.bytes | tostring), (.old | microseconds), (.ours | microseconds), (.change | two),
           (if .ratio == null then "-" else (.ratio | two) end)] | join("\t");

(.[0] | by_key) as $old | (.[1] | by_key) as $new
| [$new | to_entries[] | select($old[.key]) | $old[.key].ours as $was | .value | . + {old: $was, change: (.ours / $was)}] as $both
| (1 + $threshold / 100) as $limit
| ($both | map(select(.change > $limit)) | sort_by(-.change)) as $slower
| ($both | map(select(.change < 1 / $limit)) | sort_by(.change)) as $faster
| (if $slower == [] then empty else "slower by more than \($threshold) %, the worst first", heading, ($slower[] | line), "" end),
  (if $faster == [] then empty else "faster by more than \($threshold) %", heading, ($faster[] | line), "" end),
  "slower \($slower | length)  faster \($faster | length)  alike \(($both | length) - ($slower | length) - ($faster | length))  only old \(($old | length) - ($both | length))  only new \(($new | length) - ($both | length))\(if $both == [] then "" else "  geomean of new/old \($both | map(.change | log) | add / length | exp | two)" end)"
