r"""docs/Tools.md lists the keys of the report, each of them and no other.

RUN: trn-gen xuv --m=128 --k=128 --r=128 --n=128 -o %t.mlir
RUN: trn-run %t.mlir --compile=effort=1 --verify --report=%t.1.json
The second machine has a throttle.
RUN: trn-run %t.mlir --compile="strategy=sequential machine=trn2 effort=1" --timing-only --range --report=%t.2.json

The contraction of this one is cut.
RUN: trn-gen xw --m=1024 --k=131072 --n=1024 -o %t.long.mlir
RUN: trn-run %t.long.mlir --compile=effort=1 --timing-only --report=%t.3.json

X of this one comes ahead, for a second strip.
RUN: trn-gen xw --m=1024 --k=512 --n=512 -o %t.ahead.mlir
RUN: trn-run %t.ahead.mlir --compile="block-m=512 keep=xt=m effort=1" --timing-only --report=%t.4.json

That of this one is read again for every block of columns.
RUN: trn-gen xuv --m=512 --k=128 --r=128 --n=1024 -o %t.again.mlir
RUN: trn-run %t.again.mlir --compile="strategy=recompute keep=x=n effort=1" --timing-only --report=%t.5.json
This one leaves work to the host.
RUN: sed -n '/^\/\/---/,$p' %S/../Tools/trn-run-host-ops.test | tail -n +2 > %t.host.mlir
RUN: trn-run %t.host.mlir --compile=effort=1 --timing-only --report=%t.6.json
Cores meet in this one.
RUN: sed -n '/^#x/,$p' %S/../Transforms/Partition/mlp.mlir > %t.cores.mlir
RUN: trn-run %t.cores.mlir --compile="partition=2 effort=1" --timing-only --report=%t.7.json
Two cores run this one.
RUN: trn-run %S/../Simulator/cores.mlir --entry=early --timing-only --report=%t.8.json
RUN: %python %s %trn_src %t.1.json %t.2.json %t.3.json %t.4.json %t.5.json %t.6.json %t.7.json %t.8.json
"""

import json
import pathlib
import re
import sys

TABLES = ("critical_path", "cores", "top_ops", "buffers", "host_ops", "load_ops")

page = (pathlib.Path(sys.argv[1]) / "docs/Tools.md").read_text(encoding="utf-8")
table = page.split("| key | meaning |")[1].split("\n\n")[0]
quoted = set()
for row in table.splitlines()[2:]:
    key, meaning = row.strip("|").split(" | ", 1)
    names = re.findall(r"`(\w+)`", key)
    # These rows name in their meaning what lies inside.
    if names[0] in ("kernels", "host") + TABLES:
        names += re.findall(r"`(\w+)`", meaning)
    quoted.update(names)


def keys_of(report):
    """Keys of a report or a kernel, and the columns of its tables."""
    columns = {key for table in TABLES for row in report.get(table, []) for key in row}
    return set(report) | columns


keys = set()
for path in sys.argv[2:]:
    report = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    keys |= keys_of(report) | set(report["host"])
    for kernel in report["kernels"]:
        keys |= keys_of(kernel)
problems = [f"not in docs/Tools.md: {key}" for key in sorted(keys - quoted)]
problems += [f"not in the report: {key}" for key in sorted(quoted - keys)]
sys.exit("\n".join(problems) or 0)
