# SPDX-License-Identifier: BSL-1.0
"""What scripts/tune tries, from lines as benchmarks/policies --candidates prints them."""
import unittest

import support  # noqa: F401
from topomp_bench import tune_candidates
from topomp_bench.command import Failed
from topomp_bench.platforms import KNOWN

BETWEEN_NODES = """\
broadcast on<n,b> 16 8192 ordered
reduce on<n,b> 8 8192 ordered
broadcast whole<2,3> 8 65536 any
all_to_all whole<2,3> 8 512 any
"""
INSIDE_MACHINE = BETWEEN_NODES.replace("on<n,b>", "on<m,b>")


class Candidates(unittest.TestCase):
    def test_are_read(self):
        found = tune_candidates.read_candidates(BETWEEN_NODES, INSIDE_MACHINE)
        self.assertEqual(len(found), 4)
        self.assertEqual(found[0], tune_candidates.Candidate("broadcast", "on<n,b>", "on<m,b>", 16, 8192, True))
        self.assertEqual(found[3], tune_candidates.Candidate("all_to_all", "whole<2,3>", "whole<2,3>", 8, 512, False))

    def test_that_are_not_alike_are_refused(self):
        for between_nodes, inside_machine in (
                ("", ""), (BETWEEN_NODES, BETWEEN_NODES.partition("\n")[2]), (BETWEEN_NODES, INSIDE_MACHINE.replace("16", "17")),
                (BETWEEN_NODES, INSIDE_MACHINE.replace("any", "ordered")), ("reduce a 8\n", "reduce a 8\n"),
                ("reduce a, b 8 16 any\n", "reduce a, b 8 16 any\n"), ("reduce a 8 x any\n", "reduce a 8 x any\n"),
                ("reduce a 8 16 some\n", "reduce a 8 16 some\n")):
            with self.assertRaisesRegex(Failed, "^benchmarks/policies prints "):
                tune_candidates.read_candidates(between_nodes, inside_machine)

    def test_points(self):
        found = tune_candidates.read_candidates(BETWEEN_NODES, INSIDE_MACHINE)

        def points(platform, verb, *sizes):
            return tune_candidates.points_of(found, KNOWN[platform], verb, sizes)

        self.assertEqual(points("ntw10e5", "broadcast", 8, 16, 8192, 65536), [("on<n,b>", [16, 8192]),
                                                                              ("whole<2,3>", [8, 16, 8192, 65536])])
        self.assertEqual(points("smp20e7", "broadcast", 8), [("whole<2,3>", [8])])
        self.assertEqual(points("smp20e7", "reduce", 8), [("on<m,b>", [8])])
        # On many nodes broadcasts end at 32 KiB, and all-to-all is not measured.
        self.assertEqual(points("ntw32x16", "broadcast", 32768, 65536), [("whole<2,3>", [32768])])
        self.assertEqual(points("ntw32x16", "all_to_all", 8), [])
        self.assertEqual(points("ntw10e5", "all_to_all", 8), [("whole<2,3>", [8])])

    def test_none_is_not_measured(self):
        found = tune_candidates.read_candidates("all_to_all c 8 512 any\n", "all_to_all none 8 512 any\n")
        self.assertEqual(tune_candidates.points_of(found, KNOWN["ntw10e5"], "all_to_all", [8]), [("c", [8])])
        self.assertEqual(tune_candidates.points_of(found, KNOWN["smp20e7"], "all_to_all", [8]), [])

    def test_samples_of_others_do_not_count(self):
        found = tune_candidates.read_candidates(BETWEEN_NODES, INSIDE_MACHINE)

        def is_tried(platform, verb, policy):
            return len(tune_candidates.tried(found, [{"platform": platform, "verb": verb, "policy": policy}])) == 1

        self.assertTrue(is_tried("ntw10e5", "reduce", "on<n,b>"))
        self.assertTrue(is_tried("ntw32x16", "broadcast", "on<n,b>"))
        self.assertTrue(is_tried("smp20e7", "reduce", "on<m,b>"))
        self.assertFalse(is_tried("smp20e7", "reduce", "on<n,b>"))
        self.assertFalse(is_tried("ntw10e5", "reduce", "on<m,b>"))
        self.assertFalse(is_tried("ntw10e5", "reduce", "whole<2,3>"))
        self.assertFalse(is_tried("ntw10e5", "broadcast", "node_aware_postal<3,1>"))
        self.assertFalse(is_tried("moon", "broadcast", "on<n,b>"))


if __name__ == "__main__":
    unittest.main()
