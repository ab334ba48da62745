#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""site_check.py links SITE | reference SITE | pictures SITE | images DOM | search DOM WORD PAGE

links: every link and picture of the site's pages leads to a file of the site, and to an anchor in it. reference: the reference shows
something of each header but those that only include others or hold internals. pictures: prints a page that
shows all pictures of the site. images, search: what a browser made of that page, and of a search for a word: all pictures have a
width; PAGE is among what was found.
"""
import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag


class Page(HTMLParser):
    """The links, pictures and anchors of a page."""

    def __init__(self, file: Path):
        super().__init__()
        self.links, self.pictures, self.anchors = [], [], set()
        self.feed(file.read_text())

    def handle_starttag(self, tag, attributes):
        named = dict(attributes)
        self.anchors |= {named[name] for name in ("id", "name") if named.get(name)}
        if tag == "img":
            self.pictures.append(named.get("src") or "")
        for name in ("href", "src"):
            if named.get(name):
                self.links.append(named[name])


def check_links(site: Path) -> int:
    pages = {file.resolve(): Page(file) for file in site.rglob("*.html")}
    checked, wrong = 0, []
    for file, page in pages.items():
        for link in page.links:
            if re.match(r"[a-z]+:|//", link):
                continue
            checked += 1
            path, anchor = urldefrag(link)
            target = (file.parent / unquote(path.partition("?")[0])).resolve() if path else file
            if not target.is_file():
                wrong.append(f"{file.name}: no such file: {link}")
            elif anchor and target in pages and unquote(anchor) not in pages[target].anchors:
                wrong.append(f"{file.name}: no such anchor: {link}")
    print(*wrong, f"{len(pages)} pages, {checked} links checked, {len(wrong)} lead nowhere", sep="\n")
    return 1 if wrong or checked == 0 else 0


NOTHING_PUBLIC = {"hierarchical-hpp", "table-hpp", "network-hpp", "graph-lists-hpp", "graph-plan-hpp",
                  "halo-exchange-hpp"}


def check_reference(site: Path) -> int:
    checked, empty, elsewhere = 0, set(), set()
    for page in site.glob("reference/*.html"):
        for section in page.read_text().split('<section id="')[1:]:
            header = section.partition('"')[0]
            if header.endswith("-hpp"):
                checked += 1
                if header.endswith("-by-tree-hpp"):  # shown with the verb's own header
                    elsewhere.add(header)
                if 'class="sig ' not in section:
                    empty.add(header)
    wrong = empty ^ (NOTHING_PUBLIC | elsewhere)
    print(*(f"reference: {'nothing' if each in empty else 'something'} of {each}" for each in sorted(wrong)),
          f"{checked} headers in the reference, {len(wrong)} are not as they should be", sep="\n")
    return 1 if wrong or checked < 100 else 0


def page_of_pictures(site: Path) -> str:
    found = {str((file.parent / picture).resolve().relative_to(site.resolve()))
             for file in site.rglob("*.html") for picture in Page(file).pictures if not picture.startswith("data:")}
    shown = "".join(f'<img src="{each}">' for each in sorted(found))
    return f"""<body>{shown}<p id="widths"></p><script>addEventListener("load", () => {{
        document.getElementById("widths").textContent =
            [...document.images].map(each => each.getAttribute("src") + "=" + each.naturalWidth).join(" ");
    }});</script></body>"""


def main(arguments: list[str]) -> int:
    match arguments:
        case ["links", site]:
            return check_links(Path(site))
        case ["reference", site]:
            return check_reference(Path(site))
        case ["pictures", site]:
            print(page_of_pictures(Path(site)))
            return 0
        case ["images", dom]:
            widths = re.search(r'id="widths">([^<]*)<', Path(dom).read_text())
            shown = [each.rpartition("=") for each in (widths[1].split() if widths else [])]
            missing = [name for name, _, width in shown if int(width) == 0]
            print(*(f"not shown: {name}" for name in missing), f"{len(shown)} pictures, {len(missing)} are not shown", sep="\n")
            return 1 if missing or len(shown) < 10 else 0
        case ["search", dom, word, page]:
            results = re.findall(r'<li><a href="([^"?#]*)', Path(dom).read_text().partition('id="search-results"')[2])
            print(f"{word}: found on {len(results)} pages")
            return 0 if page in results else 1
        case _:
            print(__doc__, file=sys.stderr)
            return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
