"""Blocks of beta 1's tiles have lives of their own where not all of them fit at once.

RUN: %trn_python %s
"""

import numpy as np
from trn_mlir import nki
from trn_mlir.nki._load import find_in_text

RNG = np.random.default_rng(11)
KERNEL = """import numpy as np
import neuronxcc.nki as nki
import neuronxcc.nki.isa as nisa
import neuronxcc.nki.language as nl


@nki.jit
def kernel(x):
    out = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    p, f = nl.arange(128)[:, None], nl.arange(512)[None, :]
    rows = nl.ndarray((BLOCKS, 2, nl.par_dim(128), 512), dtype=x.dtype, buffer=nl.sbuf)
    done = nl.ndarray((BLOCKS, 2, nl.par_dim(128), 512), dtype=x.dtype, buffer=nl.sbuf)
"""
WHOLE = "memref<128x%dx2x512xf32, "


def loaded(text, rows):
    x = RNG.standard_normal((rows, 1024), np.float32)
    return x, nki.load(find_in_text(text.replace("BLOCKS", str(-(-rows // 128)))), [x])


def check(text, rows, expected):
    x, kernel = loaded(text, rows)
    np.testing.assert_allclose(kernel.run(x), expected(x), rtol=1e-6)
    return kernel.traced.mlir


EACH = KERNEL + """
    for i in nl.affine_range(BLOCKS):
        for j in nl.affine_range(2):
            inside = i * 128 + p < x.shape[0]
            rows[i, j, p, f] = nl.load(x[i * 128 + p, j * 512 + f], mask=inside)
            done[i, j, p, f] = nl.exp(rows[i, j, p, f], mask=inside)
            nl.store(out[i * 128 + p, j * 512 + f], done[i, j, p, f], mask=inside)
    return out
"""

# 30 blocks of two times 4096 bytes do not fit, 10 do: those stay one tile.
text = check(EACH, 30 * 128, np.exp)
assert "x2x512xf32" not in text and text.count("trn.alloc : ") == 2, text
text = check(EACH, 10 * 128, np.exp)
assert WHOLE % 10 in text, text
# The last rows are an iteration of their own, with blocks of its own.
text = check(EACH, 29 * 128 + 72, np.exp)
assert "x2x512xf32" not in text and text.count("trn.alloc : ") == 4, text

# A loop that is unrolled: blocks are numbers.
text = check(EACH.replace("nl.affine_range(BLOCKS)", "nl.static_range(BLOCKS)"), 30 * 128, np.exp)
assert "x2x512xf32" not in text, text

# The second block dimension goes with a loop, while blocks of the first one are needed at once: one
# by one, or all by one instruction.
INNER = KERNEL.replace("(BLOCKS, 2, nl.par_dim(128)", "(2, BLOCKS, nl.par_dim(128)") + """
    for i in nl.affine_range(BLOCKS):
        for j in nl.affine_range(2):
            rows[j, i] = nl.load(x[i * 128:(i + 1) * 128, j * 512:(j + 1) * 512])
        READ
        for j in nl.affine_range(2):
            nl.store(out[i * 128:(i + 1) * 128, j * 512:(j + 1) * 512], done[1 - j, i])
    return out
"""
for read in """for j in nl.affine_range(2):
            done[j, i] = nl.exp(rows[j, i])""", """
        q, b, r = nl.arange(128)[:, None, None], nl.arange(2)[None, :, None], nl.arange(512)[None, None, :]
        done[b, i, q, r] = nl.exp(rows[b, i, q, r])""":
    text = check(INNER.replace("READ", read), 30 * 128, lambda x: np.exp(np.roll(x, 512, 1)))
    assert "x30x" not in text and text.count("trn.alloc : ") == 2, text

# What is read in another loop, or in a later iteration, is needed in all its blocks.
LATER = KERNEL + """
    for i in nl.affine_range(BLOCKS):
        for j in nl.affine_range(2):
            rows[i, j] = nl.load(x[i * 128:(i + 1) * 128, j * 512:(j + 1) * 512])
    for i in nl.affine_range(BLOCKS):
        for j in nl.affine_range(2):
            nl.store(out[i * 128:(i + 1) * 128, j * 512:(j + 1) * 512], nl.exp(rows[AT, j]))
    return out
"""
for at in ("i", "BLOCKS - 1 - i"):
    try:
        loaded(LATER.replace("AT", at), 60 * 128)
    except nki.NkiError as problem:
        assert problem.rule == "placed_c3" and "rows 245,760" in problem.message, problem
    else:
        raise AssertionError("it fits")
text = LATER.replace("AT", "BLOCKS - 1 - i")
check(text, 20 * 128, lambda x: np.exp(x.reshape(20, 128, -1)[::-1].reshape(x.shape)))
