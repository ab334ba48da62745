# SPDX-License-Identifier: BSL-1.0
"""What no algorithm can beat on a platform whose nodes are charged: latencies, bytes through a node's adapter, and a node's memory.

Each bound is the greatest of some times that every algorithm needs, each of them as if nothing else took any time. It is no
promise that an algorithm reaches it.
"""
import dataclasses
import functools
import math

from . import simulation

END = simulation.END * 1e-6  # seconds of each end of a message
FLAG = simulation.FLAG * 1e-9  # until a rank sees what another of its node has raised
COPY = simulation.COPY * 1e9  # bytes a second of a rank that copies
SHARED_FROM = 4096  # shorter copies stay in caches, and do not take the node's memory


@dataclasses.dataclass(frozen=True)
class Network:
    """What a file of benchmarks/platforms says, of its nearest nodes. Of the machines of one node a node is a NUMA node, and a
    group is a pair of these, between which messages are faster."""
    latency: float  # seconds from node to node, without the ends
    rate: float  # bytes a second into a node, and out of it
    memory: float  # bytes a second of all copies inside a node
    group: int = 1
    under_switch: int = 0  # nodes, if what leaves a switch is bounded
    rate_up: float = 0  # bytes a second out of a switch, and into it


_HASWELL, _WIDE = 120e9, 200e9
_NETWORKS = {"ntw10e5": Network(1e-6, 12.5e9, _HASWELL), "ntw24e5": Network(1e-6, 12.5e9, _HASWELL, under_switch=6, rate_up=25e9),
             "slow16x16": Network(10e-6, 1.25e9, _HASWELL), "fast16x32": Network(1e-6, 50e9, _WIDE),
             "wide4x128": Network(1e-6, 25e9, _WIDE), "smp20e7": Network(0.9e-6, 12.8e9, 29e9, 2),
             "smp12e5": Network(0.9e-6, 14.4e9, 44e9, 2)}


def steps_between_nodes(network, platform):
    """Seconds until all nodes can know what one knows. A node whose ranks know it can start as many messages at a time as it has
    ranks; other ranks than the first know it a flag later."""
    groups, ranks = math.ceil(platform.hosts / network.group), max(platform.ranks_of_hosts) * network.group
    message = network.latency + 2 * END
    if groups == 1:
        return 0
    if groups == 2:
        return message
    # By one rank alone, one message every END; or by all ranks of the node, the others of which begin a flag later.
    of_one = message + (groups - 2) * END
    of_all = message + FLAG + (math.ceil((groups - 2) / ranks) - 1) * END
    return min(of_one, of_all, 2 * message)  # in several steps at least that


def random_of(source, target):
    """As in benchmarks/support/every_verb.hpp, whose lengths of blocks follow from it."""
    mask = (1 << 64) - 1
    bits = (source * 0x9e3779b97f4a7c15 + target) & mask
    for _ in range(2):
        bits ^= bits >> 31
        bits = bits * 0xbf58476d1ce4e5b9 & mask
        bits ^= bits >> 29
    return (bits >> 11) / (1 << 53)


# Numbers of 8 bytes in a block whose mean has so many, or of those that are not empty.
_LENGTHS = {
    "all_to_allv": lambda count, source, target: int(random_of(source, target) * (2 * count + 1)),
    "all_to_allv_skewed": lambda count, source, _: int(count * (4.5 if source % 8 == 3 else 0.5) + 0.5),
    "all_to_allv_power": lambda count, source, target:
        int(count / 3 * min(192.0, (1 - random_of(source, target)) ** (-1 / 1.5)) + 0.5),
    "all_to_allv_sparse": lambda count, source, target: count if random_of(source, target) < 0.1 else 0,
}


@functools.lru_cache(maxsize=None)
def busiest_part(parts_of_ranks, verb, count):
    """The most numbers that go out of some part of the machine, or into it."""
    into, out_of = [0] * (max(parts_of_ranks) + 1), [0] * (max(parts_of_ranks) + 1)
    for source, there in enumerate(parts_of_ranks):
        for target, here in enumerate(parts_of_ranks):
            if here != there:
                length = _LENGTHS[verb](count, source, target)
                out_of[there] += length
                into[here] += length
    return max(into + out_of)


def least_seconds(platform, verb, size):
    """None: nothing is known of the platform or the verb."""
    network = _NETWORKS.get(platform.network or platform.name)
    if network is None:
        return None
    sizes, ranks, hosts = platform.ranks_of_hosts, platform.ranks, platform.hosts
    between, message = steps_between_nodes(network, platform), network.latency + 2 * END
    most, least = max(sizes), min(sizes)
    flag = FLAG if least > 1 else 0

    def adapter(number):  # so many bytes into some node, or out of it
        return message + number / network.rate if number and hosts > 1 else 0

    def memory(number, each):  # so many bytes inside the largest node, of which a rank moves some
        return max(number / network.memory if each >= SHARED_FROM else 0, each / COPY)

    if verb == "barrier":
        return between + 2 * flag
    if verb == "broadcast":
        return max(between + flag, adapter(size) + flag, memory((most - 1) * size, size))
    if verb == "reduce":
        return max(between + flag, adapter(size * (hosts - 1) / hosts) + flag, memory((most - 1) * size, size * (most - 1) / most))
    if verb == "all_reduce":
        return max(between + 2 * flag, adapter(2 * size * (hosts - 1) / hosts) + 2 * flag,
                   memory(2 * (most - 1) * size, size * (2 - 1 / most)))
    if verb in ("gather", "scatter"):  # rank 0 is the root
        return max(between + flag, adapter((ranks - sizes[0]) * size))
    if verb == "all_gather":
        return max(between + 2 * flag, adapter((ranks - least) * size), memory(most * (ranks - 1) * size, (ranks - 1) * size))
    if verb == "all_to_all":
        return max(between + flag, adapter(max(own * (ranks - own) for own in sizes) * size), (ranks - 1) * size / COPY / most)
    if verb in _LENGTHS:
        nodes, count = platform.nodes_of_ranks, size // 8
        switches = tuple(node // network.under_switch for node in nodes) if network.under_switch else ()
        return max(between + flag, adapter(8 * busiest_part(nodes, verb, count)),
                   message + 8 * busiest_part(switches, verb, count) / network.rate_up if switches else 0)
    if verb == "reduce_scatter":
        return max(between + 2 * flag, adapter(most * (hosts - 1) * size),
                   memory((most - 1) * ranks * size, ranks * size * (most - 1) / most))
    return None
