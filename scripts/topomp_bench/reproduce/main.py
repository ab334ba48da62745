# SPDX-License-Identifier: BSL-1.0
"""The command: which figures, calibration, runs with progress, then rows, pictures and the page."""
import os
import pathlib
import re
import time

from .. import plots
from ..command import Failed, ROOT, Refused, build, builds_folder, commit, cpus, from_here, help_if_asked, say, seconds, setup
from ..processes import Job, Progress, run_jobs
from . import page, paper1, paper2, paper3, paper4, programs
from .figures import Scale, read_csv, write_csv
from .runs import Run, Store, all_of, block

FIGURES = [figure for module in (paper1, paper2, paper3, paper4, programs) for figure in module.FIGURES]
CALIBRATED = {"summa": ("summa_mpi", ("--size", 256)), "poisson": ("poisson_mpi", ("--size", 256, "--iterations", 40)),
              "bpmf": ("bpmf_mpi", ("--rows", 4800, "--columns", 576, "--density", 0.00367, "--iterations", 4, "--burn-in", 1)),
              "vectors": ("vectors_by_hand", ("--levels", 2, "--elements", 65536))}
MOST_MEMORY = 12 << 30


def chosen(names):
    """Figures by name, or all of a paper; without names all."""
    found = []
    for name in names:
        own = [figure for figure in FIGURES if figure.name == name or figure.name.split(".")[0] == name]
        if not own:
            raise Refused(f"no such figure: '{name}'; --list says which there are")
        found += own
    return list(dict.fromkeys(found)) if names else FIGURES


def read_arguments(words):
    help_if_asked(words)
    given = {"scale": "full", "is_list": False, "has_build": True, "is_page": False, "output": None, "results": None,
             "figures": []}
    words = list(words)
    while words:
        word = words.pop(0)
        if word in ("--quick", "--smallest"):
            given["scale"] = word[2:]
        elif word == "--list":
            given["is_list"] = True
        elif word == "--page":
            given["is_page"] = True
        elif word == "--no-build":
            given["has_build"] = False
        elif word in ("--output", "--results"):
            if not words:
                raise Refused(f"{word} needs a value")
            given[word[2:]] = from_here(words.pop(0))
        elif word.startswith("-"):
            raise Refused("usage: scripts/reproduce [--quick] [--list] [--page] [--no-build] [--output FOLDER] "
                          "[--results FOLDER] [FIGURE...]")
        else:
            given["figures"].append(word)
    given["figures"] = chosen(given["figures"])
    return given


def jobs_at_once():
    text = os.environ.get("TOPOMP_BENCH_JOBS") or str(cpus())
    if not re.fullmatch("[1-9][0-9]?", text, re.ASCII):
        raise Refused(f"TOPOMP_BENCH_JOBS wants a number of jobs, not '{text}'")
    return int(text)


def calibration(program, is_real):
    name, arguments = CALIBRATED[program]
    ranks = 2 if program == "vectors" else 1  # one rank has nothing to put together
    common = {"program": f"benchmarks/apps/{name}", "ranks": ranks, "cost": 5}
    if is_real:
        return Run(f"calibration of {program}", arguments=(*arguments, "--repetitions", 5), **common)
    return Run(f"calibration of {program}, simulated", arguments=(*arguments, "--gflops", 1), platform="sx", hosts=block(1, 8),
               **common)


def weight(run):
    """Tenths of a second that a run takes, with its start."""
    return 4 + int(10 * run.cost)


def run_all(store, runs, at_once):
    waiting = [run for run in runs if not store.is_there(run)]
    if not waiting:
        return
    say(f"{len(waiting)} of {len(runs)} runs to do, about {sum(map(weight, waiting)) / at_once / 600:.0f} minutes of idle cores")
    progress = Progress(say, len(waiting), sum(map(weight, waiting)))

    def has_ended(job):
        progress.add(1, job.weight)
        progress.tell(job.name)

    run_jobs([Job(lambda run=run: store.execute(run), run.name.replace("|", " "), run.memory + (200 + run.ranks << 20),
                  weight(run),
                  None if run.platform else 0)  # what is real runs alone
              for run in sorted(waiting, key=lambda run: (bool(run.platform), run.cost))], at_once, MOST_MEMORY, has_ended)


def rates_of(store, figures):
    """10^9 operations a second of a core: what one rank took in a simulation at 1 GFLOP/s, over what it took really."""
    rates = {}
    for program in sorted({program for figure in figures for program in figure.programs}):
        both = [calibration(program, is_real) for is_real in (False, True)]
        run_all(store, both, 1)
        found = [store.samples(run) for run in both]
        if not all(found):
            raise Failed(f"{program} could not be calibrated: see {store.folder}")
        # A rank by itself only computes, and other work on the machine makes it slower, never faster.
        simulated, real = (last["least_seconds" if last["ranks"] == 1 else "computing_seconds"] for *_, last in found)
        rates[program] = float(f"{simulated / real:.2g}")
        say(f"{program}: a core computes at {rates[program]:g} GFLOP/s")
    return rates


def build_programs(runs, log):
    for preset in ("smpi", "release"):
        targets = sorted({run.target for run in runs if run.preset == preset})
        if targets:
            build(preset, targets, log)


def main(words):
    given = read_arguments(words)
    figures, name = given["figures"], given["scale"]
    if given["is_list"]:
        print("\n".join(f"{figure.name:<15} {figure.kind:<20} {figure.title}" for figure in figures))
        return
    at_once = jobs_at_once()
    root = given["results"] or ROOT / "results/reproduce"
    folder = given["output"] or (ROOT / "docs/results" if name == "full" else root / name)
    folder.mkdir(parents=True, exist_ok=True)
    pictures = root / "pictures" / ("" if name == "full" else name)
    pictures.mkdir(parents=True, exist_ok=True)
    plots.library()
    needed = [figure for figure in figures if figure.programs and name != "smallest"]
    if given["has_build"] and not given["is_page"]:
        setup("--bench")
        build_programs([*(run for figure in figures for run in all_of(figure.runs(Scale(name)))),
                        *(calibration(program, is_real) for figure in needed for program in figure.programs
                          for is_real in (False, True))], root / "build.log")
    store = Store(root / "runs", builds_folder())
    scale = Scale(name, rates_of(store, needed))
    if not given["is_page"]:
        run_all(store, all_of(run for figure in figures for run in figure.runs(scale)), at_once)
    about = {"date": time.strftime("%Y-%m-%d", time.gmtime()), "commit": commit(), "scale": name}
    left = [figure.name for figure in figures if not finish(figure, scale, store, folder, pictures, about)]
    written = folder.with_name(f"{folder.name}.md")
    page.write(written, folder, FIGURES)
    say(f"done after {seconds()} s: {written}, rows and pictures in {folder}")
    if left and not given["is_page"]:
        raise Failed(f"nothing of {', '.join(left)}: see {store.folder}")


def finish(figure, scale, store, folder, pictures, about):
    """Rows and picture of a figure; says whether there are any."""
    rows = figure.rows(scale, store.samples)
    if not rows:
        return scale.name == "smallest" and not list(figure.runs(scale))  # which needs what is real
    missing = sum(not store.is_there(run) for run in all_of(figure.runs(scale)))
    file = folder / f"{figure.name}.csv"
    write_csv(file, rows, {"figure": figure.name, **about, **({"missing_runs": missing} if missing else {})})
    if figure.draw:
        figure.draw(read_csv(file)[0], folder / f"{figure.name}.svg", pictures / f"{figure.name}.png")
    return True
