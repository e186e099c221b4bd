"""docs/Tools.md lists the keys of the report, each of them and no other.

RUN: trn-gen xuv --m=128 --k=128 --r=128 --n=128 -o %t.mlir
RUN: trn-run %t.mlir --compile --verify --report=%t.json
RUN: %python %s %trn_src %t.json
"""

import json
import pathlib
import re
import sys

page = (pathlib.Path(sys.argv[1]) / "docs/Tools.md").read_text(encoding="utf-8")
table = page.split("| key | meaning |")[1].split("\n\n")[0]
quoted = set()
for row in table.splitlines()[2:]:
    key, meaning = row.strip("|").split(" | ", 1)
    names = re.findall(r"`(\w+)`", key)
    # These rows name in their meaning what lies inside.
    inner = re.findall(r"`(\w+)`", meaning) if names[0] in ("kernels", "host") else []
    quoted.update(names + inner)

report = json.loads(pathlib.Path(sys.argv[2]).read_text(encoding="utf-8"))
keys = set(report) | set(report["host"]) | {key for kernel in report["kernels"] for key in kernel}
problems = [f"not in docs/Tools.md: {key}" for key in sorted(keys - quoted)]
problems += [f"not in the report: {key}" for key in sorted(quoted - keys)]
sys.exit("\n".join(problems) or 0)
