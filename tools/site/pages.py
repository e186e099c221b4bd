"""Copies the pages of the documentation to where mkdocs builds them: `pages.py SOURCE OUT`.

Pages keep their places, so that links between them hold; files that they link to come along.
"""

import pathlib
import re
import shutil
import sys

source, out = map(pathlib.Path, sys.argv[1:])
# The file that a block of code is stands above it: its language alone is for mkdocs.
BLOCK = re.compile(r"^```([a-z]+) ([^ \n]+)$", re.M)
LINK = re.compile(r"\]\(([^)#: ]+)")
# What only the site has, behind the first paragraph of a page.
MORE = {"docs/Explore.md": "Here are [its examples](../explore/index.html), without a server.",
        "docs/Html.md": "Here is [a page to look at](../explore/results/chain.html)."}
order = (source / "tools/site/mkdocs.yml").read_text("utf-8")

for page in [*sorted(source.glob("*.md")), *sorted((source / "docs").rglob("*.md"))]:
    name, text = page.relative_to(source), page.read_text("utf-8")
    copy = out / name
    copy.parent.mkdir(parents=True, exist_ok=True)
    if str(name) in MORE:
        title, first, rest = text.split("\n\n", 2)
        text = "\n\n".join((title, first, MORE[str(name)], rest))
    copy.write_text(BLOCK.sub(r"`\2`:\n\n```\1", text), "utf-8")
    for target in LINK.findall(text):
        file = (page.parent / target).resolve()
        if file.is_file() and file.suffix != ".md":
            linked = out / file.relative_to(source)
            linked.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, linked)
    if not re.search(f"[-:] {re.escape(str(name))}$", order, re.M):
        print(f"build-site.sh: tools/site/mkdocs.yml lacks {name}", file=sys.stderr)
