# SPDX-License-Identifier: BSL-1.0
"""What scripts/cluster is asked for."""
import re
import shutil

from .command import Refused, cpus, help_if_asked

NUMBER = "[1-9][0-9]{0,3}"
ASSIGNMENT = "[A-Za-z_][A-Za-z0-9_]*=(?s:.*)"
FLAGS = ["--interleave", "--bind", "--slurm"]
VALUES = {  # a pattern, and what is said of a value that has another form
    "--hosts": (NUMBER, "a positive number"), "--ranks-per-host": (NUMBER, "a positive number"),
    "--slots": (f"{NUMBER}(,{NUMBER})*", "numbers such as 4,2,3,1"), "--mpi": ("openmpi|mpich", "openmpi or mpich"),
    "--rate": ("[1-9][0-9]*[kmgt]?(bit|bps)", "a rate such as 1gbit"), "--timeout": (NUMBER, "a positive number of seconds"),
    "--env": (ASSIGNMENT, "NAME=VALUE"), "--host-env": (".*", "a file"), "--topology": (".*", "a file"),
    "--cores": ("|".join(str(1 + core) for core in range(cpus())), f"a number from 1 to {cpus()}, the cores of this machine")}
ONLY_SLURM = {"--cores", "--topology"}
NOT_SLURM = {"--interleave", "--bind", "--ranks-per-host", "--slots", "--env", "--host-env"}
LAUNCHERS = {"openmpi": ["mpirun.openmpi", "mpirun"], "mpich": ["mpiexec.mpich", "mpiexec.hydra", "mpiexec"]}


def split(arguments):
    """The options with their values, all of --env, and the program behind them."""
    given, rest = {"--env": []}, list(arguments)
    while rest and rest[0].startswith("-"):
        option = rest.pop(0)
        help_if_asked([option])
        if option == "--":
            break
        if option in FLAGS:
            given[option] = True
        elif option not in VALUES:
            raise Refused(f"unknown option: {option} (--help lists them)")
        elif not rest:
            raise Refused(f"{option} needs a value")
        else:
            value, (pattern, wanted) = rest.pop(0), VALUES[option]
            if not re.fullmatch(pattern, value, re.ASCII):
                raise Refused(f"{option} wants {wanted}, not '{value}'")
            given[option] = [*given["--env"], value] if option == "--env" else value
    if not rest:
        raise Refused("no program given (--help shows how)")
    return given, rest


def read(option, name):
    try:
        with open(name, encoding="utf-8", errors="surrogateescape") as file:
            return file.read()
    except OSError:
        raise Refused(f"{option}: cannot read '{name}'") from None


def slots_of(given):
    """How many ranks each host has."""
    if "--slots" not in given:
        slots = [int(given.get("--ranks-per-host", 4))] * int(given.get("--hosts", 4))
    elif "--ranks-per-host" in given:
        raise Refused("give --slots or --ranks-per-host, not both")
    else:
        slots = [int(count) for count in given["--slots"].split(",")]
        if int(given.get("--hosts", len(slots))) != len(slots):
            raise Refused(f"--slots names {len(slots)} hosts, --hosts {given['--hosts']}")
    if len(slots) > 64:
        raise Refused(f"at most 64 hosts, not {len(slots)}")
    return slots


def host_env_of(name, hosts):
    """The lines 'HOST NAME=VALUE' of a file: for each host a list."""
    found = {f"node{host}": [] for host in range(hosts)}
    for number, line in enumerate(read("--host-env", name).splitlines(), 1):
        host, pair = (*line.split(None, 1), "", "")[:2]
        if not host or host.startswith("#"):
            continue
        if host not in found:
            raise Refused(f"{name}:{number}: no such host: '{host}'")
        if not re.fullmatch(ASSIGNMENT, pair, re.ASCII):
            raise Refused(f"{name}:{number}: wants 'HOST NAME=VALUE', not '{host} {pair}'")
        found[host].append(pair.rstrip())
    return found


class Request:
    def __init__(self, arguments):
        given, self.program = split(arguments)
        self.is_slurm, self.is_interleaved, self.is_bound = (name in given for name in ("--slurm", "--interleave", "--bind"))
        if self.is_slurm and any(given.get(option) for option in NOT_SLURM):
            raise Refused("--slurm takes --hosts, --cores, --topology, --mpi, --rate and --timeout; srun says where ranks run")
        if not self.is_slurm and ONLY_SLURM & given.keys():
            raise Refused("--cores and --topology are for --slurm")
        self.slots = slots_of(given)
        self.mpi, self.rate = given.get("--mpi", "openmpi"), given.get("--rate")
        self.timeout = int(given["--timeout"]) if "--timeout" in given else None  # in seconds
        self.cores = int(given.get("--cores", cpus()))  # for a task on one more, slurmd would find none
        self.has_topology = given.get("--topology") != "none"
        self.topology = read("--topology", given["--topology"]) if self.has_topology and "--topology" in given else None
        self.env = given["--env"]
        self.host_env = host_env_of(given["--host-env"], len(self.slots)) if "--host-env" in given else {}
        # Its launcher knows rounds of equal size only, and takes a host named twice for two hosts.
        if self.mpi == "mpich" and self.is_interleaved and len(set(self.slots)) > 1:
            raise Refused("--interleave with --mpi mpich wants the same number of ranks on each host")
        if not shutil.which(self.program[0]):
            raise Refused(f"no such program: {self.program[0]}")
        self.launcher = next(filter(None, map(shutil.which, LAUNCHERS[self.mpi])), None)
        if not self.launcher and not self.is_slurm:
            raise Refused(f"--mpi {self.mpi}: {LAUNCHERS[self.mpi][0]} is not installed")
