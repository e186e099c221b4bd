"""docs/Spellings.md names every module of test/Transforms/Spellings, and all of them pass.

RUN: %python %s %trn_src
"""

import pathlib
import sys

root = pathlib.Path(sys.argv[1])
page = (root / "docs" / "Spellings.md").read_text(encoding="utf-8")
found = []
for module in sorted((root / "test/Transforms/Spellings").glob("*.mlir")):
    if f"Spellings/{module.name})" not in page:
        found.append(f"{module.name} should be named in docs/Spellings.md")
    if "XFAIL" in module.read_text(encoding="utf-8"):
        found.append(f"{module.name} is expected to fail")
sys.exit("\n".join(found) or 0)
