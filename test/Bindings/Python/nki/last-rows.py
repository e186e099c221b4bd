"""Kernels of today load the last rows of a tensor into a larger tile, compute on all of that, and
store the rows: what nobody wrote is left alone, and refused where a result would have it.

RUN: %trn_python %s
"""

import numpy as np
from trn_mlir import nki

HEAD = """import nki
import nki.isa as nisa
import nki.language as nl


def tile(*shape):
    return nl.ndarray(shape, dtype=nl.float32, buffer=nl.sbuf)


@nki.jit
def kernel(x):
    out = nl.ndarray(x.shape, dtype=nl.float32, buffer=nl.shared_hbm)
"""
# A kernel of 130 rows by tiles of 100: what is computed of t into u.
LAST = """    for i in range(2):
        rows = min(100, 130 - i * 100)
        t, u, m = tile(100, 64), tile(100, 64), tile(100, 1)
        nisa.dma_copy(dst=t[0:rows, :], src=x[i * 100:i * 100 + rows, :])
        BODY
        nisa.dma_copy(dst=out[i * 100:i * 100 + rows, :], src=u[0:rows, :])
    return out
"""
COMPUTED = {
    """nisa.tensor_reduce(dst=m, op=nl.maximum, data=t, axis=1)
        nisa.tensor_scalar(dst=u, data=t, op0=nl.subtract, operand0=m)
        nisa.activation(dst=u, op=nl.exp, data=u)
        nisa.tensor_tensor(dst=u, data1=u, data2=t, op=nl.multiply)""":
        lambda x: np.exp(x - x.max(1, keepdims=True)) * x,
    """nisa.activation(dst=u, op=nl.exp, data=t, reduce_op=nl.add, reduce_res=m,
                        reduce_cmd=nisa.reduce_cmd.reset_reduce)
        nisa.reciprocal(dst=m, data=m)
        nisa.tensor_scalar(dst=u, data=u, op0=nl.multiply, operand0=m)""":
        lambda x: np.exp(x) / np.exp(x).sum(1, keepdims=True),
}
DOUBLE = """    nisa.tensor_scalar(dst=u, data=t, op0=nl.multiply, operand0=2.0)
    nisa.dma_copy(dst=out, src=u)
    return out
"""
LOADS = "    t, u = tile(128, 64), tile(128, 64)\n"


def load(*bounds):
    return "".join("    nisa.dma_copy(dst=t[%d:%d, %d:%d], src=x[%d:%d, %d:%d])\n" % (one * 2)
                   for one in bounds)


def run(text, rows):
    x = np.random.default_rng(rows).standard_normal((rows, 64), np.float32)
    return x, nki.load(nki.find_in_text(HEAD + text), [x]).run(x)


for body, expected in COMPUTED.items():
    x, found = run(LAST.replace("BODY", body), 130)
    np.testing.assert_allclose(found, expected(x), rtol=1e-5, atol=1e-6)

# Parts that make a whole are a whole.
for parts in ([(0, 72, 0, 64), (72, 128, 0, 64)], [(64, 128, 0, 64), (0, 64, 0, 64)],
              [(0, 32, 0, 64), (64, 96, 0, 64), (32, 64, 0, 64), (96, 128, 0, 64)],
              [(0, 64, 0, 32), (0, 64, 32, 64), (64, 128, 0, 64)]):
    x, found = run(LOADS + load(*parts) + DOUBLE, 128)
    np.testing.assert_array_equal(found, 2 * x)

# Rows that are stored, or that hold something else, are not left alone.
FILL = "    nisa.memset(dst=u, value=0.0)\n"
SOME = "    nisa.dma_copy(dst=u[0:100, :], src=x[0:100, :])\n"
for text in (LOADS + load((0, 72, 0, 64)) + DOUBLE, LOADS + FILL + load((0, 72, 0, 64)) + DOUBLE,
             LOADS + SOME + load((0, 72, 0, 64)) + DOUBLE):
    try:
        run(text, 128)
        raise AssertionError("values of rows that nobody wrote: " + text)
    except nki.NkiError as problem:
        assert problem.rule == "memory_c2", problem
