# SPDX-License-Identifier: BSL-1.0
"""scripts/calibrate: what simulations charge for messages, beside what this machine needs for them."""
import re

from . import processes
from .command import Failed, OPEN_MPI_AS_ROOT, ROOT, Refused, build, mpirun_of, only_flags, say, setup, stamp
from .numbers import lower_median
from .tables import markdown

RUNS = 5  # a program's memory and its neighbours differ from run to run: the median of some
SIZES = [4096, 65536, 1048576, 16777216]
NOTES = ("date", "processor", "cpus", "mpi", "topomp")


class Run:
    """What one run of topomp measure and of shared_copies says."""

    def __init__(self, parameters, copies, path):
        self.notes, self.messages, self.memcpy, self.flag = {}, {}, {}, None
        self.signal, self.copies = None, {}
        try:
            for words in map(str.split, parameters.splitlines()):
                if words[:1] == ["note"]:
                    self.notes[words[1]] = " ".join(words[2:])
                elif words[:1] == ["message"]:  # bytes, then seconds: sender's end, receiver's end, gap, half a round trip
                    self.messages[int(words[1])] = [float(word) for word in words[2:6]]
                elif words[:1] == ["copy"]:
                    self.memcpy[int(words[1])] = float(words[2])
                elif words[:1] == ["flag"]:
                    self.flag = float(words[1])
            for line in copies.splitlines():
                words = line.split()
                if line.startswith("ranks 2:"):
                    self.signal = float(words[7])
                elif line.startswith("copy of "):  # GB/s of one alone, and of each of all at once
                    self.copies[int(words[2])] = (float(words[5]), float(words[10]))
        except (ValueError, IndexError):
            raise Refused(f"{path}: these are no parameters and copies") from None
        if not self.messages or self.flag is None or self.signal is None:
            raise Refused(f"{path}: messages, a flag or a signal are missing")


def value(runs, read, path):
    """The median of what runs say."""
    try:
        return lower_median(read(run) for run in runs)
    except KeyError as missing:
        raise Refused(f"{path}: nothing for {missing.args[0]} bytes") from None


def table(runs, path):
    def of(read):
        return value(runs, read, path)

    def us(read):
        return f"{of(read) * 1e6:.3f}"

    columns = markdown(["bytes", "sender's end, us", "receiver's end, us", "gap, us", "half a round trip, us"], "rrrrr",
                       [[size, *(us(lambda run, size=size, i=i: run.messages[size][i]) for i in range(4))]
                        for size in (0, 8, 512, 4096, 32768, 131072)])
    rows = [[f"end of a message of {name}, mean of both, us", us(lambda run, size=size: sum(run.messages[size][:2]) / 2), "0.300"]
            for name, size in (("8 bytes", 8), ("4 KiB", 4096))]
    rows += [["half a round trip of 8 bytes in a node, us", us(lambda run: run.messages[8][3]), "0.850"],
             ["a flag in shared memory, us", us(lambda run: run.flag), "0.250"],
             ["a signal of two ranks, there and back, half of it, us", f"{of(lambda run: run.signal / 2):.3f}", "0.250"]]
    rows += [[f"copy of {size} bytes that another rank wrote, one alone, each of all at once, GB/s",
              ", ".join(f"{of(lambda run, size=size, i=i: run.copies[size][i]):.1f}" for i in range(2)), "10.0"] for size in SIZES]
    rows += [[f"memcpy of {size} bytes, GB/s", f"{of(lambda run, size=size: run.memcpy[size] / 1e9):.1f}", ""] for size in SIZES]
    rows.append(["a message of 2 MiB in a node, GB/s", f"{of(lambda run: 2097152 / run.messages[2097152][3] / 1e9):.1f}", "10.0"])
    head = "".join(f"{key}: {text}\n" for key, text in runs[0].notes.items() if key in NOTES)
    return f"{head}\n{columns}\n{markdown(['what', 'here', 'charged in simulations'], 'lrr', rows)}"


def main(arguments):
    only_flags(arguments, [], "scripts/calibrate")
    date = stamp()
    results = ROOT / "results/calibration" / date
    setup()
    results.mkdir(parents=True)
    folder = build("release", ["topomp_command", "benchmark_shared_copies"], results / "build.log")
    mpirun = mpirun_of(folder)
    runs = []
    for i in range(1, RUNS + 1):
        say(f"run {i} of {RUNS}")
        parameters, copies = results / f"{i}.parameters", results / f"{i}.copies"
        code = processes.run([mpirun, "-n", 2, "--map-by", "core", "--bind-to", "core", "--mca", "btl_vader_single_copy_mechanism",
                              "none", folder / "tools/topomp", "measure", "--seconds", 4, "--output", parameters],
                             wall_seconds=120, environment=OPEN_MPI_AS_ROOT).code
        if code == 0:
            with open(copies, "w", encoding="utf-8") as output:
                code = processes.run([folder / "benchmarks/shared_copies", 1], output=output, wall_seconds=120).code
        if code != 0:
            raise Failed(f"run {i} failed with code {code}")
        runs.append(Run(parameters.read_text(encoding="utf-8"), copies.read_text(encoding="utf-8"), results))
    text = table(runs, results)
    (results / "table.md").write_text(text, encoding="utf-8")
    print(text, end="", flush=True)
    say(f"done: parameters and table in {re.sub(f'^{re.escape(str(ROOT))}/', '', str(results))}")
