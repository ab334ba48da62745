# SPDX-License-Identifier: BSL-1.0
"""What scripts/bench-leonardo makes of measured and simulated times."""
import pathlib
import tempfile
import unittest

import support  # noqa: F401
from topomp_bench import leonardo


class Leonardo(unittest.TestCase):
    def test_correlation(self):
        self.assertAlmostEqual(leonardo.correlation([1, 2, 3], [10, 20, 90]), 1)
        self.assertAlmostEqual(leonardo.correlation([1, 2, 3], [3, 2, 1]), -1)
        self.assertAlmostEqual(leonardo.correlation([1, 2, 3, 4], [1, 3, 2, 4]), 0.8)  # 1 - 6 * 2 / (4 * 15)
        self.assertIsNone(leonardo.correlation([1, 2], [5, 5]))

    def test_rows(self):
        def key(name, size=32):
            return 64, "gather", name, size

        real = {key("binomial_ompi"): 10.0, key("linear_ompi"): 20.0, key("linear_ompi", 64): 8.0}
        simulated = {key("binomial_ompi"): 30.0, key("linear_ompi"): 15.0, key("linear_ompi", 64): 8.0}
        row, = leonardo.rows(real, simulated)
        # Off by 3, 1.33 and 1; of two sizes one has two algorithms, ranked the wrong way: chosen is the one of 20 us.
        self.assertEqual(row, ["gather", 3, "1.00", "1.33", "3.00", "-1.00", "2.00", "2.00"])

    def test_jobs_of_one_point_count_once(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "data.csv"
            head = "system,nodes,ranks_per_node,mpi,version,verb,bytes,algorithm,median_us,samples\n"
            line = "leonardo,64,1,OMPI,4.1.6,gather,{},{},{},100\n"
            file.write_text(head + "".join(line.format(32, "linear_ompi", time) for time in (1, 9, 5)) +
                            line.format(32, "bine_over", 3) + line.format(1 << 21, "linear_ompi", 3), encoding="utf-8")
            self.assertEqual(leonardo.measured(file), {(64, "gather", "linear_ompi", 32): 5})

    def test_hosts(self):
        self.assertEqual(leonardo.hosts(64)[:2], ["node0", "node1"])
        self.assertEqual(leonardo.hosts(256)[:5], ["node0", "node64", "node128", "node192", "node1"])
        self.assertEqual(len(set(leonardo.hosts(256))), 256)


if __name__ == "__main__":
    unittest.main()
