"""What a mask left out of one write counts if another one has written it: kernels of beta 1.

RUN: %trn_python %s
"""

import numpy as np
from trn_mlir import nki

TEXT = """import numpy as np
import neuronxcc.nki as nki
import neuronxcc.nki.isa as nisa
import neuronxcc.nki.language as nl


@nki.jit
def kernel(x, y):
    out = nl.ndarray((64, 16), dtype=x.dtype, buffer=nl.shared_hbm)
    nl.store(out, nl.zeros((64, 16), dtype=nl.float32))
    ip, jf = nl.mgrid[0:64, 0:16]
    rest = 64 + ip < 100
    v = nl.load(x[64 + ip, jf], mask=rest)
    q = nl.ndarray((64, 16), dtype=nl.float32, buffer=nl.sbuf)
    blocks = nl.ndarray((2, nl.par_dim(64), 16), dtype=nl.float32, buffer=nl.sbuf)
    t = nl.load(y)
    LINES
    return out
"""
SOME = "q[ip, jf] = nl.copy(v, mask=rest)"
BOTH = "blocks[0] = nl.load(y)\nblocks[1, ip, jf] = nl.load(x[64 + ip, jf], mask=rest)"
STORE = "nl.store(out, nl.exp(q) + t)"

rng = np.random.default_rng(7)
x, y = rng.standard_normal((100, 16), np.float32), rng.standard_normal((64, 16), np.float32)
mixed = np.concatenate([x[64:], y[36:]])
KERNELS = {
    "some rows of what is written": (["q[ip, jf] = nl.load(y)", SOME, STORE], np.exp(mixed) + y),
    "some columns": (["q[ip, jf] = nl.load(y)", "q[ip, jf] = nl.copy(t * 2.0, mask=jf < 10)", STORE],
                     np.exp(np.where(np.arange(16) < 10, 2 * y, y)) + y),
    "then all by an instruction": ([SOME, "q[ip, jf] = t", STORE], np.exp(y) + y),
    "then all by a transfer": ([SOME, "nisa.dma_copy(dst=q, src=y)", STORE], np.exp(y) + y),
    "then all by a number": ([SOME, "q[...] = 2.0", STORE], np.exp(np.float32(2)) + y),
    "then the rest": ([SOME, "q[36:64, :] = nl.load(y[36:64])", STORE], np.exp(mixed) + y),
    "the rest of a load": (["v[36:64, :] = nl.load(y[36:64])", "nl.store(out, nl.exp(v) + t)"],
                           np.exp(mixed) + y),
    "a block beside": ([BOTH, "nl.store(out, nl.exp(blocks[0]))"], np.exp(y)),
    "a block": ([BOTH, "nl.store(out[ip, jf], nl.exp(blocks[1]), mask=rest)"],
                np.concatenate([np.exp(x[64:]), np.zeros((28, 16))])),
    "a choice": (["w = nl.where(nl.greater(v, 0.0), v, -1.0)",
                  "nl.store(out[ip, jf], w, mask=rest)"],
                 np.concatenate([np.where(x[64:] > 0, x[64:], -1), np.zeros((28, 16))])),
}
wrong = []
for name, (lines, expected) in KERNELS.items():
    text = TEXT.replace("LINES", "\n".join(lines).replace("\n", "\n    "))
    found = nki.load(nki.find_in_text(text), [x, y]).run(x, y)
    error = np.abs(found - expected).max() / np.abs(expected).max()
    if not error < 1e-5:
        wrong.append("%s: off by %.2g" % (name, error))
assert not wrong, "\n".join(wrong)
