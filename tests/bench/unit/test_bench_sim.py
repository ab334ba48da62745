# SPDX-License-Identifier: BSL-1.0
"""What scripts/bench sim measures of a verb, and by whom."""
import unittest

import support  # noqa: F401
from topomp_bench import bench, bench_sim, tables_verbs
from topomp_bench.platforms import KNOWN


class Asked(unittest.TestCase):
    def request(self, *arguments):
        return bench.parse("verbs", "sim", arguments)

    def test_who_is_measured(self):
        charged, free = self.request(), self.request("--free")
        rules = ["ompi", "mpich", "mvapich2", "impi"]
        self.assertEqual(bench_sim.who_is_measured(charged, "all_to_all"), ["topomp", "candidates", *rules])
        self.assertEqual(bench_sim.who_is_measured(charged, "reduce"),
                         ["topomp", "candidates", *rules, *(f"{each}+memory" for each in rules)])
        self.assertEqual(bench_sim.who_is_measured(free, "reduce"), ["topomp", *rules])
        self.assertEqual(bench_sim.who_is_measured(charged, "neighbour_all_gather_9"), ["topomp", "candidates", "linear"])
        self.assertEqual(bench_sim.who_is_measured(free, "neighbour_all_gather_9"), ["topomp", "linear"])

    def test_candidates_with_neighbours_are_the_routes(self):
        self.assertEqual(bench_sim.candidate_lines(self.request(), KNOWN["uneven6"], "neighbour_all_to_all_27", [8, 2048]),
                         ["neighbour_all_to_all_27 direct 8,2048", "neighbour_all_to_all_27 by_node 8,2048"])

    def test_neighbours_are_among_the_verbs_and_have_short_blocks(self):
        request = self.request("--bytes", "8,8192,32768")
        for verb in ("neighbour_all_to_all_power", "neighbour_all_gather_5", "all_to_allv"):
            self.assertIn(verb, request.verbs)
            self.assertEqual(request.sizes_of(verb), [8, 8192])
        self.assertEqual(request.sizes_of("all_to_all"), [8, 8192, 32768])
        self.assertEqual(len(tables_verbs.NEIGHBOURS), 10)
        self.assertIn("sparse_exchange_27", request.verbs)
        self.assertNotIn("sparse_exchange_nbx_27", request.verbs)
        self.assertEqual(bench_sim.who_is_measured(request, "sparse_exchange_27"), ["topomp", "ompi", "mpich", "mvapich2", "impi"])
        local = bench.parse("verbs", "local", ["--bytes", "8,8192,32768"])
        for verb in ("sparse_exchange_27", "sparse_exchange_nbx_power"):
            self.assertEqual(local.sizes_of(verb), [8, 8192])


if __name__ == "__main__":
    unittest.main()
