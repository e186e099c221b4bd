"""Files are written whatever becomes of the standard streams.

RUN: rm -rf %t && mkdir %t && cd %t
RUN: trn-gen xw --m=4 --k=5 --n=6 -o module.mlir
RUN: %python %s
"""

import os
import subprocess
import sys

GONE = 74  # EX_IOERR, as upstream's tools


def run(command, outputs, **streams):
    done = subprocess.run(command, shell=True, executable="/bin/bash", text=True,
                          stderr=streams.pop("stderr", subprocess.PIPE), **streams)
    for path in outputs:
        assert os.path.getsize(path) > 100, f"{command}: {path} is missing"
        os.remove(path)
    assert "PLEASE" not in (done.stderr or ""), done.stderr
    return done


def gone():
    """A pipe that nobody reads."""
    end, start = os.pipe()
    os.close(end)
    return start


TIME = "trn-run module.mlir --compile --timing-only --report=r --html=h --trace=t"
SWEEP = "trn-run module.mlir --sweep=rows=128,256 --report=r --html=h --csv=c"
CONVERT = "trn-opt module.mlir --trn-compile -o o"
for command, outputs in (TIME, "rht"), (SWEEP, "rhc"):
    done = run(command, outputs, stdout=gone())
    assert done.returncode == GONE and not done.stderr, done
    with open("/dev/full", "w") as full:
        done = run(command, outputs, stdout=full)
    assert done.returncode == 1, done
    assert "error: cannot write standard output: No space left on device" in done.stderr, done
for command, outputs in (TIME, "rht"), (SWEEP, "rhc"), (CONVERT, "o"):
    assert run(command + " <&- >&- 2>&-", outputs).returncode == 0
    # What goes to standard error is lost, and nothing else.
    assert run(command, outputs, stdout=subprocess.PIPE, stderr=gone()).returncode == 0
for command in "trn-opt module.mlir --trn-compile", "trn-gen xw --m=4 --k=5 --n=6":
    done = run(command, "", stdout=gone())
    assert done.returncode == GONE and not done.stderr, done
    with open("/dev/full", "w") as full:
        done = run(command, "", stdout=full)
    assert done.returncode == 1 and "No space left on device" in done.stderr, done

# A file that may not grow is an error, and is not left behind.
for command in CONVERT, TIME, "trn-gen xw --m=4 --k=5 --n=6 -o o":
    done = run("ulimit -f 0; " + command, "", stdout=subprocess.PIPE)
    assert done.returncode == 1 and "File too large" in done.stderr, done
assert sorted(os.listdir()) == ["module.mlir"], os.listdir()
