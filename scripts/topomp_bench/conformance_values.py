# SPDX-License-Identifier: BSL-1.0
"""What scripts/conformance reads out of what programs say, and what it takes for the same results."""
import collections
import dataclasses
import re
import typing

NUMBER = re.compile(r"[-+]?[0-9.]+([eE][-+]?[0-9]+)?")


@dataclasses.dataclass
class Value:
    """A result, and how far another may be away from it, absolutely and relatively; None: any way."""
    name: str
    absolute: typing.Optional[float]
    relative: typing.Optional[float]
    text: str

    @property
    def number(self):
        try:
            return float(self.text) if NUMBER.fullmatch(self.text) else None
        except ValueError:
            return None


def field(words, number):
    """The word of that number, from 1, or nothing."""
    return words[number - 1] if number <= len(words) else ""


def by_patterns(text, *rules):
    """Rules: a pattern that is searched in a line, a name, absolute and relative distance, the number of a word."""
    return [Value(name, absolute, relative, field(line.split(), number)) for line in text.splitlines()
            for pattern, name, absolute, relative, number in rules if re.search(pattern, line)]


def lammps(text):
    """As tools/regression-tests/config.yaml compares."""
    found, names = [], []
    for words in map(str.split, text.splitlines()):
        if words[:1] == ["Step"]:
            names = words
        elif not words or not re.fullmatch("[0-9]+", words[0], re.ASCII):
            names = []
        else:
            for i, name in enumerate(names[1:], 2):
                if name == "E_pair":
                    found.append(Value(f"{name}.{words[0]}", 1e-3, 1e-7, field(words, i)))
                elif name in ("PotEng", "TotEng", "Press", "Temp", "EBF", "EBR"):
                    found.append(Value(f"{name}.{words[0]}", 1e-4, 1e-7, field(words, i)))
    return found


def espresso(text):
    """As test-suite/extract-pw.sh and extract-cp.sh read, and test-suite/userconfig.tmp compares."""
    return by_patterns(text, ("^!", "energy", 8e-4, 1e-4, 5),
                       ("convergence has been achieved in", "iterations", 5, 10, 6), ("Total force", "force", 1e-3, None, 4),
                       ("P= ", "pressure", 0.9, None, 6), ("the Fermi energy is", "fermi", 1e-2, 1e-2, 5),
                       ("highest occupied level", "highest", 1e-2, 1e-2, 5),
                       ("total energy = .* Hartree", "energy.cp", 1e-5, 1e-5, 4))


def cp2k(text):
    """As tests/TEST_TYPES has it."""
    return by_patterns(text, (r"ENERGY\| Total FORCE_EVAL", "energy", None, 1e-11, 9),
                       (r"STRESS\| 1/3 Trace", "stress", None, 1e-8, 4),
                       (r"MD\| Conserved quantity \[hartree\]", "conserved", None, 1e-11, 5))


def nwchem(text):
    """As QA/nwparse.pl reads."""
    found, is_gradient = [], False
    for line in text.splitlines():
        words = line.split()
        if re.search("Total (SCF|DFT|MP2|SCS-MP2) energy", line):
            found.append(Value(words[1], 1e-5, None, words[-1]))
        if "nuclear repulsion energy" in line:
            found.append(Value("repulsion", 1e-5, None, words[-1]))
        if is_gradient and len(words) == 8:
            found += [Value(f"gradient.{words[0]}.{i}", 1e-4, None, words[4 + i]) for i in (1, 2, 3)]
        is_gradient = bool(words) and (is_gradient or re.search(" x  +y  +z  +x  +y  +z", line) is not None)
    return found


def mumps(text):
    """It has no checks of its own: the solution is 1 everywhere. Away from 1 by what single precision leaves is wrong with and
    without the library."""
    _, there, text = text.partition("Solution is")
    found = []
    for line in text.splitlines() if there else []:
        words = re.sub("[(),]", " ", line).split()
        if not words:
            break
        step = 2 if re.search("[(),]", line) else 1  # real and imaginary parts
        for i, word in enumerate(words):
            number = Value("x", None, None, word).number
            is_right = number is not None and abs(number - (1 if i % step == 0 else 0)) < 1e-3
            found.append(Value("x", 1e-4, None, word if is_right else "wrong"))
    return found


def mpi4py(text):
    """How many tests passed, failed and were skipped on all ranks, and the names of those that failed."""
    ended, ranks, ran = collections.Counter(), 0, 0
    for line in text.splitlines():
        words = line.split()
        if " ... " in line:
            ended[words[-1] if words[-1] in ("ok", "ERROR", "FAIL") else "skipped"] += 1
        if re.match("Ran [0-9]+ tests? in", line):
            ran, ranks = ran + int(words[1]), ranks + 1
        if re.match("(ERROR|FAIL): ", line):
            ended[words[0] + field(words, 2)] += 1
    return [Value(name, 0, None, str(count) if ranks else "")
            for name, count in (("ranks", ranks), ("ran", ran), *sorted(ended.items()))]


READERS = {reader.__name__: reader for reader in (lammps, espresso, cp2k, nwchem, mumps, mpi4py)}


def are_near(reference, values):
    """Whether results are the same, as near as they have to be."""
    if not values or [value.name for value in values] != [value.name for value in reference]:
        return False
    for one, other in zip(reference, values):
        if one.number is None or other.number is None:
            return False
        apart = abs(one.number - other.number)
        if other.absolute is not None and apart > other.absolute:
            return False
        if other.relative is not None and apart > other.relative * abs(one.number):
            return False
    return True


def calls_of(text):
    """Calls that topomp served, and all, of what a run said; None where the library did not report."""
    served = every = 0
    is_reported = False
    for line in text.splitlines():
        words = line.split()
        is_reported = is_reported or line.startswith("topomp-preload: calls")
        if is_reported and len(words) == 5 and re.fullmatch("[0-9]+", "".join(words[1:4]), re.ASCII):
            every, served = every + int(words[1]), served + int(words[2])
    return (served, every) if is_reported else None


def table(lines):
    """The table of lines (lists of MPI, folder, line, without, with, and of programs the calls served and all), and whether a
    line passes only without."""
    keys, served, lost = {}, [], []
    for line in lines:
        mpi, folder, what, without, preloaded = line[:5]
        counts = keys.setdefault(f"{mpi:<9} {folder:<14}", [0, 0, 0])
        counts[0] += 1
        counts[1] += without == "pass"
        counts[2] += preloaded == "pass"
        if len(line) > 5:
            calls = [*line[5:7], "", ""]
            served.append(f"{mpi:<9} {folder:<9} {what:<24} {without:<7} {preloaded:<5} {calls[0]:>9} {calls[1]:>9}")
        if without == "pass" and preloaded != "pass":
            lost.append(f"only without: {mpi} {folder}/{what}: {preloaded}")
    text = ["MPI       program   case, ranks, policy      without with     served     calls", *served] if served else []
    text += ["MPI       folder           lines  pass without  of these with"]
    text += [f"{key} {counts[0]:>7} {counts[1]:>13} {counts[2]:>14}" for key, counts in keys.items()]
    return "".join(line + "\n" for line in text + lost), bool(lost)
