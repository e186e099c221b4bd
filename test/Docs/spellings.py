"""docs/Spellings.md names every module of test/Transforms/Spellings, and those that do not
compile yet among what is not done.

RUN: %python %s %trn_src
"""

import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
page = (root / "docs" / "Spellings.md").read_text(encoding="utf-8")
done, _, not_done = page.partition("And these are not done yet:")
found = []
for module in sorted((root / "test/Transforms/Spellings").glob("*.mlir")):
    fails = "XFAIL" in module.read_text(encoding="utf-8")
    if f"Spellings/{module.name})" not in (not_done if fails else done):
        found.append(f"{module.name} should be named among what is "
                     f"{'not done yet' if fails else 'done'}")
sys.exit("\n".join(found) or 0)
