"""Kernels that are changed at random, and hostile ones, cost themselves only; what passes is right.

RUN: %trn_python %s 60

`mutants.py COUNT [SEED]` tries more. A kernel that passes is computed again: what it says of
itself is not believed.
"""

import collections
import pathlib
import sys
import time

import numpy as np
import trn_mlir as trn

sys.path.insert(0, str(pathlib.Path(__file__).parent / "Inputs"))
import mutate


def values(text, inputs):
    """What a kernel computes, in this process, which trusts those that have passed."""
    module = trn.nki.load(trn.nki.find_in_text(text), inputs)
    return module.run(*inputs)


def check(name, text, judged):
    """A pass is right, by values that are compared here."""
    if not judged["passed"]:
        assert judged["rule"] and judged["message"], (text, judged)
        return judged["rule"]
    wanted = mutate.expected(name)
    found = np.asarray(values(text, mutate.INPUTS[name]), np.float64)
    allowed = 1e-2 if "float16" in text.split(mutate.HEADER)[1] else 1e-5
    assert found.shape == wanted.shape and \
        np.abs(found - wanted).max() <= allowed * np.abs(wanted).max(), (text, judged)
    assert judged["range_ms"][0] <= judged["latency_ms"] <= judged["range_ms"][1], judged
    return "passed"


def main(count, seed):
    start = time.time()
    outcomes = collections.Counter()
    for kernel in mutate.KERNELS:  # each with its own inputs
        texts = [text for name, text in (mutate.mutant(number, seed) for number in range(count))
                 if name == kernel]
        judged = trn.rank(texts, mutate.INPUTS[kernel], mutate.expected(kernel), seconds=2,
                          memory_mb=1024, jobs=2)
        assert sorted(one["index"] for one in judged) == list(range(len(texts)))
        for one in judged:
            is_hostile = any(line in texts[one["index"]] for line in mutate.HOSTILE)
            if is_hostile and one["passed"]:  # not to be run here
                outcomes["passed, hostile"] += 1
                assert one["error"] <= 1e-2
            else:
                outcomes[check(kernel, texts[one["index"]], one)] += 1
    if count > 100:
        print(f"{count} mutants, seed {seed}, {time.time() - start:.0f} s:", dict(outcomes))
    assert outcomes["passed"] >= count // 20 and len(outcomes) > 5, outcomes
    # The good ones still pass, in the same processes.
    for name, body in mutate.BODIES.items():
        judged = trn.evaluate(f"{mutate.HEADER}\n\n\n{body}", mutate.INPUTS[name],
                              mutate.expected(name))
        assert judged["passed"] and not judged["rule"], judged


main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0)
