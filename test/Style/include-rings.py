"""Includes go to a lower ring, or to a neighbour that stands to the left, and never round in a circle.

A unit is a header and the code of the same name and library.

RUN: %python %s %trn_src
"""

import pathlib
import re
import sys

# The rings are the rows of the table in docs/Architecture.md.
ROOT = pathlib.Path(sys.argv[1])
ROW = re.compile(r"^\| \d+ \|[^|]*\| ([^|]+) \|$", re.M)
RINGS = [names.split(", ") for names in
         ROW.findall((ROOT / "docs/Architecture.md").read_text(encoding="utf-8"))]
ORDER = {name: (ring, i) for ring, names in enumerate(RINGS)
         for i, name in enumerate(names)}
INCLUDE = re.compile(r'^\s*#?\s*include\s+["<]((?:trn|mlir)/[^">]+)[">]', re.M)


def library(path):
    """The entry of RINGS that holds a path below include/trn or lib."""
    for name in sorted(ORDER, key=len, reverse=True):
        if path == name or path.startswith(name + "/") or path == name + ".h":
            return name
    return None


def problems(folder):
    for path in sorted((ROOT / folder).rglob("*")):
        if path.suffix not in (".h", ".cpp", ".td"):
            continue
        where = path.relative_to(ROOT)
        own = "tools" if folder == "tools" else library(str(path.relative_to(ROOT / folder)))
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


ANY_INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)


def unit(path):
    """`Search/Demands` for include/trn/Search/Demands.h and lib/Search/Demands.cpp."""
    return re.sub(r"^(include/trn|lib)/|\.\w+$", "", str(path))


def included_units():
    """By unit: those that it includes."""
    units = {}
    for folder in ("include/trn", "lib", "tools"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix not in (".h", ".cpp"):
                continue
            own = unit(path.relative_to(ROOT))
            for name in ANY_INCLUDE.findall(path.read_text(encoding="utf-8")):
                file = ROOT / "include" / name if name.startswith("trn/") else path.parent / name
                if file.suffix == ".h" and file.exists():
                    units.setdefault(own, set()).add(unit(file.resolve().relative_to(ROOT.resolve())))
            units.setdefault(own, set()).discard(own)
    return units


def circles(units):
    """For each circle of units one line."""
    done, path = set(), []

    def visit(own):
        if own in path:
            yield " includes ".join([*path[path.index(own):], own]) + ", which is a circle"
        if own in done or own in path:
            return
        path.append(own)
        for other in sorted(units.get(own, ())):
            yield from visit(other)
        path.pop()
        done.add(own)

    for own in sorted(units):
        yield from visit(own)


found = [f"docs/Architecture.md: there is no library {name}" for name in ORDER
         if not any((ROOT / path).exists() for path in (f"lib/{name}", name))]
found += [p for folder in ("include/trn", "lib", "tools") for p in problems(folder)]
found += circles(included_units())
sys.exit("\n".join(found) or 0)
