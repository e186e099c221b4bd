"""Without any one of its rules, tests of the interpreter fail.

RUN: %python %s %trn_src %trn_build
"""

import os
import pathlib
import re
import subprocess
import sys

LABEL = r'"([a-z]+(?:_[a-z]+)*_c\d+)"'
root, build = (pathlib.Path(path) for path in sys.argv[1:])
sources = sorted(root.glob("lib/Interpreter/*.cpp")) + [root / "lib/Program/PsumGroups.cpp"]
rules = sorted({label for path in sources
                for label in re.findall(LABEL, path.read_text(encoding="utf-8"))})
tests = [build / "test/Unit/Interpreter/InterpreterTests", "--gtest_brief=1",
         "--gtest_filter=*Fault.*:Reduce.*Refuses*"]


def run(ignored):
    return subprocess.run(tests, env={**os.environ, "TRN_IGNORED_RULE": ignored},
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


problems = []
if len(rules) < 15:
    problems.append(f"too few rules were found: {', '.join(rules)}")
if (outcome := run("")).returncode != 0:
    problems.append(outcome.stdout)
for rule in rules:
    outcome = run(rule)
    if outcome.returncode == 0:
        problems.append(f"no test fails without {rule}")
    elif outcome.returncode < 0:
        problems.append(f"without {rule}, the tests end by signal {-outcome.returncode}")
sys.exit("\n".join(problems) or 0)
