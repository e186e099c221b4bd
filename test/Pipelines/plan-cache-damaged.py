"""A file with a plan that cannot be used is named with the reason, and replaced by what a search finds.

RUN: %python %s %t
"""

import functools
import pathlib
import re
import shutil
import subprocess
import sys

folder = pathlib.Path(sys.argv[1])
shutil.rmtree(folder, ignore_errors=True)
folder.mkdir(parents=True)


@functools.cache
def generate(n):
    return subprocess.run(["trn-gen", "xw", "--m=256", "--k=2048", f"--n={n}"], check=True,
                          capture_output=True).stdout


def compile(n):
    """The code and what is said, with `plans{n}` as the folder of plans."""
    done = subprocess.run(["trn-opt", f"--trn-compile=effort=3 plan-cache={folder / f'plans{n}'}"],
                          input=generate(n), capture_output=True)
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr.decode()


def entry(n):
    path, = (folder / f"plans{n}").iterdir()
    return path


good, said = compile(512)
assert not said, said
compile(1024)
path, text, other = entry(512), entry(512).read_text(), entry(1024).read_text()
schedule = re.compile("^schedule = .*$", re.M)
CASES = [
    ("", "it does not begin with what it is for"),
    ("\0" * len(text), "it does not begin with what it is for"),
    (text.replace("effort = 3", "effort = 4"), "it does not begin with what it is for"),
    (other, "it does not begin with what it is for"),
    (re.sub("planned by .", "planned by x", text), "it does not begin with what it is for"),
    (re.sub("\nplans = .*", "", text), "it lacks the number 'plans'"),
    (re.sub("\nplans = .*", "\nplans = -1", text), "it lacks the number 'plans'"),
    (re.sub("\nsimulated = .*", "\nsimulated = yes", text), "it lacks the number 'simulated'"),
    (re.sub("latency_ps = ", r"\g<0>99999999999999999999", text), "it lacks the number 'latency_ps'"),
    (schedule.sub("", text), "it lacks 'schedule'"),
    (text[:-20], "it has no schedule with a plan: "),
    (text + "more", "it has no schedule with a plan: "),
    (re.sub(", nests = .*>", ">", text), "it has no schedule with a plan\n"),
    (schedule.sub("schedule = 7 : i64", text), "it has no schedule with a plan\n"),
    (schedule.sub(schedule.search(other)[0], text), "it computes something else"),
    (re.sub(r"(nests = \[\w+ \(m =) \d+", r"\1 100", text), "block 100 of m in the nest of xt"),
    (re.sub(r"w at k( slots \d+)?", "w at k slots 64", re.sub(r"k = \d+\)\]", "k = 2048)]", text)),
     "its buffers do not fit"),
]
for damaged, reason in CASES:
    assert damaged != text, reason
    path.write_text(damaged)
    again, said = compile(512)
    assert again == good, reason
    assert f"warning: plan-cache: '{path}' is ignored, and the plan is searched again: {reason}" in said, (reason, said)
    assert path.read_text() == text, reason
assert compile(512) == (good, "")

# A plan that cannot be written serves this time.
path.unlink()
path.mkdir()
again, said = compile(512)
assert again == good
assert f"warning: plan-cache: cannot write '{path}': Is a directory" in said, said
