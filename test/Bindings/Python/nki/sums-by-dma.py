"""DMA engines add tensors up: in HBM, in SBUF, and rows that a tile chooses.

RUN: %trn_python %s
"""

import numpy as np
from trn_mlir import nki

HEAD = """import nki
import nki.isa as nisa
import nki.language as nl


@nki.jit
def kernel(a, b, chosen):
    out = nl.ndarray((96, 640), dtype=nl.float32, buffer=nl.shared_hbm)
    x = nl.ndarray((96, 640), dtype=nl.float32, buffer=nl.sbuf)
    held = nl.ndarray((96, 640), dtype=nl.float32, buffer=nl.private_hbm)
    column = nl.ndarray((96, 1), dtype=nl.int32, buffer=nl.sbuf)
    nisa.dma_copy(dst=x, src=a)
    nisa.dma_copy(dst=held, src=b)
    nisa.dma_copy(dst=column, src=chosen)
"""
ROWS = "held.ap([[640, 96], [1, 640]], vector_offset=column, indirect_dim=0)"

# What is added, and what is in `out` then.
KERNELS = {
    "into a tile": (["nisa.dma_compute(dst=x, srcs=[a, b], scales=[1.0, 1.0], reduce_op=nl.add)"],
                    "x", "A + B"),
    "of HBM and SBUF": (["nisa.dma_compute(x, (b, x, b), nl.add)"], "x", "A + B + B"),
    "of one": (["nisa.dma_compute(x, [b], nl.add)"], "x", "B"),
    "in a loop": (["for i in range(4):", "    nisa.dma_compute(x, [b, x], nl.add)"], "x",
                  "A + 4 * B"),
    "from a tile to HBM": (["nisa.dma_compute(held, [x, b], nl.add)"], "held", "A + B"),
    # 61,440 elements are 128 rows of 480.
    "in HBM, in another shape": (
        ["nisa.dma_compute(held.reshape((6, 10240)), [a.reshape((6, 10240)), "
         "b.reshape((6, 10240))], nl.add)"], "held", "A + B"),
    "in HBM, of parts": (["nisa.dma_compute(held[3:90, 5:600], [a[3:90, 5:600], b[4:91, 0:595]], "
                          "nl.add)"], "held", "part(A, B)"),
    "of a type on the way": (
        ["y = nl.ndarray((96, 640), dtype=nl.bfloat16, buffer=nl.sbuf)",
         "nisa.dma_compute(y, [a, b, b, b], nl.add)"], "y", "rounded(A + B + B + B)"),
    "of rows to a tile": (["nisa.dma_compute(x, [%s, x], nl.add)" % ROWS], "x", "A + B[I]"),
    "to rows": (["nisa.dma_compute(%s, [x, %s], nl.add)" % (ROWS, ROWS)], "held",
                "B + A[np.argsort(I)]"),
    "to rows, but those that are not there": (
        ["nisa.tensor_scalar(dst=column, data=column, op0=nl.add, operand0=40)",
         "nisa.dma_compute(%s, [x, %s], nl.add, oob_mode=nisa.oob_mode.skip)" % (ROWS, ROWS)],
        "held", "B + np.vstack([np.zeros((40, 640)), A[np.argsort(I)][:56]])"),
}


def part(a, b):
    found = b.copy()
    found[3:90, 5:600] = a[3:90, 5:600] + b[4:91, 0:595]
    return found


def rounded(values):
    """To bfloat16, ties to even."""
    bits = values.astype(np.float32).view(np.uint32)
    return (bits + 0x7FFF + ((bits >> 16) & 1) & 0xFFFF0000).view(np.float32)


RNG = np.random.default_rng(11)
A, B = RNG.standard_normal((2, 96, 640)).astype(np.float32)
CHOSEN = RNG.permutation(96).astype(np.int32)[:, None]
I = CHOSEN[:, 0]
for name, (lines, result, wanted) in KERNELS.items():
    text = HEAD + "".join("    %s\n" % line for line in lines) + \
        "    nisa.dma_copy(dst=out, src=%s)\n    return out\n" % result
    found = nki.load(nki.find_in_text(text), [A, B, CHOSEN], machine="trn2").run(A, B, CHOSEN)
    np.testing.assert_allclose(found, eval(wanted), rtol=0, atol=4e-7 * np.abs(A).max() * 4,
                               err_msg=name)

# Each tensor is moved once: two are read, one is written.
LARGE = HEAD.split("@nki.jit")[0] + """@nki.jit
def kernel(a, b):
    out = nl.ndarray(a.shape, dtype=a.dtype, buffer=nl.shared_hbm)
    nisa.dma_compute(out, [a, b], nl.add)
    return out
"""
X = RNG.standard_normal((1, 1920000)).astype(np.float32)  # 128 rows of 15,000: four pieces
KERNEL = nki.load(nki.find_in_text(LARGE), [X, X], machine="trn2")
assert (KERNEL.run(X, X) == 2 * X).all()
assert KERNEL.report["hbm_read_bytes"] == 2 * 7680000, KERNEL.report["hbm_read_bytes"]
assert KERNEL.report["hbm_write_bytes"] == 7680000, KERNEL.report["hbm_write_bytes"]
