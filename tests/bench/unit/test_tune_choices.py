# SPDX-License-Identifier: BSL-1.0
"""The tuner's dynamic programme against all sequences of policies, and where choices end."""
import itertools
import math
import random
import unittest

import support  # noqa: F401
from topomp_bench import tune_choices


def sample(policy, size, seconds, verb="broadcast", ranks=100):
    return {"verb": verb, "policy": policy, "bytes": size, "seconds": seconds, "ranks": ranks}


def cost_of(choice, sizes, times, elsewhere):
    """What a sequence of policies costs, straight from the definition."""
    cost = 0.05 * sum(left != right for left, right in itertools.pairwise(choice))
    for policy, size in zip(choice, sizes):
        best = min(seconds for (_, other), seconds in times.items() if other == size)
        cost += math.log(times[policy, size] / best) + 0.01 * elsewhere.get((size, policy), 0)
    return cost


class Choices(unittest.TestCase):
    def test_against_all_sequences(self):
        changes = 0
        for seed in range(300):
            rng = random.Random(seed)
            sizes = sorted(rng.sample([8, 32, 128, 512, 2048, 8192], rng.randint(1, 5)))
            policies = "abcd"[:rng.randint(1, 4)]
            times = {(policy, size): rng.choice([1, 1.01, 1.04, 1.06, 1.2]) * rng.uniform(1, 1.03)
                     for size in sizes for policy in policies if rng.random() < 0.8}
            sizes = [size for size in sizes if any(other == size for _, other in times)]
            elsewhere = {(size, policy): rng.choice([0, 0.5, 3]) for policy, size in times if rng.random() < 0.7}
            samples = [sample(policy, size, seconds) for (policy, size), seconds in times.items()]
            rng.shuffle(samples)
            path = tune_choices.path(samples, elsewhere)
            self.assertEqual([point.bytes for point in path], sizes)
            mine = [point.policy for point in path]
            tried = itertools.product(*([policy for policy in policies if (policy, size) in times] for size in sizes))
            least = min((cost_of(choice, sizes, times, elsewhere) for choice in tried), default=0)
            self.assertAlmostEqual(cost_of(mine, sizes, times, elsewhere), least, places=12)
            changes += sum(left != right for left, right in itertools.pairwise(mine))
        self.assertGreater(changes, 30)  # or nothing was tried

    def test_behind(self):
        found = tune_choices.behind([sample("a", 8, 2.0), sample("b", 8, 1.0), sample("a", 32, 3.0)])
        self.assertEqual(found, {(8, "a"): math.log(2), (8, "b"): 0, (32, "a"): 0})
        self.assertEqual(tune_choices.path([], {}), [])

    def test_half_way(self):
        self.assertEqual([tune_choices.between(*pair) for pair in ((1024, 2048), (512, 2048), (8, 128))], [1536, 1024, 32])
        self.assertEqual([tune_choices.nearest_round(value) for value in (1, 10.24, 5, 14.2, 0.9)], [1, 12, 6, 16, 1])
        self.assertEqual(tune_choices.many_nodes(10, 32), 18)

    def test_rows(self):
        def rows(verb, *policies):
            points = [tune_choices.Point(policy, size, 1, 1, 100) for policy, size in policies]
            return [row.key for row in tune_choices.rows(verb, points)]

        self.assertEqual(rows("reduce", ("a", 8), ("a", 32), ("b", 64)), [("a", 0, 0), ("b", 48, 0)])
        self.assertEqual(rows("reduce_scatter", ("a", 8), ("b", 16)), [("a", 0, 0), ("b", 0, 12)])
        # Pipelines, and the end of what is split, go by how much there is for each rank.
        pipeline = "segmented<8192,per_level<on<kind::machine,chain>,otherwise<binary>>>"
        self.assertEqual(rows("reduce", ("a", 512), (pipeline, 2048)), [("a", 0, 0), (pipeline, 0, 12)])
        two, four = "k_ary_rabenseifner<2,512>", "k_ary_rabenseifner<4,512>"
        self.assertEqual(rows("reduce", (two, 512), ("b", 2048)), [(two, 0, 0), ("b", 0, 12)])
        self.assertEqual(rows("reduce", (two, 8), ("b", 128)), [(two, 0, 0), ("b", 32, 0)])
        self.assertEqual(rows("reduce", (two, 512), (four, 2048)), [(two, 0, 0), (four, 1024, 0)])


if __name__ == "__main__":
    unittest.main()
