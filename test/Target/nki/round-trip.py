"""What is exported is read, compiled and exported again: the second and the third text are equal.

The kernels are some of those of the tests beside this one, of single instructions each fifth one.
`--all` takes all of them, and lists what does not come back; `--count N --seed S` adds random modules.

RUN: %trn_python %s %t
"""

import argparse
import collections
import itertools
import pathlib
import runpy
import sys

from Inputs import exports, round_trip

HERE = pathlib.Path(__file__).parent
QUICK = "chains", "instructions", "options"
SUITE = *QUICK, "xuv", "mlp-qkv", "elementwise", "schedules"

parser = argparse.ArgumentParser()
parser.add_argument("stem", type=pathlib.Path)
parser.add_argument("--suite", nargs="*", choices=SUITE)
parser.add_argument("--all", action="store_true")
parser.add_argument("--count", type=int, default=6)
parser.add_argument("--seed", type=int, default=0)
options = parser.parse_args()
faults = []
numbers = itertools.count()


def attempt(name, function):
    try:
        return function()
    except (SystemExit, Exception) as fault:
        if not options.all:
            raise
        faults.append(f"{name}: {fault}")
        return "nl.fori_loop address=(0, "


def check(name, *rest, **named):
    return attempt(name, lambda: round_trip.check(name, *rest, **named))


def check_fifth(*arguments, **named):
    return None if next(numbers) % 5 else check(*arguments, **named)


for name in (SUITE if options.all else QUICK) if options.suite is None else options.suite:
    is_sampled = name == "instructions" and not options.all
    exports.check_compiled, exports.finish = check_fifth if is_sampled else check, lambda least: None
    sys.argv = [name, f"{options.stem}-{name}", str(HERE.parents[2])]
    runpy.run_path(str(HERE / f"{name}.py"))
outcomes = collections.Counter()
folder = options.stem.with_suffix(".random")
folder.mkdir(parents=True, exist_ok=True)
for number in range(options.count):
    outcomes[attempt(f"module {number}", lambda: round_trip.check_random(
        folder, options.seed, number))] += 1
print(dict(outcomes))
round_trip.report()
if faults:
    sys.exit("\n".join(faults))
