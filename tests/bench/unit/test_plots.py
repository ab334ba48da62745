# SPDX-License-Identifier: BSL-1.0
"""What is drawn: every line with its name, axes with their units, the same picture of the same points."""
import importlib.util
import re
import unittest

from support import WithFolder
from topomp_bench import hierarchy_build, plots

HAS_LIBRARY = importlib.util.find_spec("matplotlib") is not None
OTHERS = {"impi": 3e-6, "mpich": 4e-6}


def point(size, platform="one", verb="reduce", ours=2e-6, bound=1e-6):
    return {"platform": platform, "verb": verb, "bytes": size, "ours": ours, "bound": bound, "predicted": None, "others": OTHERS}


class Numbers(unittest.TestCase):
    def test_sizes(self):
        self.assertEqual([plots.size_text(size) for size in (8, 512, 1023, 1536, 2048, 32768, 1 << 20, 5 << 18)],
                         ["8", "512", "1023", "1.5 KiB", "2 KiB", "32 KiB", "1 MiB", "1.25 MiB"])

    def test_columns(self):
        text = plots.dat_text([point(8), point(32, ours=None)], ["impi", "ompi"])
        self.assertEqual(text, "bytes topomp bound predicted impi ompi\n8 2e-06 1e-06 ? 3e-06 ?\n32 ? 1e-06 ? 3e-06 ?\n")


@unittest.skipUnless(HAS_LIBRARY, "scripts/setup --bench installs matplotlib")
class Pictures(WithFolder):
    def words_of(self, name):
        """Texts of an SVG."""
        text = (self.folder / name).read_text(encoding="utf-8")
        return set(re.findall(r"<text[^>]*>([^<]*)</text>", text))

    def test_time_against_bytes(self):
        plots.make_plots(self.folder, [point(8), point(32), point(8, "two"), point(8, verb="barrier")])
        self.assertEqual({path.name for path in (self.folder / "plots").iterdir()},
                         {f"{platform}.reduce.{suffix}" for platform in ("one", "two") for suffix in ("dat", "svg", "png")})
        self.assertLessEqual({"topomp", "impi", "mpich", "bound", "message size, bytes", "time of the slowest rank, us",
                              "reduce, one", "8", "32"}, self.words_of("plots/one.reduce.svg"))
        self.assertNotIn("predicted", self.words_of("plots/one.reduce.svg"))

    def test_the_same_points_give_the_same_picture(self):
        for name in ("a.svg", "b.svg"):
            plots.time_against_bytes([point(8), point(32)], "reduce", self.folder / name)
        self.assertEqual((self.folder / "a.svg").read_bytes(), (self.folder / "b.svg").read_bytes())

    def test_what_is_missing_is_left_out(self):
        plots.time_against_bytes([point(8, ours=None), point(32), point(128, bound=None)], "reduce", self.folder / "a.svg")
        self.assertIn("topomp", self.words_of("a.svg"))

    def test_hierarchy(self):
        one = {name: {"ranks": 16, "seconds": 1e-4, "bytes_peak": 2048}
               for name in (*hierarchy_build.SPLITS, hierarchy_build.HIERARCHY)}
        hierarchy_build.draw([one], self.folder / "h.svg")
        self.assertLessEqual({"topo::hierarchy", "splits: levels", "KiB a rank", "ranks", "16"}, self.words_of("h.svg"))


if __name__ == "__main__":
    unittest.main()
