# SPDX-License-Identifier: BSL-1.0
"""What no algorithm can beat on charged nodes, worked out by hand."""
import unittest

import support  # noqa: F401
from topomp_bench.bounds import least_seconds
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

    def test_nothing_is_said_of_other_platforms_and_verbs(self):
        self.assertIsNone(least_seconds(KNOWN["dragonfly"], "broadcast", 8))
        self.assertIsNone(least_seconds(KNOWN["ntw10e5"], "all_to_allv", 8))


if __name__ == "__main__":
    unittest.main()
