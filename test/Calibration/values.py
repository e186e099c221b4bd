"""The calibration kernels compute what they are named after.

RUN: %python %s %S/Inputs %t
"""

import subprocess
import sys

import numpy

sys.path.insert(0, sys.argv[1])
import adamw  # noqa: E402
import gemm  # noqa: E402
import kernels  # noqa: E402
import rows  # noqa: E402
import transfers  # noqa: E402
from trn_writer import module, spell  # noqa: E402


def check(name, text, inputs, expected, tolerance=1e-5, start=0):
    """`start` is what the kernel adds to: the error is one of the sum's change."""
    result, flags = sys.argv[2] + ".out.npy", []
    for i, values in enumerate(inputs):
        path = "%s.%d.npy" % (sys.argv[2], i)
        numpy.save(path, values)
        flags.append("--arg=@" + path)
    subprocess.run(["trn-run", "-", "--out=@" + result, *flags], input=text, text=True, check=True,
                   stdout=subprocess.DEVNULL)
    error = numpy.linalg.norm(numpy.load(result) - expected) / numpy.linalg.norm(expected - start)
    print("%s: relative error %.1e" % (name, error))
    if not error < tolerance:
        sys.exit("%s computes something else: relative error %.1e" % (name, error))


random = numpy.random.default_rng(0)


def normal(*shape, bits=0xffffffff):
    """Standard normal numbers, of which a bf16 keeps the `bits` 0xffff0000."""
    values = random.standard_normal(shape, dtype=numpy.float32)
    values.view(numpy.uint32)[...] &= numpy.uint32(bits)
    return values


x = normal(4096, 7168)
check("nki_silu", kernels.text("nki_silu"), [x], x / (1 + numpy.exp(-x)))

x, weight = normal(4096, 1024), normal(1024, 2048)
check("nki_rmsnorm_matmul", kernels.text("nki_rmsnorm_matmul"), [x, weight, numpy.eye(128, dtype=numpy.float32)],
      x / numpy.sqrt(numpy.mean(x * x, axis=1, keepdims=True)) @ weight)

# A full row tile and one of 64 rows. The numbers are such that each term of the change matters.
shape = (192, 2048)
theta, m, v, g = 1000 * normal(*shape), normal(*shape), 1e-3 * numpy.abs(normal(*shape)), normal(*shape)
double = [values.astype(numpy.float64) for values in (theta, m, v, g)]
moment, variance = 0.9 * double[1] + 0.1 * double[3], 0.999 * double[2] + 0.001 * double[3] ** 2
check("adamw", module(spell("trn1"), adamw.adamw(*shape)), [theta, m, v, g],
      double[0] - 1e-5 * double[0] - 0.01 * moment / (numpy.sqrt(1000 * variance) + 1e-8), 0.01, start=double[0])

left, right = normal(512, 2048, bits=0xffff0000), normal(512, 2048, bits=0xffff0000)
for make in (gemm.gemm_v0, gemm.gemm_v1, gemm.gemm_v2):
    check(make.__name__, module(spell("trn2"), make(2048, 512, 2048)), [left, right], left.T @ right, 0.01)

for partitions, columns in ((1, 1), (128, 1), (128, 2)):
    shape = (25600 // columns, columns)
    a, b = normal(*shape), normal(*shape)
    check("vector_add", module(spell("trn2"), transfers.vector_add(partitions, columns)), [a, b], a + b)


def softmax(scores):
    powers = numpy.exp(scores - numpy.max(scores, axis=-1, keepdims=True))
    return powers / numpy.sum(powers, axis=-1, keepdims=True)


left, right = normal(2 * 256, 64), normal(2 * 64, 1024)
scores = left.reshape(2, 256, 64) @ right.reshape(2, 64, 1024)
check("bmm_softmax", module(spell("trn2"), rows.bmm_softmax(2, 256, 64, 1024)), [left, right],
      softmax(scores).reshape(512, 1024))

queries, keys, values = normal(2 * 1024, 128), normal(1024, 128), normal(1024, 128)
check("gqa", module(spell("trn2"), rows.gqa(1024, 2, 1, 128, 1)), [queries, keys, values],
      softmax(queries @ keys.T) @ values)

x, cos, sin = normal(2, 1024, 2, 64), normal(1024, 64), normal(1024, 64)
turned = numpy.stack([x[:, :, 0] * cos - x[:, :, 1] * sin, x[:, :, 0] * sin + x[:, :, 1] * cos], axis=2)
check("rope", module(spell("trn2"), rows.rope(2, 1024)),
      [x.reshape(256, 1024), cos.reshape(128, 512), sin.reshape(128, 512)], turned.reshape(256, 1024))
