"""Hardware numbers live in lib/Machine/KnownMachines.cpp and nowhere else.

RUN: %python %s %trn_src
"""

import pathlib
import re
import sys

HOME = "lib/Machine/KnownMachines.cpp"
# Numbers that only look like the hardware's: sizes of the host's own tables.
EXCEPTIONS = {"lib/Simulator/Grid.cpp", "lib/Interpreter/TaskGraph.cpp"}
NUMBER = re.compile(r"(?<![\w.])(?:128|512|2048|196608|180224|25165824)(?![\w.])")
# Comments and text may name numbers: examples do.
IGNORED = re.compile(r"//[^\n]*|/\*.*?\*/|R\"\(.*?\)\"|\"(?:\\.|[^\"\\\n])*\"", re.S)


def blank(match):
    return re.sub(r"[^\n]", " ", match.group())


root = pathlib.Path(sys.argv[1])
found = []
for folder in ("include", "lib"):
    for path in sorted((root / folder).rglob("*")):
        where = str(path.relative_to(root))
        if path.suffix not in (".h", ".cpp") or where in {HOME, *EXCEPTIONS}:
            continue
        code = IGNORED.sub(blank, path.read_text(encoding="utf-8"))
        found += [f"{where}:{number}: {line.strip()}"
                  for number, line in enumerate(code.splitlines(), 1) if NUMBER.search(line)]
sys.exit("\n".join(found) or 0)
