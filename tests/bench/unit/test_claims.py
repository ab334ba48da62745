# SPDX-License-Identifier: BSL-1.0
"""The plots of docs/benchmarks.md find the numbers of the tables of docs/benchmarks_log.md."""
import unittest

import support  # noqa: F401
from topomp_bench import claims
from topomp_bench.command import Refused

PAGE = """# Page

| no | heading |
| --- | --- |

## First

| | `one` | two |
| --- | ---: | ---: |
| a row | 1.5, 0.9 | |

| other |
| --- |

### Second

| below |
| --- |

## Third

text | with | bars
"""


class Tables(unittest.TestCase):
    def test_tables_are_found_by_heading(self):
        found = claims.tables_of(PAGE)
        self.assertEqual(sorted(found), ["", "First", "Second"])
        self.assertEqual(found["First"], [[["", "one", "two"], ["a row", "1.5, 0.9", ""]], [["other"]]])

    def test_numbers_of_a_cell(self):
        self.assertEqual(claims.numbers_of("1.5, 0.9"), [1.5, 0.9])
        self.assertEqual(claims.numbers_of("1.22, 1.00 (1.00, 1.01)"), [1.22, 1.0])
        self.assertEqual(claims.numbers_of(""), [])

    def test_the_page_has_what_is_drawn(self):
        tables = claims.tables_of(claims.PAGE.read_text(encoding="utf-8"))
        collectives = tables["Collectives in all settings"][0]
        for name in claims.COLLECTIVES:
            self.assertIn(name, [row[0] for row in collectives])
        for row in [*collectives[1:], *claims.neighbours_table(tables)[1:]]:
            for cell in row[1:]:
                self.assertLessEqual(len(claims.numbers_of(cell)), 2)

    def test_what_is_no_folder_is_refused(self):
        for wrong in (["--folder"], [""], ["one", "two"]):
            with self.assertRaises(Refused):
                claims.main(wrong)

    def test_a_column(self):
        self.assertEqual(claims.column([["", "one", "two"], ["a", "1", "2"], ["b", "3", "4"]], "two"), {"a": "2", "b": "4"})


if __name__ == "__main__":
    unittest.main()
