# SPDX-License-Identifier: BSL-1.0
"""The simulated platforms of scripts/bench sim, scripts/tune and scripts/reproduce, and what simulating a verb takes."""
import dataclasses
import hashlib

from .command import PLATFORMS


@dataclasses.dataclass(frozen=True)
class Platform:
    """A simulated host is a node, on the machines of one node a NUMA node: the others' rules see hosts."""
    name: str
    machine: str  # as topomp describes it, with underscores for spaces, at which smpirun cuts
    hosts: int
    slots: int  # ranks of each, of the largest if they differ
    sizes: tuple = ()  # ranks of each host, if they differ
    is_dealt: bool = False  # rank after rank over the hosts, not host after host
    network: str = ""  # the file's name, if it is another one's too
    is_kept_out: bool = False  # nothing may be tuned on it

    @property
    def ranks_of_hosts(self):
        return self.sizes or (self.slots,) * self.hosts

    @property
    def ranks(self):
        return sum(self.ranks_of_hosts)

    @property
    def nodes_of_ranks(self):
        """By rank."""
        if self.is_dealt:
            return tuple(host for turn in range(self.slots) for host, ranks in enumerate(self.ranks_of_hosts) if turn < ranks)
        return tuple(host for host, ranks in enumerate(self.ranks_of_hosts) for _ in range(ranks))

    @property
    def file(self):
        return PLATFORMS / f"{self.network or self.name}.xml"

    @property
    def key(self):
        """Of what is in the file: results of another platform of that name are others."""
        return hashlib.sha256(self.file.read_bytes()).hexdigest()[:6]

    @property
    def nodes(self):
        """As benchmarks read which ranks are on which host."""
        return ("dealt," if self.is_dealt else "") + ",".join(map(str, self.ranks_of_hosts))

    @property
    def host_lines(self):
        """The lines of SimGrid's file of hosts."""
        if not self.is_dealt:
            return [f"node{host}:{ranks}" for host, ranks in enumerate(self.ranks_of_hosts)]
        return [f"node{host}:1" for host in self.nodes_of_ranks]


KNOWN = {platform.name: platform for platform in (
    Platform("ntw10e5", "node:10_package:2_numa:2_core:6", 10, 24),
    Platform("ntw24e5", "switch:4_node:6_package:2_numa:2_core:6", 24, 24, is_kept_out=True),
    Platform("smp20e7", "package:10_numa:2_core:8", 20, 8),
    Platform("smp12e5", "package:6_numa:2_core:8", 12, 8, is_kept_out=True),
    Platform("dragonfly", "switch:4_switch:4_node:2_package:2_core:16", 32, 32, is_kept_out=True),
    Platform("ntw32x16", "switch:4_node:8_package:2_core:8", 32, 16),
    Platform("uneven6", "node:6_package:2_core:12", 6, 24, sizes=(16, 16, 8, 24, 4, 12), network="ntw10e5"),
    Platform("uneven24", "switch:4_node:6_package:2_numa:2_core:6", 24, 24, sizes=(24, 24, 12, 20, 24, 8) * 4, network="ntw24e5",
             is_kept_out=True),
    Platform("dealt10x24", "node:10_package:2_numa:2_core:6", 10, 24, is_dealt=True, network="ntw10e5", is_kept_out=True),
    Platform("slow16x16", "node:16_package:2_core:8", 16, 16),
    Platform("fast16x32", "node:16_package:2_core:16", 16, 32, is_kept_out=True),
    Platform("wide4x128", "node:4_package:2_numa:4_core:16", 4, 128),
)}

MOST_BYTES = 1 << 33  # of all ranks' buffers together
MOST_MEMORY = 20 << 30  # of all simulations together


def buffers(platform, verb, size):
    """Bytes of all ranks' buffers together."""
    ranks = platform.ranks
    if verb == "barrier":
        return 0
    if verb.startswith("all_to_all"):
        return 2 * ranks * ranks * size
    if verb.startswith("all_gather") or verb == "reduce_scatter":
        return ranks * (ranks + 1) * size
    if verb.startswith(("neighbour", "sparse")):
        return 2 * 27 * ranks * size  # at most, in the mean
    return 2 * ranks * size


def memory_of(platform, verb, size):
    """Bytes of its simulation: some of what travels is held twice, operands in another order too, and a simulated rank takes
    a megabyte."""
    quarters = 12 if verb == "reduce_scatter" else 7
    return buffers(platform, verb, size) * quarters // 4 + (platform.ranks + 200) * (1 << 20)


def weight(platform, verb, size):
    """About how long a point takes, in no unit."""
    ranks = platform.ranks
    own = ranks + buffers(platform, verb, size) // 1000000
    return own + ranks * ranks // 64 if verb == "reduce_scatter" or verb.startswith(("all_gather", "all_to_all")) else own
