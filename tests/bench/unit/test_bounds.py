# SPDX-License-Identifier: BSL-1.0
"""What no algorithm can beat on charged nodes, worked out by hand."""
import unittest

import support  # noqa: F401
from topomp_bench.bounds import least_seconds, random_of
from topomp_bench.platforms import KNOWN


class Bounds(unittest.TestCase):
    def least(self, name, verb, size):
        return 1e6 * least_seconds(KNOWN[name], verb, size)

    def test_short_ones_take_a_message_and_the_flags_of_both_nodes(self):
        # A message of 1.6 us; all ranks but the root start theirs a flag of 0.25 us later, and a flag at the end.
        self.assertAlmostEqual(self.least("ntw10e5", "broadcast", 8), 2.1)
        self.assertAlmostEqual(self.least("ntw10e5", "barrier", 8), 2.35)
        # Three messages by the root alone, 0.3 us apart, would take longer.
        self.assertAlmostEqual(self.least("wide4x128", "broadcast", 8), 2.1)

    def test_long_ones_take_links_or_memory(self):
        # 9/10 of 512 KiB twice at 12.5 GB/s take less than 46 times 512 KiB at 120 GB/s.
        self.assertAlmostEqual(self.least("ntw10e5", "all_reduce", 524288), 46 * 524288 / 120e3)
        # 786 KiB at 1.25 GB/s, a message of 10.6 us, two flags.
        self.assertAlmostEqual(self.least("slow16x16", "all_reduce", 524288), 10.6 + 2 * 15 / 16 * 524288 / 1250 + 0.5)
        # The blocks of nine other nodes.
        self.assertAlmostEqual(self.least("ntw10e5", "scatter", 8192), 1.6 + 216 * 8192 / 12500)

    def test_unequal_blocks_take_the_link_of_the_busiest_node(self):
        # Of 24 ranks three have five numbers for each of 216 others, the rest one.
        self.assertAlmostEqual(self.least("ntw10e5", "all_to_allv_skewed", 8), 1.6 + 36 * 216 * 8 / 12500)
        # Of 144 ranks of a switch 18 have five numbers, the rest one; 432 others, two links up.
        self.assertAlmostEqual(self.least("ntw24e5", "all_to_allv_skewed", 8), 1.6 + 216 * 432 * 8 / 25000)
        # What the function of benchmarks/support/every_verb.hpp returns.
        for ranks, expected in {(0, 1): 0.553122962, (3, 5): 0.763423809, (239, 17): 0.677837035}.items():
            self.assertAlmostEqual(random_of(*ranks), expected, 9)
        # A tenth of the blocks is not empty, and a few more of the busiest node.
        mean = 216 * 24 * 8000 / 12500
        self.assertGreater(self.least("ntw10e5", "all_to_allv_sparse", 80000), mean)
        self.assertLess(self.least("ntw10e5", "all_to_allv_sparse", 80000), 1.1 * mean)

    def test_nothing_is_said_of_other_platforms_and_verbs(self):
        self.assertIsNone(least_seconds(KNOWN["dragonfly"], "broadcast", 8))
        self.assertIsNone(least_seconds(KNOWN["ntw10e5"], "all_gatherv", 8))


if __name__ == "__main__":
    unittest.main()
