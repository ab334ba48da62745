# SPDX-License-Identifier: BSL-1.0
"""The simulated platforms are what the scripts take them for: as many nodes and cores, whether as SimGrid's hosts or as topomp's
machine. A dragonfly has no more groups than a group has routers: SimGrid gives router i of each group the link to group i, and
reads past the last router if there is none."""
import math
import unittest
import xml.etree.ElementTree

import support  # noqa: F401
from topomp_bench import command, platforms


class Platforms(unittest.TestCase):
    def test_ranks(self):
        for platform in platforms.KNOWN.values():
            with self.subTest(platform.name):
                levels = [int(level.split(":")[1]) for level in platform.machine.split("_")]
                self.assertEqual(math.prod(levels), platform.hosts * platform.slots)
                clusters = list(xml.etree.ElementTree.parse(platform.file).iter("cluster"))
                for cluster in clusters:
                    self.assertLessEqual(platform.hosts, int(cluster.get("radical").split("-")[1]) + 1)

    def test_memory_of_hosts(self):
        for platform in platforms.KNOWN.values():
            tree = xml.etree.ElementTree.parse(platform.file)
            for host in (*tree.iter("cluster"), *tree.iter("host")):
                gigabytes = int(host.get("speed").removesuffix("Gf")) * int(host.get("core"))
                self.assertTrue(20 <= gigabytes <= 200, f"{platform.name}: {gigabytes} GB/s")

    def test_hosts(self):
        uneven, dealt = platforms.KNOWN["uneven6"], platforms.KNOWN["dealt10x24"]
        self.assertEqual((uneven.ranks, uneven.nodes), (80, "16,16,8,24,4,12"))
        self.assertEqual(uneven.host_lines[:2], ["node0:16", "node1:16"])
        self.assertEqual((dealt.ranks, dealt.nodes[:9], len(dealt.host_lines)), (240, "dealt,24,", 240))
        self.assertEqual(dealt.host_lines[8:11], ["node8:1", "node9:1", "node0:1"])

    def test_dragonflies(self):
        found = [cluster for file in command.PLATFORMS.glob("*.xml")
                 for cluster in xml.etree.ElementTree.parse(file).iter("cluster")
                 if cluster.get("topology") == "DRAGONFLY"]
        self.assertTrue(found)
        for cluster in found:
            groups, _, routers, _ = [int(part.split(",")[0]) for part in cluster.get("topo_parameters").split(";")]
            self.assertLessEqual(groups, routers)

    def test_buffers_and_memory(self):
        ntw = platforms.KNOWN["ntw10e5"]
        self.assertEqual(ntw.ranks, 240)
        self.assertEqual([platforms.buffers(ntw, verb, 10) for verb in ("barrier", "reduce", "all_gather", "all_to_all",
                                                                       "neighbour_all_to_all_9")],
                         [0, 4800, 240 * 2410, 1152000, 27 * 4800])
        self.assertEqual(platforms.memory_of(ntw, "barrier", 8), 440 << 20)
        self.assertEqual(platforms.memory_of(ntw, "reduce_scatter", 10), 240 * 2410 * 3 + (440 << 20))
        self.assertGreater(platforms.weight(ntw, "all_to_all", 8), platforms.weight(ntw, "reduce", 8))


if __name__ == "__main__":
    unittest.main()
