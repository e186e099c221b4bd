"""Includes go to a lower ring, or to a neighbour that stands to the left.

RUN: %python %s %trn_src
"""

import pathlib
import re
import sys

# Ring 0 is plain C++ without IR, 1 the dialect, 2 reads IR, 3 wires, 4 mains.
RINGS = [
    ["Support", "Machine", "LowRank", "Placement", "Planning", "Program",
     "Interpreter", "Simulator", "Report"],
    ["Dialect/Trn/IR"],
    ["Analysis", "Decode", "Generate", "Transforms", "Conversion",
     "Dialect/Trn/Transforms", "Remarks", "Target"],
    ["Pipelines", "Runtime", "Run"],
    ["InitAll", "tools"],
]
ORDER = {name: (ring, i) for ring, names in enumerate(RINGS)
         for i, name in enumerate(names)}
INCLUDE = re.compile(r'^\s*#?\s*include\s+["<]((?:trn|mlir)/[^">]+)[">]', re.M)


def library(path):
    """The entry of RINGS that holds a path below include/trn or lib."""
    for name in sorted(ORDER, key=len, reverse=True):
        if path == name or path.startswith(name + "/") or path == name + ".h":
            return name
    return None


def problems(root, folder):
    for path in sorted((root / folder).rglob("*")):
        if path.suffix not in (".h", ".cpp", ".td"):
            continue
        where = path.relative_to(root)
        own = "tools" if folder == "tools" else library(str(path.relative_to(root / folder)))
        if own is None:
            yield f"{where}: its folder is in no ring"
            continue
        for included in INCLUDE.findall(path.read_text(encoding="utf-8")):
            if included.startswith("mlir/"):
                if ORDER[own][0] == 0:
                    yield f"{where}: ring 0 includes {included}"
                continue
            other = library(included.removeprefix("trn/"))
            if other is None:
                yield f"{where}: includes {included}, which is in no ring"
            elif ORDER[other] > ORDER[own]:
                yield f"{where}: {own} must not include {included}"


root = pathlib.Path(sys.argv[1])
found = [p for folder in ("include/trn", "lib", "tools") for p in problems(root, folder)]
sys.exit("\n".join(found) or 0)
