"""Patterns of iota and affine_select count the elements of a tile through, whatever its shape.

RUN: %trn_python %s
"""

import numpy as np
from trn_mlir import nki

KERNEL = """import nki
import nki.isa as nisa
import nki.language as nl


@nki.jit
def kernel(x):
    out = nl.ndarray((128, 512), dtype=nl.float32, buffer=nl.shared_hbm)
    y = nl.ndarray((128, 512), dtype=nl.float32, buffer=nl.sbuf)
    z = nl.ndarray((128, 512), dtype=nl.float32, buffer=nl.sbuf)
    nisa.dma_copy(dst=y, src=x)
    nisa.memset(dst=z, value=0.0)
    CALL
    nisa.dma_copy(dst=out, src=z)
    return out
"""
IOTA = "nisa.iota(dst=%s, pattern=%s, offset=3, channel_multiplier=2)"
SELECT = "nisa.affine_select(dst=%s, pattern=%s, offset=3, channel_multiplier=2, on_true_tile=y, " \
    "on_false_value=-7.0, cmp_op=nl.greater_equal)"
# Shapes of the tile, patterns, and whether the tile has gaps.
FORMS = [("z", [[1, 512]], False), ("z", [[10, 8], [-1, 64]], False),
         ("z", [[64, 8], [1, 64]], False), ("z", [[0, 64], [1, 8]], False),
         ("z", [[3, 1], [-1, 512], [5, 1]], False),
         ("z.reshape((128, 4, 128))", [[-1, 512]], False),
         ("z.reshape((128, 4, 128))", [[7, 4], [-1, 128]], False),
         ("z.reshape((128, 4, 128))", [[0, 64], [-2, 8]], False),
         ("z.reshape((128, 4, 128))[:, :, 0:64]", [[-1, 256]], True)]

x = np.random.default_rng(5).standard_normal((128, 512), np.float32)
for place, pattern, has_gaps in FORMS:
    values = np.zeros(1)
    for step, count in pattern:
        values = np.add.outer(values, step * np.arange(count)).reshape(-1)
    values = 3 + 2 * np.arange(128)[:, None] + values
    if has_gaps:
        values = np.pad(values.reshape(128, 4, 64), ((0, 0), (0, 0), (0, 64))).reshape(128, 512)
        values *= np.arange(512) % 128 < 64
    text = KERNEL.replace("CALL", IOTA % (place, pattern))
    np.testing.assert_array_equal(nki.load(nki.find_in_text(text), [x]).run(x), values)
    if not has_gaps:
        text = KERNEL.replace("CALL", SELECT % (place, pattern))
        np.testing.assert_array_equal(nki.load(nki.find_in_text(text), [x]).run(x),
                                      np.where(values >= 0, x, np.float32(-7)))

try:
    nki.load(nki.find_in_text(KERNEL.replace("CALL", IOTA % ("z", [[1, 500]]))), [x])
    raise AssertionError("a pattern of another size is taken")
except nki.NkiError as problem:
    assert problem.rule == "nki_r3" and "500 elements" in problem.message, problem
