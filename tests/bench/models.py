# SPDX-License-Identifier: BSL-1.0
"""models.py PROGRAM: scripts/bench-models on two made-up machines, whose times come from formulas written here: the last line
against arithmetic of its own, the choices against the formulas, and files that are refused."""
import csv
import math
import pathlib
import subprocess
import sys
import tempfile

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts/bench-models"
# Hockney's two numbers, seconds to copy a byte; neither is like a machine of benchmarks/data.
MACHINES = {"slow": (4e-5, 1 / 1.1e9, 1 / 4e9), "quick": (6e-7, 1 / 4e10, 1 / 2e10)}


def seconds(algorithm, ranks, size, machine):
    latency, byte, copy = machine
    steps, block = math.log2(ranks), size / ranks
    moved = (ranks - 1) * block
    if algorithm == "ring":
        return (ranks - 1) * (latency + block * byte)
    if algorithm == "neighbor":
        return ranks / 2 * latency + moved * byte
    if algorithm == "brucks":
        return steps * latency + moved * byte + size * copy
    return steps * latency + moved * byte  # recursive_doubling


def write(path):
    with open(path, "w", newline="", encoding="utf-8") as file:
        out = csv.writer(file)
        out.writerow("system nodes ranks_per_node mpi version verb bytes algorithm median_us samples".split())
        for system, machine in MACHINES.items():
            for ranks in (8, 32, 128, 512):
                for size in (4096, 65536, 1048576, 16777216, 268435456):
                    times = {name: seconds(name, ranks, size, machine)
                             for name in ("ring", "neighbor", "brucks", "recursive_doubling")}
                    times["default"] = times["ring"] * 1.01
                    for name, time in times.items():
                        out.writerow([system, ranks, 1, "made", "1", "allgather", size, f"{name}_{'ompi' if system == 'slow' else 'other'}", time * 1e6, 9])


def run(*arguments):
    return subprocess.run([SCRIPT, *arguments], capture_output=True, text=True, check=False)


def expect(truth, what):
    if not truth:
        sys.exit(f"FAILED: {what}")


def last_line(folder):
    """From the predictions, without the script's code: plain sums over all machines' judged points."""
    ours, defaults = [], []
    for system in MACHINES:
        with open(folder / f"{system}.csv", newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        for shape in {(row["nodes"], row["bytes"]) for row in rows}:
            own = [row for row in rows if (row["nodes"], row["bytes"]) == shape]
            if any(row["fit"] == "1" for row in own):
                continue
            best = min(float(row["measured_us"]) for row in own)
            chosen = sorted((float(row["predicted_us"]), row["algorithm"], float(row["measured_us"])) for row in own if row["predicted_us"])
            ours.append(chosen[0][2] / best)
            defaults += [float(row["measured_us"]) / best for row in own if row["algorithm"].startswith("default")]
    mean = [math.prod(side) ** (1 / len(side)) for side in (ours, defaults)]
    return (f"points {len(ours)} regret {mean[0]:.3f} worst {max(ours):.2f} default {mean[1]:.3f} worst {max(defaults):.2f}",
            len(ours), max(ours), mean[1])


def main(program):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write(folder / "made_up.csv")
        ended = run("--data", folder / "made_up.csv", "--results", folder / "out", "--program", program)
        expect(ended.returncode == 0, f"exit code {ended.returncode}: {ended.stderr}")
        line, count, worst, default = last_line(folder / "out")
        expect(ended.stdout.splitlines()[-1] == line, f"last line {ended.stdout.splitlines()[-1]!r}, not {line!r}")
        # 4 shapes of 5 sizes a machine; all algorithms are in the smallest shape, of which sizes 1 and 4 are for the fit.
        expect(count == 2 * (20 - 2), f"{count} points were judged")
        expect(worst < 1.1 and default > 2, f"the models' worst choice is {worst}, the default's mean {default}: {ended.stdout}")

        header = (folder / "made_up.csv").read_text(encoding="utf-8").splitlines()[0]
        for text, said in (("", "no points"), ("system,nodes\nslow,4\n", "line 2: wants the columns"),
                           (f"{header}\ns,4,1,m,1,allgather,8,ring_ompi,nan,9\n", "line 2: wants"),
                           (f"{header}\ns,0,1,m,1,allgather,8,ring_ompi,1,9\n", "line 2: wants")):
            (folder / "broken.csv").write_text(text, encoding="utf-8")
            ended = run("--data", folder / "broken.csv", "--results", folder / "none", "--program", program)
            expect(ended.returncode == 2 and said in ended.stderr and ended.stderr.count("\n") == 1,
                   f"{text!r}: exit code {ended.returncode}: {ended.stderr}")
        ended = run("--data", folder / "missing.csv", "--program", program)
        expect(ended.returncode == 2 and ended.stderr.count("\n") == 1, f"missing file: {ended.returncode}: {ended.stderr}")
    print(line)


main(sys.argv[1])
