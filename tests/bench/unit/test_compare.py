# SPDX-License-Identifier: BSL-1.0
"""Comparisons of two results; compare.sh beside this folder compares folders."""
import unittest

import support  # noqa: F401
from topomp_bench import compare


def point(size, ours, ratio=None, verb="reduce"):
    return {"where": "sim", "platform": "one", "verb": verb, "bytes": size, "ours": ours, "ratio": ratio}


class Compare(unittest.TestCase):
    def test_the_worst_first(self):
        old = [point(size, 1e-6) for size in (1, 2, 3, 4, 5)] + [point(6, None)]
        new = [point(1, 2e-6), point(2, 3e-6, 0.5), point(3, 0.5e-6), point(4, 1.02e-6), point(7, 1e-6)]
        lines, slower = compare.compare(old, new, 2)
        self.assertEqual(slower, 2)
        self.assertEqual([line[2] for line in lines if isinstance(line, list) and line[0] == "one"], ["2", "1", "3"])
        self.assertEqual(lines[2], ["one", "reduce", "2", "1", "3", "3.00", "0.50"])
        self.assertEqual(lines[-1], "slower 2  faster 1  alike 1  only old 1  only new 1  geomean of new/old 1.32")

    def test_the_threshold_itself_is_alike(self):
        lines, slower = compare.compare([point(1, 1.0), point(2, 1.5)], [point(1, 1.5), point(2, 1.0)], 50)
        self.assertEqual((slower, lines), (0, ["slower 0  faster 0  alike 2  only old 0  only new 0  geomean of new/old 1.00"]))

    def test_nothing_in_common(self):
        lines, slower = compare.compare([point(1, 1.0)], [point(2, 1.0)], 2)
        self.assertEqual((slower, lines), (0, ["slower 0  faster 0  alike 0  only old 1  only new 1"]))


if __name__ == "__main__":
    unittest.main()
