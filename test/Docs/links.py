"""Links between the pages lead somewhere: to a file, and to a heading of a page.

RUN: %python %s %trn_src
"""

import pathlib
import re
import sys

LINK = re.compile(r"\]\(([^)#:\s]*)(?:#([^)\s]*))?\)")
BLOCK = re.compile(r"^ *```.*?^ *```", re.M | re.S)
HEADING = re.compile(r"^#+ (.*)$", re.M)


def anchor(heading):
    """As GitHub makes it of a heading."""
    text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def anchors(page):
    text = BLOCK.sub("", page.read_text(encoding="utf-8"))
    return {anchor(heading) for heading in HEADING.findall(text)}


root = pathlib.Path(sys.argv[1])
found = []
for page in [*sorted(root.glob("*.md")), *sorted((root / "docs").rglob("*.md"))]:
    for target, heading in LINK.findall(BLOCK.sub("", page.read_text(encoding="utf-8"))):
        file = page.parent / target if target else page
        if not file.exists():
            found.append(f"{page.relative_to(root)}: {target} does not exist")
        elif heading and file.suffix == ".md" and heading not in anchors(file):
            found.append(f"{page.relative_to(root)}: {target} has no heading {heading}")
sys.exit("\n".join(found) or 0)
