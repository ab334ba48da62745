# SPDX-License-Identifier: BSL-1.0
"""What is read from files, broken ones too."""
import json
import subprocess
import unittest

from support import ROOT, WithFolder
from topomp_bench import samples
from topomp_bench.command import Refused

GOOD = {"verb": "reduce", "by": "mpi", "bytes": 8, "where": "sim", "platform": "one", "selector": "ompi", "seconds": 1e-6}


def line(**changes):
    return json.dumps({key: value for key, value in {**GOOD, **changes}.items() if value is not None}) + "\n"


class Samples(WithFolder):
    def test_a_line_that_was_cut_off_is_left_out(self):
        path = self.file("a", line() + '{"verb":"reduce","bytes":3')
        self.assertEqual([sample["bytes"] for _, sample in samples.lines_of(path)], [8])
        samples.append_complete(path, self.folder / "b")
        samples.append_complete(self.file("a", line(bytes=32)), self.folder / "b")
        self.assertEqual([sample["bytes"] for sample in samples.read(self.folder / "b")], [8, 32])
        self.assertFalse(path.exists())
        self.assertEqual(samples.lines_of(self.folder / "missing"), [])

    def test_what_is_read_as_a_whole_must_be_whole(self):
        for text in ("no json\n", "[1]\n", line() + '{"verb":'):
            with self.assertRaisesRegex(Refused, "line [12]: no JSON"):
                samples.read(self.file("a", text))
        with self.assertRaisesRegex(Refused, "cannot read"):
            samples.read(self.folder / "missing")

    def test_joined_in_order(self):
        files = [self.file("a", "1\n"), self.folder / "missing", self.file("b", "2\n")]
        self.assertEqual(samples.join(files, self.folder / "c"), 4)
        self.assertEqual((self.folder / "c").read_text(encoding="utf-8"), "1\n2\n")

    def test_grouped_by_ascending_keys_and_stable(self):
        values = [{"a": 2, "n": 1}, {"a": 1, "n": 2}, {"a": 2, "n": 3}]
        self.assertEqual([[value["n"] for value in group] for group in samples.grouped(values, "a")], [[2], [1, 3]])

    def test_broken_input_is_one_line_and_code_2(self):
        cases = {"no samples in": "", "no JSON": line() + "{\n", "no JSON object": "7\n",
                 "sample 2: no verb": line() + line(verb=None),
                 "no bytes": line(bytes="8"), "no where": line(where=""), "no platform": line(platform=3),
                 "no selector": line(selector=None), "no by, which names": line(by=None),
                 "neither seconds nor failed": line(seconds=None), "seconds nor failed": line(seconds=-1.0),
                 "sample 1: neither": line(seconds=float("nan"))}
        for expected, text in cases.items():
            with self.subTest(expected):
                self.file("samples.jsonl", text)
                compare = [["compare", ROOT / "tests/bench/old", self.folder]] if expected in ("no samples in", "no bytes") else []
                for arguments in (["show", self.folder], *compare):
                    ended = subprocess.run([ROOT / "scripts/bench", *arguments], capture_output=True, text=True, check=False)
                    self.assertEqual((ended.returncode, ended.stdout, ended.stderr.count("\n")), (2, "", 1), ended.stderr)
                    self.assertIn(expected, ended.stderr)
                    self.assertIn(str(self.folder), ended.stderr)

    def test_bytes_that_are_no_text(self):
        (self.folder / "samples.jsonl").write_bytes(b"\xff\xfe\n")
        with self.assertRaisesRegex(Refused, "no samples of scripts/bench .*no text"):
            samples.of_folder(self.folder)


if __name__ == "__main__":
    unittest.main()
