"""Links between the pages lead somewhere.

RUN: %python %s %trn_src
"""

import pathlib
import re
import sys

LINK = re.compile(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)")

root = pathlib.Path(sys.argv[1])
found = []
for page in [*sorted(root.glob("*.md")), *sorted((root / "docs").rglob("*.md"))]:
    for target in LINK.findall(page.read_text(encoding="utf-8")):
        if not (page.parent / target).exists():
            found.append(f"{page.relative_to(root)}: {target} does not exist")
sys.exit("\n".join(found) or 0)
