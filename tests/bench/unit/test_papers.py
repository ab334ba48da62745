# SPDX-License-Identifier: BSL-1.0
"""What scripts/bench-paper1, bench-paper2, bench-hierarchy, bench-mapping, calibrate and bench-compile make of samples."""
import dataclasses
import json
import unittest

from support import WithFolder
from topomp_bench import (calibrate, compile_costs, hierarchy_build, mapping_build, paper1, paper1_tables, paper2, paper2_tables,
                          platforms)
from topomp_bench.command import Refused

SMALL = platforms.KNOWN["smp12e5"]


def levels(way, seconds, size=8, algorithm="chain", predicted=1.0, placement="core", verb="broadcast"):
    return {"platform": "smp12e5", "placement": placement, "verb": verb, "algorithm": algorithm, "bytes": size, "way": way,
            "seconds": seconds, "predicted": predicted}


class Paper1(unittest.TestCase):
    def points(self):
        found = []
        for verb, algorithms in paper1_tables.ALGORITHMS.items():
            for algorithm in algorithms:
                for placement in ("core", "turn"):
                    for size, flat in ((8, 6.0), (32, 9.0)):
                        found += [levels(way, seconds, size, algorithm, 2.0, placement, verb)
                                  for way, seconds in (("flat", flat), ("hierarchical", 3.0), ("composed", 2.0))]
        return paper1_tables.points_of(found, "file")

    def test_greatest_factors(self):
        lines = paper1_tables.greatest_factors(self.points(), [SMALL]).splitlines()
        self.assertEqual(len(lines), 2 + 12)
        self.assertEqual(lines[2], "| broadcast | smp12e5 | 96 | 22 | linear | 3.0 | 32 | 4.5 | 3.0 | 32 | 4.5 |")

    def test_predictions(self):
        # Of times 6 and 9 a prediction of 2 is 3 and 4.5 times away.
        lines = paper1_tables.predictions(self.points()).splitlines()
        self.assertEqual(lines[2], "| flat | core | 24 | 3.00 | 4.50 | 4.50 |")
        self.assertEqual(lines[6], "| composed | core | 24 | 1.00 | 1.00 | 1.00 |")

    def test_broken_samples(self):
        with self.assertRaisesRegex(Refused, "lacks one of flat"):
            paper1_tables.points_of([levels("flat", 1.0)], "file")
        with self.assertRaisesRegex(Refused, "file, sample 1"):
            paper1_tables.points_of([levels("flat", None)], "file")

    def test_seats(self):
        tiny = dataclasses.replace(SMALL, hosts=2, slots=2)
        self.assertEqual(paper1.seats(tiny, "core"), ["node0", "node0", "node1", "node1"])
        self.assertEqual(paper1.seats(tiny, "turn"), ["node0", "node1", "node0", "node1"])


def hybrid(by, microseconds, figure="13", ranks=16, size=32, flag="250"):
    return {"benchmark": "hybrid", "figure": figure, "platform": "fat_tree", "selector": "ompi", "ranks": ranks, "bytes": size,
            "flag": flag, "by": by, "seconds": microseconds * 1e-6}


class Paper2(WithFolder):
    def test_tables(self):
        found = [hybrid(by, us) for by, us in (("topomp", 2), ("topomp, buffers", 4), ("paper 2", 8), ("mpi", 200))]
        found += [hybrid(by, us, "15") for by, us in (("topomp", 1), ("topomp, barrier", 2), ("paper 2, method 1", 4),
                                                      ("paper 2, method 2", 3))]
        points = paper2_tables.points_of(found, "file")
        self.assertEqual(paper2_tables.table(points).splitlines()[2:], [
            "| 13 | fat_tree, ompi | 16 | 32 | 2.0 | 4.0 | 8.0 | 200.0 | 4.00 | 100.00 |",
            "| 15 | fat_tree, ompi | 16 | 32 | 1.0 | | 4.0, 3.0 | not available | 3.00 | |"])
        self.assertEqual(paper2_tables.means(points).splitlines()[2:], [
            "| 13 | 0.25 | 1 | 4.00, 4.00 | 100.00, 100.00 | 2.00, 2.00 | 50.00, 50.00 |", "| 15 | 0.25 | 1 | 3.00, 3.00 | | | |"])
        self.assertEqual(paper2_tables.rows(points), "| 16 ranks | 2.0, 8.0, 200 |\n")
        self.assertTrue(any(line.startswith("15 fat_tree ompi 16 32 250 4") and line.endswith(" ?")
                            for line in paper2_tables.dat_text(points).splitlines()))

    def test_broken_samples(self):
        with self.assertRaisesRegex(Refused, "lacks paper 2"):
            paper2_tables.points_of([hybrid("topomp", 1), hybrid("topomp, buffers", 1)], "file")
        with self.assertRaisesRegex(Refused, "sample 1"):
            paper2_tables.points_of([{"benchmark": "hybrid_costs", "ranks": 4}], "file")

    def test_costs(self):
        found = [{"benchmark": "hybrid_costs", "what": "window", "ranks": ranks, "flag": "250", "seconds": us * 1e-6}
                 for ranks, us in ((64, 2.5), (16, 1.0))]
        self.assertEqual(paper2_tables.table2(found).splitlines()[-1], "| window | 1 | 2.5 |")

    def test_what_is_missing(self):
        own = paper2.Measurement(self.folder, "13", "fat_tree", 16, 16, "ompi", "broadcast", 250, "both")
        self.assertEqual(own.missing([32, 4096]), [32, 4096])
        self.file(own.file.name + ".part", json.dumps({"bytes": 32}) + '\n{"bytes": 4096')
        own.keep()
        self.assertEqual(own.missing([32, 4096]), [4096])
        self.assertEqual(len({(*what[:7], size) for *what, sizes in paper2.plan(paper2.RANKS, paper2.NODES) for size in sizes}),
                         sum(len(what[-1]) for what in paper2.plan(paper2.RANKS, paper2.NODES)))


class Building(unittest.TestCase):
    def test_hierarchy(self):
        found = [{"where": "simulated", "ranks": 16, "variant": name, "levels": 3, "seconds": us * 1e-6, "bytes_kept": 10,
                  "bytes_peak": 20}
                 for name, us in zip((*hierarchy_build.SPLITS, hierarchy_build.HIERARCHY), (1, 2, 4, 3))]
        found.append({**found[0], "where": "local", "ranks": 8})
        text = hierarchy_build.table(hierarchy_build.points_of(found, "file"))
        self.assertEqual(text.splitlines()[2:], ["| 16 | 3 | 1 | 2 | 4 | 3 | 1.5x | 0.75x | 10 | 20 |"])
        with self.assertRaisesRegex(Refused, "16 ranks lack 'hierarchy of given places'"):
            hierarchy_build.points_of(found[:3], "file")

    def test_mapping(self):
        found = [{"where": "local", "ranks": 16, "grid": "4x4", "variant": "MPI_Cart_create", "seconds": us * 1e-6}
                 for us in (3, 1, 2)]
        self.assertEqual(mapping_build.table(found, 'file').splitlines()[2], "| local, 16 | 4x4 | 2 | | | | | | | |")
        with self.assertRaisesRegex(Refused, "file, sample 1: no seconds"):
            mapping_build.table([{**found[0], "seconds": "fast"}], "file")

    def test_compile_costs(self):
        targets = ("header_only", "compiled")
        names = [*compile_costs.BASES, *(f"{name} {target}" for name in compile_costs.PROGRAMS for target in targets)]
        lines = compile_costs.table({name: [(2.0 if " " in name else 1.0, 50.0)] * 3 for name in names}, dict.fromkeys(names, 7))
        self.assertEqual(lines.splitlines()[4], "| `hierarchy.hpp` | header-only | 2.00 | 2.00 | 50 | 1.00 | 7 |")
        self.assertIn("int main", compile_costs.source(["a.hpp"], ["b();"]))


class Calibrate(unittest.TestCase):
    def test_medians_of_runs(self):
        runs = calibrate.Runs("file")
        for factor in (5, 1, 2):
            sizes = (0, 8, 512, 4096, 32768, 131072, 2097152)
            parameters = "note processor one two\nflag 2e-7\n" + "".join(
                f"message {size} {factor}e-6 {3 * factor}e-6 2e-6 4e-6\n" for size in sizes)
            parameters += "".join(f"copy {size} 5e9\n" for size in calibrate.SIZES)
            copies = "cores 4\nranks 2: one to many and back 0.500 us, barrier 0.400 us\n"
            copies += "".join(f"copy of {size} bytes: alone 7.5 GB/s, each of all 6.5 GB/s\n" for size in calibrate.SIZES)
            copies += "".join(f"add {size} bytes: each of all {20 * factor}.0 GB/s\n" for size in calibrate.SIZES)
            runs.add(parameters, copies)
        lines = calibrate.table(runs).splitlines()
        self.assertEqual(lines[0], "processor: one two")
        self.assertIn("| 8 | 2.000 | 6.000 | 2.000 | 4.000 |", lines)
        self.assertIn("| end of a message of 8 bytes, mean of both, us | 4.000 | 0.300 |", lines)
        self.assertIn("| a signal of two ranks, there and back, half of it, us | 0.250 | 0.250 |", lines)
        self.assertIn("| a message of 2 MiB in a node, GB/s | 524.3 | 10.0 |", lines)
        self.assertIn("| memcpy of 4096 bytes, GB/s | 5.0 | |", lines)
        self.assertIn("| adding numbers of 4096 bytes to as many, each of all at once, GB/s | 40.0 | 20.0 |", lines)

    def test_broken_input(self):
        good = "message 8 1 1 1 1\nflag 1\n", "ranks 2: one to many and back 1 us, barrier 1 us\n"
        for parameters, copies in (("message 8 x", ""), ("", ""), (good[0], "ranks 2: no\n"), ("message 8 1 1 1 1\n", good[1])):
            with self.assertRaisesRegex(Refused, "^file: "):
                calibrate.Runs("file").add(parameters, copies)
        runs = calibrate.Runs("file")
        runs.add(*good)
        with self.assertRaisesRegex(Refused, "file: nothing was measured with 0 bytes"):
            calibrate.table(runs)


if __name__ == "__main__":
    unittest.main()
