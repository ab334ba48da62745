# SPDX-License-Identifier: BSL-1.0
"""scripts/bench-compile: programs are made, compiled again and again, and compared.

Every program is compiled header-only (topomp::topomp), with what needs no template compiled once
(topomp::compiled), and so with topomp.hpp precompiled (topomp::precompiled), by g++ -std=c++20 -O2 without a
cache, in turn with Boost.MPI's program. User time and peak memory of the compiler are medians, text is the
object's. Six minutes of one core. Samples and table stay in results/compile. Programs are hierarchy, binomial,
by_tree, automatic, verbs and everything.
"""
import csv
import re
import shlex
import statistics
import subprocess

from . import processes
from .command import Failed, ROOT, Refused, help_if_asked, say, setup, stamp
from .tables import markdown

HEADERS = ["boost/mpi/communicator.hpp", "boost/mpi/environment.hpp", "cstddef", "functional", "vector"]
BOOST_VERBS = ["boost::mpi::broadcast(comm, field.data(), 1000, 0);",
               "boost::mpi::all_reduce(comm, field.data(), 1000, sum.data(), std::plus<>{});",
               "boost::mpi::gather(comm, field.data(), 1000, all.data(), 0);"]
TOPO_VERBS = ["topo::broadcast(levels, field, 0);", "topo::all_reduce(levels, field, sum, std::plus<>{});",
              "topo::gather(levels, field, all, 0);"]
HIERARCHY = "topomp/hierarchy/hierarchy.hpp"
BY_TREE = "topomp/collective/broadcast_by_tree.hpp"
VERBS = [f"topomp/collective/{verb}.hpp" for verb in ("all_reduce", "broadcast", "gather")]

# name: (headers, statements, the program that it is compared with)
BASES = {
    "boost_broadcast": (["boost/mpi/collectives.hpp"], BOOST_VERBS[:1]),
    "boost_verbs": (["boost/mpi/collectives.hpp"], BOOST_VERBS),
}
PROGRAMS = {
    "hierarchy": ("`hierarchy.hpp`", [HIERARCHY], ["topo::hierarchy copy = levels;"], "boost_broadcast"),
    "binomial": ("a broadcast, `binomial`", [HIERARCHY, VERBS[1]],
                 ["topo::broadcast(levels, field, 0, topo::binomial{});"], "boost_broadcast"),
    "by_tree": ("the same, `broadcast_by_tree.hpp`", [HIERARCHY, BY_TREE],
                ["topo::broadcast(levels, field, 0, topo::binomial{});"], "boost_broadcast"),
    "automatic": ("a broadcast, `automatic`", [HIERARCHY, VERBS[1]], TOPO_VERBS[:1], "boost_broadcast"),
    "verbs": ("broadcast, all_reduce, gather", [HIERARCHY, *VERBS], TOPO_VERBS, "boost_verbs"),
    "everything": ("the same three, `topomp.hpp`", ["topomp/topomp.hpp"], TOPO_VERBS, "boost_verbs"),
}
# What the compiler is told besides, for each of topomp's targets.
TARGETS = {"header_only": [], "compiled": ["-DTOPOMP_COMPILED"],
           "precompiled": ["-DTOPOMP_COMPILED", "-Winvalid-pch", "-include", "{results}/precompiled.hpp"]}
PRECOMPILED = "precompiled.hpp"  # made once for each target of a project that links topomp::precompiled


def source(headers, statements):
    lines = [f"#include <{header}>" for header in [*HEADERS, *headers]]
    lines += ["int main(int argc, char** argv) {", "    boost::mpi::environment environment{argc, argv};",
              "    boost::mpi::communicator comm;"]
    if any(header.startswith("topomp/") for header in headers):
        lines.append("    topo::hierarchy levels{comm};")
    lines += ["    std::vector<double> field(1000), all(1000 * static_cast<std::size_t>(comm.size())), sum(1000);",
              *(f"    {statement}" for statement in statements), "    return sum[0] == all[0];", "}", ""]
    return "\n".join(lines)


def compile_once(command):
    """User seconds and peak MiB of the compiler."""
    used = processes.run(command)
    if used.code != 0:
        raise Failed(f"failed: {shlex.join(command)}")
    return used.user_seconds, used.peak_mib


def text_bytes(program):
    sizes = subprocess.run(["size", program], check=True, capture_output=True, text=True).stdout
    return int(sizes.splitlines()[1].split()[0])


def settings_of(arguments):
    """The number of repetitions, and the names of the programs."""
    help_if_asked(arguments)
    given = dict(zip(arguments[::2], arguments[1::2]))
    if 2 * len(given) != len(arguments) or not given.keys() <= {"--repetitions", "--only"}:
        raise Refused("usage: scripts/bench-compile [--repetitions N] [--only PROGRAM,...]")
    repetitions = given.get("--repetitions", "5")
    if not re.fullmatch("[1-9][0-9]{0,3}", repetitions, re.ASCII):
        raise Refused(f"--repetitions wants a number of at least 1, not '{repetitions}'")
    programs = given["--only"].split(",") if "--only" in given else list(PROGRAMS)
    for name in programs:
        if name not in PROGRAMS:
            raise Refused(f"--only wants some of {', '.join(PROGRAMS)}, not '{name}'")
    return int(repetitions), programs


def commands_in(results, programs):
    """Writes the programs; gives what compiles each, by name."""
    ended = subprocess.run(["pkg-config", "--cflags", "ompi-cxx", "hwloc"], capture_output=True, text=True, check=False)
    if ended.returncode != 0:
        raise Failed(f"pkg-config: {ended.stderr.strip()}")
    compiler, flags = ["/usr/bin/g++", "-std=c++20", "-O2"], shlex.split(ended.stdout)
    found = {}
    # First, because the programs read it.
    (results / PRECOMPILED).write_text("#include <topomp/topomp.hpp>\n", encoding="utf-8")
    found[PRECOMPILED] = [*compiler, f"-I{ROOT}/include", *flags, *TARGETS["compiled"], "-x", "c++-header", f"{results}/{PRECOMPILED}",
                          "-o", f"{results}/{PRECOMPILED}.gch"]
    for name, (headers, statements) in BASES.items():
        (results / f"{name}.cpp").write_text(source(headers, statements), encoding="utf-8")
        found[name] = [*compiler, *flags, "-c", f"{results}/{name}.cpp", "-o", f"{results}/{name}.o"]
    for name in programs:
        _, headers, statements, _ = PROGRAMS[name]
        (results / f"{name}.cpp").write_text(source(headers, statements), encoding="utf-8")
        for target, options in TARGETS.items():
            found[f"{name} {target}"] = [*compiler, f"-I{ROOT}/include", *flags, *(each.format(results=results) for each in options),
                                         "-c", f"{results}/{name}.cpp", "-o", f"{results}/{name}_{target}.o"]
    return found


def table(samples, text_kib):
    """Medians of (user seconds, peak MiB) of each program, and its text, each beside Boost.MPI's."""
    medians = {name: [statistics.median(each) for each in zip(*own)] for name, own in samples.items()}
    rows = []
    for name, label in (("boost_broadcast", "Boost.MPI: a broadcast"), ("boost_verbs", "Boost.MPI: the three verbs")):
        seconds, memory = medians[name]
        rows.append([label, "", f"{seconds:.2f}", 1, f"{memory:.0f}", 1, f"{text_kib[name]:.0f}"])
    seconds, memory = medians[PRECOMPILED]
    base_seconds, base_memory = medians["boost_broadcast"]
    for target in TARGETS:
        if target == "precompiled":
            rows.append(["the precompiled `topomp.hpp` itself", target, f"{seconds:.2f}", f"{seconds / base_seconds:.2f}",
                         f"{memory:.0f}", f"{memory / base_memory:.2f}", ""])
        for name, (label, _, _, base) in PROGRAMS.items():
            if f"{name} {target}" not in medians:
                continue
            used = medians[f"{name} {target}"]
            rows.append([label, target.replace("_", "-"), f"{used[0]:.2f}", f"{used[0] / medians[base][0]:.2f}", f"{used[1]:.0f}",
                         f"{used[1] / medians[base][1]:.2f}", f"{text_kib[f'{name} {target}']:.0f}"])
    return markdown(["program", "target", "user time, s", "over Boost.MPI's", "peak memory, MiB", "over Boost.MPI's", "text, KiB"],
                    "llrrrrr", rows)


def main(arguments):
    repetitions, programs = settings_of(arguments)
    setup()
    results = ROOT / "results/compile" / stamp()
    results.mkdir(parents=True)
    commands = commands_in(results, programs)
    for command in commands.values():
        compile_once(command)  # reads the headers into memory
    samples = {name: [] for name in commands}
    for i in range(repetitions):
        say(f"{i + 1} of {repetitions}")
        for name, command in commands.items():
            samples[name].append(compile_once(command))
    with open(results / "samples.csv", "w", newline="", encoding="utf-8") as file:
        lines = csv.writer(file)
        lines.writerow(["program", "user_seconds", "peak_mib"])
        lines.writerows([name, *sample] for name, own in samples.items() for sample in own)
    text = table(samples, {name: text_bytes(command[-1]) / 1024 for name, command in commands.items() if name != PRECOMPILED})
    (results / "table.md").write_text(text, encoding="utf-8")
    for each in [*results.glob("*.o"), *results.glob("*.gch")]:
        each.unlink()
    print(text, end="", flush=True)
    say(f"done: files, samples and table in {results}")
