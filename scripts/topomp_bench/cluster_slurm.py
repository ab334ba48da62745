# SPDX-License-Identifier: BSL-1.0
"""scripts/cluster --slurm: a Slurm on its hosts. All daemons are in the run's namespaces, so that they end with those."""
import os
import subprocess
import sys
import time

from .cluster_hosts import HEAD, NETWORK, address
from .command import Failed

CONFIGURATION = """\
ClusterName=topomp
SlurmctldHost=head({head})
AuthInfo=socket={folder}/munge.socket
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool.%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.%n.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/affinity
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
TmpFS={folder}/private
MpiDefault={mpi}
KillWait=2
SchedulerParameters=batch_sched_delay=0,sched_min_interval=0
ReturnToService=2
{nodes}
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""

# Slurm 22.05's own fence lets a start of Open MPI fail now and then, the ring does not. Open MPI shall use the hosts' network, and
# ranks that wait shall let others run, for the hosts share the cores of this machine.
FOR_JOBS = {
    "SLURM_PMIX_FENCE": "ring", "OMPI_MCA_pml": "ob1", "OMPI_MCA_btl": "self,vader,tcp", "OMPI_MCA_btl_tcp_if_include": NETWORK,
    "OMPI_MCA_oob_tcp_if_include": NETWORK, "OMPI_MCA_mpi_yield_when_idle": "1", "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
    "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}

# Each host has names of hosts, and the folder in which slurmd keeps the sockets of a step, of its own.
MOUNTS = 'mount -t tmpfs tmpfs "$TMPDIR/private" && mount --bind "$TMPDIR/hosts" /etc/hosts && '


def switches(hosts):
    """Two leaf switches under a spine."""
    half = (hosts + 1) // 2
    leaves = [f"SwitchName=leaf0 Nodes=node[0-{half - 1}]\n", f"SwitchName=leaf1 Nodes=node[{half}-{hosts - 1}]\n"][:hosts]
    return "".join(leaves) + f"SwitchName=spine Switches=leaf[0-{len(leaves) - 1}]\n"


def configure(hosts, request):
    folder, addresses = hosts.folder, {name: address(host) for host, name in enumerate(hosts.names)}
    nodes = [f"NodeName={name} NodeAddr={at} Sockets=1 CoresPerSocket={request.cores} ThreadsPerCore=1" for name, at in addresses.items()]
    if request.has_topology:
        nodes.append("TopologyPlugin=topology/tree")
        (folder / "topology.conf").write_text(request.topology or switches(len(nodes) - 1), encoding="utf-8")
    (folder / "slurm.conf").write_text(CONFIGURATION.format(
        head=HEAD, folder=folder, mpi="pmix" if request.mpi == "openmpi" else "pmi2", nodes="\n".join(nodes)), encoding="utf-8")
    (folder / "hosts").write_text("127.0.0.1 localhost\n" + "".join(
        f"{at} {name}\n" for name, at in {"head": HEAD, **addresses}.items()), encoding="ascii")
    (folder / "munge.key").touch(0o600)
    (folder / "munge.key").write_bytes(os.urandom(1024))
    for name in ("state", "private", *(f"spool.{name}" for name in addresses)):
        (folder / name).mkdir()
    for name in ("head", *addresses):
        hosts.write_entry(name, {"SLURM_CONF": folder / "slurm.conf"}, mounts=MOUNTS)


def start_daemon(hosts, host, *command):
    with open(hosts.folder / f"{command[0]}.{host}.out", "wb") as output:
        subprocess.Popen([hosts.folder / host, *command], stdin=subprocess.DEVNULL, stdout=output, stderr=output,
                         start_new_session=True)


def wait_until(is_ready, hosts, seconds, problem):
    """The end, with what the daemons have said, if it is not ready in this time."""
    end = time.monotonic() + seconds
    while not is_ready():
        if time.monotonic() > end:
            subprocess.run(["tail", "-n", "5", *hosts.folder.glob("*.out")], stdout=sys.stderr, check=False)
            raise Failed(problem)
        time.sleep(0.05)


def start(hosts, request):
    """Gives the command in front of a program on the login host."""
    configure(hosts, request)
    folder, head = hosts.folder, hosts.folder / "head"
    # By force, because it refuses a /tmp that all users can write to: no other program can reach these hosts.
    start_daemon(hosts, "head", "munged", "--foreground", "--force", f"--key-file={folder}/munge.key",
                 f"--socket={folder}/munge.socket", f"--pid-file={folder}/munge.pid", f"--seed-file={folder}/munge.seed")
    wait_until((folder / "munge.socket").is_socket, hosts, 5, "munged did not start")
    start_daemon(hosts, "head", "slurmctld", "-D", "-i", "-f", folder / "slurm.conf")
    for name in hosts.names:
        start_daemon(hosts, name, "slurmd", "-D", "-N", name, "-f", folder / "slurm.conf")

    def are_idle():
        said = subprocess.run(["timeout", "5", head, "sinfo", "-h", "-t", "idle", "-o", "%D"], capture_output=True, text=True, check=False)
        return said.stdout.strip() == str(len(hosts.names))

    wait_until(are_idle, hosts, 60, f"not all of {len(hosts.names)} hosts became idle")
    return [head]
