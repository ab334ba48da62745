# SPDX-License-Identifier: BSL-1.0
"""scripts/cluster, without hosts: what it is asked for, which rank is where, what is written for MPIs and Slurm, how a launch ends.
The hosts themselves are tested in tests/cluster and tests/slurm."""
import os
import signal
import subprocess
import time
import unittest
from unittest import mock

from support import ROOT, WithFolder, is_running
from topomp_bench import cluster, cluster_hosts, cluster_slurm
from topomp_bench.cluster_request import Request, split
from topomp_bench.command import Refused


@mock.patch("shutil.which", str)
class Requests(WithFolder):
    def refused(self, expected, *arguments):
        with self.assertRaises(Refused) as problem:
            Request(arguments)
        self.assertIn(expected, str(problem.exception))

    def test_defaults(self):
        request = Request(["true"])
        self.assertEqual((request.slots, request.mpi, request.rate, request.timeout), ([4, 4, 4, 4], "openmpi", None, None))
        self.assertEqual((request.is_interleaved, request.is_bound, request.is_slurm), (False, False, False))
        self.assertEqual((request.env, request.host_env), ([], {}))

    def test_options_end_at_the_program(self):
        given, program = split(["--hosts", "2", "--hosts", "3", "--env", "A=b", "--env", "C=", "--bind", "sh", "--slots", "-c"])
        self.assertEqual(given, {"--hosts": "3", "--env": ["A=b", "C="], "--bind": True})
        self.assertEqual(program, ["sh", "--slots", "-c"])
        self.assertEqual(split(["--", "--bind"]), ({"--env": []}, ["--bind"]))

    def test_slots(self):
        self.assertEqual(Request(["--slots", "4,2,3,1", "--hosts", "4", "true"]).slots, [4, 2, 3, 1])
        self.assertEqual(Request(["--hosts", "3", "--ranks-per-host", "2", "true"]).slots, [2, 2, 2])
        self.refused("not '4,,2'", "--slots", "4,,2", "true")
        self.refused("at most 64 hosts, not 65", "--slots", ",".join(["1"] * 65), "true")

    def test_variables_of_hosts(self):
        file = self.file("hosts", "# a comment\n\nnode0 A=b c \nnode2\tA=\nnode2 B=d=e")
        self.assertEqual(Request(["--host-env", str(file), "--hosts", "3", "true"]).host_env,
                         {"node0": ["A=b c"], "node1": [], "node2": ["A=", "B=d=e"]})
        self.refused(f"{file}:4: no such host: 'node2'", "--host-env", str(file), "--hosts", "2", "true")

    def test_slurm(self):
        request = Request(["--slurm", "--cores", "1", "--topology", str(self.file("topology", "text")), "true"])
        self.assertEqual((request.is_slurm, request.cores, request.has_topology, request.topology), (True, 1, True, "text"))
        request = Request(["--slurm", "--topology", "none", "true"])
        self.assertEqual((request.has_topology, request.topology), (False, None))
        self.refused("--slurm takes --hosts", "--slurm", "--env", "A=b", "true")


class Launches(WithFolder):
    def test_ranks_go_to_hosts_in_order_or_in_turn(self):
        def hosts(is_interleaved):
            return [int(each.rpartition(".")[2]) - 1 for each in cluster.addresses_of([3, 1, 2], is_interleaved)]

        self.assertEqual(hosts(False), [0, 0, 0, 1, 2, 2])
        self.assertEqual(hosts(True), [0, 1, 2, 0, 2, 0])

    def test_a_library_stands_before_the_others(self):
        with mock.patch.dict(os.environ, {"LD_PRELOAD": "outside.so"}):
            self.assertEqual(cluster.with_library("own.so", {"A": "b"}), {"A": "b", "LD_PRELOAD": "own.so outside.so"})
            self.assertEqual(cluster.with_library("own.so", {"LD_PRELOAD": "asked.so"}), {"LD_PRELOAD": "own.so asked.so"})
            self.assertEqual(cluster.with_library(None, {"A": "b"}), {"A": "b"})

    def test_the_agent_takes_what_ssh_takes(self):
        hosts = cluster_hosts.Hosts(3)
        hosts.folder = self.folder
        hosts.write_program("agent", cluster_hosts.AGENT)
        hosts.write_program("node2", '#!/bin/sh\necho "on $0"\nexec "$@"\n')
        said = subprocess.run([self.folder / "agent", "-x", "-o", "Option", cluster_hosts.address(2), "echo 'a  b';", "echo", "$((1 + 1))"],
                              capture_output=True, text=True, check=True)
        self.assertEqual(said.stdout, f"on {self.folder}/node2\na  b\n2\n")

    def test_an_entry_sets_variables_and_keeps_arguments(self):
        hosts = cluster_hosts.Hosts(2)
        hosts.folder = self.folder
        hosts.write_program("hostname", "#!/bin/sh\necho host $1\n")
        with mock.patch.object(hosts, "enter", lambda host: ["env", f"ENTERED={host}"]), mock.patch.object(cluster_hosts, "OWN_MEMORY", ""):
            hosts.write_entry("node1", {"A": "it's  $x", "B": ""}, mounts="echo mounts in $TMPDIR && ")
        said = subprocess.run([self.folder / "node1", "sh", "-c", 'echo "$ENTERED:$A:$B:$1"', "sh", "b  c"], capture_output=True, text=True,
                              check=True, env={**os.environ, "PATH": f"{self.folder}:{os.environ['PATH']}"})
        self.assertEqual(said.stdout, f"mounts in {self.folder}\nhost node1\nnode1:it's  $x::b  c\n")

    def test_without_namespaces_it_is_skipped(self):
        for program in ("mpirun.openmpi", "grep", "program"):
            self.file(program, "#!/bin/sh\n").chmod(0o755)
        ended = subprocess.run([ROOT / "scripts/cluster", "program"], env={"PATH": str(self.folder)}, capture_output=True, text=True,
                               check=False)
        self.assertEqual((ended.returncode, ended.stdout, ended.stderr),
                         (77, "skipped: network namespaces are not allowed here (there is no ip command)\n", ""))

    def run_shell(self, text, timeout=None):
        with open(self.folder / "stderr", "w", encoding="utf-8") as stderr, mock.patch("sys.stderr", stderr):
            return cluster.run(["sh", "-c", text], dict(os.environ), timeout, stderr)

    def test_codes(self):
        self.assertEqual(self.run_shell("read line || exit 7"), 7)
        self.assertEqual(self.run_shell("kill -KILL $$"), 128 + signal.SIGKILL)

    def test_what_takes_too_long_ends_with_its_children(self):
        self.assertEqual(self.run_shell(f"sleep 1000 & echo $! >{self.folder}/child; wait", timeout=1), 124)
        child, end = (self.folder / "child").read_text(encoding="ascii").strip(), time.monotonic() + 60
        while is_running(child) and time.monotonic() < end:
            time.sleep(0.01)
        self.assertFalse(is_running(child))
        self.assertIn("stopped after 1 s\n", (self.folder / "stderr").read_text(encoding="utf-8"))


@mock.patch("shutil.which", str)
class Slurm(WithFolder):
    def test_two_leaf_switches(self):
        self.assertEqual(cluster_slurm.switches(1), "SwitchName=leaf0 Nodes=node[0-0]\nSwitchName=spine Switches=leaf[0-0]\n")
        self.assertEqual(cluster_slurm.switches(5), "SwitchName=leaf0 Nodes=node[0-2]\nSwitchName=leaf1 Nodes=node[3-4]\n"
                                                    "SwitchName=spine Switches=leaf[0-1]\n")

    def configured(self, *arguments):
        hosts = cluster_hosts.Hosts(2)
        hosts.folder = self.folder
        cluster_slurm.configure(hosts, Request(["--slurm", "--hosts", "2", "--cores", "1", *arguments, "true"]))
        return (self.folder / "slurm.conf").read_text(encoding="utf-8")

    def test_what_slurm_reads(self):
        text = self.configured()
        self.assertIn("NodeName=node1 NodeAddr=10.77.0.2 Sockets=1 CoresPerSocket=1 ThreadsPerCore=1\n", text)
        self.assertIn("\nMpiDefault=pmix\n", text)
        self.assertIn("\nTopologyPlugin=topology/tree\n", text)
        self.assertEqual((self.folder / "topology.conf").read_text(encoding="utf-8"), cluster_slurm.switches(2))
        self.assertEqual((self.folder / "hosts").read_text(encoding="ascii"),
                         "127.0.0.1 localhost\n10.77.0.254 head\n10.77.0.1 node0\n10.77.0.2 node1\n")
        self.assertEqual((self.folder / "munge.key").stat().st_mode & 0o777, 0o600)

    def test_without_a_topology(self):
        text = self.configured("--mpi", "mpich", "--topology", "none")
        self.assertNotIn("Topology", text)
        self.assertIn("\nMpiDefault=pmi2\n", text)
        self.assertFalse((self.folder / "topology.conf").exists())


if __name__ == "__main__":
    unittest.main()
