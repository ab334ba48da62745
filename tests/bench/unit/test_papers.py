# SPDX-License-Identifier: BSL-1.0
"""What scripts/bench-hierarchy, bench-mapping, calibrate and bench-compile make of samples."""
import unittest

import support  # noqa: F401 (finds the package)
from topomp_bench import calibrate, compile_costs, hierarchy_build, mapping_build
from topomp_bench.command import Refused


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
        names = [compile_costs.PRECOMPILED, *compile_costs.BASES,
                 *(f"{name} {target}" for name in compile_costs.PROGRAMS for target in compile_costs.TARGETS)]
        samples = {name: [(2.0 if " " in name else 1.0, 50.0)] * 3 for name in names}
        lines = compile_costs.table(samples, dict.fromkeys(names, 7))
        self.assertEqual(lines.splitlines()[4], "| `hierarchy.hpp` | header-only | 2.00 | 2.00 | 50 | 1.00 | 7 |")
        self.assertIn("| the precompiled `topomp.hpp` itself | precompiled | 1.00 | 1.00 | 50 | 1.00 | |", lines)
        self.assertEqual(compile_costs.settings_of(["--only", "binomial,by_tree"]), (5, ["binomial", "by_tree"]))
        self.assertEqual(compile_costs.settings_of(["--repetitions", "3"]), (3, list(compile_costs.PROGRAMS)))
        for wrong in (["--only"], ["--only", "nothing"], ["--repetitions", "0"], ["--often", "3"]):
            with self.assertRaises(Refused):
                compile_costs.settings_of(wrong)
        few = {name: each for name, each in samples.items() if " " not in name or name.startswith("binomial ")}
        self.assertNotIn("hierarchy.hpp", compile_costs.table(few, dict.fromkeys(names, 7)))
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
