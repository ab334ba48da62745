# SPDX-License-Identifier: BSL-1.0
"""scripts/reproduce without simulations: which figures there are, what is kept of runs, rows, pictures and the page."""
import dataclasses
import importlib.util
import re
import unittest

from support import WithFolder
from topomp_bench.command import Refused
from topomp_bench.reproduce import figures, main, page, paper1, paper2, paper3
from topomp_bench.reproduce.figures import Figure, Said, Scale
from topomp_bench.reproduce.runs import Run, Store, all_of, block, cyclic

HAS_LIBRARY = importlib.util.find_spec("matplotlib") is not None
SCALES = [Scale(name) for name in ("full", "quick", "smallest")]


class Choice(unittest.TestCase):
    def test_every_figure_and_table_of_the_papers(self):
        names = {figure.name for figure in main.FIGURES}
        self.assertEqual(len(names), len(main.FIGURES))
        wanted = [("paper1", range(5, 15)), ("paper2", range(12, 20)), ("paper3", range(4, 10))]
        self.assertLessEqual({f"{paper}.{number}" for paper, numbers in wanted for number in numbers}, names)
        self.assertLessEqual({"paper1.table1", "paper2.table2", "paper3.table2", "paper3.table3", "paper3.table4", "paper3.table5",
                              "paper4.levels"}, names)

    def test_names(self):
        self.assertEqual([figure.name for figure in main.chosen(["paper2.13", "paper4"])], ["paper2.13", "paper4.levels"])
        self.assertEqual(main.chosen([]), main.FIGURES)
        with self.assertRaisesRegex(Refused, "no such figure: 'paper9'"):
            main.chosen(["paper9"])

    def test_wrong_options(self):
        for words in (["--fast"], ["--output"]):
            with self.assertRaises(Refused):
                main.read_arguments(words)

    def test_names_of_runs_are_unique(self):
        for figure in main.FIGURES:
            for scale in SCALES:
                names = [run.name for run in all_of(figure.runs(scale))]
                self.assertEqual(len(names), len(set(names)), f"{figure.name} {scale.name}")

    def test_smaller_scales_take_less(self):
        full, quick, smallest = (sum(run.cost for run in all_of(run for figure in main.FIGURES for run in figure.runs(scale)))
                                 for scale in SCALES)
        self.assertLess(smallest, quick)
        self.assertLess(quick, full / 4)


class Keeping(WithFolder):
    def setUp(self):
        super().setUp()
        self.program = self.file("program.sh", f'#!/bin/sh\necho run >>"{self.folder}/runs"\necho "{{\\"word\\":\\"$1\\"}}"\nexit $2\n')
        self.program.chmod(0o755)
        (self.folder / "release").symlink_to(self.folder)
        self.store = Store(self.folder / "kept", self.folder)

    def count(self):
        return len((self.folder / "runs").read_text(encoding="utf-8").split())

    def test_a_run_is_done_once(self):
        one = Run("one", "program.sh", ("a", 0))
        for store in (self.store, Store(self.folder / "kept", self.folder)):  # and after a restart
            store.execute(one)
            self.assertEqual(store.samples(one), [{"word": "a"}])
        self.assertEqual(self.count(), 1)

    def test_other_arguments_or_another_program_are_another_run(self):
        one = Run("one", "program.sh", ("a", 0))
        self.store.execute(one)
        self.assertFalse(self.store.is_there(dataclasses.replace(one, arguments=("b", 0))))
        self.assertFalse(self.store.is_there(dataclasses.replace(one, needs=one)))
        self.program.write_text(self.program.read_text(encoding="utf-8") + "# changed\n", encoding="utf-8")
        self.assertFalse(Store(self.folder / "kept", self.folder).is_there(one))

    def test_what_fails_is_not_kept(self):
        one = Run("one", "program.sh", ("a", 3))
        self.assertFalse(self.store.execute(one))
        self.assertEqual(self.store.samples(one), [])
        self.store.execute(one)
        self.assertEqual(self.count(), 2)

    def test_what_is_needed_goes_first(self):
        first = Run("first", "program.sh", ("a", 0))
        second = Run("second", "program.sh", ("{needed}", 0), needs=first)
        self.store.execute(second)
        self.assertEqual(self.store.samples(second), [{"word": str(self.store.file(first))}])
        self.assertEqual(all_of([second, second]), [first, second])


class Rows(WithFolder):
    def test_hosts(self):
        self.assertEqual(block(2, 3), ("node0:3", "node1:3"))
        self.assertEqual(cyclic(2, 2), ("node0", "node1", "node0", "node1"))
        for nodes in (16, 64):  # no neighbour in the grid is on the same node
            hosts = paper3.rank_mapped(nodes, 16)
            self.assertEqual({hosts.count(each) for each in hosts}, {16})
            for stride in (1, 8, 64) if nodes == 64 else (1, 4, 32):
                self.assertFalse(any(a == b for a, b in zip(hosts, hosts[stride:])))

    def test_files(self):
        path = self.folder / "a.csv"
        figures.write_csv(path, [{"word": "a", "number": 2, "time": 0.5, "none": None}], {"scale": "quick"})
        self.assertEqual(figures.read_csv(path), ([{"word": "a", "number": 2, "time": 0.5, "none": None}], {"scale": "quick"}))
        with self.assertRaisesRegex(Refused, "not written by scripts/reproduce"):
            figures.read_csv(self.file("b.csv", "word\na\n"))

    def test_paper_3_table_3(self):
        self.assertEqual(paper3.blocked_partners([128, 128], 16), (1, 2, 1.875))

    def test_levels(self):
        scale = Scale("smallest")

        def results(run):
            return [{"verb": "reduce", "algorithm": name, "variant": variant, "bytes": 8, "seconds": seconds, "predicted": 2 * seconds}
                    for name in paper1.ALGORITHMS["reduce"]
                    for variant, seconds in (("flat", 6e-6), ("hierarchical", 3e-6), ("composed", 2e-6))]

        rows = paper1.level_rows("smp12e5", "reduce")(scale, results)
        self.assertEqual(len(rows), 12)
        self.assertEqual([rows[0][key] for key in ("mapping", "algorithm", "factor", "factor_composed", "predicted")],
                         ["block", "linear", 2.0, 3.0, 2.0])
        self.assertIn("at most 2 ", paper1.said_of_levels(8, "")(rows).ours)

    def test_gains(self):
        rows = [{"mapping": "block", "variant": name, "us": us} for name, us in (("simple", 12.0), ("2x2 groups", 8.0), ("topological", 4.0))]
        said = paper1.said_of_programs("12", "")(rows)
        self.assertEqual(said.ours, "block: 3 (over the best by hand, 2x2 groups: 2)")
        rows = [{"variant": name, "nodes": 4, "core": "here", "us": us, "gflops": 2.0} for name, us in (("mpi", 10.0), ("hybrid", 9.0))]
        self.assertIn("10.0 % (4 nodes, 2 GFLOP/s a core; paper 6 %)", paper2.said_of_nodes("", {4: "6"}, "SUMMA", "")(rows).ours)

    def test_points_of_paper_2(self):
        def results(run):
            return [{"ranks": 16, "bytes": 8, "by": by, "seconds": us * 1e-6} for by, us in (("topomp", 2), ("paper 2", 3), ("mpi", 1))]

        (row,) = paper2.rows_of(lambda scale: paper2.measured(paper2.VULCAN, 16, "broadcast", [8]))(Scale("quick"), results)
        self.assertEqual((row["rules"], row["flag_ns"], round(row["scheme_us"])), ("ompi", 250, 3))
        said = paper2.said_of_points("", "", "broadcast")([row])
        self.assertEqual([round(value, 3) for value, _ in said.factors], [1.5, 1.5, 0.5, 0.5])


class Page(WithFolder):
    def test_page(self):
        def figure(name, value):
            return Figure(name, "A title", "simulated", None, None, lambda rows: Said("3", "2", "why", [(value, "what")]))

        own = [figure("paper1.5", 4.0), figure("paper1.6", 0.5), figure("paper1.7", 1.0)]
        (self.folder / "results").mkdir()
        for each in own[:2]:
            figures.write_csv(self.folder / "results" / f"{each.name}.csv", [{"a": 1}],
                              {"date": "today", "commit": "abc", "scale": "quick"})
        page.write(self.folder / "results.md", self.folder / "results", own)
        text = (self.folder / "results.md").read_text(encoding="utf-8")
        self.assertRegex(text, r"Greatest gains\n\n- 4: what \(paper1.5\)\n\n## Greatest losses\n\n- 0.5: what \(paper1.6\)")
        self.assertIn("| paper1.7 | A title | | not run: `scripts/reproduce paper1.7` |", text)
        self.assertIn("simulated, quick", text)

    @unittest.skipUnless(HAS_LIBRARY, "scripts/setup --bench installs matplotlib")
    def test_picture(self):
        rows = [{"ranks": 64, "grid": "8x8", "doubles": size, "cart_mb_s": 1.0, "node_cart_mb_s": 2.0} for size in (16, 128)]
        paper3.draw_halo("halos")(rows, self.folder / "a.svg")
        words = set(re.findall(r"<text[^>]*>([^<]*)</text>", (self.folder / "a.svg").read_text(encoding="utf-8")))
        self.assertLessEqual({"Cart, 8x8", "node_cart, 8x8", "bandwidth of a process, MB/s", "halo, bytes", "halos", "1 KiB"}, words)


if __name__ == "__main__":
    unittest.main()
