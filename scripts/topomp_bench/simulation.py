# SPDX-License-Identifier: BSL-1.0
"""Programs under SimGrid's simulated MPI."""
import pathlib
import shutil
import tempfile

from . import processes
from .platforms import Platform

# SimGrid's rules of Open MPI begin all-reduces and broadcasts of a communicator with n^2 messages, and hierarchies are built
# with these: where something else is measured, others are taken.
PLAIN_ALL_REDUCE = "--cfg=smpi/allreduce:rdb"
PLAIN_BROADCAST = "--cfg=smpi/bcast:binomial_tree"
PLAIN = [PLAIN_ALL_REDUCE, PLAIN_BROADCAST]

# What the program is told to charge: GB/s of a receiver that copies and of an operation that combines, microseconds of a
# message's end; and the library: nanoseconds of a flag, GB/s of copies and of long ones. docs/benchmarks_method.md says where
# the numbers are from.
END = 0.3
CHARGED = ["--charged", f"20:20:{END}"]
FLAG, COPY = 250, 10


def charged_memory(flag=FLAG, copy=COPY):
    """Nanoseconds of a flag and GB/s of copies, for the library."""
    return {"TOPOMP_SIMULATED_MEMORY": f"{flag}:{copy}:{copy}:shared"}


CHARGED_MEMORY = charged_memory()


def filled_hosts(hosts, slots):
    """Ranks next to each other, so many on each simulated host."""
    return [f"node{host}:{slots}" for host in range(hosts)]


def selector(name):
    """The MPI whose rules choose algorithms."""
    return f"--cfg=smpi/coll-selector:{name}"


def smpirun(ranks, platform_file, hosts, command, *, options=(), log=None, output=None, cpu_seconds=None, wall_seconds=None,
            environment=None):
    """Runs a program on so many simulated ranks. What messages cost is in the platform's file.

    hosts: lines of SimGrid's file of hosts, or such a file. options: SimGrid's own.
    """
    scratch = pathlib.Path(tempfile.mkdtemp())  # smpirun leaves files behind when it fails
    try:
        if isinstance(hosts, list):
            (scratch / "hosts").write_text("\n".join(hosts) + "\n", encoding="ascii")
            hosts = "hosts"
        return processes.run(
            ["smpirun", "-np", ranks, "-platform", platform_file, "-hostfile", hosts, "--log=root.thresh:critical",
             "--cfg=smpi/simulate-computation:no", f"--cfg=smpi/tmpdir:{scratch}", *options, *command],
            log=log, output=output, cpu_seconds=cpu_seconds, wall_seconds=wall_seconds, folder=scratch,
            environment={**processes.KEEP_MEMORY, **(environment or {})})
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def on_platform(platform: Platform, seconds, command, *, options, log, output=None, environment=None):
    """A program on all ranks of a platform, within so many seconds of processor time."""
    return smpirun(platform.ranks, platform.file, platform.host_lines, command, options=options, log=log, output=output,
                   cpu_seconds=seconds, wall_seconds=10 * seconds, environment=environment)
