# SPDX-License-Identifier: BSL-1.0
"""Points and tables of samples; table.sh beside this folder has whole tables of whole folders."""
import unittest

import support  # noqa: F401
from topomp_bench import points, tables, tables_verbs


def sample(by, seconds, size=8, selector="ompi", where="sim", verb="reduce", **more):
    return {"verb": verb, "by": by, "bytes": size, "where": where, "platform": "one", "selector": selector,
            **({"failed": "stopped"} if seconds is None else {"seconds": seconds}), **more}


class Points(unittest.TestCase):
    def test_the_best_of_those_that_ran(self):
        point, = points.verb_points([sample("topomp", 2.0), sample("mpi", 9.0), sample("mpi", 3.0), sample("mpi", 6.0),
                                     sample("mpi", None, selector="impi"), sample("mpi", 8.0, selector="mpich")])
        self.assertEqual((point["best"], point["ratio"], point["others"]), ("ompi", 3, {"ompi": 6.0, "mpich": 8.0}))
        self.assertEqual((point["not_available"], point["stopped"]), (["impi"], False))

    def test_both_forms_of_the_others_count(self):
        found = [sample("topomp", 2.0), sample("mpi", 9.0), sample("two_levels", 5.0, selector="ompi+memory"),
                 sample("candidate", 1.0, policy="ring"), sample("candidate", 4.0, policy="flat")]
        point, = points.verb_points(found)
        self.assertEqual((point["best"], point["ratio"], point["own_best"], point["regret"]), ("ompi+memory", 2.5, "ring", 2))
        point, = points.verb_points(found[:3])
        self.assertEqual((point["own_best"], point["regret"]), (None, None))

    def test_ours_may_be_missing(self):
        point, = points.verb_points([sample("topomp", None), sample("mpi", 1.0)])
        self.assertEqual((point["ours"], point["ratio"], point["stopped"]), (None, None, True))
        point, = points.verb_points([sample("topomp", 1.0), sample("mpi", None)])
        self.assertEqual((point["best"], point["ratio"]), (None, None))

    def test_grids_count_the_fastest(self):
        point, = points.halo_points([{**sample(by, seconds), "benchmark": "halo", "sent": 100, "jmax": 3, "on_node": 1.5}
                                     for by, seconds in (("mpi", 4.0), ("mpi", 2.0), ("topomp", 3.0), ("topomp", 1.0))])
        self.assertEqual((point["ratio"], point["work"], point["jmax"]), (2, 100, {"mpi": 3, "topomp": 3}))


class Tables(unittest.TestCase):
    def test_cells(self):
        text, _ = tables.table_of([sample("topomp", 1e-6), sample("mpi", 2e-6), sample("topomp", 1e-6, 32), sample("mpi", 4e-6, 32),
                                   sample("topomp", 1e-6, verb="barrier")])
        self.assertEqual(text, "one: the best other's time over ours, by bytes\n"
                               "verb                   8       32  geomean      min\n"
                               "barrier                -                 -        -\n"
                               "reduce              2.00     4.00     2.83     2.00\n\n"
                               "geomean 2.83  min 2.00  points 2  not available 0\n")

    def test_a_long_name_widens_the_first_column(self):
        text, _ = tables.table_of([sample("topomp", 1e-6, verb="neighbour_all_to_all_9"), sample("mpi", 3e-6, verb="neighbour_all_to_all_9"),
                                   sample("topomp", 1e-6), sample("mpi", 3e-6)])
        self.assertEqual(text.splitlines()[1:4], ["verb                          8  geomean      min",
                                                  "reduce                     3.00     3.00     3.00",
                                                  "neighbour_all_to_all_9     3.00     3.00     3.00"])

    def test_losses_and_regret(self):
        lines = tables_verbs.table(points.verb_points(
            [sample("topomp", 2e-6), sample("mpi", 1e-6), sample("candidate", 1.6e-6, policy="ring"),
             sample("topomp", 2e-6, 32), sample("mpi", 4e-6, 32), sample("candidate", 3e-6, 32, policy="ring")]))
        self.assertEqual(lines[1][-2:], ["regret", "worst"])
        self.assertEqual(lines[2][-2:], ["1.12", "1.25"])  # a candidate that is slower than the choice is no regret
        self.assertIn(["reduce", "8", "2", "1", "0.50", "1.25", "  ompi"], lines)
        self.assertEqual(lines[-1], "geomean 1.00  min 0.50  points 2  not available 0  regret 1.12  worst 1.25")

    def test_the_bound(self):
        found = points.verb_points([sample("topomp", 2.0, bound=1.0), sample("mpi", 2.8)])
        self.assertAlmostEqual(tables_verbs.most_reachable(found[0]), 2.8)
        self.assertEqual(tables_verbs.bound_by_physics(found), [])
        found = points.verb_points([sample("topomp", 2.0, bound=1.9), sample("mpi", 2.8)])
        self.assertEqual(tables_verbs.bound_by_physics(found)[-1][0], "reduce")

    def test_markdown(self):
        self.assertEqual(tables.markdown(["a", "b"], "lr", [["x", 1]]), "| a | b |\n| --- | ---: |\n| x | 1 |\n")


if __name__ == "__main__":
    unittest.main()
