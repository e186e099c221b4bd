"""A result that is assigned to a tile keeps its value when that tile, or the result, is written
again: kernels of beta 1.

RUN: %trn_python %s
"""

import numpy as np
from trn_mlir import nki

TEXT = """import neuronxcc.nki as nki
import neuronxcc.nki.isa as nisa
import neuronxcc.nki.language as nl


@nki.jit
def kernel(x, y):
    out = nl.ndarray((64, 16), dtype=x.dtype, buffer=nl.shared_hbm)
    a, b = nl.load(x), nl.load(y)
    q = nl.ndarray((64, 16), dtype=nl.float32, buffer=nl.sbuf)
    wide = nl.ndarray((64, 32), dtype=nl.float32, buffer=nl.sbuf)
    v = nl.add(a, b)
    LINES
    return out
"""
PRODUCTS = """acc = nl.zeros((16, 16), dtype=nl.float32, buffer=nl.psum)
p = nisa.nc_matmul(a, b)
acc += p
acc += nisa.nc_matmul(a, a)
nl.store(out[0:16], p)
nl.store(out[16:32], acc)
nl.store(out[32:64], nl.load(x[32:64]))"""

rng = np.random.default_rng(7)
x, y = rng.standard_normal((2, 64, 16), np.float32)
s, e = x + y, np.exp(x)
KERNELS = {
    "the tile is written": ("q[...] = v\nq[...] = nl.exp(a)\nnl.store(out, v + q)", s + e),
    "by a load": ("q[...] = v\nq[...] = nl.load(y)\nnl.store(out, v - q)", s - y),
    "in part": ("q[...] = v\nq[0:32] = 0.0\nnl.store(out, v)", s),
    "by what it holds": ("q[...] = v\nq[...] = nl.add(q, q)\nnl.store(out, v + q)", 3 * s),
    "in place": ("q[...] = v\nq *= 2.0\nnl.store(out, v + q)", 3 * s),
    "beside it": ("wide[:, 0:16] = v\nwide[:, 16:32] = a\nnl.store(out, v + wide[:, 16:32])", s + x),
    "the result is written": ("q[...] = v\nv[...] = nl.exp(a)\nnl.store(out, v + q)", s + e),
    "the result in place": ("q[...] = v\nv += 1.0\nnl.store(out, v * q)", (s + 1) * s),
    "a part, taken later": ("q[...] = v\nw = v[:, 0:8]\nq[...] = nl.exp(a)\n"
                            "nl.store(out[:, 0:8], w)\nnl.store(out[:, 8:16], q[:, 8:16])",
                            np.concatenate([s[:, :8], e[:, 8:]], 1)),
    "a part, taken before": ("w = v[:, 0:8]\nq[...] = v\nq[...] = nl.exp(a)\n"
                             "nl.store(out[:, 0:8], w)\nnl.store(out[:, 8:16], q[:, 8:16])",
                             np.concatenate([s[:, :8], e[:, 8:]], 1)),
    "two tiles": ("wide[:, 0:16] = v\nwide[:, 16:32] = v\nwide[:, 0:16] = nl.exp(a)\n"
                  "nl.store(out, v + wide[:, 16:32] + wide[:, 0:16])", 2 * s + e),
    "in a dictionary": ("d = {'k': v}\nq[...] = d['k']\nq[...] = a\nnl.store(out, d['k'] + q)", s + x),
    "in a loop": ("for i in nl.sequential_range(3):\n    q[...] = v\n    v = nl.add(q, 1.0)\n"
                  "    q[...] = nl.multiply(q, 2.0)\nnl.store(out, v + q)", 3 * s + 7),
    "before a loop": ("q[...] = v\nfor i in nl.sequential_range(3):\n    q[...] = nl.add(q, v)\n"
                      "nl.store(out, q)", 4 * s),
    "a product, added": (PRODUCTS, np.concatenate([x.T @ y, x.T @ s, x[32:]])),
}
for name, (lines, expected) in KERNELS.items():
    text = TEXT.replace("LINES", lines.replace("\n", "\n    "))
    got = nki.load(nki.find_in_text(text), [x, y]).run(x, y)
    np.testing.assert_allclose(got, expected, rtol=1e-4, atol=1e-5, err_msg=name)
