# SPDX-License-Identifier: BSL-1.0
"""Limits of time and memory. Nothing here asserts how long anything takes, but that what must end does."""
import pathlib
import signal
import subprocess
import sys
import threading
import unittest

from support import ROOT, WithFolder, is_running
from topomp_bench import processes
from topomp_bench.processes import Job, run_jobs


class Processes(WithFolder):
    def run_shell(self, text, **limits):
        with open(self.folder / "log", "w", encoding="utf-8") as log:
            return processes.run(["sh", "-c", text], log=log, **limits).code

    def test_codes(self):
        self.assertEqual(self.run_shell("exit 7"), 7)
        self.assertEqual(self.run_shell("kill -TERM $$"), 128 + signal.SIGTERM)
        self.assertEqual(self.run_shell("echo $A; pwd >&2", environment={"A": "b"}, folder="/"), 0)
        self.assertEqual((self.folder / "log").read_text(encoding="utf-8"), "b\n/\n")

    def test_what_takes_too_long_ends_with_its_children(self):
        child = self.folder / "child"
        for seconds in (1, 4, 16, 64):  # on a busy machine it may take some to start the child
            code = self.run_shell(f"setsid sh -c 'echo $$ >{child}; sleep 1000' & wait", wall_seconds=seconds)
            self.assertEqual(code, 124)
            if child.exists() and child.read_text(encoding="ascii"):
                break
        self.assertFalse(is_running(child.read_text(encoding="ascii").strip()))

    def test_processor_time_has_a_limit(self):
        self.assertIn(self.run_shell("while :; do :; done", cpu_seconds=1),
                      (128 + signal.SIGKILL, 128 + signal.SIGXCPU))

    def test_no_input(self):
        self.assertEqual(self.run_shell("read line"), 1)

    def test_a_script_that_is_stopped_leaves_nothing_behind(self):
        script = (f"import sys; sys.path.insert(0, {str(ROOT / 'scripts')!r})\n"
                  "from topomp_bench import command, processes\n"
                  f"shell = ['sh', '-c', 'echo $$ >{self.folder}/child; exec sleep 1000']\n"
                  "job = processes.Job(lambda: processes.run(shell))\n"
                  "command.run('test', lambda _: processes.run_jobs([job, job, job], 1))\n")
        process = subprocess.Popen([sys.executable, "-B", "-c", script])
        child = pathlib.Path(f"{self.folder}/child")
        while not child.exists() or not child.read_text(encoding="ascii"):
            self.assertIsNone(process.poll())
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(60), 143)
        self.assertFalse(is_running(child.read_text(encoding="ascii").strip()))


class Jobs(unittest.TestCase):
    def run_all(self, sizes, **limits):
        """Gives the order in which jobs were started, and the greatest number and memory at one time."""
        lock, started, running, most = threading.Lock(), [], [], [0, 0]

        def job(size):
            with lock:
                started.append(size)
                running.append(size)
                most[:] = max(most[0], len(running)), max(most[1], sum(running))
            with lock:
                running.remove(size)

        run_jobs([Job(lambda size=size: job(size), memory=size) for size in sizes], **limits)
        return started, most

    def test_all_run_within_the_limits(self):
        sizes = [3, 9, 1, 4, 2, 20, 5] * 5
        started, most = self.run_all(sizes, at_once=3, most_memory=10)
        self.assertEqual(sorted(started), sorted(sizes))
        self.assertLessEqual(most[0], 3)
        self.assertLessEqual(most[1], 20)  # what fits nowhere runs by itself
        self.assertEqual(self.run_all(sizes, at_once=1)[0], sizes)

    def test_some_run_by_themselves(self):
        lock, running, beside = threading.Lock(), [], []

        def job(is_alone):
            with lock:
                if is_alone:
                    beside.append(len(running))
                running.append(is_alone)
            with lock:
                running.pop()

        run_jobs([Job(lambda a=alone: job(a), most_beside=0 if alone else None) for alone in [False, True] * 20], 4)
        self.assertEqual(len(beside), 20)

    def test_the_others_run_although_one_fails(self):
        done = []

        def fail():
            raise ValueError("no")

        with self.assertRaises(ValueError):
            run_jobs([Job(lambda: done.append(1)), Job(fail), Job(lambda: done.append(2))], 1)
        self.assertEqual(done, [1, 2])

    def test_progress(self):
        said = []
        progress = processes.Progress(said.append, 4, 8, " points")
        progress.add(1, 2)
        progress.tell("a")
        self.assertRegex(said[0], "^1 of 4 points: a, [0-9]+ s so far, about [0-9]+ s to go$")


if __name__ == "__main__":
    unittest.main()
