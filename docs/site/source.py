#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""source.py headers | problems WARNINGS XML | write XML FOLDER

headers: prints the headers for programs. problems: prints what Doxygen complains about, and public entities without a comment of which
it does not, and fails if that is anything.
write: writes what Sphinx reads: the pages with links that lead to other pages of the site, the examples, and the reference.
Runs in the root of the repository.
"""
import posixpath
import re
import shutil
import sys
import xml.etree.ElementTree as xml
from pathlib import Path

INCLUDE = "include/topomp/"
OUTSIDE = {"README.md": "index", "CONTRIBUTING.md": "contributing", "CHANGELOG.md": "changelog"}


def headers() -> dict[str, list[str]]:
    """The headers for programs by their room: those of topomp.hpp, and the one that it leaves out."""
    rooms: dict[str, list[str]] = {}
    listed = re.findall(r"^#include <topomp/(\S+)>", Path(INCLUDE, "topomp.hpp").read_text(), re.M)
    for header in [*listed, "mapping/nodecart_c.hpp"]:
        rooms.setdefault(header.rpartition("/")[0], []).append(header)
    return rooms


def problems(warnings: str) -> list[str]:
    """Doxygen's complaints, but for functions whose meaning the language gives: copies, moves, swap and comparisons."""
    given = re.compile(r"Member (operator(==|<=>|=)\(|swap\(|(\w+)\((const )?\3 ?&)")
    return [line for line in dict.fromkeys(warnings.splitlines()) if line.strip() and not given.search(line)]


def silent(folder: Path) -> list[str]:
    """Empty classes, concepts and values of enumerations without a comment, of which Doxygen says nothing. A specialization needs none."""
    def is_silent(node) -> bool:
        return not any("".join(node.find(part).itertext()).strip() for part in ("briefdescription", "detaileddescription"))

    found = []
    for file in sorted(folder.glob("*.xml")):
        for compound in xml.parse(file).getroot().iter("compounddef"):
            name = compound.findtext("compoundname")
            if compound.get("kind") in ("class", "struct", "union", "concept"):
                if compound.get("prot", "public") == "public" and "<" not in name and is_silent(compound):
                    found.append(name)
            elif compound.get("kind") == "group":
                continue
            found += [f"{member.findtext('qualifiedname')}::{value.findtext('name')}" for member in compound.iter("memberdef")
                      if member.get("kind") == "enum" and member.get("prot") == "public"
                      for value in member.iter("enumvalue") if is_silent(value)]
    return [f"{name} is not documented." for name in dict.fromkeys(found)]


def about(header: str) -> str:
    """What the header says of itself behind @file."""
    lines = Path(INCLUDE, header).read_text().split("/// @file\n")[1].split("#pragma once")[0].splitlines()
    return " ".join(line.removeprefix("///").strip() for line in lines).strip()


def text_of(node) -> str:
    """A comment in Doxygen's XML as Markdown."""
    inside = (node.text or "") + "".join(text_of(child) + (child.tail or "") for child in node)
    if node.tag == "computeroutput":
        return "`" + " ".join(inside.split()) + "`"
    return inside + "\n\n" if node.tag == "para" else inside


def concepts(folder: Path) -> dict[str, list[str]]:
    """The concepts of each header as directives, which Breathe has none for."""
    found: dict[str, list[str]] = {}
    for file in sorted(folder.glob("concept*.xml")):
        concept = xml.parse(file).getroot().find("compounddef")
        header = concept.find("location").get("file").partition("topomp/")[2]
        definition = "".join(concept.find("initializer").itertext()).strip()
        head = definition.split("concept ")[0].replace("\n", " ").strip()
        name = concept.findtext("compoundname")
        comment = "".join(text_of(concept.find(part)) for part in ("briefdescription", "detaileddescription")).strip()
        found.setdefault(header, []).append(
            f"````{{cpp:concept}} {head} {name}\n\n{comment}\n\n```cpp\n{definition.replace('topo::', '')}\n```\n````\n"
        )
    return found


def mend(folder: Path) -> None:
    """Takes out of the groups members that are defined outside their class, and initializers that Sphinx cannot parse; names functions
    of namespaces in `topo` with these, as `topo::hybrid` has some with the same arguments."""
    of_classes = {member.get("id") for kind in ("class", "struct") for file in folder.glob(f"{kind}*.xml")
                  for member in xml.parse(file).getroot().iter("memberdef")}
    for file in folder.glob("group__*.xml"):
        tree = xml.parse(file)
        for section in tree.getroot().iter("sectiondef"):
            for member in list(section.iter("memberdef")):
                initial = member.find("initializer")
                if member.get("id") in of_classes:
                    section.remove(member)
                    continue
                qualified = (member.findtext("qualifiedname") or "").removeprefix("topo::")
                if member.get("kind") == "function" and "::" in qualified and not qualified.startswith("boost::"):
                    member.find("name").text = qualified
                if initial is not None and "{." in "".join(initial.itertext()):
                    member.remove(initial)
        tree.write(file)


def write_reference(folder: Path, to: Path) -> None:
    """A page for each room, with its headers in the order of topomp.hpp."""
    mend(folder)
    of_header = concepts(folder)
    table = ["# Reference", "", "All headers for programs, by room; `#include <topomp/topomp.hpp>` includes all but the last of "
             "`mapping`. Names without a namespace are in `topo`. [Which headers to include](../howto_headers.md) helps to choose.", ""]
    for room, files in headers().items():
        name = room or "version"
        page = [f"# {name}", ""]
        table += [f"## [{name}]({name}.md)", "", "| header | holds |", "| --- | --- |"]
        for header in files:
            by_tree = header.replace(".hpp", "_by_tree.hpp")
            declares = by_tree if Path(INCLUDE, by_tree).exists() else header  # a verb's own header brings that one in
            group = re.sub(r"[/.]", "_", declares)
            anchor = Path(header).name.replace(".", "")
            table.append(f"| [`{header}`]({name}.md#{anchor}) | {about(header)} |")
            page += [f"## `{Path(header).name}`", "", f"`#include <topomp/{header}>`", "", about(header), "", *of_header.get(declares, [])]
            if header.endswith("_by_tree.hpp"):
                own = Path(header).name.replace("_by_tree", "")
                page += [f"The functions of [`{own}`](#{own.replace('.', '')}), for calls that name a tree.", ""]
                continue
            if (folder / f"group__{group.replace('_', '__')}.xml").exists():
                page += [f"```{{doxygengroup}} {group}", ":content-only:", ":members:", "```", ""]
            elif "namespace topo" not in Path(INCLUDE, header).read_text():
                page += [f"```{{doxygenfile}} {Path(header).name}", ":sections: func", "```", ""]
        table.append("")
        (to / f"{name}.md").write_text("\n".join(page))
    contents = ["```{toctree}", ":hidden:", *(room or "version" for room in headers()), "```"]
    (to / "index.md").write_text("\n".join(table + contents))


def write_examples(to: Path) -> None:
    """Each example with what it prints."""
    names = sorted(file.stem for file in Path("examples").glob("*.cpp"))
    table = ["# Examples", "", "Each is a program of at most 80 lines, which the tests run with four ranks.", "",
             "| program | about |", "| --- | --- |"]
    for name in names:
        # Without the lines between which the pages quote.
        code = re.sub(r"^ *//! \[.*\]\n", "", Path("examples", name + ".cpp").read_text(), flags=re.M)
        lines = iter(code.splitlines()[1:])
        first = []
        for line in lines:
            if not line.startswith("//"):
                break
            first.append(line.removeprefix("//").strip())
        sentence = " ".join(first)
        page = [f"# {name}", "", sentence, "", "```cpp", code.rstrip(), "```"]
        expected = Path("examples", name + ".expected")
        if expected.exists():
            page += ["", "It prints, in some order (`~` stands before a pattern):", "", "```text", expected.read_text().rstrip(), "```"]
        (to / f"{name}.md").write_text("\n".join(page) + "\n")
        table.append(f"| [`{name}`]({name}.md) | {sentence} |")
    (to / "index.md").write_text("\n".join(table + ["", "```{toctree}", ":hidden:", *names, "```", ""]))


def linked(text: str, target: str) -> str:
    """A link; where its text is the name of a page's file, Sphinx puts the heading that it leads to there."""
    if target and re.fullmatch(r"[\w/]+\.md", text):
        text = ""
    return f"[{text}]({target})" if target else text


def target_of(link: str, page: str, folder: Path) -> str:
    """Where a link of a page of the repository leads in the site; nowhere for a folder or another page. Other files are put beside the pages."""
    if re.match(r"[a-z]+:|#", link):
        return link
    file, _, anchor = link.partition("#")
    file = posixpath.normpath(posixpath.join(posixpath.dirname(page), file))
    anchor = anchor and "#" + anchor
    if file in OUTSIDE:
        return OUTSIDE[file] + ".md" + anchor
    if file == "examples":
        return "examples/index.md"
    if file.startswith("examples/") and file.endswith(".cpp"):
        return file.removesuffix(".cpp") + ".md"
    if file.startswith("docs/") and file.endswith(".md"):
        return file.removeprefix("docs/") + anchor
    if file.startswith("docs/pictures/"):
        return file.removeprefix("docs/")
    if Path(file).is_dir() or file.endswith(".md"):  # a page that is not of the site
        return ""
    kept = folder / "files" / file
    kept.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(file, kept)
    return f"files/{file}"


def write_pages(folder: Path) -> None:
    """The pages of docs/ and those of the root that belong to the site."""
    pages = {f"docs/{file.name}": file.stem for file in Path("docs").glob("*.md")}
    pages |= {file: name for file, name in OUTSIDE.items() if name != "index"}
    for page, name in pages.items():
        blocks = re.split(r"(^```.*?^```$)", Path(page).read_text(), flags=re.M | re.S)
        for i in range(0, len(blocks), 2):
            blocks[i] = re.sub(r"\[([^][]*)\]\(([^) ]+)\)", lambda m: linked(m[1], target_of(m[2], page, folder)), blocks[i])
        (folder / f"{name}.md").write_text("".join(blocks))
    with open(folder / "index.md", "a") as index:
        index.write(Path("docs/site/contents.md").read_text())


def main(arguments: list[str]) -> int:
    match arguments:
        case ["headers"]:
            print(*(INCLUDE + header for files in headers().values() for header in files))
        case ["problems", warnings, folder_of_xml]:
            found = problems(Path(warnings).read_text()) + silent(Path(folder_of_xml))
            print(*found, sep="\n" if found else "")
            return 1 if found else 0
        case ["write", folder_of_xml, folder_of_pages]:
            folder = Path(folder_of_pages)
            for part in ("reference", "examples", "_static"):
                (folder / part).mkdir(parents=True, exist_ok=True)
            shutil.copytree("docs/pictures", folder / "pictures", dirs_exist_ok=True)
            shutil.copy("docs/site/conf.py", folder)
            shutil.copy("docs/site/site.css", folder / "_static")
            write_pages(folder)
            write_examples(folder / "examples")
            write_reference(Path(folder_of_xml), folder / "reference")
        case _:
            print(__doc__, file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
