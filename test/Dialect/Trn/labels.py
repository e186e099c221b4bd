"""Each rule has one label in its description, above its check and in the name of its test.

RUN: %python %s %trn_src
"""

import pathlib
import re
import sys

LABEL = r"[a-z_]+_[cm]\d+"
root = pathlib.Path(sys.argv[1])


def labels(pattern, *globs):
    """The labels that `pattern` finds in files, each with the files."""
    found = {}
    for glob in globs:
        for path in sorted(root.glob(glob)):
            for line in re.findall(pattern, path.read_text(encoding="utf-8"), re.M):
                for label in re.findall(LABEL, line):
                    found.setdefault(label, set()).add(path.name)
    return found


# "`access_c1` to `access_c4`" in a description names the ones between, too.
described = labels(r"^ *(?:///)? *- (`.*)$", "include/trn/Dialect/Trn/**/*.td",
                   "include/trn/Program/Check*.h")
checked = labels(r"^\s*//[/ ].*$", "lib/Dialect/Trn/**/*.cpp", "lib/Program/Check*.cpp")
tested = labels(r"@(\w+)__", "test/Dialect/Trn/**/*.mlir")

problems = []
for label in sorted(set(described) | set(checked) | set(tested)):
    for kind, found in (("described", described), ("checked", checked), ("tested", tested)):
        if label not in found:
            problems.append(f"{label} is not {kind}")
sys.exit("\n".join(problems) or 0)
