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


def refuse(text, rule):
    try:
        run(text, 128)
        raise AssertionError("it is read: " + text)
    except nki.NkiError as problem:
        assert problem.rule == rule, problem


for body, expected in COMPUTED.items():
    x, found = run(LAST.replace("BODY", body), 130)
    np.testing.assert_allclose(found, expected(x), rtol=1e-5, atol=1e-6)

# Rows that do not begin at partition 0: what is computed of rows 64 to 127 of t, which is given
# as a whole, from row 32 on, or from row 64. `w` is a column of all rows.
BEHIND = """    t, u, w, m = tile(128, 64), tile(128, 64), tile(128, 1), tile(128, 1)
    stats, most = tile(128, 6), tile(128, 8)
    nisa.dma_copy(dst=t[64:128, :], src=x[64:128, :])
    nisa.dma_copy(dst=w, src=x[:, 0:1])
    at = slice(FIRST, 128)
    BODY
    nisa.dma_copy(dst=out[0:64, :], src=x[0:64, :])
    nisa.dma_copy(dst=out[64:128, :], src=u[64:128, :])
    return out
"""
COLUMN = "nisa.tensor_scalar(dst=u[at], data=t[at], op0=nl.multiply, operand0=m[at])"
REDUCED = """reduce_op=nl.add, reduce_res=m[at],
                    reduce_cmd=nisa.reduce_cmd.reset_reduce)"""
ROWS, COLUMNS = np.arange(128)[64:, None], np.arange(64)[None, :]


BEHIND_COMPUTED = {
    """nisa.affine_select(dst=u[at], pattern=[[1, 64]], offset=FIRST - 100,
                       channel_multiplier=1, cmp_op=nl.greater_equal, on_true_tile=t[at],
                       on_false_value=-1.0)""":
        lambda x, w: np.where(COLUMNS + ROWS >= 100, x, -1.0),
    """nisa.affine_select(dst=u[at].reshape((128 - FIRST, 8, 8)), pattern=[[8, 8], [1, 8]],
                       offset=FIRST - 100, channel_multiplier=1, cmp_op=nl.greater_equal,
                       on_true_tile=t[at].reshape((128 - FIRST, 8, 8)), on_false_value=-1.0)""":
        lambda x, w: np.where(COLUMNS + ROWS >= 100, x, -1.0),
    "nisa.activation(dst=u[at], op=nl.exp, data=t[at], " + REDUCED + "\n    " + COLUMN:
        lambda x, w: x * np.exp(x).sum(1, keepdims=True),
    """nisa.tensor_scalar_reduce(dst=u[at], data=t[at], op0=nl.multiply, operand0=w[at],
                              reduce_op=nl.add, reduce_res=m[at])
    """ + COLUMN: lambda x, w: x * (x * w).sum(1, keepdims=True),
    "nisa.activation(dst=u[at], op=nl.exp, data=t[at], bias=w[at], scale=w[at])":
        lambda x, w: np.exp(x * w + w),
    "nisa.tensor_scalar(dst=u[at], data=t[at], op0=nl.multiply, operand0=w[at])":
        lambda x, w: x * w,
    """nisa.scalar_tensor_tensor(dst=u[at], data=t[at], op0=nl.multiply, operand0=w[at],
                              op1=nl.add, operand1=t[at])""": lambda x, w: x * w + x,
    "nisa.tensor_reduce(dst=m[at], op=nl.maximum, data=t[at], axis=1)\n    " + COLUMN:
        lambda x, w: x * x.max(1, keepdims=True),
    "nisa.bn_stats(dst=stats[at], data=t[at])\n    " + COLUMN.replace("m[at]", "stats[at, 1:2]"):
        lambda x, w: x * x[:, ::2].mean(1, keepdims=True),
    "nisa.max8(dst=most[at], src=t[at])\n    " + COLUMN.replace("m[at]", "most[at, 0:1]"):
        lambda x, w: x * x.max(1, keepdims=True),
    """nisa.tensor_tensor(dst=u[at].reshape((128 - FIRST, 1, 64)), data2=t[at], op=nl.multiply,
                       data1=t[at].reshape((128 - FIRST, 1, 64)))""": lambda x, w: x * x,
    """nisa.tensor_tensor(dst=u[at].reshape((128 - FIRST, 8, 8)), data2=t[at, 0:8], op=nl.multiply,
                       data1=t[at].reshape((128 - FIRST, 8, 8)))""":
        lambda x, w: x * np.tile(x[:, :8], 8),
    "nisa.reciprocal(dst=u[at], data=t[at])": lambda x, w: 1 / x,
    """nisa.activation(dst=u[at].reshape((128 - FIRST, 1, 64)), op=nl.exp,
                    data=t[at].reshape((128 - FIRST, 8, 8)))""": lambda x, w: np.exp(x),
    "nisa.tensor_copy(dst=u[at], src=t[at].reshape((128 - FIRST, 8, 8)).permute((0, 2, 1)))":
        lambda x, w: x.reshape(-1, 8, 8).transpose(0, 2, 1).reshape(x.shape),
}
for body, expected in BEHIND_COMPUTED.items():
    for first in (0, 32, 64):
        x, found = run(BEHIND.replace("BODY", body).replace("FIRST", str(first)), 128)
        np.testing.assert_allclose(found[64:], expected(x[64:], x[64:, :1]), rtol=1e-4, atol=1e-5,
                                   err_msg=body)

# A column counts from the row on that the data are given from.
x, found = run(LOADS + load((96, 128, 0, 64)) + """    w = tile(64, 1)
    nisa.dma_copy(dst=w, src=x[64:128, 0:1])
    nisa.tensor_scalar(dst=u[64:128], data=t[64:128], op0=nl.multiply, operand0=w)
    nisa.dma_copy(dst=out[0:96, :], src=x[0:96, :])
    nisa.dma_copy(dst=out[96:128, :], src=u[96:128, :])
    return out
""", 128)
np.testing.assert_array_equal(found[96:], x[96:] * x[96:, :1])

# Parts that make a whole are a whole.
for parts in ([(0, 72, 0, 64), (72, 128, 0, 64)], [(64, 128, 0, 64), (0, 64, 0, 64)],
              [(0, 32, 0, 64), (64, 96, 0, 64), (32, 64, 0, 64), (96, 128, 0, 64)],
              [(0, 64, 0, 32), (0, 64, 32, 64), (64, 128, 0, 64)]):
    x, found = run(LOADS + load(*parts) + DOUBLE, 128)
    np.testing.assert_array_equal(found, 2 * x)

# Rows that are stored, or that hold something else, are not left alone.
FILL = "    nisa.memset(dst=u, value=0.0)\n"
SOME = "    nisa.dma_copy(dst=u[0:100, :], src=x[0:100, :])\n"
BEHIND = BEHIND.replace("FIRST", "0")
for text in (LOADS + load((0, 72, 0, 64)) + DOUBLE, LOADS + FILL + load((0, 72, 0, 64)) + DOUBLE,
             LOADS + SOME + load((0, 72, 0, 64)) + DOUBLE,
             BEHIND.replace("BODY", "nisa.memset(dst=m, value=0.0)\n    nisa.activation("
                            "dst=u, op=nl.exp, data=t, " + REDUCED),
             BEHIND.replace("BODY", "nisa.memset(dst=stats, value=0.0)\n    "
                            "nisa.bn_stats(dst=stats, data=t)")):
    refuse(text, "memory_c2")
# A column is that of the rows which are given, of which some are left alone.
refuse(BEHIND.replace("BODY", "nisa.activation(dst=u, op=nl.exp, data=t, bias=w[0:64])"), "nki_r3")
