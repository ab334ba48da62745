# SPDX-License-Identifier: BSL-1.0
"""scripts/calibrate: what simulations charge for messages, beside what this machine needs for them."""
from . import processes
from .command import Failed, OPEN_MPI_AS_ROOT, ROOT, Refused, build, mpirun_of, only_flags, say, setup, stamp
from .numbers import lower_median
from .tables import markdown

RUNS = 5  # a program's memory and its neighbours differ from run to run: the median of some
SIZES = [4096, 65536, 1048576, 16777216]
NOTES = ("date", "processor", "cpus", "mpi", "topomp")


class Runs:
    """What runs of topomp measure and of shared_copies say: of everything a list of what was measured."""

    def __init__(self, path):
        self.path = path
        self.notes = {}  # of the first run
        self.messages, self.memcpy, self.copies, self.sums = ({} for _ in range(4))  # by bytes
        self.flags, self.signals = [], []

    def add(self, parameters, copies):
        notes, flags, signals = {}, len(self.flags), len(self.signals)
        try:
            for words in map(str.split, parameters.splitlines()):
                if words[:1] == ["note"]:
                    notes[words[1]] = " ".join(words[2:])
                elif words[:1] == ["message"]:  # bytes, then seconds: sender's end, receiver's end, gap, half a round trip
                    send, receive, gap, half = map(float, words[2:6])
                    self.messages.setdefault(int(words[1]), []).append((send, receive, gap, half))
                elif words[:1] == ["copy"]:
                    self.memcpy.setdefault(int(words[1]), []).append(float(words[2]))
                elif words[:1] == ["flag"]:
                    self.flags.append(float(words[1]))
            for words in map(str.split, copies.splitlines()):
                if words[:2] == ["ranks", "2:"]:
                    self.signals.append(float(words[7]))
                elif words[:2] == ["copy", "of"]:  # GB/s of one alone, and of each of all at once
                    self.copies.setdefault(int(words[2]), []).append((float(words[5]), float(words[10])))
                elif words[:1] == ["add"]:
                    self.sums.setdefault(int(words[1]), []).append(float(words[6]))
        except (ValueError, IndexError):
            raise Refused(f"{self.path}: these are no parameters and copies") from None
        if len(self.flags) == flags or len(self.signals) == signals:
            raise Refused(f"{self.path}: a flag or a signal of two ranks is missing")
        self.notes = self.notes or notes

    def median(self, of, size, read):
        """Of what was measured at a size; of: messages, memcpy or copies."""
        if size not in of:
            raise Refused(f"{self.path}: nothing was measured with {size} bytes")
        return lower_median(map(read, of[size]))

    def message(self, size, read):
        return self.median(self.messages, size, read)


def table(runs):
    def us(seconds):
        return f"{seconds * 1e6:.3f}"

    columns = markdown(["bytes", "sender's end, us", "receiver's end, us", "gap, us", "half a round trip, us"], "rrrrr",
                       [[size, *(us(runs.message(size, lambda row, i=i: row[i])) for i in range(4))]
                        for size in (0, 8, 512, 4096, 32768, 131072)])
    rows = [[f"end of a message of {name}, mean of both, us", us(runs.message(size, lambda row: (row[0] + row[1]) / 2)), "0.300"]
            for name, size in (("8 bytes", 8), ("4 KiB", 4096))]
    rows += [["half a round trip of 8 bytes in a node, us", us(runs.message(8, lambda row: row[3])), "0.850"],
             ["a flag in shared memory, us", us(lower_median(runs.flags)), "0.250"],
             ["a signal of two ranks, there and back, half of it, us", f"{lower_median(runs.signals) / 2:.3f}", "0.250"]]
    for size in SIZES:
        rates = [runs.median(runs.copies, size, lambda row, i=i: row[i]) for i in range(2)]
        rows.append([f"copy of {size} bytes that another rank wrote, one alone, each of all at once, GB/s",
                     ", ".join(f"{rate:.1f}" for rate in rates), "10.0"])
    rows += [[f"memcpy of {size} bytes, GB/s", f"{runs.median(runs.memcpy, size, lambda rate: rate / 1e9):.1f}", ""]
             for size in SIZES]
    rows += [[f"adding numbers of {size} bytes to as many, each of all at once, GB/s",
              f"{runs.median(runs.sums, size, lambda rate: rate):.1f}", "20.0"] for size in SIZES]
    rows.append(["a message of 2 MiB in a node, GB/s", f"{runs.message(2097152, lambda row: 2097152 / row[3] / 1e9):.1f}", "10.0"])
    head = "".join(f"{key}: {text}\n" for key, text in runs.notes.items() if key in NOTES)
    return f"{head}\n{columns}\n{markdown(['what', 'here', 'charged in simulations'], 'lrr', rows)}"


def main(arguments):
    only_flags(arguments, [], "scripts/calibrate")
    date = stamp()
    results = ROOT / "results/calibration" / date
    setup()
    results.mkdir(parents=True)
    folder = build("release", ["topomp_command", "benchmark_shared_copies"], results / "build.log")
    mpirun = mpirun_of(folder)
    runs = Runs(results)
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
        runs.add(parameters.read_text(encoding="utf-8"), copies.read_text(encoding="utf-8"))
    text = table(runs)
    (results / "table.md").write_text(text, encoding="utf-8")
    print(text, end="", flush=True)
    say(f"done: parameters and table in {results}")
