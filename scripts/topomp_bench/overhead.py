# SPDX-License-Identifier: BSL-1.0
"""scripts/bench-overhead: what a call through topomp costs beside the MPI call that it makes, and a persistent one."""
from . import processes
from .command import (Failed, OPEN_MPI_AS_ROOT, ROOT, build, commit, cpus, is_open_mpi, mpirun_of, notes, only_flags, processor,
                      say, setup, stamp)


def main(arguments):
    repetitions = 11 if only_flags(arguments, ["--quick"], "scripts/bench-overhead [--quick]") else 201
    date = stamp()
    results = ROOT / "results/overhead" / date
    setup()
    results.mkdir(parents=True)
    folder = build("release", ["benchmark_overhead", "benchmark_persistent"], results / "build.log")
    mpirun = mpirun_of(folder)
    # No waiting rank gives up its core here: each has its own, and who gives up is measured with the system's scheduler.
    options = ["--map-by", "core", "--bind-to", "core", "--mca", "btl_vader_single_copy_mechanism", "none"] if is_open_mpi(
        mpirun) else []
    for program, ranks in (("overhead", 1), ("overhead", 2), ("persistent", 2)):
        table = results / f"{program}.{ranks}.txt"
        with open(table, "w", encoding="utf-8") as output:
            code = processes.run([mpirun, *options, "-n", ranks, folder / "benchmarks" / program, "--repetitions", repetitions,
                                  "--output", results / "samples.jsonl",
                                  *notes(date=date, commit=commit(), cpus=cpus(), processor=processor().replace("_", " "))],
                                 output=output, environment=OPEN_MPI_AS_ROOT).code
        if code != 0:
            raise Failed(f"{program} failed with code {code} at {ranks} ranks")
        text = table.read_text(encoding="utf-8")
        table.unlink()
        with open(results / "table.txt", "a", encoding="utf-8") as output:
            output.write(text)
        print(text, end="", flush=True)
    say(f"done: samples and tables in {results}")
