"""Files stay short and carry the licence.

RUN: %python %s %trn_src
"""

import pathlib
import sys

LINES = {".cpp": 450, ".h": 150, ".td": 320}
LICENCE = "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"

root = pathlib.Path(sys.argv[1])
found = []
for folder in ("include", "lib", "tools"):
    for path in sorted((root / folder).rglob("*")):
        if path.suffix not in LINES:
            continue
        lines = path.read_text(encoding="utf-8").splitlines()
        where = path.relative_to(root)
        if len(lines) > LINES[path.suffix]:
            found.append(f"{where}: {len(lines)} lines, but at most {LINES[path.suffix]} are allowed")
        if not any(LICENCE in line for line in lines[:8]):
            found.append(f"{where}: no licence header")
sys.exit("\n".join(found) or 0)
