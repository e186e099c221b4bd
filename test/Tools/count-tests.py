"""tools/count-tests.py never prints a total that did not happen.

RUN: %python %s %trn_src %t.json
"""

import json
import subprocess
import sys

source, path = sys.argv[1:]


def run(results, *others):
    """(exit status, lines printed) for a result file with these tests, and others."""
    with open(path, "w", encoding="utf-8") as file:
        file.write(results)
    done = subprocess.run([sys.executable, f"{source}/tools/count-tests.py", path, *others],
                          capture_output=True, text=True)
    return done.returncode, done.stdout.splitlines()


def results(*tests):
    return json.dumps({"tests": [{"name": f"{suite} :: x", "code": code}
                                 for suite, code in tests]})


status, lines = run(results(("trn", "PASS"), ("trn-unit", "PASS"), ("trn", "UNSUPPORTED")))
assert status == 0 and lines[-1] == "2 passed, 0 failed", lines
assert lines[0] == "lit: 1 passed, 0 failed, 1 not run", lines

for bad in ("FAIL", "XPASS", "TIMEOUT", "UNRESOLVED"):
    status, lines = run(results(("trn", "PASS"), ("trn-unit", bad)))
    assert status == 1 and lines[-1] == "1 passed, 1 failed", lines

for incomplete in ("", "{}", results(("trn", "PASS")), results(("trn-unit", "PASS")),
                   results(("unknown", "PASS"))):
    status, lines = run(incomplete)
    assert status == 1 and not any("passed, " in line and ":" not in line for line in lines), lines

# The totals of several files are added, if all are complete.
whole, other = results(("trn", "PASS"), ("trn-unit", "PASS")), path + ".other"
for text, expected in ((whole, "4 passed, 0 failed"), (results(("trn", "FAIL"), ("trn-unit", "PASS")), "3 passed, 1 failed"),
                       (results(("trn", "PASS")), None)):
    with open(other, "w", encoding="utf-8") as file:
        file.write(text)
    status, lines = run(whole, other)
    assert (lines[-1] == expected) if expected else not any("passed, " in line and ":" not in line for line in lines), lines
    assert (status == 0) == (text == whole), status
