# SPDX-License-Identifier: BSL-1.0
"""What no algorithm can beat on a platform whose nodes are charged: latencies, bytes through a node's adapter, and a node's memory.

Each bound is the greatest of some times that every algorithm needs, each of them as if nothing else took any time. It is no
promise that an algorithm reaches it.
"""
import dataclasses
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


_HASWELL, _WIDE = 120e9, 200e9
_NETWORKS = {"ntw10e5": Network(1e-6, 12.5e9, _HASWELL), "ntw24e5": Network(1e-6, 12.5e9, _HASWELL),
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
    if verb == "reduce_scatter":
        return max(between + 2 * flag, adapter(most * (hosts - 1) * size),
                   memory((most - 1) * ranks * size, ranks * size * (most - 1) / most))
    return None
