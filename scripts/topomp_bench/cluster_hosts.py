# SPDX-License-Identifier: BSL-1.0
"""Hosts of scripts/cluster: network namespaces on this machine.

The bridge and the launcher are in a namespace 'head' that has no link to the outside: no packet can leave, no address can clash,
and two clusters can run at once. The hosts share this machine's files, as those of a real cluster share a file system, but each has
shared memory of its own, so that what a killed rank could not unlink goes with its host.
"""
import contextlib
import os
import pathlib
import shlex
import shutil
import signal
import subprocess
import tempfile
import time

PREFIX = "topomp-cluster-"
NAMESPACES = pathlib.Path("/run/netns")
NETWORK, HEAD = "10.77.0.0/24", "10.77.0.254"

# HOST COMMAND...: runs a command on a host.
ENTRY = """#!/bin/sh
export {exports}
exec {bound}{enter} sh -c '{mounts}hostname "$0" && exec "$@"' {host} "$@"
"""
OWN_MEMORY = "mount -t tmpfs tmpfs /dev/shm && "

# Stands in for ssh: [OPTIONS] ADDRESS COMMAND...
AGENT = """#!/bin/sh
while :; do
    case $1 in
        -[bcDEeFIiJLlmOopQRSWw]) shift 2 ;;
        -*) shift ;;
        *) break ;;
    esac
done
host=node$((${1##*.} - 1))
shift
exec "${0%/*}/$host" sh -c "$*"
"""


class Skipped(Exception):
    """What is asked for cannot run here."""


def not_allowed(why):
    return Skipped(f"network namespaces are not allowed here ({why})")


def address(host):
    return f"10.77.0.{host + 1}"


def try_to(command, text=None):
    ended = subprocess.run(command, input=text, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if ended.returncode != 0:
        raise not_allowed(ended.stdout.partition("\n")[0])


def batch(command, lines):
    try_to([*command, "-batch", "-"], "\n".join([*lines, ""]))


def remove(run):
    """A run's processes, namespaces and files. Links, the bridge and shared memory go with the namespaces."""
    names = [path.name for path in NAMESPACES.glob(f"{run}-*")]
    for _ in range(100):
        listed = [subprocess.run(["ip", "netns", "pids", name], capture_output=True, text=True, check=False).stdout for name in names]
        if not any(listed):
            break
        for process in " ".join(listed).split():
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(process), signal.SIGKILL)
        time.sleep(0.02)
    if names:
        with contextlib.suppress(Skipped):
            batch(["ip"], [f"netns del {name}" for name in names])
    for folder in pathlib.Path(tempfile.gettempdir()).glob(f"{run}.*"):
        shutil.rmtree(folder, ignore_errors=True)


def remove_orphans():
    """Runs that were killed outright, and could not clean up: their process is in the name."""
    for run in {path.name.rpartition("-")[0] for path in NAMESPACES.glob(f"{PREFIX}*-*")}:
        if not os.path.exists(f"/proc/{run[len(PREFIX):]}"):
            remove(run)


class Hosts:
    """A run's: node0, node1, ... and head."""

    def __init__(self, count):
        self.run = f"{PREFIX}{os.getpid()}"
        self.names = [f"node{host}" for host in range(count)]
        self.folder = None  # a program for each host, and what the launch needs; TMPDIR of the ranks

    def namespace(self, host):
        return f"{self.run}-{host}"

    def enter(self, host):
        return ["nsenter", f"--net={NAMESPACES}/{self.namespace(host)}", "unshare", "--uts", "--ipc", "--mount"]

    def make(self, rate):
        batch(["ip"], [f"netns add {self.namespace(name)}" for name in ("head", *self.names)])
        batch(["ip", "-n", self.namespace("head")],
              ["link set lo up", "link add hub type bridge", f"address add {HEAD}/24 dev hub", "link set hub up",
               *(f"link add {name} type veth peer name eth0 netns {self.namespace(name)}" for name in self.names),
               *(f"link set {name} master hub up" for name in self.names)])
        for host, name in enumerate(self.names):
            batch(["ip", "-n", self.namespace(name)],
                  ["link set lo up", f"address add {address(host)}/24 dev eth0", "link set eth0 up"])
        try_to([*self.enter("node0"), "sh", "-c", f"{OWN_MEMORY}hostname node0"])
        for name, devices in [("head", self.names), *((name, ["eth0"]) for name in self.names)] if rate else []:
            # The bucket holds a few milliseconds' worth: a measurement sees the rate and not the bucket.
            batch(["tc", "-n", self.namespace(name)],
                  [f"qdisc add dev {device} root tbf rate {rate} burst 256kb latency 50ms" for device in devices])
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix=f"{self.run}."))

    def write_entry(self, host, variables, *, core=None, mounts=""):
        """The program of that name in the folder: runs a command on the host, with these variables, on that core."""
        exports = " ".join(shlex.quote(f"{name}={value}") for name, value in {"TMPDIR": self.folder, **variables}.items())
        self.write_program(host, ENTRY.format(exports=exports, bound="" if core is None else f"taskset -c {core} ",
                                              enter=" ".join(self.enter(host)), mounts=OWN_MEMORY + mounts, host=host))

    def write_program(self, name, text):
        (self.folder / name).write_text(text, encoding="utf-8", errors="surrogateescape")
        (self.folder / name).chmod(0o755)
