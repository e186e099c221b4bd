"""The kernels that are replayed blind compute the product, and move the bytes and do the work that
their description asks for.

RUN: %python %s %S/Inputs %t
"""

import subprocess
import sys

import numpy

sys.path.insert(0, sys.argv[1])
import replays  # noqa: E402
from timing import report  # noqa: E402
from trn_writer import module, spell  # noqa: E402

TRN1, TRN2 = spell("trn1"), spell("trn2")


def expect(what, actual, expected):
    print("%s: %s for %s" % (what, actual, expected))
    if actual != expected:
        sys.exit("%s is %s, but %s is expected" % (what, actual, expected))


def check_counts(name, kernels, machine, read, written, matmuls, transposes, others):
    result = report(module(machine, *kernels))
    counts = result["instruction_counts"]
    expect(name + ": bytes read", result["hbm_read_bytes"], 2 * read)
    expect(name + ": bytes written", result["hbm_write_bytes"], 2 * written)
    expect(name + ": matmuls", counts["matmul"], matmuls)
    expect(name + ": transposes", counts.get("transpose", 0), transposes)
    expect(name + ": transpose_flops", result["transpose_flops"], 2 * 128 ** 3 * transposes)
    for op, count in others.items():
        expect("%s: %s" % (name, op), counts.get(op, 0), count)


K, R, N = 8192, 4096, 16384
# Two strips, each with 16 contraction blocks of 32 transposes and 4 x 64 groups of 4 matmuls, then
# 16 column blocks of 4 x 16 groups of 8. U and V are read once a strip.
check_counts("fused", replays.fused(2048), TRN1, 2048 * K + 2 * (K * R + R * N), 2048 * N,
             2 * (16 * 256 * 4 + 16 * 64 * 8), 2 * 16 * 32,
             {"tensor_tensor": 2 * (16 * 256 + 16 * 64), "activation": 2 * 16 * 32})
# X^T is read once for each of 16 column blocks; X and the result are read, turned and written once more.
check_counts("plain", replays.plain(2048), TRN1, 2048 * K + 16 * 2048 * K + K * N + 2048 * N,
             2048 * K + 2 * 2048 * N, 16 * 64 * 32, 16 * 64 + 16 * 128,
             {"tensor_tensor": 16 * 8 * 32, "activation": 16 * 64 + 16 * 128})
# The same for 4 column blocks of Y, then for 16 of the result. Y is turned, too.
check_counts("sequential", replays.sequential(1024), TRN1,
             1024 * K + 4 * 1024 * K + K * R + 1024 * R + 16 * 1024 * R + R * N + 1024 * N,
             1024 * (K + 2 * R + 2 * N), 8 * 64 * 8 + 8 * 32 * 32, 8 * 64 + 8 * 32 + 8 * 128,
             {"tensor_tensor": 4 * 8 * 16 + 16 * 4 * 16})
# The left operand once for each of 4 column blocks.
check_counts("fully blocked", [replays.product(4096, 4096, 4096)], TRN2,
             4 * 4096 ** 2 + 4096 ** 2, 4096 ** 2, 32 * 8 * 32, 0, {"tensor_tensor": 4 * 4 * 4 * 16})
check_counts("left transposed on chip", [replays.product(2048, 2048, 2048, left="rows")], TRN2,
             2 * 2048 ** 2 + 2048 ** 2, 2048 ** 2, 16 * 4 * 16, 2 * 16 * 16, {"activation": 2 * 16 * 16})


def check_values(name, kernels, machine, *shapes):
    """The kernel's product is NumPy's, but for the rounding of sums to bf16."""
    random = numpy.random.default_rng(0)
    factors, flags = [], []
    for i, shape in enumerate(shapes):
        values = random.standard_normal(shape).astype(numpy.float32)
        bits = values.view(numpy.uint32)
        bits &= 0xffff0000  # a bf16
        path = "%s.%d.npy" % (sys.argv[2], i)
        numpy.save(path, values)
        flags.append("--arg=@" + path)
        factors.append(values)
    result = sys.argv[2] + ".out.npy"
    subprocess.run(["trn-run", "-", "--out=@" + result, *flags], input=module(machine, *kernels), text=True,
                   check=True, stdout=subprocess.DEVNULL)
    if "left turned" in name:
        factors[0] = factors[0].T
    expected = numpy.linalg.multi_dot(factors)
    if name in ("plain", "sequential"):
        expected = expected.T
    error = numpy.linalg.norm(numpy.load(result) - expected) / numpy.linalg.norm(expected)
    print("%s: relative error %.4f" % (name, error))
    if not error < 0.01:
        sys.exit("%s computes something else: relative error %.4f" % (name, error))


# The same loops over fewer and smaller blocks.
check_values("fused", replays.fused(512, 512, 1024, 1024, rows=256, depth_tiles=2, block=512), TRN1,
             (512, 512), (512, 1024), (1024, 1024))
check_values("plain", replays.plain(1024, 1024, 1024, block=512), TRN1, (1024, 1024), (1024, 1024))
check_values("sequential", replays.sequential(512, 1024, 512, 1024, block=512), TRN1,
             (512, 1024), (1024, 512), (512, 1024))
check_values("fully blocked, left turned", [replays.product(1024, 1024, 1024, block=512)], TRN2,
             (1024, 1024), (1024, 1024))
check_values("left transposed on chip", [replays.product(1024, 1024, 1024, left="rows")], TRN2,
             (1024, 1024), (1024, 1024))
