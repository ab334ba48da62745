# SPDX-License-Identifier: BSL-1.0
"""scripts/bench sim. A job is a platform, who is measured (topomp or one of the others' rules) and a verb.

A simulation takes the sizes that are missing, one after the other, and each is kept as soon as it is there. Where a
simulation stops, the size at which it did is tried once more by itself, so that nothing but what stops is not available; not so
where a size took too long, as an all-to-all by rules that post all n^2 messages at once, for which SimGrid takes hours.
Ours may take twice as long as another: one of the four that is missing is none of the best, a point of ours that is
missing would hide a loss.
"""
import hashlib
import json
import pathlib
import threading

from . import samples
from .command import Failed, ROOT, build, cpus, say
from .platforms import KNOWN, MOST_BYTES, MOST_MEMORY, buffers, memory_of, weight
from .processes import Job, Progress, run_jobs
from .simulation import PLAIN, PLAIN_ALL_REDUCE, PLAIN_BROADCAST, on_platform, selector

WHO = ["topomp", "ompi", "mpich", "mvapich2", "impi"]

_costs = threading.Lock()


def file_of(request, platform, who, verb):
    """Samples of the others depend on the platform only, ours on the library too."""
    name = f"{platform.name}-{platform.key}"
    if who == "topomp":
        return request.results / "samples" / f"{name}.{verb}.jsonl"
    return request.root / "others" / f"{name}.{who}.{verb}.jsonl"


def sizes_in(path):
    return {sample.get("bytes") for _, sample in samples.lines_of(path)}


def parameters_of(request, platform):
    """The file of what messages cost on a platform, of which follows what no algorithm can beat."""
    what = [path.relative_to(ROOT) for path in (platform.file, *sorted((ROOT / "tools").glob("measure*.cpp")))]
    sums = "".join(f"{hashlib.sha256((ROOT / path).read_bytes()).hexdigest()}  {path}\n" for path in what)
    return request.root / "parameters" / f"{platform.name}-{hashlib.sha256(sums.encode()).hexdigest()[:6]}"


def measure_parameters(request, platform):
    file = parameters_of(request, platform)
    if file.exists() and file.stat().st_size > 0:
        return
    say(f"measuring what messages cost on {platform.name}")
    part, log = pathlib.Path(f"{file}.part"), pathlib.Path(f"{file}.log")
    with open(log, "w", encoding="utf-8") as output:
        ended = on_platform(platform, 1800, [request.programs / "measure", "--machine", platform.machine, "--output", part],
                            options=[selector("ompi"), *PLAIN], log=output)
    if ended.code != 0:
        raise Failed(f"the parameters of {platform.name} could not be measured: {log}")
    part.rename(file)
    log.unlink()


def simulate(request, platform, who, verb, sizes, file, own):
    """Simulates some sizes into a file; gives the exit code."""
    rules, options, each = who, ["--by", "mpi"], request.limit
    if who == "topomp":
        each, rules = 2 * request.limit, "ompi"
        options = ["--by", "topomp", "--machine", platform.machine, "--parameters", parameters_of(request, platform)]
        own = [*own, *([] if verb == "all_reduce" else [PLAIN_ALL_REDUCE]), *([] if verb == "broadcast" else [PLAIN_BROADCAST])]
    listed = ",".join(map(str, sizes))
    with open(f"{file}.log", "w", encoding="utf-8") as log:
        ended = on_platform(
            platform, each * (1 + len(sizes)),
            [request.programs / "verbs", *options, "--verbs", verb, "--bytes", listed, "--limit", each, "--output", file,
             *request.notes, "--note", f"platform={platform.name}", "--note", f"selector={rules}"],
            options=[selector(rules), *own], log=log)
    with _costs, open(request.root / "costs.txt", "a", encoding="utf-8") as costs:
        costs.write(f"{platform.name} {who} {verb} {listed}: {ended.user_seconds:.3f} s and "
                    f"{ended.system_seconds:.3f} s in the system\n")
    return ended.code


def run_job(request, platform, who, verb, missing):
    file = file_of(request, platform, who, verb)
    part, log = pathlib.Path(f"{file}.part"), pathlib.Path(f"{file}.part.log")
    was_precise, options = True, []
    while missing:
        part.unlink(missing_ok=True)
        code = simulate(request, platform, who, verb, missing, part, options)
        why = "took too long" if code in (124, 152) else "stopped"  # and 137 is out of memory
        lines, is_first = samples.lines_of(part), True
        while missing and any(sample.get("bytes") == missing[0] for _, sample in lines):
            with open(file, "a", encoding="utf-8") as target:
                target.writelines(line + "\n" for line, sample in lines if sample.get("bytes") == missing[0])
            missing, is_first = missing[1:], False
        if missing and (is_first or why != "stopped"):
            # The solver of SimGrid itself, and no selector, may stop at rounding errors: it has a tolerance to set.
            if was_precise and "maxmin precision" in log.read_text(encoding="utf-8", errors="replace"):
                was_precise, options = False, ["--cfg=maxmin/precision:1e-3"]
                continue
            failed = {"benchmark": "verbs", "verb": verb, "by": "topomp" if who == "topomp" else "mpi", "bytes": missing[0],
                      "where": "sim", "platform": platform.name, "selector": "ompi" if who == "topomp" else who, "failed": why}
            with open(file, "a", encoding="utf-8") as target:
                target.write(json.dumps(failed, separators=(",", ":")) + "\n")
            log.rename(f"{file}.{missing[0]}.log")
            missing = missing[1:]
        was_precise, options = True, []
    part.unlink(missing_ok=True)
    log.unlink(missing_ok=True)


def list_jobs(request):
    """First those of which two do not fit into memory, so that one of them always runs beside others; then those that take
    long, so that at the end no core waits for another."""
    jobs = []
    for name in request.platforms:
        platform = KNOWN[name]
        for verb in request.verbs:
            for who in WHO:
                there = sizes_in(file_of(request, platform, who, verb))
                missing = [size for size in request.sizes_of(verb)
                           if buffers(platform, verb, size) <= MOST_BYTES and size not in there]
                if missing:
                    jobs.append(Job(lambda p=platform, w=who, v=verb, m=missing: run_job(request, p, w, v, m),
                                    f"{name} {who} {verb}", memory_of(platform, verb, max(missing)),
                                    sum(weight(platform, verb, size) for size in missing)))
    return sorted(jobs, key=lambda job: (job.memory <= MOST_MEMORY // 2, -job.weight))


def measure_all(request):
    for folder in (request.results / "samples", request.root / "others", request.root / "parameters"):
        folder.mkdir(parents=True, exist_ok=True)
    request.programs = build("smpi", ["benchmark_verbs", "benchmark_measure"], request.results / "build.log") / "benchmarks"
    for name in request.platforms:
        measure_parameters(request, KNOWN[name])
    jobs = list_jobs(request)
    say(f"{len(jobs)} simulations to run")
    progress = Progress(say, len(jobs), sum(job.weight for job in jobs))

    def has_ended(job):
        progress.add(1, job.weight)
        progress.tell(job.name)

    run_jobs(jobs, cpus(), MOST_MEMORY, has_ended)
    # What this run asked for, of topomp as it is and of the others.
    with open(request.results / "samples.jsonl", "w", encoding="utf-8") as target:
        for name in request.platforms:
            for verb in request.verbs:
                for who in WHO:
                    target.writelines(line + "\n" for line, sample in samples.lines_of(file_of(request, KNOWN[name], who, verb))
                                      if sample.get("bytes") in request.bytes)
