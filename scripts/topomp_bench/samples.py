# SPDX-License-Identifier: BSL-1.0
"""Samples: files with a JSON object a line, which benchmarks append to."""
import json
import math
import pathlib

from .command import Refused


def lines_of(path):
    """The complete lines of a file with what they hold; none where there is no file. A last line that was cut off is
    none of them."""
    try:
        text = pathlib.Path(path).read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return []
    found = []
    for line in text.splitlines():
        try:
            value = json.loads(line)
        except ValueError:
            continue
        if isinstance(value, dict):
            found.append((line, value))
    return found


def read(path):
    """The samples of a file that was written to its end."""
    try:
        text = pathlib.Path(path).read_text(encoding="utf-8")
    except OSError as problem:
        raise Refused(f"cannot read {path}: {problem.strerror}") from None
    except UnicodeDecodeError:
        raise Refused(f"{path}: this is no text") from None
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except ValueError:
            raise Refused(f"{path}, line {number}: no JSON") from None
        if not isinstance(value, dict):
            raise Refused(f"{path}, line {number}: no JSON object")
        found.append(value)
    return found


def append_complete(source, target):
    """Moves the complete lines of one file to the end of another."""
    lines = lines_of(source)
    if lines:
        with open(target, "a", encoding="utf-8") as file:
            file.writelines(line + "\n" for line, _ in lines)
    pathlib.Path(source).unlink(missing_ok=True)


def join(files, target):
    """Files one after the other, but for those that are not there; gives how many bytes these are."""
    with open(target, "wb") as output:
        return sum(output.write(file.read_bytes()) for file in map(pathlib.Path, files) if file.exists())


def is_positive(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value) and value > 0


def check(found, path, what, words, numbers):
    """Refuses samples that are not what a benchmark writes: members that are texts, and members that are positive numbers."""
    for number, sample in enumerate(found, 1):
        for key in (*words, *numbers):
            if not (isinstance(sample.get(key), str) if key in words else is_positive(sample.get(key))):
                raise Refused(f"{path}, sample {number}: no {key}, so it is none of {what}")


def problem_of(sample):
    """What makes an object no sample of scripts/bench, or None."""
    for key in ("verb", "where", "platform"):
        if not isinstance(sample.get(key), str) or not sample[key]:
            return f"no {key}"
    if not is_positive(sample.get("bytes")):
        return "no bytes"
    if not isinstance(sample.get("by"), str):
        return "no by, which names the library"
    if sample.get("benchmark") != "halo" and not isinstance(sample.get("selector"), str):
        return "no selector"
    if sample.get("failed") is None and not is_positive(sample.get("seconds")):
        return "neither seconds nor failed"
    return None


def of_folder(folder):
    """The samples of a results folder of scripts/bench."""
    path = pathlib.Path(folder) / "samples.jsonl"
    if not path.is_file() or path.stat().st_size == 0:
        raise Refused(f"no samples in {folder}")
    what = f"{path}: these are no samples of scripts/bench"
    try:
        found = read(path)
    except Refused as problem:
        raise Refused(f"{what} ({str(problem).removeprefix(str(path)).lstrip(', ')})") from None
    if not found:
        raise Refused(f"{what} (nothing in it)")
    for number, sample in enumerate(found, 1):
        problem = problem_of(sample)
        if problem:
            raise Refused(f"{what} (sample {number}: {problem})")
    return found


def grouped(values, *keys):
    """Lists of those whose keys are alike, by ascending keys; each in the order of the values."""
    groups = {}
    for value in values:
        groups.setdefault(tuple(value[key] for key in keys), []).append(value)
    return [groups[key] for key in sorted(groups)]
