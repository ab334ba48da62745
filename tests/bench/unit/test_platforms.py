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
                self.assertEqual(math.prod(levels), platform.ranks)
                clusters = list(xml.etree.ElementTree.parse(platform.file).iter("cluster"))
                if clusters:
                    self.assertEqual([cluster.get("radical") for cluster in clusters], [f"0-{platform.hosts - 1}"])
                    self.assertEqual([int(cluster.get("core")) for cluster in clusters], [platform.slots])

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
        self.assertEqual([platforms.buffers(ntw, verb, 10) for verb in ("barrier", "reduce", "all_gather", "all_to_all")],
                         [0, 4800, 240 * 2410, 1152000])
        self.assertEqual(platforms.memory_of(ntw, "barrier", 8), 440 << 20)
        self.assertEqual(platforms.memory_of(ntw, "reduce_scatter", 10), 240 * 2410 * 3 + (440 << 20))
        self.assertGreater(platforms.weight(ntw, "all_to_all", 8), platforms.weight(ntw, "reduce", 8))


if __name__ == "__main__":
    unittest.main()
