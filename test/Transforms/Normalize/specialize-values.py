"""Rows, batches and layers that have become static compute what NumPy does.

RUN: %python %s %S/../Spellings %t
"""

import pathlib
import subprocess
import sys

import numpy as np

spellings, scratch = (pathlib.Path(path) for path in sys.argv[1:])
scratch.mkdir(parents=True, exist_ok=True)
random = np.random.default_rng(0)


def check(name, options, shapes, function):
    inputs = [random.integers(-2, 3, shape).astype(np.float32) for shape in shapes]
    arguments = []
    for i, value in enumerate(inputs):
        np.save(scratch / f"{i}.npy", value)
        arguments.append(f"--arg=@{scratch}/{i}.npy")
    subprocess.run(["trn-run", spellings / f"{name}.mlir", f"--compile=effort=1 {options}",
                    *arguments, f"--out=@{scratch}/out.npy"], check=True, stdout=subprocess.DEVNULL)
    actual, expected = np.load(scratch / "out.npy"), function(*inputs)
    # Whole numbers: sums are exact, also in bf16.
    assert actual.shape == expected.shape, (name, actual.shape)
    assert np.array_equal(actual.astype(np.float32), expected), (name, actual, expected)


check("dynamic-rows", "specialize=24", [(24, 40), (40, 56), (24, 56)], lambda x, w, r: x @ w + r)
check("dynamic-batch", "specialize=3x8", [(3, 8, 40), (40, 48)], lambda x, w: x @ w)
check("dynamic-private", "", [(24, 40), (40, 40), (40, 40)], lambda x, u, v: x @ u @ v)
