"""Wrong kernels are refused with the rule and the line.

RUN: %trn_python %s %S/Inputs/wrong.py %S/Inputs/wrong_beta1.py
"""

import re
import sys

import numpy as np
from trn_mlir import nki


def refusal(path, name, parameters):
    """What loading and running says; None if nothing."""
    try:
        kernel = nki.load(f"{path}:{name}", **parameters)
        kernel.run(*(np.zeros(one.shape, np.int32 if one.dtype == "i32" else np.float32)
                     for one in kernel.signature[0]))
    except nki.NkiError as problem:
        return problem
    return None


def check(path):
    lines = open(path, encoding="utf-8").read().splitlines()
    kernels = {}
    for number, line in enumerate(lines, 1):
        if found := re.match(r"def (([a-z_]+_[cr]\d+)__\w+)\((.*)\):", line):
            name, rule = found[1], found[2]
            parameters = dict(re.findall(r'(\w+)="([^"]*)"', found[3]))
        if found := re.search(r"# refused: (.*)", line):
            assert name not in kernels, f"{name} is refused twice"
            kernels[name] = rule, parameters, number, found[1]
    problems = []
    for name, (rule, parameters, number, text) in kernels.items():
        problem = refusal(path, name, parameters)
        if not problem or (problem.rule, problem.file, problem.line) != (rule, path, number) or \
                not re.search(text, problem.message):
            problems.append(f"{name}, line {number}: {problem or 'is not refused'}")
    assert not problems, "\n".join(problems)
    return len(kernels)


counts = [check(path) for path in sys.argv[1:]]
assert counts[0] >= 25 and counts[1] >= 15, counts
