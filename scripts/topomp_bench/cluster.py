# SPDX-License-Identifier: BSL-1.0
"""scripts/cluster: a program on hosts that this machine is divided into, and nothing left behind."""
import contextlib
import os
import shutil
import signal
import subprocess
import sys

from . import cluster_slurm
from .cluster_hosts import AGENT, NETWORK, Hosts, Skipped, address, not_allowed, remove, remove_orphans
from .cluster_request import Request
from .command import ROOT, Failed, say

SKIPPED = 77
SIGNALS = [signal.SIGHUP, signal.SIGINT, signal.SIGTERM]
PATIENCE = 2  # seconds that a launcher has to end what it started; who stops this script may wait for 5
# Open MPI's launcher and its child race to set the child's process group, and the loser complains of nothing.
NO_COMPLAINT = "plm:rsh: Warning: setpgid"


def check_machine(request):
    for tool in ["ip", "nsenter", "unshare", "mount", "hostname", *(["tc"] if request.rate else [])]:
        if not shutil.which(tool):
            raise not_allowed(f"there is no {tool} command")
    if os.geteuid() != 0:
        raise not_allowed("not root")
    for program in ["munged", "slurmctld", "slurmd", "srun", "sbatch"] if request.is_slurm else []:
        if not shutil.which(program):
            raise Skipped(f"there is no {program} (the packages are slurmctld slurmd slurm-client munge: scripts/setup --slurm)")


def library_for(mpi, folder):
    """What MPICH's ranks preload, so that those that wait let others run."""
    if mpi != "mpich" or not shutil.which("c++"):
        return None
    sources = [ROOT / "tests" / name for name in ("support/mpich_yield.cpp", "cluster/support/mpich_finalize.cpp")]
    command = ["c++", "-std=c++20", "-O1", "-shared", "-fPIC", "-o", folder / "mpich_ranks.so", *sources]
    if subprocess.run(command, check=False).returncode != 0:
        raise Failed(f"cannot compile {sources[0]} and {sources[1]}")
    return str(folder / "mpich_ranks.so")


def with_library(library, variables):
    """Variables of a rank, with a library before the others that it preloads."""
    others = variables.get("LD_PRELOAD", os.environ.get("LD_PRELOAD"))
    return {**variables, "LD_PRELOAD": f"{library} {others}" if others else library} if library else variables


def addresses_of(slots, is_interleaved):
    """Of each rank, in rank order."""
    if not is_interleaved:
        return [address(host) for host, count in enumerate(slots) for _ in range(count)]
    return [address(host) for turn in range(max(slots)) for host, count in enumerate(slots) if turn < count]


def launcher_of(request, agent, file):
    """The MPI's own, and what it writes its hosts into."""
    ranks = str(sum(request.slots))
    if request.mpi == "openmpi":
        file.write_text("\n".join([*addresses_of(request.slots, request.is_interleaved), ""]), encoding="ascii")
        return [request.launcher, "--allow-run-as-root", "--hostfile", file, "-np", ranks, "--mca", "rmaps", "seq", "--bind-to", "none",
                "--mca", "plm", "rsh", "--mca", "plm_rsh_agent", agent, "--mca", "plm_rsh_no_tree_spawn", "1",
                "--mca", "btl", "self,vader,tcp", "--mca", "btl_tcp_if_include", NETWORK, "--mca", "oob_tcp_if_include", NETWORK,
                "--mca", "pml", "ob1", "--mca", "mpi_yield_when_idle", "1"]
    file.write_text("".join(f"{address(host)}:{count}\n" for host, count in enumerate(request.slots)), encoding="ascii")
    return [request.launcher, "-launcher", "ssh", "-launcher-exec", agent, "-rmk", "user", "-iface", "hub", "-f", file, "-n", ranks,
            *(["-ppn", "1"] if request.is_interleaved else [])]


def mpi_command(hosts, request, library):
    """Gives the command in front of the program, and the launcher's environment."""
    cores, own = sorted(os.sched_getaffinity(0)), dict(os.environ)
    for host, name in enumerate(hosts.names):
        variables = dict(pair.split("=", 1) for pair in (*request.env, *request.host_env.get(name, [])))
        hosts.write_entry(name, with_library(library, variables), core=cores[host % len(cores)] if request.is_bound else None)
        for variable in variables:  # the launcher's would win in MPICH
            own.pop(variable, None)
    hosts.write_program("agent", AGENT)
    launcher = launcher_of(request, hosts.folder / "agent", hosts.folder / "hosts")
    return ["nsenter", f"--net=/run/netns/{hosts.namespace('head')}", *launcher], own


def slurm_command(hosts, request, library):
    variables = with_library(library, cluster_slurm.FOR_JOBS)
    return [*cluster_slurm.start(hosts, request), "env", *(f"{name}={value}" for name, value in variables.items())], os.environ


def run(command, environment, timeout, stderr):
    """Gives the exit code, as a shell has it. Without input, because a launcher that reads it would be stopped."""
    launcher = subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=stderr, env=environment, start_new_session=True)
    try:
        code = launcher.wait(timeout)
        return 128 - code if code < 0 else code
    except subprocess.TimeoutExpired:
        say(f"stopped after {timeout} s")
        return 124
    finally:
        if launcher.poll() is None:  # it tidies up better than anybody else can
            os.killpg(launcher.pid, signal.SIGTERM)
            with contextlib.suppress(subprocess.TimeoutExpired):
                launcher.wait(PATIENCE)


def main(arguments):
    request = Request(arguments)
    hosts = Hosts(len(request.slots))
    for number in SIGNALS:
        signal.signal(number, lambda number, _: sys.exit(128 + number))
    errors = subprocess.Popen(["grep", "--line-buffered", "-v", NO_COMPLAINT], stdin=subprocess.PIPE, stdout=sys.stderr,
                              start_new_session=True)
    try:
        check_machine(request)
        signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)  # what is half made could not be removed
        remove_orphans()
        hosts.make(request.rate)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
        library = library_for(request.mpi, hosts.folder)
        command, environment = (slurm_command if request.is_slurm else mpi_command)(hosts, request, library)
        return run([*command, *request.program], {**environment, "TMPDIR": str(hosts.folder)}, request.timeout, errors.stdin)
    except Skipped as problem:
        print(f"skipped: {problem}")
        return SKIPPED
    finally:
        signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)  # a second Ctrl-C must not stop the cleaning
        remove(hosts.run)
        errors.communicate()
