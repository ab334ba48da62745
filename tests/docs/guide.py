# SPDX-License-Identifier: BSL-1.0
"""guide.py ROOT OUT: follows the guide 'How to add an algorithm' of CONTRIBUTING.md in a copy of include/, OUT/include.

The guide shows how `dissemination` is added. Each of its quotations that names it is done once more for an algorithm of another name:
a file of its own is copied under that name, and lines of another file get their like behind them. What names the algorithm
and is quoted by no step is missing in the copy, so that the program tests/docs/guide.cpp does not compile.
The table of the guide has to say how many files each step touches.
"""
import pathlib
import re
import shutil
import sys

OLD, NEW = "dissemination", "spreading_signals"


class Wrong(Exception):
    """What the guide says and is not so."""


def quotations(page):
    """Step, file and lines of each block of code behind '<!-- FILE -->' in the guide's section."""
    section = re.split(r"^## ", page, flags=re.MULTILINE)
    guide = next(part for part in section if part.startswith("How to add an algorithm\n"))
    steps = re.split(r"^### (\d+)\. .*$", guide, flags=re.MULTILINE)
    for number, text in zip(steps[1::2], steps[2::2]):
        for file, block in re.findall(r"^<!-- (\S+) -->\n```\w*\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL):
            yield int(number), file, block.splitlines()


def place_of(block, lines, file):
    """Behind which line of a file a block ends that stands there once, indented or not."""
    bare = [line.strip() for line in block]
    ends = [at + len(bare) for at in range(len(lines) - len(bare) + 1)
            if [line.strip() for line in lines[at:at + len(bare)]] == bare]
    if len(ends) != 1:
        raise Wrong(f"these lines are {len(ends)} times in {file}:\n" + "\n".join(block))
    return ends[0]


def follow(root, out):
    """The files that each step touches."""
    shutil.rmtree(out / "include", ignore_errors=True)
    shutil.copytree(root / "include", out / "include")
    touched = {}
    for step, file, block in quotations((root / "CONTRIBUTING.md").read_text(encoding="utf-8")):
        if not any(OLD in line for line in block):
            continue  # what is there already
        is_new = file not in touched.setdefault(step, [])
        if is_new:
            touched[step].append(file)
        lines = (root / file).read_text(encoding="utf-8").splitlines()
        end = place_of(block, lines, file)
        if not file.startswith("include/"):
            continue
        target = out / file.replace(OLD, NEW)
        if OLD not in pathlib.PurePath(file).name:
            lines = target.read_text(encoding="utf-8").splitlines()
            end = place_of(block, lines, file)
            lines[end:end] = [line.replace(OLD, NEW) for line in lines[end - len(block):end]]
        elif is_new:
            lines = [line.replace(OLD, NEW) for line in lines]
        else:
            continue
        target.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return touched


def main():
    root, out = (pathlib.Path(argument) for argument in sys.argv[1:])
    try:
        touched = follow(root, out)
        page = (root / "CONTRIBUTING.md").read_text(encoding="utf-8")
        said = {int(step): int(files) for step, files in re.findall(r"^\| (\d)\. [a-z ]+ \| (\d+) \|", page, flags=re.MULTILINE)}
        found = {step: len(touched.get(step, [])) for step in said}
        if said != found or not set(touched) <= set(said):
            raise Wrong(f"the table says that the steps touch {said} files, and they touch {found}")
    except Wrong as wrong:
        sys.exit(f"CONTRIBUTING.md, How to add an algorithm: {wrong}")
    print(f"{sum(found.values())} files in {len(found)} steps")


if __name__ == "__main__":
    main()
