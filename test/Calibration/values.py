"""The calibration kernels with elementwise stages compute what they are named after.

RUN: %python %s %S/Inputs %t
"""

import subprocess
import sys

import numpy

sys.path.insert(0, sys.argv[1])
import kernels  # noqa: E402


def check(name, inputs, expected):
    result, flags = sys.argv[2] + ".out.npy", []
    for i, values in enumerate(inputs):
        path = "%s.%d.npy" % (sys.argv[2], i)
        numpy.save(path, values)
        flags.append("--arg=@" + path)
    subprocess.run(["trn-run", "-", "--out=@" + result, *flags], input=kernels.text(name), text=True, check=True,
                   stdout=subprocess.DEVNULL)
    error = numpy.linalg.norm(numpy.load(result) - expected) / numpy.linalg.norm(expected)
    print("%s: relative error %.1e" % (name, error))
    if not error < 1e-5:
        sys.exit("%s computes something else: relative error %.1e" % (name, error))


random = numpy.random.default_rng(0)
x = random.standard_normal((4096, 7168), dtype=numpy.float32)
for kernel in ("nki_silu", "nki_silu_scalar"):
    check(kernel, [x], x / (1 + numpy.exp(-x)))

x = random.standard_normal((4096, 1024), dtype=numpy.float32)
weight = random.standard_normal((1024, 2048), dtype=numpy.float32)
normal = x / numpy.sqrt(numpy.mean(x * x, axis=1, keepdims=True))
check("nki_rmsnorm_matmul", [x, weight, numpy.eye(128, dtype=numpy.float32)], normal @ weight)
