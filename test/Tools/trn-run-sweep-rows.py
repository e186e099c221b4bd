"""A chain with other rows is the chain that trn-gen writes with these rows.

RUN: %python %s %t.tmp
"""

import itertools
import json
import pathlib
import subprocess
import sys

scratch = pathlib.Path(sys.argv[1])
scratch.mkdir(exist_ok=True)
SHAPES = {"xw": {"k": 256, "n": 384}, "xuv": {"k": 384, "r": 256, "n": 384}}
# Sizes that equal another dimension tie nothing, and neither does one row.
ROWS = ["1", "700"]


def run(*command):
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def report(value):
    """What does not depend on the host nor on the width of a number in the source."""
    if isinstance(value, dict):
        return {key: report(item) for key, item in value.items() if key not in ("host", "findings", "location")}
    return [report(item) for item in value] if isinstance(value, list) else value


for (kind, first), flags in itertools.product(
        (("xw", "384"), ("xuv", "256"), ("xuv", "1")),
        itertools.chain.from_iterable(
            itertools.combinations(("--transposed-input", "--transposed-output"), n)
            for n in range(3))):
    sizes = [f"--{key}={size}" for key, size in SHAPES[kind].items()]
    source, one = scratch / "source.mlir", scratch / "one.json"
    run("trn-gen", kind, f"--m={first}", *sizes, *flags, "-o", source)
    run("trn-run", source, f"--sweep=rows={','.join(ROWS)}; effort=1", f"--report={scratch}/sweep.json")
    points = json.loads((scratch / "sweep.json").read_text(encoding="utf-8"))["sweep"]
    for rows, point in zip(ROWS, points, strict=True):
        run("trn-gen", kind, f"--m={rows}", *sizes, *flags, "-o", source)
        run("trn-run", source, "--compile=effort=1", "--timing-only", f"--report={one}")
        expected = report(json.loads(one.read_text(encoding="utf-8")))
        assert report(point["report"]) == expected, (kind, first, flags, rows)
