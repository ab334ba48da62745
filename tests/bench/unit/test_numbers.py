# SPDX-License-Identifier: BSL-1.0
import math
import random
import statistics
import unittest

import support  # noqa: F401
from topomp_bench import numbers


class Numbers(unittest.TestCase):
    def test_median(self):
        self.assertEqual(numbers.median([3, 1, 2]), 2)
        self.assertEqual(numbers.median([4, 1, 2, 3]), 2.5)
        self.assertEqual((numbers.lower_median([4, 1, 2, 3]), numbers.upper_median([4, 1, 2, 3])), (2, 3))
        random.seed(1)
        for size in range(1, 20):
            values = [random.random() for _ in range(size)]
            self.assertEqual(numbers.median(values), statistics.median(values))

    def test_geomean(self):
        self.assertAlmostEqual(numbers.geomean([2, 0.5]), 1)
        self.assertAlmostEqual(numbers.geomean([1, 2, 4, 8]), math.sqrt(8))
        random.seed(2)
        values = [random.uniform(0.1, 10) for _ in range(50)]
        self.assertAlmostEqual(numbers.geomean(values), statistics.geometric_mean(values))

    def test_a_half_is_rounded_up(self):
        self.assertEqual([numbers.rounded(value) for value in (0.49, 0.5, 1.5, 2.5, 2.499)], [0, 1, 2, 3, 2])
        self.assertEqual([numbers.two(value) for value in (0, 0.004, 1.125, 2, 12.3456)], ["0.00", "0.00", "1.13", "2.00", "12.35"])
        self.assertEqual([numbers.short(value) for value in (0.25, 99.94, 100.5, 2500)], ["0.3", "99.9", "101", "2500"])

    def test_no_fraction_of_zero(self):
        self.assertEqual([numbers.microseconds(value) for value in (5e-6, 2.5e-6, 1.234e-3)], ["5", "2.5", "1234"])
        self.assertEqual(numbers.plain({"a": [1.0, 1.5, None, "1.0", True]}), {"a": [1, 1.5, None, "1.0", True]})


if __name__ == "__main__":
    unittest.main()
