# SPDX-License-Identifier: BSL-1.0
"""What scripts/tune measures: sizes, platforms, and of the candidates that benchmarks/policies prints those that can be best."""
import dataclasses

from .command import Failed
from .platforms import KNOWN
from .tables_verbs import VERBS

_ROOTED = [8, 128, 512, 2048, 4096, 8192, 16384, 32768, 131072, 524288, 2097152]
_BLOCKS = [8, 128, 512, 1024, 2048, 4096, 32768]
_ALL_BLOCKS = [8, 32, 128, 512, 2048, 8192, 32768]
SIZES = {"barrier": [8], "broadcast": _ROOTED, "reduce": _ROOTED,
         "all_reduce": [8, 128, 512, 1024, 2048, 4096, 8192, 32768, 131072, 524288], "gather": _BLOCKS, "scatter": _BLOCKS,
         "all_gather": _ALL_BLOCKS, "all_to_all": [8, 256, 512, 2048, 8192], "reduce_scatter": _ALL_BLOCKS}
QUICK_SIZES = {"broadcast": [8, 8192, 32768]}

PLATFORMS = [KNOWN[name] for name in ("ntw32x16", "ntw10e5", "smp20e7")]
QUICK_PLATFORMS = [KNOWN["smp20e7"]]

# On many nodes what moves the same data to all, or none, and what ends with blocks of all, when it is short.
_MOST_ON_MANY_NODES = {**dict.fromkeys(VERBS[:4], 32768), "all_gather": 512, "reduce_scatter": 512}

PLACES = ("between_nodes", "inside_machine")  # as benchmarks/policies --candidates knows them


@dataclasses.dataclass(frozen=True)
class Candidate:
    """A policy where nodes are joined, and its like inside one machine, for one verb: without blanks, as samples name it."""
    verb: str
    between_nodes: str
    inside_machine: str
    least: int  # bytes from which on, and up to which, it can be best
    most: int
    is_ordered: bool  # whether it keeps the order of operands

    def at(self, place):
        return self.between_nodes if place == "between_nodes" else self.inside_machine


def place_of(platform):
    return "between_nodes" if "node:" in platform.machine else "inside_machine"


def read_candidates(between_nodes, inside_machine):
    """The candidates, from what benchmarks/policies --candidates prints of each place: line i of one is the like of line i of
    the other."""
    found, texts = [], [text.splitlines() for text in (between_nodes, inside_machine)]
    if len(texts[0]) != len(texts[1]) or not texts[0]:
        raise Failed(f"benchmarks/policies prints {len(texts[0])} candidates between nodes and {len(texts[1])} inside a machine")
    for lines in zip(*texts):
        words = [line.split() for line in lines]
        if any(len(each) != 5 for each in words) or words[0][:1] + words[0][2:] != words[1][:1] + words[1][2:]:
            raise Failed(f"benchmarks/policies prints candidates that are not alike: '{lines[0]}' and '{lines[1]}'")
        verb, policy, least, most, order = words[0]
        if not (least.isdecimal() and most.isdecimal() and order in ("ordered", "any")):
            raise Failed(f"benchmarks/policies prints what is no candidate: '{lines[0]}'")
        found.append(Candidate(verb, policy, words[1][1], int(least), int(most), order == "ordered"))
    return found


def points_of(candidates, platform, verb, sizes):
    """What is measured: a policy and its sizes. `none` is no policy, but the like of one of the other place."""
    if platform.name == "ntw32x16":
        sizes = [size for size in sizes if size <= _MOST_ON_MANY_NODES.get(verb, 0)]
    points = [(each.at(place_of(platform)), [size for size in sizes if each.least <= size <= each.most])
              for each in candidates if each.verb == verb]
    return [(policy, those) for policy, those in points if those and policy != "none"]


def tried(candidates, found):
    """The samples of what is a candidate; others are of one that was a candidate when they were measured."""
    known = {(place, each.verb, each.at(place)) for each in candidates for place in PLACES}
    return [sample for sample in found
            if sample["platform"] in KNOWN
            and (place_of(KNOWN[sample["platform"]]), sample["verb"], sample["policy"]) in known]
