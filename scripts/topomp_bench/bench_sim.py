# SPDX-License-Identifier: BSL-1.0
"""scripts/bench sim. A job is a platform and who is measured: topomp, its candidates, one of the others' rules, or these in
two levels (`ompi+memory`): the rules between one rank of each node, shared memory inside nodes. SimGrid has no neighbour
collectives; the other of these is `linear`, what Open MPI and MPICH do.

One simulation takes all verbs, because its start takes longer than most calls. Where it stops, the verbs that are left are
simulated one by one. Such a simulation takes the sizes that are missing, one after the other, and each is kept as soon as it is
there. Where it stops, the size at which it did is tried once more by itself, so that nothing but what stops is not available;
not so where a size took too long, as an all-to-all by rules that post all n^2 messages at once, for which SimGrid takes hours.
Ours may take twice as long as another: one of the four that is missing is none of the best, a point of ours that is
missing would hide a loss.
"""
import hashlib
import json
import pathlib
import threading

from . import samples
from .bounds import least_seconds
from .command import Failed, ROOT, build, cpus, say
from .platforms import KNOWN, MOST_BYTES, MOST_MEMORY, buffers, memory_of, weight
from .processes import Job, Progress, run_jobs
from .simulation import CHARGED, CHARGED_MEMORY, PLAIN, filled_hosts, on_platform, selector, smpirun
from .tables_verbs import GATHERED, IN_TWO_LEVELS, IRREGULAR, NEIGHBOURS, SPARSE
from .tune_candidates import points_of, read_candidates

RULES = ["ompi", "mpich", "mvapich2", "impi"]
IRREGULAR_POLICIES = ["pairwise", "k_ary_bruck<4,512>", "node_aggregated<4,1024>", "node_aggregated<4,4096>"]
GATHERED_POLICIES = ["ring", "bruck", "k_ary_recursive_doubling<4>", "lanes<linear,linear>", "node_aggregated<4,1024>", "circulant<16384>"]
NEIGHBOUR_ROUTES = ["direct", "by_node"]
LINEAR = "linear"  # exchanges with neighbours as MPIs do them, whatever the rules
MEMORY = "+memory"
MOST_TOGETHER = 600  # ranks: of more, a verb stopped by its limit would cost too much


def who_is_measured(request, verb):
    """Ours first, then the others. A sparse exchange has no candidates: it decides while it runs."""
    if verb in SPARSE:
        return ["topomp", *RULES]
    forms = [LINEAR] if verb in NEIGHBOURS else RULES
    if not request.is_free and verb in IN_TWO_LEVELS:
        forms = RULES + [rules + MEMORY for rules in RULES]
    return ["topomp", *([] if request.is_free else ["candidates"]), *forms]


_costs = threading.Lock()


def key_of(request, platform):
    """Of all that decides what a simulation of the others gives."""
    what = platform.file.read_bytes() + f"{platform.nodes} {'free' if request.is_free else (CHARGED, CHARGED_MEMORY)}".encode()
    return hashlib.sha256(what).hexdigest()[:6]


def file_of(request, platform, who, verb):
    """Samples of the others depend on the platform only, ours on the library too."""
    name = f"{platform.name}-{key_of(request, platform)}"
    if who == "topomp":
        return request.results / "samples" / f"{name}.{verb}.jsonl"
    if who == "candidates":
        return request.candidates_of / "candidates" / f"{name}.{verb}.jsonl"
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


def points_missing(request, platform, who):
    """Verbs with the sizes that are not measured yet."""
    found = {}
    for verb in request.verbs:
        if who not in who_is_measured(request, verb):
            continue
        there = sizes_in(file_of(request, platform, who, verb))
        missing = [size for size in request.sizes_of(verb)
                   if buffers(platform, verb, size) <= MOST_BYTES and size not in there]
        if missing:
            found[verb] = missing
    return found


def simulate(request, platform, who, missing, file, own):
    """Simulates verbs with their sizes into a file, all of them or none but one verb; gives the exit code."""
    rules, each = who.removesuffix(MEMORY), request.limit
    verbs, sizes = ",".join(missing), sorted({size for those in missing.values() for size in those})
    listed = ",".join(map(str, sizes))
    program, what = "verbs", ["--by", "mpi"]
    notes = [*request.notes, "--note", f"platform={platform.name}"]
    if who == "topomp":
        each, rules = 2 * request.limit, "ompi"
        what = ["--by", "topomp", "--rules", rules, "--machine", platform.machine,
                *(["--parameters", parameters_of(request, platform)] if request.is_free else [])]
        own = [*own, *PLAIN]
    elif who == "candidates":
        each, rules, program = 20 * request.limit, "ompi", "policies"
        policies = pathlib.Path(f"{file}.policies")
        policies.write_text("".join(f"{line}\n" for verb, those in missing.items()
                                    for line in candidate_lines(request, platform, verb, those)), encoding="utf-8")
        what = ["--machine", platform.machine, "--policies", policies]
        notes += ["--note", "by=candidate"]
        own = [*own, *PLAIN]
    elif who == LINEAR:
        rules, own = "ompi", [*own, *PLAIN]
    elif who.endswith(MEMORY):
        what = ["--by", "two_levels", "--rules", rules]
        own = [*own, *PLAIN]
    if program == "verbs":
        what += ["--verbs", verbs, "--bytes", listed, "--limit", each]
    environment = {} if request.is_free else dict(CHARGED_MEMORY)
    if who == "topomp" and request.tuning:
        environment["TOPOMP_TUNING"] = request.tuning
    with open(f"{file}.log", "w", encoding="utf-8") as log:
        ended = on_platform(
            platform, each * (1 + len(sizes) * len(missing)),
            [request.programs / program, *what, "--nodes", platform.nodes, *([] if request.is_free else CHARGED), "--output", file,
             *notes, "--note", f"selector={rules if who in ('topomp', 'candidates') else who}"],
            options=[selector(rules), *own], log=log, environment=environment)
    with _costs, open(request.root / "costs.txt", "a", encoding="utf-8") as costs:
        costs.write(f"{platform.name} {who} {verbs} {listed}: {ended.user_seconds:.3f} s and "
                    f"{ended.system_seconds:.3f} s in the system\n")
    return ended.code


def read_all_candidates(request):
    """What `automatic` chooses among, as benchmarks/policies prints it."""
    texts, platform = [], KNOWN["ntw10e5"]
    for place in ("between_nodes", "inside_machine", "memory_of_nodes", "memory_of_numa_nodes"):
        text, log = request.results / f"candidates.{place}", request.results / f"candidates.{place}.log"
        with open(text, "w", encoding="utf-8") as output, open(log, "w", encoding="utf-8") as errors:
            ended = smpirun(1, platform.file, filled_hosts(1, 1), [request.programs / "policies", "--candidates", place],
                            output=output, log=errors, cpu_seconds=request.limit)
        if ended.code != 0:
            raise Failed(f"printing the candidates failed with code {ended.code}: {log}")
        log.unlink()
        texts.append(text.read_text(encoding="utf-8"))
    between, inside, of_nodes, of_numa_nodes = texts
    return read_candidates(between + of_nodes, inside + of_numa_nodes)


def candidate_lines(request, platform, verb, sizes):
    """The candidates at each of these sizes where they can be best, and the MPI's own: a policy a line, as benchmarks/policies
    reads it. Of irregular verbs the MPI's own is not simulated twice: it is the other `ompi`. Of exchanges with neighbours the
    candidates are the routes."""
    if verb in IRREGULAR + GATHERED + NEIGHBOURS:
        policies = IRREGULAR_POLICIES if verb in IRREGULAR else GATHERED_POLICIES if verb in GATHERED else NEIGHBOUR_ROUTES
        return [f"{verb} {policy} {','.join(map(str, sizes))}" for policy in policies]
    lines = [f"{verb} flat {','.join(map(str, sizes))}"]
    for policy, those in points_of(request.candidates, platform, verb, sizes):
        lines.append(f"{verb} {policy} {','.join(map(str, those))}")
    return lines


def run_together(request, platform, who):
    """All that is missing in one simulation. Verbs of which not all sizes fit into memory are left to simulations of their own."""
    missing = points_missing(request, platform, who)
    missing = {verb: sizes for verb, sizes in missing.items() if sizes == request.sizes_of(verb)}
    if not missing or platform.ranks > MOST_TOGETHER:
        return
    part = pathlib.Path(f"{file_of(request, platform, who, 'together')}.part")
    part.unlink(missing_ok=True)
    simulate(request, platform, who, missing, part, [])
    for line, sample in samples.lines_of(part):
        if sample.get("bytes") in missing.get(sample.get("verb"), []):
            with open(file_of(request, platform, who, sample["verb"]), "a", encoding="utf-8") as target:
                target.write(line + "\n")
    for rest in (part, pathlib.Path(f"{part}.log"), pathlib.Path(f"{part}.policies")):
        rest.unlink(missing_ok=True)


def run_job(request, platform, who):
    run_together(request, platform, who)
    for verb, sizes in points_missing(request, platform, who).items():
        run_verb(request, platform, who, verb, sizes)


def run_candidates(request, platform, verb, missing):
    """All candidates of a verb in one run: what stops it leaves the rest out."""
    file = file_of(request, platform, "candidates", verb)
    part = pathlib.Path(f"{file}.part")
    part.unlink(missing_ok=True)
    code = simulate(request, platform, "candidates", {verb: missing}, part, [])
    if code != 0:
        say(f"candidates of {verb} on {platform.name} ended with code {code}: {part}.log")
    samples.append_complete(part, file)
    pathlib.Path(f"{part}.policies").unlink(missing_ok=True)


def run_verb(request, platform, who, verb, missing):
    if who == "candidates":
        run_candidates(request, platform, verb, missing)
        return
    file = file_of(request, platform, who, verb)
    part, log = pathlib.Path(f"{file}.part"), pathlib.Path(f"{file}.part.log")
    was_precise, options = True, []
    while missing:
        part.unlink(missing_ok=True)
        code = simulate(request, platform, who, {verb: missing}, part, options)
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
            by = "two_levels" if who.endswith(MEMORY) else "topomp" if who == "topomp" else "mpi"
            failed = {"benchmark": "verbs", "verb": verb, "by": by, "bytes": missing[0],
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
        for who in dict.fromkeys(who for verb in request.verbs for who in who_is_measured(request, verb)):
            missing = points_missing(request, platform, who)
            if missing:
                points = [(verb, size) for verb, sizes in missing.items() for size in sizes]
                jobs.append(Job(lambda p=platform, w=who: run_job(request, p, w), f"{name} {who}",
                                max(memory_of(platform, *point) for point in points),
                                sum(weight(platform, *point) for point in points)))
    return sorted(jobs, key=lambda job: (job.memory <= MOST_MEMORY // 2, -job.weight))


def measure_all(request):
    for folder in (request.results / "samples", request.candidates_of / "candidates", request.root / "others",
                   request.root / "parameters"):
        folder.mkdir(parents=True, exist_ok=True)
    request.programs = build("smpi", ["benchmark_verbs", "benchmark_measure", "benchmark_policies"],
                             request.results / "build.log") / "benchmarks"
    if not request.is_free:
        request.candidates = read_all_candidates(request)
    if request.is_free:  # of messages, which shared memory can beat
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
                for who in who_is_measured(request, verb):
                    target.writelines(with_bound(request, KNOWN[name], line, sample) + "\n"
                                      for line, sample in samples.lines_of(file_of(request, KNOWN[name], who, verb))
                                      if sample.get("bytes") in request.bytes)


def with_bound(request, platform, line, sample):
    """Samples of ours say what no algorithm can beat. Of messages alone, without charges, the program itself says it."""
    least = None if request.is_free or sample.get("by") != "topomp" else least_seconds(platform, sample["verb"], sample["bytes"])
    return line if least is None else json.dumps({**sample, "bound": float(f"{least:.9g}")}, separators=(",", ":"))
