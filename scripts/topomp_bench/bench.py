# SPDX-License-Identifier: BSL-1.0
"""scripts/bench: what it is asked for. The measurements are in bench_sim, bench_machines and bench_halo."""
import dataclasses
import hashlib
import pathlib
import re

from . import bench_halo, bench_machines, bench_sim, plots, samples
from .command import ROOT, Refused, commit, cpus, folder_of, from_here, notes, processor, say, seconds, setup, stamp
from .compare import aligned, compare
from .platforms import KNOWN
from .points import points_of
from .tables import make_table
from .tables_verbs import ALL, GATHERED, IRREGULAR, NEIGHBOURS, SCANS, SPARSE, SPARSE_NBX

ONLY_NAMED = ["ntw32x16"]
PLACES = {  # benchmark: places
    "verbs": ["sim", "cluster", "local"], "halo": ["sim", "cluster"], "hybrid": ["local", "cluster"]}
# SimGrid's own scans are those of no MPI: each rank sends to all behind it. NBX does not end there.
ALL_VERBS = {"verbs": ALL, "verbs sim": [verb for verb in ALL if verb not in SCANS + SPARSE_NBX], "halo": ["halo_2d", "halo_3d", "stencil"],
             "hybrid": ["broadcast", "all_gather", "all_reduce", "reduce", "gather", "scatter", "all_to_all"]}
ALL_BYTES = {"verbs": [8, 32, 128, 512, 2048, 8192, 32768, 131072, 524288, 2097152, 4194304],
             "halo": [1024 << i for i in range(8)],  # paper 3's table 5 from 128 doubles on
             # On the cluster only what the links decide: short ones say more about the machine's scheduler.
             "halo cluster": [131072 << i for i in range(5)],
             "hybrid": [8, 128, 1024, 4096, 16384, 65536, 262144, 1048576]}
MOST_BLOCK_BYTES = 8192  # of irregular exchanges, and of those with neighbours
QUICK_BYTES = {"verbs": [8, 512, 32768], "halo": [1024, 16384], "halo cluster": [131072], "hybrid": [8, 512, 32768]}
ALL_PLATFORMS = {"sim": [name for name in KNOWN if name not in ONLY_NAMED], "cluster": list(bench_machines.CLUSTERS),
                 "local": ["cores", "twice"],
                 "halo cluster": ["shaped", "unshaped"],
                 "halo sim": ["fat_tree_256", "fat_tree_1024", "dragonfly_256", "dragonfly_1024"]}
QUICK_PLATFORMS = {"sim": ["ntw10e5", "uneven6"], "halo sim": ["fat_tree_256"]}


def of(table, benchmark, where):
    """What a table says of a benchmark at a place."""
    return next((table[key] for key in (f"{benchmark} {where}", benchmark, where) if key in table), None)


def refuse(text):
    raise Refused(f"{text} (scripts/bench --help)")


@dataclasses.dataclass
class Request:
    benchmark: str
    where: str
    verbs: list
    bytes: list
    platforms: list
    limit: int = 60
    is_quick: bool = False
    is_free: bool = False  # sim: memory, receivers and combining cost nothing
    tuning: str = ""  # sim: TOPOMP_TUNING of topomp
    candidates: list = dataclasses.field(default_factory=list)
    root: pathlib.Path = None
    results: pathlib.Path = None
    candidates_of: pathlib.Path = None  # whose candidates are measured, whatever the tuning
    programs: pathlib.Path = None
    notes: list = dataclasses.field(default_factory=list)

    def sizes_of(self, verb):
        """A barrier has one size; longer irregular blocks would say what all_to_all says, and those of neighbours are messages."""
        if verb in IRREGULAR + GATHERED + NEIGHBOURS + SPARSE + SPARSE_NBX:
            return [size for size in self.bytes if size <= MOST_BLOCK_BYTES]
        return self.bytes[:1] if verb == "barrier" else self.bytes


def words_of(what, given, known):
    if not given:
        refuse(f"no {what} given")
    for word in given.split(","):
        if word not in known:
            refuse(f"no such {what}: '{word}'; known are {' '.join(known)}")
    return given.split(",")


def parse(benchmark, where, arguments):
    """The command line behind the place."""
    every = of(ALL_PLATFORMS, benchmark, where)
    platforms = ["shaped"] if where == "cluster" else every
    request = Request(benchmark, where, of(ALL_VERBS, benchmark, where), of(ALL_BYTES, benchmark, where), platforms)
    given = {}
    arguments = list(arguments)
    while arguments:
        option = arguments.pop(0)
        if option == "--quick":
            request.is_quick = True
            request.bytes = of(QUICK_BYTES, benchmark, where)
            given.pop("--bytes", None)
            if where == "sim":
                request.platforms = of(QUICK_PLATFORMS, benchmark, where)
                given.pop("--platform", None)
            continue
        if option == "--free" and (benchmark, where) == ("verbs", "sim"):
            request.is_free = True
            continue
        if option == "--probe" and (benchmark, where) == ("verbs", "sim"):
            request.tuning = "probe"
            continue
        if option not in ("--verb", "--bytes", "--platform", "--limit"):
            refuse(f"unknown option: {option}")
        if not arguments:
            refuse(f"{option} needs a value")
        given[option] = arguments.pop(0)
    if "--verb" in given:
        request.verbs = words_of("verb", given["--verb"], of(ALL_VERBS, benchmark, where))
    if "--platform" in given:
        known = every + (ONLY_NAMED if (benchmark, where) == ("verbs", "sim") else [])
        if where == "local":
            known = [*known, *(name for name in given["--platform"].split(",") if bench_machines.ranks_of(name))]
        request.platforms = words_of("platform", given["--platform"], known)
        for name in request.platforms:
            if (bench_machines.ranks_of(name) or 0) > cpus():
                refuse(f"{name}: there are {cpus()} cores; twice as many ranks are the platform 'twice'")
    if "--bytes" in given:
        if not re.fullmatch(r"[1-9][0-9]{0,9}(,[1-9][0-9]{0,9})*", given["--bytes"], re.ASCII):
            refuse(f"--bytes wants numbers such as 8,512, not '{given['--bytes']}'")
        request.bytes = [int(word) for word in given["--bytes"].split(",")]
    if "--limit" in given:
        if not re.fullmatch("[1-9][0-9]{0,5}", given["--limit"], re.ASCII):
            refuse(f"--limit wants a number of seconds, not '{given['--limit']}'")
        request.limit = int(given["--limit"])
    return request


def library_key():
    """Of all headers: what was measured of other ones is kept apart."""
    whole = hashlib.sha256()
    for file in sorted((path for path in (ROOT / "include").rglob("*") if path.is_file()), key=str):
        whole.update(file.read_bytes())
    return whole.hexdigest()[:10]


def measure(request):
    library = library_key()
    request.root = folder_of("TOPOMP_BENCH_RESULTS", ROOT / "results/bench")
    if request.benchmark != "verbs":
        request.root /= request.benchmark
    request.root /= "free" if request.is_free else request.where
    request.candidates_of = request.root / f"topomp-{library}"
    request.results = request.candidates_of / request.tuning if request.tuning else request.candidates_of
    request.results.mkdir(parents=True, exist_ok=True)
    request.notes = notes(date=stamp(), commit=commit(), library=library, cpus=cpus(), processor=processor(), where=request.where,
                          **({"tuning": request.tuning} if request.tuning else {}))
    setup("--bench")
    plots.library()  # or an hour is for nothing
    if request.benchmark == "halo":
        bench_halo.measure_all(request)
    elif request.where == "sim":
        bench_sim.measure_all(request)
    else:
        bench_machines.measure_all(request)
    plots.make_plots(request.results, make_table(request.results))
    say(f"done after {seconds()} s: samples, table, summary and plots in {request.results}")


def compare_folders(arguments):
    """Exit code 1 if a point got slower by more than the threshold."""
    folders, threshold = [], None
    arguments = list(arguments)
    while arguments:
        word = arguments.pop(0)
        if word == "--threshold":
            if not arguments:
                refuse("--threshold needs a value")
            value = arguments.pop(0)
            if not re.fullmatch(r"[0-9]{1,4}(\.[0-9]+)?", value, re.ASCII):
                refuse(f"--threshold wants a number of percent, not '{value}'")
            threshold = float(value)
        elif word.startswith("-"):
            refuse(f"unknown option: {word}")
        else:
            folders.append(from_here(word))
    if len(folders) != 2:
        refuse("compare wants two results folders")
    old, new = map(samples.of_folder, folders)
    if threshold is None:
        threshold = 2 if new[0]["where"] == "sim" else 30
    lines, slower = compare(points_of(old), points_of(new), threshold)
    print(aligned(lines), end="")
    return 1 if slower else 0


def main(arguments, usage):
    benchmark = "verbs"
    if arguments and arguments[0] in ("halo", "hybrid"):
        benchmark = arguments.pop(0)
        place = arguments[0] if arguments else ""
        if place not in PLACES[benchmark]:
            refuse(f"{benchmark} has no place '{place}'; known are {' '.join(PLACES[benchmark])}")
    where = arguments[0] if arguments else ""
    if where in ("-h", "--help", ""):
        print(usage)
        return 0 if where else 2
    if where in PLACES[benchmark]:
        return measure(parse(benchmark, where, arguments[1:]))
    if where == "show":
        if len(arguments) != 2:
            refuse("show wants one results folder")
        make_table(from_here(arguments[1]))
        return 0
    if where == "compare":
        return compare_folders(arguments[1:])
    return refuse(f"no such place: '{where}'; known are sim cluster local halo hybrid show compare")
