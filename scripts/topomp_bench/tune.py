# SPDX-License-Identifier: BSL-1.0
"""scripts/tune: simulates the candidates and writes the table of what `automatic` chooses."""
import os
import pathlib
import re
import shutil
import subprocess

from . import samples
from .command import Failed, ROOT, Refused, build, commit, cpus, folder_of, notes, only_flags, say, seconds, setup, stamp
from .processes import Job, Progress, run_jobs
from .simulation import PLAIN, filled_hosts, on_platform, selector, smpirun
from .tune_candidates import PLACES, PLATFORMS, QUICK_PLATFORMS, QUICK_SIZES, SIZES, points_of, read_candidates, tried
from .tune_table import check, table_text

LIMIT = 3600  # seconds of processor time
TABLE = ROOT / "include/topomp/decide/detail/tuned_table.hpp"


def file_of(results, platform, verb):
    return results / f"{platform.name}-{platform.key}.{verb}.jsonl"


def candidates_of(program, results):
    """What the program says is to be tried."""
    texts = []
    for place in PLACES:
        text, log = results / f"candidates.{place}", results / f"candidates.{place}.log"
        with open(text, "w", encoding="utf-8") as output, open(log, "w", encoding="utf-8") as errors:
            ended = smpirun(1, PLATFORMS[0].file, filled_hosts(1, 1), [program, "--candidates", place], output=output,
                            log=errors, cpu_seconds=LIMIT)
        if ended.code != 0:
            raise Failed(f"printing the candidates failed with code {ended.code}: {log}")
        log.unlink()
        texts.append(text.read_text(encoding="utf-8"))
    return read_candidates(*texts)


def missing_points(candidates, results, platform, verb, sizes):
    """What is still to be measured, a policy a line, as benchmarks/policies reads it."""
    there = {(sample.get("policy"), sample.get("bytes")) for _, sample in samples.lines_of(file_of(results, platform, verb))}
    lines = []
    for policy, wanted in points_of(candidates, platform, verb, sizes):
        wanted = [str(size) for size in wanted if (policy, size) not in there]
        if wanted:
            lines.append(f"{verb} {policy} {','.join(wanted)}")
    return lines


def tune_verb(results, program, platform, verb, lines, own_notes):
    file = file_of(results, platform, verb)
    log, policies = pathlib.Path(f"{file}.log"), pathlib.Path(f"{file}.policies")
    policies.write_text("\n".join(lines) + "\n", encoding="utf-8")
    if file.exists():  # a last line that was cut off would spoil the next one
        file.write_text("".join(line + "\n" for line, _ in samples.lines_of(file)), encoding="utf-8")
    with open(log, "w", encoding="utf-8") as output:
        ended = on_platform(platform, LIMIT, [program, "--machine", platform.machine, "--policies", policies, "--output", file,
                                              *own_notes, "--note", f"platform={platform.name}"],
                            options=[selector("ompi"), *PLAIN], log=output)
    if ended.code != 0:
        raise Failed(f"{platform.name}, {verb} failed with code {ended.code}: {log}")
    policies.unlink()
    log.unlink()


def formatted(text):
    """As the format of the repository wants it, where the formatter is installed."""
    formatter = shutil.which("clang-format-14")
    if not formatter:
        say("no clang-format-14: the table is not formatted")
        return text
    done = subprocess.run([formatter, f"--assume-filename={TABLE}"], input=text, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Failed(f"{formatter} failed with code {done.returncode}: {done.stderr.strip()}")
    return done.stdout


def simgrid_version():
    said = subprocess.run(["smpirun", "--version"], capture_output=True, text=True, check=False).stdout
    found = re.search("^SimGrid version (.*)$", said, re.MULTILINE)
    return found.group(1) if found else "unknown"


def main(arguments):
    is_quick = only_flags(arguments, ["--quick"], "scripts/tune [--quick]") == "--quick"
    results = folder_of("TOPOMP_TUNE_RESULTS", ROOT / "results/tune")
    table, platforms, sizes = TABLE, PLATFORMS, SIZES
    if is_quick:
        results, platforms, sizes = results / "quick", QUICK_PLATFORMS, QUICK_SIZES
        table = results / "tuned_table.hpp"
    at_once = os.environ.get("TOPOMP_TUNE_JOBS") or str(cpus())
    if not re.fullmatch("[1-9][0-9]?", at_once, re.ASCII):
        raise Refused(f"TOPOMP_TUNE_JOBS wants a number of jobs, not '{at_once}'")
    setup()
    results.mkdir(parents=True, exist_ok=True)
    program = build("smpi", ["benchmark_policies"], results / "build.log") / "benchmarks/policies"
    candidates = candidates_of(program, results)
    day = stamp()
    own_notes = notes(date=f"{day[:4]}-{day[4:6]}-{day[6:8]}", commit=commit(), simgrid=simgrid_version(), where="sim")
    jobs = []
    for platform in platforms:
        for verb in sizes:
            lines = missing_points(candidates, results, platform, verb, sizes[verb])
            if lines:
                jobs.append(Job(lambda p=platform, v=verb, ls=lines: tune_verb(results, program, p, v, ls, own_notes),
                                f"{platform.name}, {verb}, {len(lines)} policies", weight=len(lines) * platform.ranks))
    progress = Progress(say, len(jobs), sum(job.weight for job in jobs))

    def has_ended(job):
        progress.add(1, job.weight)
        progress.tell(job.name)

    run_jobs(jobs, int(at_once), has_ended=has_ended)
    samples.join([file_of(results, platform, verb) for platform in platforms for verb in sizes
                  if points_of(candidates, platform, verb, sizes[verb])], results / "samples.jsonl")
    found = samples.read(results / "samples.jsonl")
    check(found, results / "samples.jsonl")
    table.write_text(formatted(table_text(tried(candidates, found), candidates)), encoding="utf-8")
    say(f"done after {seconds()} s: samples in {results}, the table in {table}")
