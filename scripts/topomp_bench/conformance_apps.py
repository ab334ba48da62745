# SPDX-License-Identifier: BSL-1.0
"""Programs of the distribution's packages, for scripts/conformance: what each is run on. conformance_values has by what its
results are compared. A case is a name, a number of ranks and a command; its inputs are put into a folder."""
import pathlib
import re
import shutil
import subprocess

from .command import ROOT

INPUTS = ROOT / "scripts/conformance.d"
APPS = ["lammps", "espresso", "cp2k", "nwchem", "mumps", "mpi4py"]


def packages_of(app, mpi):
    """The packages of a program's build for an MPI; none where there is no such build."""
    return {"lammps openmpi": ["lammps", "lammps-examples"], "espresso openmpi": ["quantum-espresso", "quantum-espresso-data"],
            "cp2k openmpi": ["cp2k", "cp2k-data"], f"nwchem {mpi}": [f"nwchem-{mpi}", "nwchem-data"],
            "mumps openmpi": ["mumps-test"], "mpi4py openmpi": ["python3-mpi4py"]}.get(f"{app} {mpi}", [])


def copy_inputs(app, folder):
    for file in (INPUTS / app).iterdir():
        shutil.copy(file, folder)


def lammps(folder):
    """Its examples, made shorter."""
    examples = pathlib.Path("/usr/share/lammps/examples")
    for pattern in ("melt/in.melt", "peptide/*.peptide", "balance/in.balance.neigh.rcb", "neb/*.hop1", "rigid/*.rigid.tnr",
                    "min/in.min"):
        for file in examples.glob(pattern):
            shutil.copy(file, folder)
    for file in folder.glob("in.*"):
        text = file.read_text(encoding="utf-8")
        for pattern, replacement in ((r"^(run\s+)[0-9]+", r"\g<1>20"), (r"^(thermo\s+)[0-9]+", r"\g<1>10"),
                                     (r"^thermo_style.*multi", "thermo_style one"),
                                     (r"^(neb\s.*) 1000 1000 100 ", r"\1 40 20 20 "),
                                     (r"^(minimize\s.*) [0-9]+ [0-9]+", r"\1 60 200")):
            text = re.sub(pattern.replace(r"\s", r"[ \t]"), replacement, text, flags=re.MULTILINE)
        file.write_text(text, encoding="utf-8")
    # The grid of ranks comes from MPI_Cart_create, which may give them other numbers.
    melt = (folder / "in.melt").read_text(encoding="utf-8")
    (folder / "in.reordered").write_text(
        re.sub("^create_box", "processors * * * map cart/reorder\ncreate_box", melt, flags=re.MULTILINE), encoding="utf-8")
    return [("melt", 8, "lmp -in in.melt"), ("reordered", 8, "lmp -in in.reordered"),
            ("peptide", 4, "lmp -in in.peptide"),  # particles and meshes, constraints
            ("rigid", 4, "lmp -in in.rigid.tnr"),  # rigid bodies, thermostats and barostats
            ("rcb", 7, "lmp -in in.balance.neigh.rcb"),  # balances its load by operations of its own
            ("minimize", 4, "lmp -in in.min"),
            ("neb", 8, "lmp -partition 4x2 -in in.neb.hop1")]  # four communicators of two ranks


def espresso(folder):
    copy_inputs("espresso", folder)
    return [("aluminium", 4, "pw.x -nk 2 -in aluminium.in"), ("silicon", 8, "pw.x -nk 2 -ndiag 4 -in silicon.in"),
            ("water", 4, "cp.x -in water.in")]


def cp2k(folder):
    copy_inputs("cp2k", folder)
    return [("water", 4, "cp2k.psmp -i water.inp"), ("diagonal", 7, "cp2k.psmp -i diagonal.inp")]


def nwchem(folder, mpi):
    copy_inputs("nwchem", folder)
    return [("water", 4, f"nwchem.{mpi} water.nw")]


def laplace(side, write):
    """Laplace's equation on a grid: its matrix, and right hand sides to which the solution is 1 everywhere."""
    entries, sums = [], []
    for row in range(side * side):
        i, j = divmod(row, side)
        own = [(row, "4.5")]
        own += [(row - side, "-1.0")] if i > 0 else []
        own += [(row + side, "-1.25")] if i < side - 1 else []
        own += [(row - 1, "-1.0")] if j > 0 else []
        own += [(row + 1, "-0.75")] if j < side - 1 else []
        entries += [f"{row + 1} {column + 1} {write(value)}" for column, value in own]
        sums.append(write(f"{sum(float(value) for _, value in own):.2f}"))
    return "\n".join([str(side * side), str(len(entries)), *entries, *sums]) + "\n"


def mumps(folder):
    """The programs of its package."""
    for name, write in (("d", str), ("s", str), ("z", "({},0.0)".format), ("c", "({},0.0)".format)):
        (folder / f"{name}.in").write_text(laplace(30, write), encoding="ascii")
    return [(name, ranks, f"/usr/lib/mumps/{name}simpletest <{name}.in")
            for name, ranks in (("d", 4), ("z", 4), ("s", 7), ("c", 7))]


def mpi4py(folder, archives, log):
    """The tests of its source package; none without it. Not those that start programs: a minute each on a machine of two cores."""
    archives.mkdir(parents=True, exist_ok=True)
    if not list(archives.glob("mpi4py_*.orig.tar.*")):
        with open(log, "w", encoding="utf-8") as output:
            subprocess.run(["bash", ROOT / "cmake/download_source.sh", "mpi4py", archives], stdout=output, stderr=output,
                           check=False)
    found = sorted(archives.glob("mpi4py_*.orig.tar.*"))
    if not found:
        return []
    subprocess.run(["tar", "-xf", found[0], "-C", folder, "--strip-components", "1", "--wildcards", "*/test/*"], check=True)
    return [("tests", ranks, "/usr/bin/python3 test/runtests.py -v -e spawn >rank.$OMPI_COMM_WORLD_RANK 2>&1")
            for ranks in (1, 2, 3, 4)]


def cases_of(app, folder, mpi, archives, log):
    """Puts a program's inputs into a folder; gives its cases."""
    if app == "nwchem":
        return nwchem(folder, mpi)
    if app == "mpi4py":
        return mpi4py(folder, archives, log)
    return {"lammps": lammps, "espresso": espresso, "cp2k": cp2k, "mumps": mumps}[app](folder)
