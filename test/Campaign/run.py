"""Campaigns: thousands of random cases against an oracle that shares nothing with the tools.

    run.py --campaign kernels --count 20000 --seed 1      placed kernels, byte model
    run.py --campaign modules --count 5000                linalg modules, NumPy
    run.py --campaign chains --count 2000                 planned in every way, NumPy
    run.py --campaign spellings --count 5000              products of any form, NumPy
    run.py --campaign vectors --count 3000                graphs of products of vectors, NumPy
    run.py --campaign mutants --count 20000               damaged inputs of every kind

Each case depends on the seed and its number alone; `--only N` runs one again. What fails
is made smaller and left in a folder of `--keep`, with the command that shows it. The
tools are those of `--bin`, or on PATH. docs/Testing.md says what each campaign holds.
"""

import argparse
import collections
import concurrent.futures
import importlib
import multiprocessing
import os
import pathlib
import signal
import sys
import tempfile
import time
import traceback

from tools import Failure, Tools

FAILED = {"wrong": "wrong", "misplaced": "misplaced", "crash": "crashes", "hang": "hangs",
          "left behind": "left behind", "broken": "broken"}
_state = {}


def interrupt(*_):
    raise KeyboardInterrupt


def prepare(options):
    """Once in each process."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)  # it is the parent that stops
    _state["campaign"] = importlib.import_module(options.campaign)
    _state["tools"] = Tools(options.bin, options.seconds, options.validate)
    _state["seed"] = options.seed
    _state["directory"] = options.scratch / str(os.getpid())


def run_case(number):
    directory = _state["directory"]
    directory.mkdir(exist_ok=True)
    for old in directory.iterdir():
        old.unlink()
    try:
        return number, *_state["campaign"].run(number, _state["seed"], _state["tools"], directory)
    except Exception:  # of the campaign itself: it counts, and the rest goes on
        return number, "broken", Failure("broken", traceback.format_exc(), {}, "")


def keep(failure, number, options):
    """Files, the command that shows the failure, and what it says."""
    folder = options.keep / f"{options.campaign}-{options.seed}-{number}"
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in failure.files.items():
        (folder / name).write_bytes(data)
    (folder / "command.sh").write_text(f"cd \"$(dirname \"$0\")\"\n{failure.command}\n")
    (folder / "problem.txt").write_text(f"{failure.kind}\n{failure.text}\n")
    return folder


def show(text, terminal):
    if terminal:
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def summary(options, count, outcomes):
    good = [f"{n} {name}" for name, n in sorted(outcomes.items()) if name not in FAILED]
    bad = [f"{outcomes[kind]} {name}" for kind, name in FAILED.items()
           if outcomes[kind] or kind != "broken"]
    return (f"{options.campaign}: {count} cases, seed {options.seed}: "
            + ", ".join(good + bad))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--campaign", choices=["chains", "kernels", "modules", "mutants", "spellings",
                                               "vectors"], required=True)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--only", type=int, help="run this case alone")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--bin", type=pathlib.Path, help="folder of the tools")
    parser.add_argument("--keep", type=pathlib.Path, default=pathlib.Path("campaign-failures"))
    parser.add_argument("--seconds", type=float, default=60,
                        help="a run that takes more CPU time is a hang")
    parser.add_argument("--validate", action="store_true",
                        help="modules, chains: also compare values from pass to pass")
    options = parser.parse_args()
    options.bin = options.bin and options.bin.resolve()
    options.keep = options.keep.resolve()
    numbers = [options.only] if options.only is not None \
        else range(options.first, options.first + options.count)

    signal.signal(signal.SIGTERM, interrupt)
    terminal, outcomes, start = sys.stderr.isatty(), collections.Counter(), time.time()
    context = multiprocessing.get_context("fork")
    with tempfile.TemporaryDirectory(prefix="trn-campaign-") as scratch, \
            concurrent.futures.ProcessPoolExecutor(options.jobs, mp_context=context,
                                                   initializer=prepare,
                                                   initargs=(options,)) as pool:
        options.scratch = pathlib.Path(scratch)
        try:
            for number, outcome, failure in pool.map(run_case, numbers):
                outcomes[outcome] += 1
                if failure:
                    folder = keep(failure, number, options)
                    show("", terminal)
                    print(f"case {number}: {failure.kind}: "
                          f"{(failure.text.splitlines() or [''])[0][:200]}\n"
                          f"  sh {folder}/command.sh", flush=True)
                done = sum(outcomes.values())
                rate = done / (time.time() - start)
                show(f"{done} of {len(numbers)}, {rate:.0f} a second: "
                     + ", ".join(f"{n} {o}" for o, n in sorted(outcomes.items())), terminal)
        except KeyboardInterrupt:
            pool.shutdown(wait=True, cancel_futures=True)
            print("interrupted; what was done so far:")
    show("", terminal)
    print(summary(options, sum(outcomes.values()), outcomes))
    sys.exit(any(outcomes[kind] for kind in FAILED))


if __name__ == "__main__":
    main()
